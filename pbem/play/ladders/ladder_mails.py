"""Mails to the players of a ladder: each kind, and the facts from which it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.db.models import Player
from pbem.play.ladders import names, places
from pbem.play.notifications import outbox, signed_links
from pbem.play.players import registry

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.config import Config
    from pbem.db.models import Event, LadderChallenge
    from pbem.play.core.context import Context

CHALLENGED, REMINDER, SENT = "ladder challenge", "ladder reminder", "ladder challenge sent"
"""Mail kinds: a challenge to the one challenged, the reminder of it, and its confirmation to the challenger."""
ACCEPTED, DECLINED, LAPSED = "ladder accepted", "ladder declined", "ladder lapsed"
TAKEN_BACK, ENDED = "ladder taken back", "ladder challenge ended"
"""Mail kinds: a challenge was taken back by the challenger, or has ended since one of the two has left."""
RESULT, WARNING, OFF = "ladder result", "ladder warning", "ladder off"
"""Mail kinds: what a match has changed, the question to those who have not played for long, and a place lost."""
ANNULLED = "ladder result annulled"
"""Mail kind: an operator has annulled a match, and the places it has changed are as they would be without it."""
RESTORED = "ladder restored"
"""Mail kind: a challenge waits for an answer, again or still, after the service was restored from a backup."""
ANSWERABLE = (CHALLENGED, REMINDER, SENT, RESTORED)
"""The kinds that can be answered by mail."""
_SALT = "pbem ladder challenge"


def enqueue(
    ctx: Context,
    kind: str,
    event: Event,
    player: int,
    facts: dict[str, Any],
    *,
    once: str,
    answers: str | None = None,
) -> None:
    """Enqueue a mail about a ladder to a player, unless they have no address that is confirmed."""
    reader = ctx.session.get(Player, player)
    email = registry.main_address(ctx, player) if reader and not reader.banned_at else None
    if reader is None or email is None:
        return
    facts = {"name": reader.name, "language": reader.language, "zone": reader.time_zone, "ladder": event.game} | facts
    outbox.enqueue_mail(ctx, kind, email, facts, once=f"{kind} {once} {player}", answers=answers or None)


def enqueue_about(
    ctx: Context,
    kind: str,
    event: Event,
    player: int,
    challenge: LadderChallenge,
    *,
    until: datetime | None = None,
    answers: str | None = None,
    again: str = "",
    **more: Any,
) -> None:
    """Enqueue a mail about a challenge to one of its two players; `again` marks a further one of its kind."""
    called = names.load(ctx, event, [challenge.challenger_id, challenge.challenged_id])
    facts = {
        "challenge": challenge.id,
        "challenger": called[challenge.challenger_id],
        "challenged": called[challenge.challenged_id],
        "places": [challenge.challenger_place, challenge.challenged_place],
        "is_challenger": player == challenge.challenger_id,
        "player": player,
        "place": places.find(ctx, event, player),
    }
    if until:
        facts["until"] = until.isoformat()
    enqueue(ctx, kind, event, player, facts | more, once=f"{challenge.id}{again}", answers=answers)


def sign(config: Config, challenge: int, player: int, key: str) -> str:
    """Sign the link by which one of its players answers a challenge, with the key of that ID."""
    return signed_links.sign(config, _SALT, [challenge, player], key)


def load_signed(ctx: Context, typed: str) -> tuple[int, int] | None:
    """Return the challenge and the player of a link, or None if its signature is not valid."""
    signed = signed_links.load(ctx.config, _SALT, typed)
    return (signed[0], signed[1]) if signed else None
