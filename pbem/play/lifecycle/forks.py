"""Forks: practice matches from a position of a finished match, alone, against the robot or with friends.

A fork has its own secret and chain, but takes over the moves before it and what was drawn for them. Everything else is
drawn from its own seed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.db.models import Match
from pbem.games.chain import MoveEntry
from pbem.games.record import first_void_ply
from pbem.i18n import _
from pbem.play.clocks import time_controls
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import create, match_requests
from pbem.play.lifecycle.match_requests import ForkStart, Invitee, MatchRequest, Terms
from pbem.play.matches import withheld
from pbem.play.matches.match_state import load_match
from pbem.play.players.registry import unique_name
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.db.models import Player
    from pbem.play.core.context import Context
    from pbem.play.lifecycle.match_requests import Invitees
    from pbem.play.matches.match_state import LoadedMatch
    from pbem.robots import Level

MAX_DEPTH = 5
"""Maximum length of a chain of forks; to replay a fork, all matches before it are replayed."""


def find_start(ctx: Context, match: Match, step: int) -> ForkStart:
    """Return where a fork from a step of a match starts; raises Refused with a sentence if none is possible.

    If only some players had chosen their moves of a sealed stage, the fork starts before the first of these.
    """
    if match.state != MatchState.OVER:
        raise Refused(_("You can play on from a match when it is over."), "fork")
    if match.seed is None:
        raise Refused(_("This match was called off before it began."), "fork")
    if withheld.hides_record(match):
        raise Refused(
            _("Others still play the deal of this match. You can play on from it when they are done."), "fork"
        )
    depth, origin = 0, match.forked_from_id
    while origin:
        depth, origin = depth + 1, ctx.session.get_one(Match, origin).forked_from_id
    if depth >= MAX_DEPTH:
        raise Refused(_("This match already continues a chain of others. Play on from one of those."), "fork")
    course = load_match(ctx, match)
    last = len(course.log)
    if not 0 <= step <= last:
        raise Refused(_("This match has no step {step}: the last one is {last}.", step=step, last=last), "fork")
    start, position = _stage_start(course, step)
    to_move = course.game.to_move(position)
    if not to_move:
        raise Refused(_("The game is over at this step. Choose an earlier one."), "fork")
    return ForkStart(match, start, to_move)


def find_origin(ctx: Context, match: Match) -> ForkStart | None:
    """Return where a match was forked from, or None if it is not a fork."""
    if match.forked_from_id is None:
        return None
    return find_start(ctx, ctx.session.get_one(Match, match.forked_from_id), match.forked_step or 0)


def create_match(
    ctx: Context,
    fork: ForkStart,
    invitees: Invitees,
    *,
    creator_seat: int | None,
    host: Player | None = None,
    time_control: str = time_controls.UNLIMITED,
    invitation_text: str = "",
    message_id: str | None = None,
) -> Match:
    """Create the match of a fork; its creator may have several seats. Raises Refused."""
    seats = len(fork.match.seats)
    if len(invitees) != seats or None in invitees:
        raise Refused(_("This match has {seats} seats. Name a player for each.", seats=seats), "seats")
    request = MatchRequest(
        fork.match.game,
        fork.match.options,
        invitees,
        Terms(time_control),
        creator_seat=creator_seat,
        host=host,
        invitation_text=invitation_text,
        message_id=message_id,
        fork=fork,
    )
    return create.create_match(ctx, request)


def seat_alone(fork: ForkStart, you: Invitee) -> list[Invitee]:
    """Return the invitees for one person at all seats, under a different name at each."""
    invitees: list[Invitee] = []
    for _place in fork.match.seats:
        invitees.append(Invitee(unique_name(you.name, [invitee.name for invitee in invitees]), you.email))
    return invitees


def seat_against_robots(fork: ForkStart, you: Invitee, seat: int, level: Level) -> list[Invitee]:
    """Return the invitees for one person at a seat and robots of a level at the others."""
    return [you if place.seat == seat else match_requests.robot(level) for place in fork.match.seats]


def _stage_start(course: LoadedMatch, step: int) -> tuple[int, Any]:
    """Return the step at which the stage of a step began, and its position."""
    game, position = course.game, course.first_position
    moves: list[tuple[int, int, Any]] = []
    for number, (entry, after) in enumerate(zip(course.log[:step], course.positions, strict=False)):
        if isinstance(entry, MoveEntry):
            moves.append((number, entry.ply, position))
        elif entry.event == "taken_back":
            moves = [move for move in moves if move[1] < first_void_ply(entry)]
        position = after
    stage = game.stage(position)
    while moves and game.stage(moves[-1][2]) == stage:
        step, _ply, position = moves.pop()
    return step, position
