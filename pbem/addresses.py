"""Mail addresses in the one form in which they are kept and compared."""

from __future__ import annotations


def canonical(address: str) -> str:
    """Return an address without blanks around it, and its ASCII letters in lower case.

    No letter of another alphabet becomes one of ASCII: what only looks like an address is another one.
    """
    return "".join(letter.lower() if letter.isascii() else letter for letter in address.strip())


def domain_of(address: str) -> str:
    """Return the domain of an address; a text without one is taken for a domain."""
    return canonical(address).rpartition("@")[2]
