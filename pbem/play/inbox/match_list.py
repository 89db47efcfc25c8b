"""The list of one's matches, as a mail: what waits, by when, and where to answer; what others are at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.play.accounts import dashboard
from pbem.play.notifications import outbox

if TYPE_CHECKING:
    from pbem.db.models import Player
    from pbem.play.accounts.dashboard import Standing
    from pbem.play.core.context import Context

KIND = "list"
LISTED = 40
"""A mail lists at most so many matches that wait, and so many that do not; the page has them all."""


def answer(ctx: Context, player: Player, email: str, message_id: str | None) -> None:
    """Owe a player, at an address of theirs, the list of their matches; it answers the mail that asked for it."""
    standings = dashboard.present(ctx, player.id)
    waiting = [one for one in standings if one.waits]
    others = [one for one in standings if not one.waits]
    facts = {
        "name": player.name,
        "language": player.language,
        "zone": player.zone,
        "now": ctx.now.isoformat(),
        "turns": [_facts(one) for one in waiting[:LISTED]],
        "others": [_facts(one) for one in others[:LISTED]],
        "more": len(standings) - len(waiting[:LISTED]) - len(others[:LISTED]),
        # The links and reply addresses of these are made when the mail is written: no row holds them.
        "seats": [(one.holder, one.stage) for one in waiting[:LISTED]],
    }
    once = f"list {email} {message_id or ctx.now.isoformat()}"
    outbox.owe_mail(ctx, KIND, email, facts, once=once, answers=message_id or None)


def _facts(one: Standing) -> dict[str, Any]:
    return {
        "match": one.match,
        "game": one.game,
        "others": one.others,
        "awaited": one.awaited,
        "turn": {"to_move": [*one.to_move]},
        "names": [*one.in_seat_order],
        "begun": one.begun,
        "due_at": one.due_at and one.due_at.isoformat(),
        "ends_at": one.ends_at and one.ends_at.isoformat(),
        "since": (one.asked_at or one.since).isoformat(),
        "seat": one.seat,
        "moved": one.moved,
        "last_at": one.since.isoformat(),
    }
