"""What a seat holds hidden is in nobody else's mail, in no inbox, and in no log, however it may be written.

That no byte depends on it is held by `test_secrecy.py`; here its very names are looked for.
"""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

import pytest

from emails.inbound.accept import accept
from pbem.db.session import connect
from pbem.games import Seat
from tests.support.house import NAMES, address, reply
from tests.support.play.canaries import (
    SECRETIVE,
    canaries,
    hands_of,
    leaks,
    own_canaries,
    sighted,
    told_by,
)
from tests.support.play.matches.mail_facts import config, deals

if TYPE_CHECKING:
    from pbem.config import Config
    from tests.support.games.random_play import Match as Deal
    from tests.support.house import House

__all__ = ["config"]


@pytest.mark.parametrize("key", SECRETIVE)
def test_no_mail_tells_what_another_seat_holds(config: Config, key: str) -> None:
    deal = next(each for each in deals(key) if is_short(each))
    mails, own, found = leaks(config, deal)
    assert not found
    assert mails > deal.seats * 10
    # The same eyes do see what the reader's own hand holds.
    assert own > 0


def is_short(deal: Deal) -> bool:
    return deal.options.get("rounds", 1) == 1 and deal.options.get("hands", 1) == 1


def test_a_card_is_seen_however_it_is_written() -> None:
    for text in ("9H", "9H.", "9♥", "9 ♥", "the nine of hearts", "Nine of\nHearts", "take 9H, please", "Herz-Neun"):
        assert sighted({"9H"}, text) == {"9H"}
    for text in ("TH", "10♥", "T♥", "ten of hearts"):
        assert sighted({"TH"}, text) == {"TH"}
    for text in ("19H", "9HX", "nine of spades", "nineteen of hearts", "9 hearts won"):
        assert not sighted({"9H"}, text)
    hand = "KH QH 8D 7C 5C"
    assert hands_of(f"hands {hand} | 6S 6C") == {tuple(hand.split())}
    assert sighted({hand}, "You sealed KH, QH,\n  8D, 7C, 5C.") == {hand}
    assert not sighted({hand}, "You hold 5C 7C 8D KH QH.")


@pytest.mark.parametrize(("key", "seats", "options"), [("montauk", 2, {"rounds": 1}), ("martian-trickery", 3, {})])
def test_nothing_hidden_is_in_a_header_an_address_or_a_log(
    house: House, caplog: pytest.LogCaptureFixture, key: str, seats: int, options: dict[str, object]
) -> None:
    caplog.set_level(logging.DEBUG)
    match_id, read = house.start_match(key, seats, options), 0
    for _ in range(6):
        with house.course(match_id) as (_, course):
            position, game = course.position, course.game
        moving = game.to_move(position)[0]
        for seat, name in enumerate(NAMES[:seats], 1):
            unknown, held = canaries(position, Seat(seat)), own_canaries(position, Seat(seat))
            for mail in house.mails(name):
                read += 1
                headers = "\n".join(f"{each}: {value}" for each, value in mail.message.items())
                assert not sighted(unknown, f"{mail.text}\n{told_by(mail.html)}\n{headers}")
                addresses = [each.partition("?")[0] for each in re.findall(r"(?:https?|mailto):\S+", mail.text)]
                assert not sighted(held, "\n".join([headers, *addresses]))
        last = next(mail for mail in reversed(house.every_mail) if mail.name == NAMES[moving - 1])
        house.reply(last, "play something else")
        house.reply(last, house.legal(match_id, moving)[0])
    assert read > 6
    everything = canaries(position, Seat(0))
    assert not sighted(everything, caplog.text)


def test_a_database_that_refuses_leaves_no_mail_in_the_log(house: House, caplog: pytest.LogCaptureFixture) -> None:
    match_id = house.start_match("montauk", 2)
    (mail,) = [mail for mail in house.mails("Ann") + house.mails("Bob") if "It is your turn" in mail.flat]
    with house.course(match_id) as (_, course):
        held = own_canaries(course.position, Seat(1)) | own_canaries(course.position, Seat(2))
    url = house.engine.url.update_query_dict({"options": "-c default_transaction_read_only=on"})
    engine = connect(url.render_as_string(hide_password=False))
    raw = reply(mail, " ".join(held)).as_bytes()
    assert accept(engine, house.config, raw, mail.reply_to, address(mail.name)).code == 451
    engine.dispose()
    assert "could not store a mail" in caplog.text
    assert "read-only" in caplog.text
    assert "[parameters:" not in caplog.text
    assert not sighted(held, caplog.text)
    assert mail.reply_to.partition("@")[0] not in caplog.text
