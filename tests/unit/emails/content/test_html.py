"""A mail's HTML part: what its style says of boards."""

from emails.content.blocks import Board
from emails.content.html import render_html


def test_a_board_is_dimmed_where_its_reader_prefers_dark() -> None:
    html = render_html("Your turn", [Board("text", lambda: "<svg/>", "words")], {0: "board.1"})
    dark = html.partition("@media (prefers-color-scheme: dark)")[2].partition("@media")[0]
    assert "img.board { filter: brightness(0.8); }" in dark
