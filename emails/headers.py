"""A mail's headers as text, whatever bytes stand in them.

The standard library's parsing of values is not let near: it raises on values that mail really has.
"""

from __future__ import annotations

import codecs
import re
from email.errors import MessageError
from email.header import decode_header, make_header
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from email.message import Message

_LONGEST = 998
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|\([^()]*\)")
_ANGLE = re.compile(r"<\s*([^\s<>]{1,256}@[^\s<>]{1,256})\s*>")
_BARE = re.compile(r"([^\s<>()\",;:\[\]]{1,256}@[^\s<>()\",;:]{1,256})")
_MESSAGE_ID = re.compile(r"<[^<>\s]{1,250}>")
_MEANT = {
    "iso8859-1": "cp1252", "gb2312": "gb18030", "gbk": "gb18030", "euc_kr": "cp949", "shift_jis": "cp932",
    "iso2022_jp": "iso2022_jp_ext", "punycode": "utf-8", "idna": "utf-8", "undefined": "utf-8",
    "unicode_escape": "utf-8", "raw_unicode_escape": "utf-8",
}  # fmt: skip
"""Wider charsets for those that are named in their stead; and no codecs that no mail is written in, such as those
that take a time square in the length."""
_LINE_ENDS = re.compile("\r\n?|[\v\f\x1c-\x1e\x85\u2028\u2029]")
_INVISIBLE = re.compile(
    "[\0-\x08\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]",
)


def header(message: Message, name: str) -> str:
    """Read a header without folds and controls, by the ladder where bytes above 127 stand in it as they are."""
    raw = next((value for key, value in message.raw_items() if key.lower() == name), "")
    return " ".join(visible(decoded(raw.encode("utf-8", "surrogateescape"), "")[:_LONGEST]).split())


def sender(message: Message) -> str:
    """Give the address of From in lower case, "" where there is none or where there are several From headers."""
    value = _QUOTED.sub(" ", header(message, "from"))
    found = _ANGLE.search(value) or _BARE.search(value)
    return found[1].lower() if found and len(message.get_all("from", [])) == 1 else ""


def answered(message: Message) -> tuple[str, ...]:
    """List the mails that a mail says it answers by their Message-IDs, the likeliest first."""
    named = _MESSAGE_ID.findall(header(message, "in-reply-to"))
    named += reversed(_MESSAGE_ID.findall(header(message, "references")))
    return tuple(dict.fromkeys(named))


def subject(message: Message) -> str:
    """Give the subject, decoded where it can be."""
    value = header(message, "subject")
    try:
        return visible(str(make_header(decode_header(value))))
    except (MessageError, LookupError, ValueError):
        return value


def decoded(data: bytes, charset: str) -> str:
    """Decode by the ladder: the charset declared, utf-8, windows-1252, and latin-1, which takes everything."""
    for name in (charset, "utf-8", "cp1252"):
        try:
            codec = codecs.lookup(name).name
            return data.decode(_MEANT.get(codec, codec))
        except (UnicodeError, LookupError):
            continue
    return data.decode("latin-1")


def visible(text: str) -> str:
    """Take out controls, zero-width characters, and those that turn the direction of writing."""
    return _INVISIBLE.sub("", _LINE_ENDS.sub("\n", text))
