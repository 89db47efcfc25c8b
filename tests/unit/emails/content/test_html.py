"""A mail's HTML part: the styles of its elements, and what its style sheet says of dark mode."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from css_inline import CSSInliner

from emails.content.blocks import (
    Block,
    Board,
    BulletList,
    Button,
    Choice,
    Choices,
    Footnote,
    Heading,
    Links,
    Picture,
    Suggestions,
    TitledList,
)
from emails.content.html import render_html
from emails.content.markup import MEDIA, SHEET

MOVES = (
    Choice("take 3", 'https://x.org/?a=1&b="', "mailto:play@x.org?body=a&b", 'Take "three"', "<Good> & it's fine", 1),
    Choice("swap", "https://x.org/2", "mailto:play@x.org"),
)
BLOCKS: tuple[Block, ...] = (
    'It\'s <b>your</b> "turn" & mine',
    "A paragraph",
    TitledList("News", ("One", "Two")),
    Heading("A heading"),
    BulletList(("One", "Two")),
    Board("text\n  <board>", lambda: "<svg/>", lambda: 'words "of" <it>'),
    Board("text", lambda: "<svg/>", lambda: "words"),
    Picture(lambda: "<svg/>", "words"),
    Choices("Suggested moves", MOVES, ()),
    Choices("You may play", (), ("take 1", "take 2")),
    Suggestions(MOVES),
    Button("Look", "https://x.org/?a&b"),
    Links((("One", "https://x.org/1"), ("Two", "https://x.org/2"))),
    Footnote(("One", "Two"), ("More", "https://x.org/more")),
)
"""Blocks of every kind."""


_STYLE = re.compile(r' style="[^"]*"')


class _Elements(HTMLParser):
    """The elements and texts of a page, in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[Any] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        self.found.append(tag)

    def handle_data(self, data: str) -> None:
        if text := " ".join(data.split()):
            self.found.append(text)


def elements(page: str, inliner: CSSInliner) -> list[Any]:
    """List the elements of a page as a browser completes it, with the rules of its style sheet in them."""
    return _Elements(inliner.inline(page)).found


@pytest.mark.parametrize("text_first", [False, True])
def test_elements_have_the_styles_that_css_inline_gives_a_whole_mail(text_first: bool) -> None:  # noqa: FBT001
    inliner = CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)
    ours = render_html("A subject", BLOCKS, {5: "board.1", 7: "board.2"}, text_first=text_first)
    plain = _STYLE.sub("", ours).replace(MEDIA, SHEET)
    assert elements(ours, inliner) == elements(plain, inliner)


def test_a_board_is_dimmed_where_its_reader_prefers_dark() -> None:
    page = render_html("Your turn", [Board("text", lambda: "<svg/>", lambda: "words")], {0: "board.1"})
    dark = page.partition("@media (prefers-color-scheme: dark)")[2].partition("@media")[0]
    assert "img.board { filter: brightness(0.8); }" in dark


def test_no_name_is_markup() -> None:
    page = render_html('<b>"', ["<b>it's</b>", Button('"<i>', 'https://x.org/"<i>')])
    assert "<b>" not in page
    assert "<i>" not in page
