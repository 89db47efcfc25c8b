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
            file.write(f"# Opens backups that are sealed for {recipient}\n{key}\n")
    except FileExistsError:
        raise BackupError(f"{path}: there is a file already; a key is never written over.") from None
    except OSError as wrong:
        raise BackupError(f"{path}: {wrong.strerror}.") from wrong
    return recipient


def parse_recipients(texts: Sequence[str]) -> tuple[str, ...]:
    """Parse the age recipients of a backup; raises BackupError for an invalid one."""
    found = tuple(dict.fromkeys(" ".join(texts).replace(",", " ").split()))
    for one in found:
        _parse_recipient(one)
    return found


def encrypt(content: IO[bytes], out: IO[bytes], recipients: Sequence[str]) -> None:
    """Encrypt content for some recipients."""
    try:
        pyrage.encrypt_io(content, out, [_parse_recipient(one) for one in recipients])
    except pyrage.EncryptError as wrong:
        raise BackupError(f"The backup could not be sealed: {wrong}.") from wrong


def decrypt(sealed: IO[bytes], out: IO[bytes], keys: Path) -> None:
    """Decrypt content; raises BackupError if no key of a file opens it, or it is incomplete."""
    try:
        pyrage.decrypt_io(sealed, out, load_identities(keys))
    except pyrage.DecryptError as wrong:
        raise BackupError(f"{keys}: it does not open this backup: {wrong}.") from wrong


def load_identities(keys: Path) -> list[pyrage.x25519.Identity]:
    """Read the keys in a file; raises BackupError if there are none."""
    try:
        lines = [line.strip() for line in keys.read_text("utf-8").splitlines()]
        found = [pyrage.x25519.Identity.from_str(line) for line in lines if line.startswith(_SECRET_KEY_PREFIX)]
    except OSError as wrong:
        raise BackupError(f"{keys}: {wrong.strerror}.") from wrong
    except (UnicodeDecodeError, pyrage.IdentityError):
        found = []
    if not found:
        raise BackupError(f"{keys}: there is no key in it; one begins with {_SECRET_KEY_PREFIX}1.")
    return found


def _parse_recipient(text: str) -> pyrage.x25519.Recipient:
    try:
        return pyrage.x25519.Recipient.from_str(text)
    except pyrage.RecipientError:
        raise BackupError(f"{text} is no recipient: one begins with age1; `pbem backup-key FILE` makes one.") from None
