"""A mail's headers as text, whatever bytes stand in them.

The standard library's parsing of values is not let near: it raises on values that mail really has.
"""

from __future__ import annotations

import re
from email.errors import MessageError
from email.header import decode_header, make_header
from typing import TYPE_CHECKING

from emails.charsets import decoded, visible

if TYPE_CHECKING:
    from email.message import Message

_LONGEST = 998
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|\([^()]*\)")
_ANGLE = re.compile(r"<\s*([^\s<>]{1,256}@[^\s<>]{1,256})\s*>")
_BARE = re.compile(r"[^\s<>()\",;:\[\]]{1,256}@[^\s<>()\",;:]{1,256}")


def header(message: Message, name: str) -> str:
    """Read a header without folds and controls, by the ladder where bytes above 127 stand in it as they are."""
    value: object = message.get(name, "")
    if not isinstance(value, str):
        # The parser hides such bytes in an object that would write them as question marks.
        raw = next(value for key, value in message.raw_items() if key.lower() == name)
        value = decoded(raw.encode("ascii", "surrogateescape"), "")
    return " ".join(visible(value[:_LONGEST]).split())


def sender(message: Message) -> str:
    """Give the address of From in lower case, "" where there is none or where there are several From headers."""
    if len(message.get_all("from", [])) != 1:
        return ""
    value = _QUOTED.sub(" ", header(message, "from"))
    found = _ANGLE.search(value)
    bare = None if found else _BARE.search(value)
    return (found[1] if found else bare[0] if bare else "").lower()


def subject(message: Message) -> str:
    """Give the subject, decoded where it can be."""
    value = header(message, "subject")
    try:
        return visible(str(make_header(decode_header(value))))
    except (MessageError, LookupError, ValueError):
        return visible(value)
