"""What tests of agreements share."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from pbem.db.models import LogEntry, Player
from pbem.games import Seat
from pbem.play.lifecycle import acceptance
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from tests.support.house import NAMES, House, Mail

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any
DAY = timedelta(days=1)


def begun(house: House, game: str, seats: int, clock: str = "none", options: Mapping[str, object] | None = None) -> str:
    match_id = house.make(game, seats, options, clock=clock)
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        # People who never sleep, so that no deadline is put off to a morning.
        ctx.session.execute(update(Player).values(quiet_from=0, quiet_until=0, auto_vacation=False))
        for name, holder in zip(NAMES, holders(ctx, match), strict=False):
            house.mails(name)
            acceptance.accept(ctx, match, holder, "")
    return match_id


def newest(house: House, name: str) -> Mail:
    house.mails(name)
    return next(mail for mail in reversed(house.every_mail) if mail.name == name)


def says(house: House, name: str, text: str) -> list[Mail]:
    """Answer the newest mail of somebody; returns what they are mailed for it."""
    house.reply(newest(house, name), text)
    return house.mails(name)


def moves(house: House, match_id: str) -> str:
    """Play a move that ends nothing for the first seat that is to move; returns who that was."""
    with house.course(match_id) as (_, course):
        seat = Seat(course.match.to_move[0])
        goes_on = (
            move
            for move in course.game.moves(course.position, seat)
            if course.game.outcome(course.game.apply(course.position, seat, move, course.chance)) is None
        )
        move = next(goes_on)
    says(house, NAMES[seat - 1], move)
    return NAMES[seat - 1]


def lead(mail: Mail) -> str:
    """Return a mail's text from its first sentence on."""
    return mail.flat.split("---", 2)[2].strip()


def acts(house: House) -> list[tuple[Any, ...]]:
    rows = select(LogEntry.event, LogEntry.seat, LogEntry.by, LogEntry.detail).where(LogEntry.event.is_not(None))
    return [tuple(row) for row in house.rows(rows.order_by(LogEntry.number))]
