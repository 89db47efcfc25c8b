"""Push subscriptions: the browsers of a player that are notified of turns."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, exists, func, or_, select, update

from pbem.db.models import LoginSession, OutboxMessage, Player, PushMessage, PushSubscription
from pbem.db.session import send_after_commit
from pbem.i18n import _
from pbem.play.core import tokens
from pbem.play.core.context import timestamp
from pbem.play.core.errors import Refused
from pbem.play.core.rate_limits import SECONDS_PER_HOUR, Limit, hit
from pbem.play.notifications import vapid
from pbem.play.notifications.push_client import Device
from pbem.play.notifications.webhook_urls import parse_url, resolve_host
from pbem.states import DeliveryState, OutboxState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session

    from pbem.play.core.context import Context

DELIVER_TASK = "deliver_pushes"
"""Name of the task that sends the messages that are due."""
MAX_PER_PLAYER = 10
"""Maximum devices per player."""
MAX_CHANGES_PER_HOUR = 30
"""Maximum devices added, and tests sent, per player and hour."""

_POINT_BYTES, _SECRET_BYTES = 65, 16


def parse(typed: str, signed_by: str) -> Device:
    """Parse what a browser says of its subscription; raises Refused."""
    try:
        said: Any = json.loads(typed)
        endpoint, keys = str(said["endpoint"]), said["keys"]
        point, secret = (urlsafe_b64decode(f"{keys[name]}==".encode()) for name in ("p256dh", "auth"))
    except (ValueError, TypeError, KeyError, RecursionError):
        raise Refused(_no_subscription()) from None
    if len(secret) != _SECRET_BYTES or not _is_on_curve(point):
        raise Refused(_no_subscription())
    return Device(endpoint, point, secret, signed_by)


def for_player(ctx: Context, player: int) -> list[PushSubscription]:
    """List a player's devices, oldest first."""
    theirs = select(PushSubscription).where(PushSubscription.player_id == player)
    return list(ctx.session.scalars(theirs.order_by(PushSubscription.id)))


def lock_active(ctx: Context, player: int) -> list[int]:
    """List the IDs of the devices of a player that are notified; none of them is deleted meanwhile."""
    theirs = PushSubscription.player_id == player, PushSubscription.disabled_at.is_(None)
    listed = select(PushSubscription.id).where(*theirs).order_by(PushSubscription.id)
    return list(ctx.session.scalars(listed.with_for_update(read=True, key_share=True)))


def add(ctx: Context, player: int, login_session: int, device: Device, name: str) -> PushSubscription:
    """Add the browser of a login session to a player's devices; raises Refused.

    An earlier subscription of the same browser, also one for another player, is forgotten.
    """
    check_rate_limit(ctx, player)
    if vapid.find_secret(ctx.config, device.signed_by) is None:
        raise Refused(_no_subscription())
    resolve_host(ctx.config, parse_url(device.endpoint))
    # Lock the player, so that two forms sent at once count each other's devices.
    ctx.session.execute(select(Player.id).where(Player.id == player).with_for_update())
    same = or_(PushSubscription.endpoint == device.endpoint, PushSubscription.login_session_id == login_session)
    forget(ctx, same)
    if len(for_player(ctx, player)) >= MAX_PER_PLAYER:
        raise Refused(_("You already have {most} devices, the maximum. Forget one first.", most=MAX_PER_PLAYER))
    subscription = PushSubscription(
        player_id=player,
        login_session_id=login_session,
        endpoint=device.endpoint,
        public_key=device.public_key,
        secret=device.secret,
        signed_by=device.signed_by,
        name=name,
        created_at=ctx.now,
    )
    ctx.session.add(subscription)
    ctx.session.flush()
    return subscription


def forget(ctx: Context, *which: ColumnElement[bool]) -> None:
    """Delete some devices and their messages; turns that only they would have been notified of are mailed now."""
    found = list(ctx.session.scalars(select(PushSubscription.id).where(*which).with_for_update()))
    of_them = PushMessage.subscription_id.in_(found), PushMessage.state == DeliveryState.PENDING
    waiting = list(ctx.session.scalars(select(PushMessage.mail_key).where(*of_them, PushMessage.mail_key.is_not(None))))
    ctx.session.execute(delete(PushSubscription).where(PushSubscription.id.in_(found)))
    release_mails(ctx, [key for key in waiting if key])


def forget_sessions(ctx: Context, sessions: Sequence[int]) -> None:
    """Delete the devices of some login sessions, as they end."""
    forget(ctx, PushSubscription.login_session_id.in_(sessions))


def keep_for(ctx: Context, before: int, after: LoginSession) -> None:
    """Keep the device of a browser in which the same player signs in again."""
    theirs = PushSubscription.login_session_id == before, PushSubscription.player_id == after.player_id
    ctx.session.execute(update(PushSubscription).where(*theirs).values(login_session_id=after.id))


def release_mails(ctx: Context, keys: Sequence[str]) -> None:
    """Send now the mails that wait for a push service, unless a message in their place is still on its way."""
    on_its_way = exists().where(
        PushMessage.mail_key == OutboxMessage.idempotency_key, PushMessage.state != DeliveryState.FAILED
    )
    waiting = OutboxMessage.idempotency_key.in_(keys), OutboxMessage.state == OutboxState.PENDING
    due = func.least(OutboxMessage.due_at, ctx.now)
    # The sweeper finds them within seconds.
    ctx.session.execute(update(OutboxMessage).where(*waiting, ~on_its_way).values(due_at=due))


def send_test(ctx: Context, subscription: PushSubscription) -> None:
    """Enqueue a test message; raises Refused beyond the limit."""
    check_rate_limit(ctx, subscription.player_id)
    once = f"test {subscription.id} {timestamp(ctx.now)}"
    ctx.session.add(
        PushMessage(subscription_id=subscription.id, idempotency_key=once, created_at=ctx.now, due_at=ctx.now)
    )
    send_after_commit(ctx.session, DELIVER_TASK)


def check_rate_limit(ctx: Context, player: int) -> None:
    """Count a change of a player's devices; raises Refused beyond the limit."""
    if hit(ctx, Limit("push", str(player), MAX_CHANGES_PER_HOUR, SECONDS_PER_HOUR)):
        raise Refused(_("Too many tries. Try again in an hour."))


def count_by_key(session: Session, keys: Sequence[str]) -> dict[str, int]:
    """Count the devices by the secret key that they are bound to."""
    counted = select(PushSubscription.signed_by, func.count()).group_by(PushSubscription.signed_by)
    by_id = {row[0]: row[1] for row in session.execute(counted)}
    return {key: by_id.get(tokens.key_id(key), 0) for key in keys}


def newest_key(ctx: Context) -> str:
    """Return the ID of the secret key that new subscriptions are bound to."""
    return tokens.key_id(ctx.config.secret_keys[-1])


def _no_subscription() -> str:
    return _("Your browser sent no valid subscription. Reload the page and try again.")


def _is_on_curve(point: bytes) -> bool:
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 -- imported on first use

    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        return False
    return len(point) == _POINT_BYTES
