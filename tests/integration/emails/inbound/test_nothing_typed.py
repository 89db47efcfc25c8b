"""Nothing typed is nothing played: endings of every kind, and our own mails sent back in many styles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from emails.parsing.quotes_and_signatures import typed_lines
from emails.parsing.reader import parse_mail
from emails.parsing.reply_marker import MARKER, marker
from pbem.games import GAMES, Seat
from pbem.play.inbox import commands
from pbem.play.submissions import move_finder
from tests.support.emails.parsing.quotes import BLOCKS, INTRODUCTIONS
from tests.support.emails.parsing.quoting import STYLES, echo
from tests.support.house import NAMES

if TYPE_CHECKING:
    from tests.support.house import House, Mail

ABOVE_THE_MARKER = {
    style for style in STYLES if "without" in style or style in {"the page as text", "the page as it is"}
}
"""Styles that lose the marker, or show the preview above it: what they leave must not be a move."""
QUOTED_WHOLE = [
    "Gmail", "signs without blanks", "quoted twice", "Thunderbird in German", "French", "Japanese", "wrapped at 60",
    "wrapped at 40", "wrapped at 72, whole words", "Gmail's page", "Apple's page", "Thunderbird's page",
]  # fmt: skip
OURS = "It is your turn in Martian Whist.\n\nYou can play: 9H | R2 7H | take 7\n"
GREETING = re.compile("hello|hallo|bonjour", re.IGNORECASE)
ENDINGS = 135
QUOTING_STYLES = 20


def test_endings_alone_leave_nothing() -> None:
    mails = [f"{line}\n\n{OURS}" for line in (MARKER, marker("3k9f2a"))]
    quoted = ["\n".join(f"{sign}{line}" for line in mail.split("\n")) for mail in mails for sign in ("> ", ">", "")]
    endings = [f"{above}\n\n{mail}" for above in INTRODUCTIONS for mail in quoted]
    endings += [f"{above}\n{mail}" for above in BLOCKS if not GREETING.search(above) for mail in quoted]
    assert len(set(endings)) >= ENDINGS
    assert [ending for ending in endings if typed_lines(ending.split("\n"))] == []


def test_a_reply_below_our_whole_mail_is_read_and_nothing_else(house: House) -> None:
    house.make("martian-whist", 2)
    (mail, *_) = house.mails("Ann")
    below = {style: echo(mail, style, below="take 7") for style in QUOTED_WHOLE}
    assert {style: parse_mail(answer.as_bytes()).typed for style, answer in below.items()} == dict.fromkeys(
        QUOTED_WHOLE, ("take 7",)
    )


def played(house: House, match_id: str, mail: Mail, lines: tuple[str, ...]) -> bool:
    """Return whether lines would be a command, or a move of whoever got the mail."""
    if commands.parse(list(lines)):
        return True
    seat = Seat(NAMES.index(mail.name) + 1)
    with house.course(match_id) as (_, course):
        found = move_finder.find(lines, lambda line: course.game.read(course.position, seat, line))
    return isinstance(found, move_finder.Found)


@pytest.mark.parametrize("game", GAMES)
def test_our_own_mails_sent_back_play_nothing(house: House, game: str) -> None:
    assert len(STYLES) >= QUOTING_STYLES
    seats = GAMES[game].seats[0]
    match_id = house.make(game, seats)
    names = NAMES[:seats]
    mails = [mail for name in names for mail in house.mails(name)]
    for mail in mails:
        house.reply(mail, "accept")
    mails += [mail for name in names for mail in house.mails(name)]
    assert any("your turn" in mail.flat for mail in mails)
    read_as = {(mail.raw, style): parse_mail(echo(mail, style).as_bytes()).typed for mail in mails for style in STYLES}
    assert {style for (_, style), lines in read_as.items() if lines and style not in ABOVE_THE_MARKER} == set()
    assert [
        (mail.message["Subject"], style, lines)
        for mail in mails
        for style in STYLES
        if (lines := read_as[mail.raw, style]) and played(house, match_id, mail, lines)
    ] == []
