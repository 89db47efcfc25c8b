"""Start of a match: the deal, the moves that need no player, and the first mails."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.games.chain import derive_seed
from pbem.play.deadlines import turn_deadlines
from pbem.play.lifecycle import autoplay, turn_mails
from pbem.play.matches import seats
from pbem.play.matches.match_state import load_fork_origin, load_match
from pbem.play.notifications import outbox
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.db.models import Match, SeatHolder
    from pbem.play.core.context import Context


def start_match(ctx: Context, match: Match, last: SeatHolder, mail: str | None, deal: dict[str, Any]) -> None:
    """Start a match that all have accepted.

    `last` did so by `mail`; `deal` are the facts of their part in the deal, for the first mail to any of their seats.
    """
    entropies = [seats.entropy_with_source(seat)[0] for seat in match.seats]
    match.seed = derive_seed(match.secret, match.id, entropies)
    match.state, match.started_at = MatchState.RUNNING, ctx.now
    course = load_match(ctx, match)
    past = load_fork_origin(ctx, match)
    match.ply = match.next_ply = past.next_ply if past else 1
    match.to_move = [int(seat) for seat in course.game.to_move(course.position)]
    turn_deadlines.sync(ctx, match)
    answers = {last.seat: mail} if mail else {}
    autoplay.play_due_moves(ctx, match, answers)
    present = seats.holders(ctx, match)
    dealt = {holder.seat: {"starts": True} | (deal if holder.player_id == last.player_id else {}) for holder in present}
    turn_mails.enqueue(ctx, match, answers, **{str(seat): facts for seat, facts in dealt.items()})
    course, awaited = load_match(ctx, match), turn_mails.seats_to_mail(ctx, match)
    mailed = {holder.player_id for holder in present if holder.seat in awaited}
    for holder in seats.distinct_players(present):
        if holder.player_id not in mailed:
            facts = outbox.position_facts(ctx, course, holder) | (deal if holder.id == last.id else {})
            facts |= {"coming": holder.seat in match.to_move}
            once = f"begun {match.id} {holder.id}"
            outbox.enqueue(ctx, "begun", holder, match, facts, once=once, answers=answers.get(holder.seat))
