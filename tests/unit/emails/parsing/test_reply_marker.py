"""The marker: how it is written, with a mail's nonce and in another language."""

from __future__ import annotations

import pytest

from emails.content.html import render_html
from emails.parsing.body import first_lines
from emails.parsing.html_text import to_text
from emails.parsing.quotes_and_signatures import typed_lines
from emails.parsing.reply_marker import MARKER, is_marker, marker


def test_it_is_written_with_and_without_a_nonce() -> None:
    assert marker("") == marker() == MARKER == "--- Reply above this line ---"
    assert marker("3k9f2a") == "--- Reply above this line · #3k9f2a ---"
    assert marker("3k9f2a", "Bitte oberhalb dieser Zeile antworten") == (
        "--- Bitte oberhalb dieser Zeile antworten · #3k9f2a ---"
    )


@pytest.mark.parametrize("line", [MARKER, marker("3k9f2a"), marker("", "Bitte oberhalb dieser Zeile antworten")])
def test_it_is_known_as_it_was_written(line: str) -> None:
    assert is_marker(line)
    assert not is_marker("It is your turn.")
    assert not is_marker("---")


@pytest.mark.parametrize("introduction", ["<br>", "<hr>", "<p>Gruppenspiel schrieb dies:</p>"])
def test_the_line_for_inboxes_of_a_quoted_mail_was_not_typed(introduction: str) -> None:
    ours = render_html("Your turn: Martian Whist with Bob", ("It is your turn. Bob took 5.", "What happened:"))
    lines = first_lines(to_text(f"<div>take 7</div><div>Well played!</div>{introduction}{ours}"))
    assert "It is your turn. Bob took 5." not in typed_lines(lines)
    assert typed_lines(lines)[:2] == ("take 7", "Well played!")
