"""Mails about fields, to their entrants: one begins, is postponed or was restored, a deal is open, all are over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from pbem.db.models import Entrant, Event, Player
from pbem.play.notifications import outbox
from pbem.play.players import registry
from pbem.states import EntrantState, EventKind, EventState

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from pbem.events.deal_scores import Row
    from pbem.play.core.context import Context
    from pbem.play.events.field_sets import FieldDeal, FieldTable

BEGUN, POSTPONED, OPENED, OVER = "field begun", "field postponed", "field deal", "field over"
RESTORED = "field restored"
"""Mail kinds."""
MAX_ROWS = 20
"""Maximum lines of the table of a field in a mail."""


def notify_begun(ctx: Context, event: Event, entrant: Entrant, deals: Sequence[FieldDeal]) -> None:
    """Enqueue the mail to an entrant that names all their tables."""
    facts = {"boards": boards(deals, entrant.player_id), "ends": _iso(event.ends_at)}
    _enqueue(ctx, BEGUN, event, entrant, facts, f"{BEGUN} {event.id} {entrant.player_id}")


def notify_postponed(ctx: Context, event: Event, entrant: Entrant, needed: int) -> None:
    """Enqueue the mail to an entrant of a field that too few have entered, with when it begins now."""
    begin = _iso(event.starts_at)
    facts = {"begin": begin, "needed": needed}
    _enqueue(ctx, POSTPONED, event, entrant, facts, f"{POSTPONED} {event.id} {entrant.player_id} {begin}")


def notify_restored(ctx: Context, restore: int) -> None:
    """Enqueue the mails to the entrants of fields that have not begun after the service was restored.

    They may have left since the backup, which is lost; `restore` is the number of the restore.
    """
    entered = select(Event, Entrant).join(Entrant, Entrant.event_id == Event.id)
    entered = entered.where(Event.kind == EventKind.FIELD, Event.state == EventState.OPEN)
    present = entered.where(Entrant.state == EntrantState.ENTERED).order_by(Event.id, Entrant.player_id)
    for event, entrant in ctx.session.execute(present).all():
        once = f"{RESTORED} {restore} {event.id} {entrant.player_id}"
        _enqueue(ctx, RESTORED, event, entrant, {"begin": _iso(event.starts_at)}, once)


def notify_opened(ctx: Context, event: Event, entrant: Entrant, deals: Sequence[FieldDeal], number: int) -> None:
    """Enqueue the mail to an entrant that a deal is open, with all their tables so far."""
    facts = {"boards": boards(deals, entrant.player_id), "number": number}
    _enqueue(ctx, OPENED, event, entrant, facts, f"{OPENED} {deals[number - 1].deal_set.id} {entrant.player_id}")


def notify_over(
    ctx: Context, event: Event, entrant: Entrant, deals: Sequence[FieldDeal], table: Sequence[tuple[Entrant, Row[int]]]
) -> None:
    """Enqueue the mail to an entrant that a field is over, with its table and all of theirs."""
    rows = [[row.place, one.name, float(row.score), float(row.percent)] for one, row in table[:MAX_ROWS]]
    facts = {"boards": boards(deals, entrant.player_id), "table": rows, "place": entrant.place, "of": len(table)}
    _enqueue(ctx, OVER, event, entrant, facts, f"{OVER} {event.id} {entrant.player_id}")


def boards(deals: Sequence[FieldDeal], player: int) -> list[dict[str, Any]]:
    """Return a player's tables of a field as facts of a mail, in the order of the deals."""
    found = [(deal, *place) for deal in deals if (place := deal.table_of(player))]
    return [_board(deal, table, seat) for deal, table, seat in found]


def _board(deal: FieldDeal, table: FieldTable, seat: int) -> dict[str, Any]:
    own = table.seats[seat - 1]
    return {
        "number": deal.number,
        "set": deal.deal_set.id,
        "match": table.match,
        "seat": seat,
        "others": [one.name for one in table.seats if one is not own],
        "open": deal.is_open,
        "compared": deal.is_compared,
        "points": own.points,
        "left": own.left,
        "score": float(own.score.score) if own.score else None,
        "percent": float(own.score.percent) if own.score else None,
    }


def _enqueue(ctx: Context, kind: str, event: Event, entrant: Entrant, facts: dict[str, Any], once: str) -> None:
    player = ctx.session.get_one(Player, entrant.player_id)
    address = registry.main_address(ctx, player.id)
    if address is None or player.deleted_at or player.banned_at:
        return
    about: dict[str, Any] = {"name": entrant.name, "language": player.language, "zone": player.time_zone}
    about |= {"game": event.game, "event": event.id, "season": event.season}
    outbox.enqueue_mail(ctx, kind, address, about | facts, once=once)


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None
