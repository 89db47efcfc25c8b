"""From HTML to text, as far as a reply needs it: lines, paragraphs, and quoted text.

A scanner of its own, since the standard library's parser takes quadratic time for some broken pages; this one passes
over each character a fixed number of times.
"""

from __future__ import annotations

import re
from html import unescape

QUOTE_SEPARATOR = "-----Original Message-----"
"""The line inserted where a mail program's markup says that all the rest is quoted."""
SIGNATURE_LINK = r"https://aka\.ms/(?:o0ukef|AAb9ysg|ghei36|qtex0l)"
"""The links by which the signatures of Outlook for iOS and for Android are recognised in any language."""
_SIGNATURE_LINK = re.compile(SIGNATURE_LINK)
_MAX_VISIBLE_CHARACTERS = 64 * 1024
"""Maximum characters read of a page without style sheets, comments, embedded pictures and long attributes."""
_DATA = re.compile(r"=\s*(?:\"data:[^\"]*\"|'data:[^']*')", re.IGNORECASE)
_LONG_TAG = re.compile(r"(<[a-zA-Z][^<>]{1000})[^<>]*")
_UNFINISHED_TAG = re.compile(r"<[a-zA-Z/!][^<>]*\Z")
_INVISIBLE = re.compile(
    r"<!(?=--).*?(?:-->|\Z)|<(style|script|title|xml|template)(?=[\s/>]).*?(?=</\1|\Z)"
    r"|<div\s[^<>]{0,2000}?display:\s?none[^<>]*>[^<>]*", re.IGNORECASE | re.DOTALL
)  # fmt: skip
"""Comments, what is no text, and text that is not shown, such as the line for inboxes in our own mails."""
_TAG = re.compile(r"<(/?)([a-zA-Z][\w:-]{0,30})(?=[\s/>])([^<>]*)>|<[!?][^<>]*>")
_BLANKS = re.compile(r"[\r\n]\s*|[\t\xa0]")
_BLOCK_TAG = re.compile(r"(p|h[1-6]|[uo]l|table|pre)$|(?:blockquote|div|li|tr|hr|body|center|d[dlt]|section|article)$")
"""Tags that end a line; those of the group also add a blank line."""
_REST_IS_QUOTED = re.compile(r"divRplyFwdMsg|appendonsend|OLK_SRC_BODY|yahoo_quoted|mail-editor-reference-message")


def to_text(page: str) -> str:
    """Convert a page to lines of text, with `>` before quoted blocks."""
    page = _LONG_TAG.sub(r"\1", _DATA.sub("", page))
    page = _UNFINISHED_TAG.sub("", _INVISIBLE.sub("", page)[:_MAX_VISIBLE_CHARACTERS])
    lines: list[str] = []
    line, at, depth, preformatted = "", 0, 0, False
    for tag in _TAG.finditer(f"{page}<p>"):
        words = unescape(page[at : tag.start()])
        line += words if preformatted else _BLANKS.sub(" ", words)
        at, name, opens, sign = tag.end(), (tag[2] or "").lower(), not tag[1], "> " if depth else ""
        block = _BLOCK_TAG.match(name)
        if name == "br" or (block and line.strip()):
            lines += [sign + part.strip() for part in line.split("\n")]
            line = ""
        if block and block[1]:
            lines.append(sign)
        elif name == "blockquote":
            depth = max(0, depth + (1 if opens else -1))
        elif name in {"td", "th"}:
            line += " "
        if name == "pre":
            preformatted = opens
        if opens and _REST_IS_QUOTED.search(tag[3] or ""):
            lines.append(QUOTE_SEPARATOR)
        if opens and (link := _SIGNATURE_LINK.search(tag[3] or "")):
            line += link[0]
    return "\n".join(lines)
