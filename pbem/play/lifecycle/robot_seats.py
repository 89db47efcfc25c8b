"""Seats of a new match for robots: whether the game has them, and whether their host may have more that think."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select
from sqlalchemy.orm import aliased

from pbem import robots
from pbem.boards.prose import series
from pbem.db.models import Address, Match, Player, SeatHolder
from pbem.i18n import _
from pbem.play.core.errors import Refused
from pbem.play.matches.descriptions import level_name
from pbem.robots import QUICK_LEVELS
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.games import Game
    from pbem.play.core.context import Context
    from pbem.play.lifecycle.match_requests import Invitees
    from pbem.robots import Level

MAX_THINKING_MATCHES = 10
"""Maximum unfinished matches of one person with robots that think."""


def check_levels(invitees: Invitees, game: Game[Any]) -> None:
    """Refuse a robot of a level that the game does not have."""
    offered = robots.levels(game.key)
    for number, invitee in enumerate(invitees):
        if invitee and invitee.is_robot and invitee.level not in offered:
            raise unknown_level(level_name(invitee.level), game, f"seats.{number}")


def unknown_level(typed: str, game: Game[Any], field: str, name: Callable[[Level], str] = level_name) -> Refused:
    """Return the refusal of a level, with the names of those that the game has."""
    offered = series([name(level) for level in robots.levels(game.key)])
    sentence = _("{game} has no robot “{level}”. Choose one of: {levels}.", game=game.name, level=typed, levels=offered)
    return Refused(sentence, field)


def check_thinking(ctx: Context, invitees: Invitees, creator: int | None, host: Player | None) -> None:
    """Refuse a further match with robots that think to a person who plays many."""
    thinking = [invitee for invitee in invitees if invitee and invitee.is_robot and invitee.level not in QUICK_LEVELS]
    own = invitees[creator - 1] if creator else None
    address = ctx.session.get(Address, own.email) if own else None
    player = host.id if host else address.player_id if address else None
    if not thinking or player is None or ctx.config.limits is None:
        return
    robot, theirs = aliased(Player), aliased(SeatHolder)
    running = (
        select(func.count(SeatHolder.match_id.distinct()))
        .join(Match, Match.id == SeatHolder.match_id)
        .join(theirs, theirs.match_id == SeatHolder.match_id)
        .join(robot, robot.id == theirs.player_id)
        .where(
            SeatHolder.player_id == player,
            SeatHolder.left_at.is_(None),
            theirs.left_at.is_(None),
            robot.is_robot,
            robot.robot_level.not_in([*map(str, QUICK_LEVELS)]),
            Match.state != MatchState.OVER,
        )
    )
    if (ctx.session.scalar(running) or 0) >= MAX_THINKING_MATCHES:
        raise Refused(
            _(
                "You play {count} matches with strong robots. Finish one of them, or choose a fair robot.",
                count=MAX_THINKING_MATCHES,
            ),
            "seats",
        )
