"""The list of a player's matches, as a mail: those that wait, by when, and where to answer; and the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.play.accounts import dashboard
from pbem.play.notifications import outbox

if TYPE_CHECKING:
    from pbem.db.models import Player
    from pbem.play.accounts.dashboard import MatchSummary
    from pbem.play.core.context import Context

MAX_LISTED = 40
"""Maximum matches in a mail that wait for the player, and maximum others; the page has them all."""


def enqueue(ctx: Context, player: Player, email: str, message_id: str | None) -> None:
    """Enqueue the list of a player's matches to an address of theirs, in reply to the mail that requests it."""
    matches = dashboard.unfinished(ctx, player.id)
    waiting = [one for one in matches if one.waits][:MAX_LISTED]
    others = [one for one in matches if not one.waits][:MAX_LISTED]
    facts = {
        "name": player.name,
        "language": player.language,
        "zone": player.time_zone,
        "now": ctx.now.isoformat(),
        "turns": [_facts(one) for one in waiting],
        "others": [_facts(one) for one in others],
        "more": len(matches) - len(waiting) - len(others),
        # Their links and reply addresses are made when the mail is written: no row holds them.
        "seats": [(one.holder, one.stage) for one in waiting],
    }
    once = f"list {email} {message_id or ctx.now.isoformat()}"
    outbox.enqueue_mail(ctx, "list", email, facts, once=once, answers=message_id or None)


def _facts(one: MatchSummary) -> dict[str, Any]:
    return {
        "match": one.match,
        "game": one.game,
        "others": one.others,
        "awaited": one.awaited,
        "turn": {"to_move": [*one.to_move]},
        "names": [*one.all_names],
        "begun": one.begun,
        "due_at": one.due_at and one.due_at.isoformat(),
        "ends_at": one.ends_at and one.ends_at.isoformat(),
        "since": (one.asked_at or one.since).isoformat(),
        "seat": one.seat,
        "moved": one.moved,
        "last_at": one.since.isoformat(),
    }
