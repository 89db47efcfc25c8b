"""Pages: pictures and attributes of any size neither lose the move nor enter the text."""

from __future__ import annotations

import pytest

from emails.parsing import html_text
from emails.parsing.reader import parse_mail

SIZES = [100, 70_000, 300_000, 900_000]
HEAD = b"From: a@x.example\nContent-Type: text/html; charset=utf-8\n\n"
FILLERS = {
    "a picture": '<img alt="x" src="data:image/png;base64,{}">',
    "a picture with apostrophes": "<img alt=x src = 'data:image/png;base64,{}'>",
    "a picture without quotes": "<img src=data:image/png;base64,{}>",
    "a drawing": """<img src="data:image/svg+xml;utf8,<svg xmlns='http://x.example'><!--{}--></svg>">""",
    "a background": '<div style="background: url(data:image/png;base64,{})"></div>',
    "a long attribute": '<div title="{}"></div>',
    "a style sheet": "<style>{}</style>",
    "a comment": "<!--{}-->",
}


def typed(page: str) -> tuple[str, ...]:
    return parse_mail(HEAD + page.encode()).typed


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("filler", FILLERS)
def test_a_picture_above_or_below_changes_nothing(filler: str, size: int) -> None:
    filling = FILLERS[filler].format("iVBORw0K" * (size // 8))
    assert typed(f"<body>{filling}<p>take 7</p></body>") == ("take 7",)
    assert typed(f"<body><p>take 7</p>{filling}<p>Good game!</p></body>") == ("take 7", "", "Good game!")


def test_a_page_that_ends_within_a_tag_ends_before_it() -> None:
    assert html_text.to_text("<p>take 7</p><img alt='take 1").split() == ["take", "7"]
    assert html_text.to_text("take 7 < 8").split() == ["take", "7", "<", "8"]
