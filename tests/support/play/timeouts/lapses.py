"""What tests of lapses share."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from pbem.db.models import Deadline, Player, SeatHolder
from pbem.play.deadlines.turn_deadlines import CLOCK_DELAY
from pbem.play.matches.match_state import lock_match
from tests.support.clockwork import at, tick
from tests.support.house import NAMES
from tests.support.play.deadlines.turn_deadlines import begun
from tests.support.play.upkeep.deadline_tasks import AWAKE

if TYPE_CHECKING:
    from datetime import datetime

    from tests.support.house import House, Mail

DAY, HOUR = timedelta(days=1), timedelta(hours=1)


def running(house: House, on_time: str, seats: int = 2, *, public: bool = True, hands: int = 1) -> str:
    """Begin a match in which somebody has moved, between people who neither sleep nor travel."""
    game = "martian-whist" if seats == 2 else "martian-trickery"
    options: dict[str, object] = {} if seats == 2 else {"hands": hands}
    match_id = begun(house, game, seats, "3 days", options)
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        match.timeout_policy, match.public = on_time, public
    awake(house)
    seat = house.match(match_id).to_move[0]
    house.reply(house.last(NAMES[seat - 1]), house.legal(match_id, seat)[0])
    return match_id


def awake(house: House) -> None:
    """Change all people to such as neither sleep nor travel."""
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(AWAKE))


def late(house: House, match_id: str = "") -> tuple[int, datetime]:
    """Pass the time of the seat that is to move, and the day of grace; returns the seat and when that was over."""
    deadlines = select(Deadline).where(Deadline.match_id == (match_id or Deadline.match_id))
    row = house.all(deadlines.order_by(Deadline.seat))[0]
    assert tick(house, row.due_at + CLOCK_DELAY) >= 1
    (row,) = house.all(deadlines.where(Deadline.seat == row.seat))
    ends = row.phase_ends_at
    assert ends == row.due_at + DAY
    assert tick(house, ends) >= 1
    return row.seat, ends


def hosted(house: House, on_time: str = "substitute") -> tuple[str, int, datetime]:
    """Pass somebody's time at a private table whose host is one of the others."""
    match_id = running(house, on_time, 4, public=False)
    (seat,) = house.match(match_id).to_move
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        holder = ctx.session.scalars(
            select(SeatHolder).where(SeatHolder.seat != seat).order_by(SeatHolder.seat)
        ).first()
        match.host_id = holder.player_id
    _seat, ends = late(house)
    return match_id, seat, ends


def present(house: House, seat: int) -> SeatHolder:
    (found,) = house.all(select(SeatHolder).where(SeatHolder.seat == seat, SeatHolder.left_at.is_(None)))
    assert isinstance(found, SeatHolder)
    return found


def said(house: House, moment: datetime, mail: Mail, text: str) -> str:
    """Answer a mail at a moment; gives the newest mail that its writer is sent then."""
    with at(moment):
        house.reply(mail, text)
        return house.last(mail.name).flat


def is_robot(house: House, seat: int) -> bool:
    (bot,) = house.all(select(Player.is_robot).where(Player.id == present(house, seat).player_id))
    return bool(bot)
