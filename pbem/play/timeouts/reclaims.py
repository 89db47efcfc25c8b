"""Reclaims: a player who lost their seat to the robot may come back to it.

In games with hidden information this happens between hands, so that nobody continues a hand that the robot has played.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, select

from pbem.db.models import Match, SeatHolder
from pbem.i18n import _
from pbem.play.conditional_moves import move_delay
from pbem.play.core.errors import Code, Refused
from pbem.play.deadlines import turn_deadlines
from pbem.play.lifecycle import seat_changes
from pbem.play.matches import hands, seats
from pbem.play.matches.match_state import load_match, lock_match
from pbem.play.moderation import bans
from pbem.play.notifications import signed_links
from pbem.play.players import registry
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.config import Config
    from pbem.db.models import Player
    from pbem.play.core.context import Context

_SALT = "pbem back"

_LOST = select(SeatHolder.match_id).where(
    SeatHolder.player_id == bindparam("player"),
    SeatHolder.leave_reason == seat_changes.SUBSTITUTED,
    SeatHolder.left_at.is_not(None),
)
_LEFT_TO_ROBOT = select(Match).where(Match.id.in_(_LOST), Match.state == MatchState.RUNNING).order_by(Match.id)
"""Running matches in which a player was replaced."""


def request(ctx: Context, match: Match, player: Player, mail: str | None = None) -> bool:
    """Reclaim a player's seat; return True if they sit there now, False if they will when the next hand is dealt.

    Raises Refused with a sentence for them.
    """
    match = lock_match(ctx, match.id)
    bans.check_not_banned(ctx, player)
    robot = _find_robot(ctx, match, player.id)
    if robot is None:
        raise Refused(_("You have no seat in this match to come back to."), code=Code.NO_SEAT)
    course = load_match(ctx, match)
    if not move_delay.has_hidden_information(course.game):
        _seat_player(ctx, match, robot, player, mail)
        return True
    if hands.is_last(course):
        raise Refused(_("This is the last hand, so the robot plays it to the end."), code=Code.LAST_HAND)
    robot.reclaim_hand = hands.number(course)
    return False


def seat_waiting_players(ctx: Context, match: Match) -> None:
    """Seat the players who wait for the end of the robot's hand, if it is over."""
    waiting = [holder for holder in seats.holders(ctx, match) if holder.reclaim_hand is not None]
    if not waiting or match.state != MatchState.RUNNING:
        return
    course = load_match(ctx, match)
    for robot in waiting:
        if hands.is_over_for(course, robot):
            robot.reclaim_hand = None
            _seat_owner(ctx, match, robot)


def list_matches(ctx: Context, player: int) -> list[Match]:
    """List the matches in which a player may reclaim a seat."""
    left = ctx.session.scalars(_LEFT_TO_ROBOT, {"player": player})
    return [match for match in left if _find_robot(ctx, match, player) is not None]


def is_requested(ctx: Context, match: Match, player: int) -> bool:
    """Return whether a player comes back with the next hand."""
    robot = _find_robot(ctx, match, player)
    return robot is not None and robot.reclaim_hand is not None


def sign(config: Config, holder: int, key: str) -> str:
    """Sign a holder's id for a reclaim link with the key of that ID."""
    return signed_links.sign(config, _SALT, holder, key)


def load_signed(ctx: Context, typed: str) -> SeatHolder | None:
    """Return the former holder of a reclaim link; None if its signature is not valid or the account is deleted."""
    number = signed_links.load(ctx.config, _SALT, typed)
    holder = None if number is None else ctx.session.get(SeatHolder, number)
    return holder if holder and holder.player.deleted_at is None else None


def _seat_owner(ctx: Context, match: Match, robot: SeatHolder) -> None:
    owner = _find_owner(ctx, match, robot)
    try:
        if owner and owner.player.deleted_at is None and owner.player.banned_at is None:
            _seat_player(ctx, match, robot, owner.player)
    except Refused:
        # They have no verified address any more, so the robot plays on.
        for row in turn_deadlines.for_match(ctx, match):
            if row.seat == robot.seat:
                row.robot_moves_at = ctx.now
                turn_deadlines.update_next_action(row)


def _seat_player(ctx: Context, match: Match, robot: SeatHolder, player: Player, mail: str | None = None) -> None:
    owner, email = _find_owner(ctx, match, robot), registry.verified_address(ctx, player)
    name = owner.name if owner else None
    seat_changes.replace_holder(ctx, match, robot, player, email, by="table", name=name, mail=mail)


def _find_robot(ctx: Context, match: Match, player: int) -> SeatHolder | None:
    """Find the robot that plays at a player's former seat."""
    if match.state != MatchState.RUNNING:
        return None
    for holder in seats.holders(ctx, match):
        if holder.player.is_robot and (owner := _find_owner(ctx, match, holder)) and owner.player_id == player:
            return holder
    return None


def _find_owner(ctx: Context, match: Match, robot: SeatHolder) -> SeatHolder | None:
    """Find the last player at the seat before the robot."""
    before = SeatHolder.match_id == match.id, SeatHolder.seat == robot.seat, SeatHolder.left_at.is_not(None)
    lost = select(SeatHolder).where(*before, SeatHolder.leave_reason == seat_changes.SUBSTITUTED)
    return ctx.session.scalar(lost.order_by(SeatHolder.id.desc()).limit(1))
