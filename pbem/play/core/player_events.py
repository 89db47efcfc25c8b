"""Events of matches and open tables for the programs of players: rows of the transaction that makes them true.

They hold public facts and ids only. A program that wants to know more asks for the match, by its key.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete

from pbem.db import pending_rows
from pbem.db.models import PlayerEvent
from pbem.play.core import match_features
from pbem.play.core.context import timestamp
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.db.models import Match, SeatHolder
    from pbem.play.core.context import Context

INVITATION, BEGIN, TURN, MOVE = "invitation", "begin", "turn", "move"
CHAT, OFFER, DEADLINE, END, TABLE = "chat", "offer", "deadline", "end", "table"
KINDS = (INVITATION, BEGIN, TURN, MOVE, CHAT, OFFER, DEADLINE, END, TABLE)
"""Kinds of events."""

OF_MAILS = {
    "turn": TURN,
    "due soon": DEADLINE,
    "late": DEADLINE,
    "offer": OFFER,
    "offer refused": OFFER,
    "final": END,
    "called off": END,
}
"""Kinds of mail that go with an event, and its kind."""

KEPT = timedelta(days=7)
"""Time for which events are kept."""

_INSERT = pending_rows.insert_into(PlayerEvent, key="idempotency_key", defaults=("id", "xid"))


def record(
    ctx: Context, kind: str, match: Match, holder: SeatHolder, more: dict[str, Any] | None = None, *, once: str
) -> None:
    """Record an event for the player in a seat if a program may follow it; `once` is the idempotency key."""
    if holder.player_id not in match_features.load(ctx, match.id).listeners:
        return
    row = {
        "player_id": holder.player_id,
        "kind": kind,
        "idempotency_key": f"{once} {holder.id}",
        "data": data(ctx, match.id, match.game, holder.seat) | (more or {}),
        "created_at": ctx.now,
    }
    pending_rows.add(ctx.session, _INSERT, row)


def record_for_mail(
    ctx: Context, mail: str, match: Match, holder: SeatHolder, facts: Mapping[str, Any], ply: int, *, once: str
) -> None:
    """Record the event that goes with a mail, if any."""
    kind = OF_MAILS.get(mail)
    if kind is None:
        return
    more: dict[str, Any] = {"ply": ply}
    if kind in {TURN, DEADLINE}:
        more["deadline"] = _moment(facts.get("due"))
    if kind == DEADLINE:
        more |= {"whose": facts.get("whose", holder.seat), "passed": mail == "late"}
    if kind == OFFER:
        more |= {"offer": facts["offer"], "wish": "ask" if mail == "offer" else "refuse"}
    record(ctx, kind, match, holder, more, once=once)


def record_table(ctx: Context, match: Match) -> None:
    """Record that a public match waits for players, for all programs that look for a table."""
    if match.state != MatchState.INVITING or not match.public or not match.open_seats:
        return
    row = {
        "player_id": None,
        "kind": TABLE,
        "idempotency_key": f"table {match.id} {ctx.now.isoformat()}",
        "data": table_data(ctx, match.id, match.game),
        "created_at": ctx.now,
    }
    pending_rows.add(ctx.session, _INSERT, row)


def table_data(ctx: Context, match: str, game: str) -> dict[str, Any]:
    """Return what an event says of an open table: its match, and the page on which to join it."""
    return {"match": match, "game": game, "url": f"{ctx.config.base_url}/join/{match}"}


def data(ctx: Context, match: str, game: str, seat: int) -> dict[str, Any]:
    """Return what every event of a match says: the match, the player's own seat there, and its page."""
    return {"match": match, "game": game, "seat": seat, "url": f"{ctx.config.base_url}/mine/{match}"}


def delete_expired(ctx: Context) -> None:
    """Delete the events that are no longer kept."""
    ctx.session.execute(delete(PlayerEvent).where(PlayerEvent.created_at < ctx.now - KEPT))


def _moment(written: str | None) -> str | None:
    return timestamp(datetime.fromisoformat(written)) if written else None
