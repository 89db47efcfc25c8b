"""Judging several things at once: each finds the clock as the one before it left it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Deadline, LogEntry, SeatHolder
from pbem.play.core import tokens
from tests.support.house import NAMES, address, reply
from tests.support.play.deadlines.turn_deadlines import begun

if TYPE_CHECKING:
    from tests.support.house import House


def test_time_is_given_to_whoever_is_to_move_after_a_move_that_was_judged_with_it(house: House) -> None:
    match_id = begun(house, "martian-whist", 2, "3 days")
    (seat,) = house.match(match_id).to_move
    mail = house.last(NAMES[seat - 1])
    with house.transaction() as ctx:
        holder = ctx.session.scalars(select(SeatHolder).where(SeatHolder.seat == seat)).one()
        key = tokens.issue(ctx, holder, 2)
        onward = f"play+{tokens.rederive(ctx, holder, tokens.REPLY, 2, key)}@games.localhost"
    for text, recipient in ((house.legal(match_id, seat)[0], mail.reply_to), ("more time", onward)):
        assert house.send(reply(mail, text).as_bytes(), recipient, address(mail.name)).code == 250
    assert house.judge(match_id) == 2
    assert house.all(select(LogEntry.event).where(LogEntry.event.is_not(None))) == ["extended"]
    assert [extra > 0 for extra in house.all(select(Deadline.extra_seconds))] == [True]
