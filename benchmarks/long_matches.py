"""Long matches with as many players as a game takes, played at the table by moves that are chosen blindly."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from pbem.games import GAMES, Seat
from pbem.play.deadlines import turn_deadlines
from pbem.play.lifecycle import acceptance, create
from pbem.play.lifecycle.match_requests import Invitee, MatchRequest, Terms
from pbem.play.matches.match_state import load_match, lock_match, play_move
from pbem.play.matches.seats import holders
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.db.models import Match
    from pbem.play.core.context import Context

CLOCK = "3 days"


def play(ctx: Context, key: str, longest: int) -> Match:
    """Play a match for at most this many moves; returns it, over or not."""
    guests = [Invitee(f"Player {seat}", f"p{seat}@example.org") for seat in range(1, GAMES[key].seats[-1] + 1)]
    chosen = random.Random(key)  # noqa: S311 -- moves of a benchmark
    match = create.create_match(ctx, MatchRequest(key, {}, guests, Terms(CLOCK)))
    for holder in holders(ctx, match):
        acceptance.accept(ctx, lock_match(ctx, match.id), holder, "")
    course = load_match(ctx, match)
    while match.to_move and match.log_length < longest:
        seat = Seat(match.to_move[0])
        move = chosen.choice(course.game.view(course.position, seat).moves)
        course = play_move(ctx, course, seat, move, ctx.now)
    turn_deadlines.sync(ctx, match)
    return match


def abandon(ctx: Context, match: Match) -> None:
    """End a match where it is."""
    match.state, match.to_move, match.ended_at = MatchState.OVER, [], ctx.now
    match.result = {"scores": None, "winners": [], "ending": "abandoned"}
    turn_deadlines.sync(ctx, match)
