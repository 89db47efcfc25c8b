"""Robots: players for whom the service chooses moves, at a level.

They have names like people; lists of players mark them as robots, with their level.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from pbem import robots
from pbem.db.models import Player, SeatHolder
from pbem.play.players import registry
from pbem.robots import Identity, Level, identity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbem.db.models import Match
    from pbem.play.core.context import Context


NAMES = (
    "Ada", "Basil", "Clara", "Dexter", "Edna", "Felix", "Greta", "Hugo", "Ida", "Jasper", "Kora", "Linus",
)  # fmt: skip
"""Names of robots, in the order in which a match uses them."""


def unused_name(taken: Iterable[str]) -> str:
    """Return a name for a robot that is unique in its match."""
    used = set(taken)
    folded = {name.casefold() for name in used}
    return next((name for name in NAMES if name.casefold() not in folded), registry.unique_name(NAMES[0], used))


def level_of(player: Player) -> Level:
    """Return the level of a robot."""
    return Level(player.robot_level or Level.FAIR)


def identity_of(player: Player) -> Identity:
    """Return how a robot chooses its moves."""
    return Identity(level_of(player), player.robot_edition or 1)


def take_seat(ctx: Context, match: Match, seat: int, name: str | None = None, level: Level = Level.FAIR) -> SeatHolder:
    """Seat a robot in a vacant seat of a match, under a name that nobody in the match has ever had."""
    if name is None:
        name = unused_name(ctx.session.scalars(select(SeatHolder.name).where(SeatHolder.match_id == match.id)))
    # All matches share the robot of a name, level and edition.
    robot = Identity(level, robots.edition(match.game))
    known = select(Player).where(Player.is_robot, Player.name == identity.record_name(name, robot))
    player = ctx.session.scalar(known)
    if player is None:
        row = {
            "name": identity.record_name(name, robot),
            "created_at": ctx.now,
            "is_robot": True,
            "robot_level": robot.level,
            "robot_edition": robot.edition,
        }
        ctx.session.execute(insert(Player).values(row).on_conflict_do_nothing())
        player = ctx.session.scalars(known).one()
    holder = registry.add_holder(ctx, match, seat, player, name, "")
    ctx.session.flush()
    return holder
