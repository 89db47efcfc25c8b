"""Texts that entrants add to the deals of their matches, until the season begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Entrant, Match, SeatHolder
from pbem.games.chain import typed_entropy
from pbem.i18n import _
from pbem.play.core.errors import Refused
from pbem.play.events import entries
from pbem.play.matches.match_state import lock_match
from pbem.states import EntrantState, EventState, MatchState

if TYPE_CHECKING:
    from pbem.db.models import Event, Player
    from pbem.play.core.context import Context


def store(ctx: Context, event: Event, player: Player, text: str) -> Entrant:
    """Store the text that an entrant adds to their deals, in place of an earlier one; raises Refused once it is late.

    Without a text, those deals have one of the server's.
    """
    event = entries.lock_event(ctx, event.id)
    entrant = ctx.session.get(Entrant, (event.id, player.id), populate_existing=True)
    if entrant is None or entrant.state == EntrantState.WITHDRAWN:
        raise Refused(_("You have not entered."), "entropy")
    if not takes_texts(ctx, event):
        raise Refused(_("This season has begun, so its deals are made."), "entropy")
    entrant.entropy = typed_entropy(text) if text.strip() else None
    theirs = select(Match.id, SeatHolder.seat).join(SeatHolder, SeatHolder.match_id == Match.id)
    theirs = theirs.where(Match.event_id == event.id, Match.state == MatchState.INVITING)
    theirs = theirs.where(SeatHolder.player_id == player.id, SeatHolder.left_at.is_(None)).order_by(Match.id)
    for match_id, seat in ctx.session.execute(theirs).all():
        match = lock_match(ctx, match_id)
        if match.state == MatchState.INVITING:
            match.seats[seat - 1].entropy = entrant.entropy
    ctx.session.flush()
    return entrant


def takes_texts(ctx: Context, event: Event) -> bool:
    """Return whether entrants can still add texts to their deals."""
    unbegun = event.state in {EventState.OPEN, EventState.DRAWN}
    return unbegun and (event.starts_at is None or ctx.now < event.starts_at)
