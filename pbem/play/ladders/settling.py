"""The results of the matches of a ladder: each is settled once, in the order in which the matches ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from pbem.db.models import Entrant, Event, EventMatch, LadderChallenge, Match, Player
from pbem.events import ladder
from pbem.play.events import entries
from pbem.play.ladders import entering, ladder_mails, places, results
from pbem.states import ChallengeState, EventKind, MatchState

if TYPE_CHECKING:
    from pbem.events.ladder import Order
    from pbem.play.core.context import Context
    from pbem.play.ladders.results import Result

BATCH_SIZE = 50
"""Maximum matches settled in one transaction."""
_PAIR = 2
_DUE = (
    select(EventMatch, LadderChallenge, Match.ended_at)
    .join(Match, Match.id == EventMatch.match_id)
    .join(LadderChallenge, LadderChallenge.match_id == EventMatch.match_id)
    # The event of a match is named twice, since the index of `matches` keeps the planner from reading all of them.
    .where(EventMatch.settled_at.is_(None), Match.event_id == EventMatch.event_id, Match.state == MatchState.OVER)
    .order_by(Match.ended_at, Match.id)
)


def settle_due(ctx: Context) -> bool:
    """Settle the matches of one ladder that are over; return whether there may be more."""
    due = _DUE.join(Event, Event.id == EventMatch.event_id).where(Event.kind == EventKind.LADDER)
    first = ctx.session.execute(due.limit(1)).first()
    if first is None:
        return False
    event = entries.lock_event(ctx, first.EventMatch.event_id)
    # Another worker may have settled some until the lock was free.
    rows = ctx.session.execute(
        _DUE.where(EventMatch.event_id == event.id).limit(BATCH_SIZE).execution_options(populate_existing=True)
    ).all()
    found = results.load(ctx, [row.EventMatch.match_id for row in rows])
    for row in rows:
        _settle(ctx, event, row.LadderChallenge, found[row.EventMatch.match_id])
        row.EventMatch.settled_at = ctx.now
        row.LadderChallenge.state, row.LadderChallenge.ended_at = ChallengeState.OVER, row.ended_at
    return bool(rows)


def _settle(ctx: Context, event: Event, challenge: LadderChallenge, result: Result) -> None:
    before = places.order(ctx, event)
    staying = _staying(ctx, event, challenge)
    winner = result.winner if len(staying) == _PAIR else None
    late = result.late if result.late in staying else None
    match = before, challenge.challenger_id, challenge.challenged_id, winner, late
    after = ladder.after_match(*match)
    places.store(ctx, event, after)
    challenge.places_gained, challenge.places_lost = ladder.shift_of_match(*match)
    mail_result(ctx, event, challenge, result, (before, after))
    for player, entrant in staying.items():
        if not result.is_void:
            entrant.losses_on_time = entrant.losses_on_time + 1 if player == result.late else 0
        if ladder.is_off(entrant.losses_on_time):
            entering.take_off(ctx, event, ctx.session.get_one(Player, player), entries.ON_TIME)


def _staying(ctx: Context, event: Event, challenge: LadderChallenge) -> dict[int, Entrant]:
    """Return those of the two who have been on the ladder since the challenge: who came back begins anew."""
    both = [challenge.challenger_id, challenge.challenged_id]
    since = Entrant.event_id == event.id, Entrant.entered_at <= challenge.offered_at
    found = ctx.session.scalars(select(Entrant).where(Entrant.player_id.in_(both), *since))
    return {one.player_id: one for one in found}


def mail_result(
    ctx: Context,
    event: Event,
    challenge: LadderChallenge,
    result: Result,
    orders: tuple[Order, Order],
    kind: str = ladder_mails.RESULT,
    reason: str = "",
) -> None:
    """Enqueue the mails to the two players of a match: its result, and the places before and after."""
    facts: dict[str, Any] = {
        "played": challenge.match_id,
        "won": None if result.winner is None else result.winner == challenge.challenger_id,
        "void": result.is_void,
        "operated": reason,
        "moved": [
            [_place(order, player) for order in orders] for player in (challenge.challenger_id, challenge.challenged_id)
        ],
    }
    for player in (challenge.challenger_id, challenge.challenged_id):
        ladder_mails.enqueue_about(ctx, kind, event, player, challenge, **facts)


def _place(order: Order, player: int) -> int | None:
    return order.index(player) + 1 if player in order else None
