"""Paths of the local mailboxes: one Maildir per address, named so that any address is a safe folder name."""

from __future__ import annotations

from pathlib import Path
from string import ascii_lowercase, digits

_SAFE_BYTES = frozenset((ascii_lowercase + digits + "._+@-").encode())


def folder_name(address: str) -> str:
    """Return the folder name of an address: lower case, other bytes and a leading dot as %XX."""
    name = "".join(chr(byte) if byte in _SAFE_BYTES else f"%{byte:02X}" for byte in address.lower().encode())
    return "%2E" + name[1:] if name.startswith(".") else name


def maildir_path(root: str | Path, address: str) -> Path:
    """Return the path of an address's Maildir below a root folder."""
    return Path(root) / folder_name(address)
