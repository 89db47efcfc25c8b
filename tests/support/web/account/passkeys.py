"""What tests of passkeys share."""

from __future__ import annotations

import hashlib
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import cbor2
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Page, Visitor

HOST, ORIGIN = "games.example.org", "https://games.example.org"
PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


def coded(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "==")


@dataclass
class Device:
    """A device that keeps one passkey; what it says of itself can be changed."""

    host: str = HOST
    origin: str = ORIGIN
    name: bytes = b"a passkey of a test"
    signs: int = 0
    flags: int = PRESENT | VERIFIED
    handle: bytes = b""
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def _said(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _data(self, flags: int) -> bytes:
        return hashlib.sha256(self.host.encode()).digest() + bytes([flags]) + self.signs.to_bytes(4, "big")

    def make(self, options: dict[str, Any]) -> dict[str, Any]:
        """Create the passkey, as `navigator.credentials.create` does."""
        self.handle = decoded(options["user"]["id"])
        point = self.key.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")}
        about = bytes(16) + len(self.name).to_bytes(2, "big") + self.name + cbor2.dumps(public)
        attested = {"fmt": "none", "attStmt": {}, "authData": self._data(self.flags | ATTESTED) + about}
        response = {
            "clientDataJSON": coded(self._said("webauthn.create", options["challenge"])),
            "attestationObject": coded(cbor2.dumps(attested)),
        }
        return {"id": coded(self.name), "rawId": coded(self.name), "type": "public-key", "response": response}

    def sign(self, options: dict[str, Any]) -> dict[str, Any]:
        """Sign in, as `navigator.credentials.get` does."""
        self.signs += 1
        said, data = self._said("webauthn.get", options["challenge"]), self._data(self.flags)
        signature = self.key.sign(data + hashlib.sha256(said).digest(), ec.ECDSA(hashes.SHA256()))
        response = {
            "clientDataJSON": coded(said),
            "authenticatorData": coded(data),
            "signature": coded(signature),
            "userHandle": coded(self.handle),
        }
        return {"id": coded(self.name), "rawId": coded(self.name), "type": "public-key", "response": response}


@pytest.fixture
def named(local: House) -> House:
    """The house under a name of its own, over TLS."""
    return replace(local, config=replace(local.config, base_url=ORIGIN))


def at(browser: Visitor) -> Visitor:
    """Switch a browser to TLS, and to the cookie of such a one."""
    client = browser.client
    client.application.config["PREFERRED_URL_SCHEME"] = "https"
    cookie = client.get_cookie("pbem", domain="127.0.0.1")
    if cookie:
        client.set_cookie("__Host-pbem", cookie.value, domain=HOST)
    return browser


def options(browser: Visitor, path: str) -> dict[str, Any]:
    answer = browser.client.post(path)
    assert answer.status_code == 200
    found: dict[str, Any] = answer.get_json()
    return found


def make(browser: Visitor, device: Device, **typed: str) -> Page:
    """Create a passkey on the account's page."""
    page = browser.open("/me/passkeys")
    credential = device.make(options(browser, "/me/passkeys/options"))
    return page.press("Create passkey", credential=json.dumps(credential), **typed)
