"""Ends of fields: each deal is compared once it is open, and with the last of them the field is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import exists, select

from pbem.db.models import DealSet, Event, Match
from pbem.play.events import entries, field_mails
from pbem.play.events.field_sets import field_table, load_deal, load_deals
from pbem.play.lifecycle import endings
from pbem.play.matches.match_state import lock_match
from pbem.states import EventKind, EventState, MatchState

if TYPE_CHECKING:
    from pbem.play.core.context import Context

BATCH_SIZE = 20
"""Matches that are called off per transaction."""

_IS_RUNNING = (Event.kind == EventKind.FIELD, Event.state == EventState.RUNNING)
_IS_CLOSED = exists().where(DealSet.event_id == Event.id, DealSet.opened_at.is_(None))


def call_off_due(ctx: Context) -> bool:
    """Call off matches that still run at the end of their field; return whether there may be more.

    The deals open only after that, so that nobody who still plays could look up the cards.
    """
    late = select(Match.id).join(Event, Event.id == Match.event_id)
    late = late.where(*_IS_RUNNING, Event.ends_at <= ctx.now, Match.state == MatchState.RUNNING)
    found = ctx.session.scalars(late.order_by(Match.id).limit(BATCH_SIZE)).all()
    for match_id in found:
        match = lock_match(ctx, match_id)
        if match.state == MatchState.RUNNING:
            endings.abort(ctx, match, by="clock")
    return len(found) == BATCH_SIZE


def announce(ctx: Context, deal_set: DealSet) -> None:
    """Enqueue the mails about a deal that has just opened, unless it is the last: the end of the field says it all."""
    event, deal = load_deal(ctx, deal_set)
    deals = load_deals(ctx, event)
    if all(one.is_open for one in deals):
        return
    for entrant in entries.entrants(ctx, event):
        if deal.table_of(entrant.player_id):
            field_mails.notify_opened(ctx, event, entrant, deals, deal.number)


def finish_due(ctx: Context) -> bool:
    """End one field whose deals are all open; return whether there was one."""
    ended = select(Event).where(*_IS_RUNNING, ~_IS_CLOSED)
    event = ctx.session.scalar(ended.order_by(Event.id).limit(1).with_for_update(skip_locked=True))
    if event is None:
        return False
    deals = load_deals(ctx, event)
    table = field_table(ctx, event, deals)
    event.state, event.ended_at = EventState.OVER, ctx.now
    for entrant, row in table:
        entrant.place = row.place if row.deals else None
    for entrant in entries.entrants(ctx, event):
        if any(deal.table_of(entrant.player_id) for deal in deals):
            field_mails.notify_over(ctx, event, entrant, deals, table)
    return True
