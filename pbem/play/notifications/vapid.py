"""VAPID (RFC 8292): the key by which push services recognise this service, and the header that proves it.

The key is derived from a secret key, so it is made, kept, backed up and rotated with it. A browser binds its
subscription to the key of that day, so each subscription stores which one.
"""

from __future__ import annotations

import base64
import hmac
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from pbem.play.core import tokens
from pbem.play.notifications.webhook_urls import parse_url

if TYPE_CHECKING:
    from datetime import datetime

    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

    from pbem.config import Config

_CONTEXT = b"pbem vapid"
_GROUP_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Number of points of the curve P-256."""
_VALID_FOR = timedelta(hours=12)
"""Validity of a header; push services accept at most a day."""


def find_secret(config: Config, signed_by: str) -> str | None:
    """Return the secret key of that ID; None if it is no longer configured."""
    return next((secret for secret in config.secret_keys if tokens.key_id(secret) == signed_by), None)


def public_key(secret: str) -> str:
    """Return the public key that belongs to a secret key, as browsers take it."""
    from cryptography.hazmat.primitives.serialization import (  # noqa: PLC0415 -- imported on first use
        Encoding,
        PublicFormat,
    )

    point = _private_key(secret).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


def authorization(config: Config, secret: str, endpoint: str, now: datetime) -> dict[str, str]:
    """Return the header that proves to a push service who sends."""
    from py_vapid import Vapid02  # noqa: PLC0415 -- imported on first use

    target = parse_url(endpoint)
    claims = {
        "aud": f"{'https' if target.secure else 'http'}://{target.host_header}",
        "exp": int((now + _VALID_FOR).timestamp()),
        "sub": f"mailto:{config.service_address}",
    }
    header: dict[str, str] = Vapid02(_private_key(secret)).sign(claims)
    return header


@lru_cache(maxsize=16)
def _private_key(secret: str) -> EllipticCurvePrivateKey:
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 -- imported on first use

    # Twice as many bits as the group has, so that the remainder prefers no number.
    drawn = int.from_bytes(hmac.digest(secret.encode(), _CONTEXT, "sha512"), "big")
    return ec.derive_private_key(drawn % (_GROUP_ORDER - 1) + 1, ec.SECP256R1())
