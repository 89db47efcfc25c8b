"""A browser with a subscription, which decrypts as RFC 8291 says, and checks who sent by RFC 8292."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from sqlalchemy import select

from pbem.db.models import LoginSession, Player, PushSubscription, SeatHolder
from pbem.play.accounts import login_sessions
from pbem.play.notifications import push_subscriptions
from tests.support.receiver import receiving

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.house import House
    from tests.support.receiver import Receiver

_HEADER_BYTES = 86


@pytest.fixture
def push_service() -> Iterator[Receiver]:
    with receiving() as receiver:
        receiver.answer = "201"
        yield receiver


@dataclass
class Device:
    """One browser, at an address of its push service."""

    endpoint: str
    secret: bytes = b"sixteen bytes!!!"
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    @property
    def point(self) -> bytes:
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def subscription(self) -> str:
        """What `JSON.stringify` makes of a PushSubscription."""
        keys = {"p256dh": encode(self.point), "auth": encode(self.secret)}
        return json.dumps({"endpoint": self.endpoint, "expirationTime": None, "keys": keys})

    def decrypt(self, body: bytes) -> dict[str, Any]:
        salt, sender, sealed = body[:16], body[21:_HEADER_BYTES], body[_HEADER_BYTES:]
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        secret = derive(self.secret, shared, b"WebPush: info\0" + self.point + sender, 32)
        key = derive(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derive(salt, secret, b"Content-Encoding: nonce\0", 12)
        shown: dict[str, Any] = json.loads(AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0")[:-1])
        return shown

    def shown(self, service: Receiver) -> list[dict[str, Any]]:
        """What it was sent, all of it."""
        return [self.decrypt(body) for path, _, body in service.calls if self.endpoint.endswith(path)]


def check_sender(authorization: str) -> tuple[dict[str, Any], str]:
    """Return the claims of a VAPID header and the key that signed them; raises InvalidSignature."""
    scheme, _, rest = authorization.partition(" ")
    assert scheme == "vapid"
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    signed, _, signature = parts["t"].rpartition(".")
    numbers = (int.from_bytes(half) for half in (decode(signature)[:32], decode(signature)[32:]))
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(parts["k"]))
    key.verify(encode_dss_signature(*numbers), signed.encode(), ec.ECDSA(hashes.SHA256()))
    header, claims = (json.loads(decode(part)) for part in signed.split("."))
    assert header == {"typ": "JWT", "alg": "ES256"}
    return claims, parts["k"]


def add(house: House, match_id: str, endpoint: str, seat: int = 1, *, instead: bool = False) -> Device:
    """Add a device of the player in a seat, in a browser of its own."""
    device = Device(endpoint)
    with house.transaction() as ctx:
        same = SeatHolder.match_id == match_id, SeatHolder.seat == seat
        holder = ctx.session.scalars(select(SeatHolder).where(*same)).one()
        player = ctx.session.get_one(Player, holder.player_id)
        player.push_replaces_mail = instead
        player.quiet_from = player.quiet_until = 0
        login_sessions.start(ctx, player, "Firefox")
        session = ctx.session.scalars(select(LoginSession).order_by(LoginSession.id.desc())).first()
        assert session
        parsed = push_subscriptions.parse(device.subscription, push_subscriptions.newest_key(ctx))
        push_subscriptions.add(ctx, player.id, session.id, parsed, "Firefox on Android")
    return device


def subscriptions(house: House) -> list[PushSubscription]:
    return house.all(select(PushSubscription).order_by(PushSubscription.id))


def derive(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def encode(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    return urlsafe_b64decode(f"{text}==")
