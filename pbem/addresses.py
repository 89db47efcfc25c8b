"""Mail addresses in the canonical form in which they are stored and compared."""

from __future__ import annotations


def canonical(address: str) -> str:
    """Return an address without surrounding blanks and with its ASCII letters in lower case.

    Letters outside ASCII are never folded into ASCII: an address that only looks the same is a different one.
    """
    stripped = address.strip()
    if stripped.isascii():
        return stripped.lower()
    return "".join(letter.lower() if letter.isascii() else letter for letter in stripped)


def domain_of(address: str) -> str:
    """Return the domain of an address; text without an @ is taken for a domain."""
    return canonical(address).rpartition("@")[2]


def mailbox(address: str) -> str:
    """Return the mailbox of an address: what follows a plus sign only sorts its mail."""
    local, _at, domain = canonical(address).rpartition("@")
    return f"{local.partition('+')[0] or local}@{domain}"
