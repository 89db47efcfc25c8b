"""From bytes to text that can be seen: a declared charset may be a lie, and characters may hide."""

from __future__ import annotations

import codecs
import re

_WIDER = {"iso8859-1": "cp1252", "gb2312": "gb18030", "gbk": "gb18030", "euc_kr": "cp949",
          "shift_jis": "cp932", "iso2022_jp": "iso2022_jp_ext"}  # fmt: skip
_NO_TEXT = {"punycode", "idna", "undefined", "unicode_escape", "raw_unicode_escape"}
"""Codecs that Python offers but no mail is written in; the first two take a time square in the length."""
_LINE_ENDS = re.compile("\r\n?|[\v\f\x1c-\x1e\x85\u2028\u2029]")
_INVISIBLE = re.compile(
    "[\0-\x08\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]",
)


def decoded(data: bytes, charset: str) -> str:
    """Decode by the ladder: the charset declared, utf-8, windows-1252, and latin-1, which takes everything."""
    for name in (_codec(charset), "utf-8", "cp1252"):
        try:
            return data.decode(name)
        except (UnicodeError, LookupError):
            continue
    return data.decode("latin-1")


def visible(text: str) -> str:
    """Take out controls, zero-width characters, and those that turn the direction of writing."""
    return _INVISIBLE.sub("", _LINE_ENDS.sub("\n", text))


def _codec(charset: str) -> str:
    try:
        name = codecs.lookup(charset or "utf-8").name
    except LookupError:
        return "utf-8"
    return "utf-8" if name in _NO_TEXT else _WIDER.get(name, name)
