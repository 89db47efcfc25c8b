"""Start of a match: the deal, the moves that need no player, and the first mails."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.db.models import DealSet
from pbem.games.chain import derive_seed
from pbem.play.core import player_events
from pbem.play.deadlines import turn_deadlines
from pbem.play.lifecycle import autoplay, turn_mails
from pbem.play.matches import seats, withheld
from pbem.play.matches.match_state import load_fork_origin, load_match
from pbem.play.notifications import outbox
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.db.models import Match, SeatHolder
    from pbem.play.core.context import Context


def start_match(ctx: Context, match: Match, last: SeatHolder | None, mail: str | None, deal: dict[str, Any]) -> None:
    """Start a match that all have accepted.

    `last` did so by `mail`; `deal` are the facts of their part in the deal, for the first mail to any of their seats.
    Without `last`, an event starts the match: it has mailed everybody, so only those who are to move are mailed. So are
    they in a match that is played there and back: everybody moves first in one of the two.
    """
    match.seed = _derive_seed(ctx, match)
    match.state, match.started_at = MatchState.RUNNING, ctx.now
    course = load_match(ctx, match)
    past = load_fork_origin(ctx, match)
    match.ply = match.next_ply = past.next_ply if past else 1
    match.to_move = [int(seat) for seat in course.game.to_move(course.position)]
    turn_deadlines.sync(ctx, match)
    for holder in seats.listening(ctx, match):
        player_events.record(ctx, player_events.BEGIN, match, holder, once=f"begin {match.id}")
    answers = {last.seat: mail} if last and mail else {}
    autoplay.play_due_moves(ctx, match, answers)
    present = seats.holders(ctx, match)
    by_last = last.player_id if last else None
    begins = {"starts": True} | ({"withheld": withheld.facts(ctx, match)} if withheld.hides_table(match) else {})
    dealt = {holder.seat: begins | (deal if holder.player_id == by_last else {}) for holder in present}
    turn_mails.enqueue(ctx, match, answers, **{str(seat): facts for seat, facts in dealt.items()})
    course, awaited = load_match(ctx, match), turn_mails.seats_to_mail(ctx, match)
    mailed = {holder.player_id for holder in present if holder.seat in awaited}
    for holder in seats.distinct_players(present) if last and not match.set_id else ():
        if holder.player_id not in mailed:
            facts = outbox.position_facts(ctx, course, holder) | (deal if last and holder.id == last.id else {})
            facts |= {"coming": holder.seat in match.to_move}
            once = f"begun {match.id} {holder.id}"
            outbox.enqueue(ctx, "begun", holder, match, facts, once=once, answers=answers.get(holder.seat))


def _derive_seed(ctx: Context, match: Match) -> bytes:
    """Return the seed of the deal that a match shares, or derive its own."""
    if match.set_id:
        shared = ctx.session.get_one(DealSet, match.set_id).seed
        if shared is None:
            raise ValueError(f"the shared deal of match {match.id} is not made")
        return shared
    return derive_seed(match.secret, match.id, [seats.entropy_with_source(seat)[0] for seat in match.seats])
