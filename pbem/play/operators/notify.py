"""Mails to the players whom an operator's act concerns, enqueued in its transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.play.matches import seats
from pbem.play.matches.match_state import load_match
from pbem.play.notifications import outbox
from pbem.play.players import registry

if TYPE_CHECKING:
    from pbem.db.models import Match, Player
    from pbem.play.core.context import Context

REVEALED, RENAMED, MERGED = "opened", "renamed", "merged"
"""Kinds of mail: hidden state was revealed, a player was renamed, two accounts were merged."""


def notify_match(ctx: Context, match: Match, kind: str, reason: str, **more: object) -> None:
    """Enqueue a mail to every person in a running match about an act and its reason, once per length of the log."""
    state = load_match(ctx, match)
    for holder in seats.distinct_players(seats.holders(ctx, match)):
        facts = outbox.position_facts(ctx, state, holder) | more | {"operated": reason}
        key = f"{kind} {match.id} {holder.id} operator {match.log_length}"
        outbox.enqueue(ctx, kind, holder, match, facts, once=key)


def notify_player(ctx: Context, player: Player, kind: str, once: str, reason: str = "") -> None:
    """Enqueue a mail to a player about their account, if they have a verified address."""
    address = registry.main_address(ctx, player.id)
    if address:
        facts = {"name": player.name, "language": player.language, "operated": reason}
        outbox.enqueue_mail(ctx, kind, address, facts, once=once)
