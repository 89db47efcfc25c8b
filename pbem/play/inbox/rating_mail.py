"""The mail with a player's own ratings, in reply to one that requests it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.games import GAMES
from pbem.play.notifications import outbox
from pbem.play.ratings import standings

if TYPE_CHECKING:
    from pbem.db.models import Player
    from pbem.play.core.context import Context

KIND = "ratings"
MAX_CHANGES = 5
"""Maximum matches listed for each game, the newest."""


def enqueue(ctx: Context, player: Player, email: str, message_id: str | None) -> None:
    """Enqueue a player's ratings to an address of theirs."""
    facts = {
        "name": player.name,
        "language": player.language,
        "zone": player.time_zone,
        "ratings": [
            {
                "game": own.game,
                "rating": str(own.rating),
                "matches": own.matches,
                "changes": [
                    [one.at.isoformat(), list(one.opponents), one.before.points, one.after.points]
                    for one in standings.list_changes(ctx, player.id, own.game, MAX_CHANGES)
                ],
            }
            for own in standings.for_player(ctx, player.id)
            if own.game in GAMES
        ],
    }
    once = f"{KIND} {email} {message_id or ctx.now.isoformat()}"
    outbox.enqueue_mail(ctx, KIND, email, facts, once=once, answers=message_id or None)
