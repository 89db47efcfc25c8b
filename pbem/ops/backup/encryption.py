"""Encryption of backups in the format of age, which other programs can open too."""

from __future__ import annotations

import os
from typing import IO, TYPE_CHECKING

import pyrage

from pbem.ops.backup import BackupError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_SECRET_KEY_PREFIX = "AGE-SECRET-KEY-"  # noqa: S105 -- only a prefix


def write_new_key(path: Path) -> str:
    """Write a new key into a file that must not exist yet; returns its recipient, which can only encrypt."""
    key = pyrage.x25519.Identity.generate()
    recipient = str(key.to_public())
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(f"# Decrypts backups for {recipient}\n{key}\n")
    except FileExistsError:
        raise BackupError(f"{path} exists already: a key is never overwritten.") from None
    except OSError as error:
        raise BackupError(f"{path}: {error.strerror}.") from error
    return recipient


def parse_recipients(texts: Sequence[str]) -> tuple[str, ...]:
    """Parse the age recipients of a backup; raises BackupError for an invalid one."""
    recipients = tuple(dict.fromkeys(" ".join(texts).replace(",", " ").split()))
    for recipient in recipients:
        _parse_recipient(recipient)
    return recipients


def encrypt(content: IO[bytes], out: IO[bytes], recipients: Sequence[str]) -> None:
    """Encrypt content for some recipients."""
    try:
        pyrage.encrypt_io(content, out, [_parse_recipient(one) for one in recipients])
    except pyrage.EncryptError as error:
        raise BackupError(f"The backup could not be encrypted: {error}.") from error


def decrypt(encrypted: IO[bytes], out: IO[bytes], keys: Path) -> None:
    """Decrypt content; raises BackupError if no key of a file opens it, or it is incomplete."""
    try:
        pyrage.decrypt_io(encrypted, out, load_identities(keys))
    except pyrage.DecryptError as error:
        raise BackupError(f"{keys} does not decrypt this backup: {error}.") from error


def load_identities(keys: Path) -> list[pyrage.x25519.Identity]:
    """Read the keys in a file; raises BackupError if there are none."""
    try:
        lines = [line.strip() for line in keys.read_text("utf-8").splitlines()]
        found = [pyrage.x25519.Identity.from_str(line) for line in lines if line.startswith(_SECRET_KEY_PREFIX)]
    except OSError as error:
        raise BackupError(f"{keys}: {error.strerror}.") from error
    except (UnicodeDecodeError, pyrage.IdentityError):
        found = []
    if not found:
        raise BackupError(f"{keys} holds no key: one begins with {_SECRET_KEY_PREFIX}1.")
    return found


def _parse_recipient(text: str) -> pyrage.x25519.Recipient:
    try:
        return pyrage.x25519.Recipient.from_str(text)
    except pyrage.RecipientError:
        raise BackupError(
            f"{text} is not a recipient: one begins with age1; `pbem backup-key FILE` creates one."
        ) from None
