"""What tests of timing share."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from pbem.db.models import Deadline, LogEntry, Player
from pbem.play.matches.match_state import lock_match
from tests.support.house import NAMES
from tests.support.play.deadlines.turn_deadlines import begun

if TYPE_CHECKING:
    from tests.support.house import House
AWAKE = {"quiet_from": 0, "quiet_until": 0, "auto_vacation": False, "reminders": "never"}


def running(house: House, on_time: str = "loss", clock: str = "3 days", moves: int = 1, **player: object) -> str:
    """Begin a match of Martian Whist in which somebody has moved, between people who neither sleep nor travel."""
    match_id = begun(house, "martian-whist", 2, clock)
    with house.transaction() as ctx:
        lock_match(ctx, match_id).timeout_policy = on_time
        ctx.session.execute(update(Player).values(AWAKE | player))
    for _ in range(moves):
        (seat,) = house.match(match_id).to_move
        house.reply(house.last(NAMES[seat - 1]), house.legal(match_id, seat)[0])
    return match_id


def due(house: House) -> datetime:
    (found,) = house.all(select(Deadline.due_at))
    assert isinstance(found, datetime)
    return found


def events(house: House) -> list[tuple[str | None, int | None]]:
    rows = house.rows(select(LogEntry.event, LogEntry.seat).where(LogEntry.event.is_not(None)))
    return [(row[0], row[1]) for row in rows]
