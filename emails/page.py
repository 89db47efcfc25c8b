"""From HTML to text, as far as a reply needs it: lines, paragraphs, and what is quoted.

A scanner of its own, since the standard library's parser takes a time square in the length of some broken
pages; this one passes over each character once.
"""

from __future__ import annotations

import re
from html import unescape

CHARACTERS = 256 * 1024
"""How much of a page is read; style sheets and comments of office programs come before the text."""
QUOTED_FROM_HERE = "-----Original Message-----"
"""The line put where a mail program's own mark says that all the rest is quoted."""
_ENOUGH = 16 * 1024

_TAG = re.compile(r"<(!--|/?([a-zA-Z][\w:-]{0,30})(?=[\s/>])[^<>]*>|[!?][^<>]*>)")
_BREAK = re.compile(r"[\r\n]\s*|[\t\xa0]")
_HTML = re.compile(r"<(?:html|body|div|p|br|blockquote|span|table)(?:\s[^<>]*)?/?>", re.IGNORECASE)
_LEFT_OUT = {name: re.compile(f"</{name}", re.IGNORECASE) for name in ("style", "script", "title", "xml", "template")}
_PARAGRAPHS = {"p", "h1", "h2", "h3", "h4", "ul", "ol", "table", "pre"}
_BLOCKS = _PARAGRAPHS | {"div", "li", "tr", "hr", "body", "center", "dd", "dl", "dt", "section", "article", "h5", "h6"}
_REST_IS_QUOTED = re.compile(r"divRplyFwdMsg|appendonsend|OLK_SRC_BODY|yahoo_quoted|mail-editor-reference-message")


def looks_like(text: str) -> bool:
    """Tell a page from plain text by the tags that pages of mail are made of."""
    return _HTML.search(text[:CHARACTERS]) is not None


def plain(page: str) -> str:
    """Write a page as lines of text, quoted blocks with `>` in front."""
    return "\n".join(_Lines().read(page[:CHARACTERS]))


class _Lines:
    """Collects the lines of one page."""

    __slots__ = ("_depth", "_kept", "_line", "_preformatted", "_size")

    def __init__(self) -> None:
        self._kept: list[str] = []
        self._line: list[str] = []
        self._depth = self._size = 0
        self._preformatted = False

    def read(self, page: str) -> list[str]:
        """Pass over the page once, until there is more than anybody looks at."""
        at = 0
        while self._size < _ENOUGH and (tag := _TAG.search(page, at)):
            self._add(page[at : tag.start()])
            at, name = tag.end(), (tag[2] or "").lower()
            if tag[1] == "!--":
                # A comment that never ends leaves nothing to be seen.
                end = page.find("-->", tag.start() + 2)
                at = end + 3 if end >= 0 else len(page)
            elif name in _LEFT_OUT and tag[1][0] != "/":
                closing = _LEFT_OUT[name].search(page, at)
                at = closing.start() if closing else len(page)
            elif name:
                self._tag(name, tag[1], opens=tag[1][0] != "/")
        self._add(page[at : at + _ENOUGH])
        self._end()
        return self._kept

    def _add(self, raw: str) -> None:
        words = unescape(raw)
        first, *others = words.split("\n") if self._preformatted else [_BREAK.sub(" ", words)]
        self._line.append(first)
        for line in others:
            self._end()
            self._line.append(line)

    def _tag(self, name: str, attributes: str, *, opens: bool) -> None:
        if name == "br":
            self._end()
        elif name == "blockquote":
            self._end(only_words=True)
            self._depth = max(0, self._depth + (1 if opens else -1))
        elif name in _BLOCKS:
            self._end(only_words=True)
            if name in _PARAGRAPHS:
                self._keep("")
        elif name in {"td", "th"}:
            self._line.append(" ")
        if name == "pre":
            self._preformatted = opens
        if opens and _REST_IS_QUOTED.search(attributes):
            self._keep(QUOTED_FROM_HERE)

    def _end(self, *, only_words: bool = False) -> None:
        line = "".join(self._line).strip()
        self._line.clear()
        if line or not only_words:
            self._keep(line)

    def _keep(self, line: str) -> None:
        if line or (self._kept and self._kept[-1].strip("> ")):
            self._kept.append("> " * min(self._depth, 1) + line)
        self._size += len(line) + 1
