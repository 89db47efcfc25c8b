"""What people may be called, and the addresses that they are known by."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.play.core.errors import Refused
from pbem.play.players.registry import MAX_NAME_LENGTH, normalise_name


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("  Zo\u0065\u0308 \t\n Löwe ", "Zoë Löwe"),
        ("Ann\N{RIGHT-TO-LEFT OVERRIDE}boB", "Ann boB"),
        ("A\N{ZERO WIDTH SPACE}nn", "A nn"),
        ("\N{LEFT-TO-RIGHT ISOLATE}Ann\N{POP DIRECTIONAL ISOLATE}", "Ann"),
        ("Ann\N{HANGUL FILLER}\N{HANGUL FILLER}Bob", "Ann Bob"),
        ("Ann\N{BRAILLE PATTERN BLANK}Bob", "Ann Bob"),
        ("Ann\N{NO-BREAK SPACE}\N{IDEOGRAPHIC SPACE}Bob", "Ann Bob"),
        ("Ann\N{VARIATION SELECTOR-16}", "Ann"),
        ("Ann\0\x1b[31m", "Ann [31m"),
        ("Z" + "\N{COMBINING TILDE OVERLAY}" * 30, "Z" + "\N{COMBINING TILDE OVERLAY}" * 3),
        ("J.R.R. Tolkien", "J.R.R. Tolkien"),
        ("Dr. No", "Dr. No"),
        ("<b>\"'&", "<b>\"'&"),
        ("李小龍", "李小龍"),
        ("نجيب", "نجيب"),
    ],
)
def test_a_name_is_one_line_of_what_is_seen(typed: str, name: str) -> None:
    assert normalise_name(typed) == name


@pytest.mark.parametrize(
    "typed",
    [
        "see www.example.org",
        "evil.example",
        "Ann https://x",
        "ann@example.org",
        "ann\N{FULLWIDTH COMMERCIAL AT}example.org",
        "evil\N{IDEOGRAPHIC FULL STOP}example",
        "evil\N{FULLWIDTH FULL STOP}example",
        "go to Evil.Example now",
    ],
)
def test_a_name_leads_nowhere(typed: str) -> None:
    with pytest.raises(Refused, match="cannot contain a link"):
        normalise_name(typed)


@pytest.mark.parametrize("typed", ["", " ", "\N{ZERO WIDTH SPACE}", "\N{HANGUL FILLER}", "\N{VARIATION SELECTOR-16}"])
def test_a_name_that_shows_nothing_is_none(typed: str) -> None:
    with pytest.raises(Refused, match="Enter a name for this player"):
        normalise_name(typed)


@given(st.text(max_size=60))
def test_no_character_survives_that_is_not_seen(typed: str) -> None:
    try:
        name = normalise_name(typed)
    except Refused:
        return
    assert 0 < len(name) <= MAX_NAME_LENGTH
    assert name == name.strip()
    assert "  " not in name
    assert not [letter for letter in name if unicodedata.category(letter)[0] in "CZ" and letter != " "]
    assert normalise_name(name) == name
