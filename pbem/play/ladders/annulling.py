"""Results of a ladder that an operator has annulled: the places are as they would be without the match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Entrant, LadderChallenge
from pbem.events import ladder
from pbem.play.ladders import ladder_mails, places, results, settling
from pbem.play.ladders.results import Result

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
        entrant.losses_on_time = max(0, entrant.losses_on_time - 1)
