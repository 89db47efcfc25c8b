"""Push messages: whose turn it is, and where; nothing hidden, since they are shown on a locked screen."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy.dialects.postgresql import insert

from pbem.boards.prose import series
from pbem.db.models import PushMessage
from pbem.db.session import send_after_commit
from pbem.games import GAMES
from pbem.i18n import _, use_locale
from pbem.play.clocks import clock_pauses
from pbem.play.clocks.calculation import skip_night
from pbem.play.deadlines.turn_deadlines import availability_of
from pbem.play.matches.views import player_names
from pbem.play.notifications import push_subscriptions

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.db.models import Match, Player, SeatHolder
    from pbem.play.core.context import Context

MAIL_DELAY = timedelta(minutes=10)
"""Time for which a mail that a notification may replace waits for the push service to accept it."""
TEST_TOPIC = "test"


def enqueue(
    ctx: Context,
    holder: SeatHolder,
    match: Match,
    ply: int,
    *,
    once: str,
    due_at: datetime | None,
    is_replaceable: bool,
) -> datetime | None:
    """Enqueue the notifications that go with a turn mail, in its transaction; each only once.

    Returns until when the mail waits for them; None if it is sent as if there were none. While a player is away nothing
    is pushed, and in their quiet hours nothing before the morning: then the mail does not wait.
    """
    player = holder.player
    if holder.mail_stopped_at is not None or holder.seat in clock_pauses.away_until(ctx, match):
        return None
    devices = push_subscriptions.lock_active(ctx, player.id)
    if not devices:
        return None
    planned = due_at or ctx.now
    allowed = skip_night(planned, availability_of(player))
    replaces = player.push_replaces_mail and is_replaceable and allowed == planned
    rows = [
        {
            "subscription_id": device,
            "holder_id": holder.id,
            "ply": ply,
            "idempotency_key": f"{once} {device}",
            "mail_key": once if replaces else None,
            "created_at": ctx.now,
            "due_at": allowed,
        }
        for device in devices
    ]
    ctx.session.execute(insert(PushMessage).values(rows).on_conflict_do_nothing())
    send_after_commit(ctx.session, push_subscriptions.DELIVER_TASK)
    return planned + MAIL_DELAY if replaces else None


def turn_payload(ctx: Context, player: Player, holder: SeatHolder, match: Match, ply: int) -> bytes:
    """Return the message that it is a seat's turn; its path has no token."""
    others = [name for seat, name in enumerate(player_names(ctx, match), 1) if seat != holder.seat and name]
    with use_locale(player.language):
        title = _("{game}: it is your turn", game=GAMES[match.game].name)
        body = _("Move {ply}, with {names}", ply=ply, names=series(others)) if others else _("Move {ply}", ply=ply)
    return _encode(player, title, body, match.id, f"/mine/{match.id}")


def test_payload(player: Player) -> bytes:
    """Return a message that only shows that messages arrive."""
    with use_locale(player.language):
        title, body = _("Slow games by mail"), _("This is a test: your turns are announced here.")
    return _encode(player, title, body, TEST_TOPIC, "/me/devices")


def _encode(player: Player, title: str, body: str, tag: str, path: str) -> bytes:
    shown = {"title": title, "body": body, "lang": player.language, "tag": tag, "path": path}
    return json.dumps(shown, ensure_ascii=False).encode()
