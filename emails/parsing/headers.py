"""The headers of a mail as text, whatever bytes they contain.

The standard library's parsing of values is avoided: it raises on values that occur in real mail.
"""

from __future__ import annotations

import codecs
import re
from email.errors import MessageError
from email.header import decode_header, make_header
from typing import TYPE_CHECKING

from pbem.addresses import canonical

if TYPE_CHECKING:
    from email.message import Message

_MAX_LENGTH = 998
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|\((?:[^()\\\"]|\\.)*\)", re.DOTALL)
_PLACEHOLDER = "\x1f"
"""Replaces a quoted string or comment, so that adjacent text is still recognised as joined to something."""
_MAX_NESTING = 4
MAX_MESSAGE_ID_LENGTH = 250
"""Maximum characters of a Message-ID."""
_NONSTANDARD_NAME = re.compile(
    rb"^(?:(?!from\b|authentication-results\b)([a-z][a-z0-9-]{1,60})[ \t]+(?=:)|>From [^\n]*\n)",
    re.IGNORECASE | re.MULTILINE,
)
"""From and Authentication-Results are left as they are: a mail server may check them only in their exact form."""
_ANGLE_ADDRESS = re.compile(r"<([^<>]*)>")
_ADDRESS = re.compile(r"[!#-'*+/-9=?A-Z^-~\x80-\U0010ffff.-]{1,64}@[a-zA-Z0-9.\x80-\U0010ffff-]{1,255}")
_MESSAGE_ID = re.compile(r"<[^<>\s]{1,250}>")
_CHARSET_REPLACEMENTS = {
    "iso8859-1": "cp1252", "gb2312": "gb18030", "gbk": "gb18030", "euc_kr": "cp949", "shift_jis": "cp932",
    "iso2022_jp": "iso2022_jp_ext", "punycode": "utf-8", "idna": "utf-8", "undefined": "utf-8",
    "unicode_escape": "utf-8", "raw_unicode_escape": "utf-8",
}  # fmt: skip
"""Wider charsets that replace declared ones, and UTF-8 for codecs that no mail uses; some of those take
quadratic time."""
_LINE_ENDS = re.compile("\r\n?|[\v\f\x1c-\x1e\x85\u2028\u2029]")
_INVISIBLE = re.compile(
    "[\0-\x08\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


def normalize_names(block: bytes) -> bytes:
    """Normalise header names for the standard parser, which takes any other line for the body.

    Old programs put a blank before the colon (RFC 5322 4.5), and mbox programs a > before From.
    """
    return _NONSTANDARD_NAME.sub(rb"\1", block)


def header(message: Message, name: str) -> str:
    """Return a header without folds and control characters; raw bytes above 127 are decoded with fallbacks."""
    raw = next((value for key, value in message.raw_items() if key.lower() == name), "")
    return " ".join(strip_invisible(decode(raw.encode("utf-8", "surrogateescape"), "")[:_MAX_LENGTH]).split())


def sender(message: Message) -> str:
    """Return the one address in From in its canonical form; "" if From is ambiguous.

    The mail server that checks From must have read the same address. So no address is guessed, no invisible character
    is removed from one, and look-alike letters stay different.
    """
    fields = [str(value) for key, value in message.raw_items() if key.lower() == "from"]
    value = decode(fields[0].encode("utf-8", "surrogateescape"), "") if len(fields) == 1 else ""
    if len(value) > _MAX_LENGTH or _PLACEHOLDER in value:
        return ""
    for _nested in range(_MAX_NESTING):
        value = _QUOTED.sub(_PLACEHOLDER, value)
    outside = _ANGLE_ADDRESS.sub(" ", value)
    angles = _ANGLE_ADDRESS.findall(value)
    address = (angles[0] if angles else outside.replace(_PLACEHOLDER, " ")).strip()
    said_again = outside.replace(address, "") if angles else ""
    clear = len(angles) <= 1 and not set(outside) & set('"()<>') and "@" not in said_again
    fits = clear and _ADDRESS.fullmatch(address) and strip_invisible(address) == address
    return canonical(address) if fits else ""


def message_id(message: Message) -> str:
    """Return the Message-ID of a mail, "" if it has none or an overlong one."""
    found = header(message, "message-id")
    return found if len(found) <= MAX_MESSAGE_ID_LENGTH else ""


def answered_message_ids(message: Message) -> tuple[str, ...]:
    """List the Message-IDs of the mails that a mail answers, the likeliest first."""
    named = _MESSAGE_ID.findall(header(message, "in-reply-to"))
    named += reversed(_MESSAGE_ID.findall(header(message, "references")))
    return tuple(dict.fromkeys(named))


def subject(message: Message) -> str:
    """Return the subject, decoded if possible."""
    value = header(message, "subject")
    if "=?" not in value:
        return value
    try:
        return strip_invisible(str(make_header(decode_header(value))))
    except (MessageError, LookupError, ValueError):
        return value


def decode(data: bytes, charset: str) -> str:
    """Decode bytes by the first charset that fits: the declared one, utf-8, windows-1252, latin-1 (always fits)."""
    if not charset and data.isascii():
        return data.decode("ascii")
    for name in (charset, "utf-8", "cp1252"):
        try:
            codec = codecs.lookup(name).name
            return data.decode(_CHARSET_REPLACEMENTS.get(codec, codec))
        except (UnicodeError, LookupError):
            continue
    return data.decode("latin-1")


def strip_invisible(text: str) -> str:
    """Remove control characters, zero-width characters, and those that change the writing direction."""
    if text.isascii() and text.isprintable():
        return text
    return _INVISIBLE.sub("", _LINE_ENDS.sub("\n", text))
