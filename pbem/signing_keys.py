"""The private DKIM key: loaded from its file, and checked before it is used.

The `cryptography` package is imported on first use: it takes 2 MB of each process, and many mail servers sign instead.
"""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

MIN_KEY_BITS = 1024
"""Minimum size of a key whose signatures receivers accept (RFC 8301)."""


class UnusableKeyError(Exception):
    """Mail cannot be signed with the key in a file; the message says why in a few words."""


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A signing key, the DNS record that the domain publishes (RFC 6376), and its size in bits."""

    private: RSAPrivateKey
    record: str
    bits: int


def load_signing_key(path: str) -> SigningKey:
    """Load and check the key in a file; a changed file is loaded again, and errors are not cached."""
    try:
        stat = Path(path).stat()
        return _load_checked(path, (stat.st_mtime_ns, stat.st_size, stat.st_ino))
    except OSError as error:
        raise UnusableKeyError(f"{path} cannot be read: {error.strerror}") from error


@lru_cache(maxsize=1)
def _load_checked(path: str, _state: tuple[int, ...]) -> SigningKey:
    from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415 -- imported on first use
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey  # noqa: PLC0415 -- the same
    from cryptography.hazmat.primitives.serialization import (  # noqa: PLC0415 -- the same
        Encoding,
        PublicFormat,
        load_pem_private_key,
    )

    pem = Path(path).read_bytes().replace(b"\r\n", b"\n")
    try:
        private = load_pem_private_key(pem, None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise UnusableKeyError(f"{path} holds no private key in PEM format without a password") from error
    if not isinstance(private, RSAPrivateKey):
        raise UnusableKeyError(f"{path} holds a key that is not RSA")
    if private.key_size < MIN_KEY_BITS:
        raise UnusableKeyError(f"{path} holds a key of {private.key_size} bits: receivers need {MIN_KEY_BITS} or more")
    der = private.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return SigningKey(private, f"v=DKIM1; k=rsa; p={b64encode(der).decode()}", private.key_size)
