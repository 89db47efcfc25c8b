"""Results of a ladder that an operator has annulled: the places are as they would be without the match."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from sqlalchemy import or_, select

from pbem.db.models import Entrant, LadderChallenge
from pbem.events import ladder
from pbem.play.ladders import ladder_mails, places, results, settling
from pbem.play.ladders.results import Result
from pbem.states import ChallengeState

if TYPE_CHECKING:
    from pbem.db.models import Event, EventMatch
    from pbem.play.core.context import Context


def annul(ctx: Context, event: Event, row: EventMatch, reason: str) -> None:
    """Annul the result of a match that is over, and mail both players the places; the caller has locked the ladder.

    One that is not settled has changed nothing yet, and will be settled as a match that nobody could win. The challenge
    of two accounts that were merged is gone: then there is nobody to move.
    """
    late = results.load(ctx, [row.match_id])[row.match_id].late if row.settled_at else None
    row.annulled_at = ctx.now
    ctx.session.flush()
    challenge = ctx.session.scalar(select(LadderChallenge).where(LadderChallenge.match_id == row.match_id))
    if challenge is None:
        return
    before = places.order(ctx, event)
    shift = challenge.places_gained, challenge.places_lost
    after = ladder.after_annulment(before, challenge.challenger_id, late, shift)
    places.store(ctx, event, after)
    _forgive(ctx, event, late)
    void = Result(None, is_void=True)
    settling.mail_result(ctx, event, challenge, void, (before, after), ladder_mails.ANNULLED, reason)


def _forgive(ctx: Context, event: Event, late: int | None) -> None:
    """Count a loss on time no more, for a player who is on the ladder."""
    entrant = ctx.session.get(Entrant, (event.id, late)) if late is not None else None
    if entrant is not None:
        entrant.losses_on_time = min(entrant.losses_on_time, _count_losses(ctx, entrant))


def _count_losses(ctx: Context, entrant: Entrant) -> int:
    """Return how many matches a player has lost on time since entering, and since the last that ended in time."""
    theirs = or_(LadderChallenge.challenger_id == entrant.player_id, LadderChallenge.challenged_id == entrant.player_id)
    settled = select(LadderChallenge.match_id).where(
        LadderChallenge.event_id == entrant.event_id,
        LadderChallenge.state == ChallengeState.OVER,
        LadderChallenge.offered_at >= entrant.entered_at,
        LadderChallenge.match_id.is_not(None),
        theirs,
    )
    newest_first = settled.order_by(LadderChallenge.ended_at.desc(), LadderChallenge.match_id.desc())
    matches = [match for match in ctx.session.scalars(newest_first) if match]
    found = results.load(ctx, matches)
    counted = [found[match] for match in matches if not found[match].is_void]
    return sum(1 for _lost in takewhile(lambda one: one.late == entrant.player_id, counted))
