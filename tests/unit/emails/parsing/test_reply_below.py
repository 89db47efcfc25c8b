"""A reply below the whole quoted mail, as Thunderbird and mutt place it: it is read, and no line of ours is."""

from __future__ import annotations

import textwrap

import pytest

from emails.parsing.reply_marker import marker
from tests.support.emails.parsing.quotes import cut
from tests.support.places import DATA

OURS = {path: path.read_text(encoding="utf-8").partition("\n\n")[2] for path in sorted(DATA.glob("golden/*/*.txt"))}
INTRODUCTION = "On 21.11.2026 09:12, pbem wrote:"
REPLY = ("take 7", "", "Good game!")
WIDTHS = [36, 40, 60, 72, 76]
MARKER = marker("3k9f2a")


def quoted(text: str, sign: str = "> ") -> str:
    return "\n".join(f"{sign}{line}".rstrip() for line in text.splitlines())


def wrapped(text: str, width: int) -> str:
    """Break quoted lines as old programs do, which leave the rest of a line without its sign."""
    lines = (textwrap.wrap(line, width, break_long_words=False) for line in quoted(text).splitlines())
    return "\n".join(part for parts in lines for part in parts)


def below(quotation: str, reply: str) -> tuple[str, ...]:
    return cut(f"{INTRODUCTION}\n{quotation}\n\n{reply}")


@pytest.mark.parametrize("sign", ["> ", ">", ">> ", "&gt; "])
def test_a_reply_below_our_whole_mail_is_read(sign: str) -> None:
    for path, text in OURS.items():
        assert below(quoted(text, sign), "take 7\n\nGood game!\n-- \nEve") == REPLY, path
        assert below(quoted(text, sign), "") == (), path


@pytest.mark.parametrize("width", WIDTHS)
def test_the_rests_of_our_lines_are_not_read(width: int) -> None:
    for path, text in OURS.items():
        assert below(wrapped(text, width), "take 7\n\nGood game!") == REPLY, path
        assert below(wrapped(text, width), "") == (), path


def test_a_reply_joined_to_the_quotation_is_read() -> None:
    assert cut(f"> {MARKER}\n> It is your turn.\ntake 7") == ("take 7",)


def test_a_reply_within_the_quotation_is_read() -> None:
    assert cut(f"> {MARKER}\n> It is your turn.\n\ntake 7\n\n> Please move by Monday.") == ("take 7",)


def test_a_reply_above_wins() -> None:
    assert cut(f"take 7\n\n> {MARKER}\n> It is your turn.\n\ntake 1") == ("take 7",)


def test_a_phone_s_signature_below_is_nothing_typed() -> None:
    assert cut(f"> {MARKER}\n> It is your turn.\n\nSent from my iPhone") == ()


@pytest.mark.parametrize("sign", ["", "| ", "*"])
def test_below_a_marker_without_a_quote_sign_nothing_is_read(sign: str) -> None:
    assert cut(f"{sign}{MARKER}\nIt is your turn.\n\ntake 1") == ()


def test_below_another_marker_nothing_is_read() -> None:
    assert cut(f"> {MARKER}\n> It is your turn.\n\n{MARKER}\ntake 1") == ()
