"""Web Push (RFC 8030): sends one encrypted message (RFC 8291) to the push service of a browser."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from urllib3.exceptions import InvalidHeader
from urllib3.util import Retry

from pbem.i18n import _
from pbem.play.notifications import vapid, webhook_client
from pbem.play.notifications.webhook_client import SUCCESS_STATUSES, CallError

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.config import Config

TTL_SECONDS = 24 * 3600
"""Seconds for which a push service keeps a message for a device that is off; by then a reminder is mailed."""
GONE_STATUSES = {404, 410}
TOO_MANY, FIRST_SERVER_ERROR = 429, 500


@dataclass(frozen=True, slots=True)
class Device:
    """A subscription as its browser made it, and the ID of the secret key that signs."""

    endpoint: str
    public_key: bytes
    secret: bytes
    signed_by: str


class PushError(Exception):
    """A message was not accepted, with a sentence for the player.

    `is_gone` if the subscription has ended, `is_refused` if the message would be refused each time.
    """

    def __init__(
        self, sentence: str, *, is_gone: bool = False, is_refused: bool = False, retry_after: timedelta | None = None
    ) -> None:
        super().__init__(sentence)
        self.is_gone = is_gone
        self.is_refused = is_refused
        self.retry_after = retry_after


def encrypt(device: Device, payload: bytes) -> bytes:
    """Encrypt a message so that only its browser can read it."""
    import http_ece  # noqa: PLC0415 -- imported on first use
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 -- the same

    body: bytes = http_ece.encrypt(
        payload,
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=device.public_key,
        auth_secret=device.secret,
        version="aes128gcm",
    )
    return body


def send(config: Config, device: Device, payload: bytes, topic: str, now: datetime) -> None:
    """Send a message, in place of an earlier one on the same topic; raises PushError."""
    secret = vapid.find_secret(config, device.signed_by)
    if secret is None:
        raise PushError(_("The service has a new key: forget this device, and add it again."), is_refused=True)
    headers = vapid.authorization(config, secret, device.endpoint, now) | {
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(TTL_SECONDS),
        "Urgency": "normal",
        "Topic": topic,
    }
    try:
        answer = webhook_client.post(config, device.endpoint, encrypt(device, payload), headers)
    except CallError as failure:
        raise PushError(str(failure)) from failure
    status = answer.status
    if status not in SUCCESS_STATUSES:
        raise PushError(
            _("It answered with status {status}.", status=status),
            is_gone=status in GONE_STATUSES,
            is_refused=status != TOO_MANY and status < FIRST_SERVER_ERROR,
            retry_after=parse_delay(answer.retry_after),
        )


def parse_delay(header: str | None) -> timedelta | None:
    """Parse a Retry-After header, a number of seconds or a date; the delay is six hours at most."""
    if not header:
        return None
    try:
        return timedelta(seconds=Retry().parse_retry_after(header))
    except InvalidHeader:
        return None
