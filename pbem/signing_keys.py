"""The private DKIM key: loaded from its file, and tested before it is used."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key

_SAMPLE_MAIL = b"From: games@example.org\r\n\r\nA mail\r\n"


class UnusableKeyError(Exception):
    """Mail cannot be signed with the key in a file; the message says why in a few words."""


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A signing key: its PEM, the DNS record that the domain publishes (RFC 6376), and its size in bits."""

    pem: bytes
    record: str
    bits: int


def load_signing_key(path: str) -> SigningKey:
    """Load and test the key in a file; a changed file is loaded again, and errors are not cached."""
    try:
        stat = Path(path).stat()
        return _load_tested(path, (stat.st_mtime_ns, stat.st_size, stat.st_ino))
    except OSError as error:
        raise UnusableKeyError(f"{path} cannot be read: {error.strerror}") from error


@lru_cache(maxsize=1)
def _load_tested(path: str, _state: tuple[int, ...]) -> SigningKey:
    pem = Path(path).read_bytes().replace(b"\r\n", b"\n")
    try:
        private = load_pem_private_key(pem, None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise UnusableKeyError(f"{path} holds no private key in PEM format without a password") from error
    if not isinstance(private, RSAPrivateKey):
        raise UnusableKeyError(f"{path} holds a key that is not RSA")
    der = private.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    key = SigningKey(pem, f"v=DKIM1; k=rsa; p={b64encode(der).decode()}", private.key_size)
    if not _can_sign(key):
        raise UnusableKeyError(f"{path} holds a key that does not sign: it may be too short, or damaged")
    return key


def _can_sign(key: SigningKey) -> bool:
    try:
        # Optional; the settings are refused at start if it is missing.
        import dkim  # noqa: PLC0415
    except ImportError as missing:
        raise UnusableKeyError("signing needs the package dkimpy") from missing
    try:
        signature = dkim.sign(_SAMPLE_MAIL, b"x", b"example.org", key.pem, include_headers=[b"from"])
        return bool(dkim.verify(signature + _SAMPLE_MAIL, dnsfunc=lambda *_args, **_kwargs: key.record.encode()))
    except (dkim.DKIMException, ValueError, ArithmeticError):
        return False
