"""The marker: how it is written, with a mail's nonce and in another language."""

from __future__ import annotations

import pytest

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
