"""Fair deals and the hash chain: the formulas by which a finished match can be verified.

They are explained to players in `docs/reference/fair-deals.md`; changing one breaks every existing record.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.games.game import Json

EVENTS = (
    "resigned", "timed_out", "substituted", "taken_back", "draw_agreed", "abandoned", "paused", "resumed",
    "extended", "aborted", "restored", "opened",
)  # fmt: skip
"""Events that the table, the clock or an operator may enter into a log."""


def commit(secret: bytes) -> bytes:
    """Return the commitment to a secret, published before anyone adds entropy: its SHA-256."""
    return hashlib.sha256(secret).digest()


def typed_entropy(text: str) -> str:
    """Return a seat's entropy for what its player typed: 64 hex digits."""
    return hashlib.sha256(text.strip().encode()).hexdigest()


def derive_seed(secret: bytes, match: str, entropies: Sequence[str]) -> bytes:
    """Derive the seed of a match from the server's secret and every seat's entropy, in seat order."""
    message = b"\0".join([b"pbem-seed-v1", match.encode(), *(entropy.encode() for entropy in entropies)])
    return hmac.digest(secret, message, "sha256")


def canonical_json(data: Any) -> bytes:
    """Serialize plain data as canonical JSON: keys sorted, no spaces, utf-8 unescaped."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def opening_hash(
    commitment: bytes, match: str, game: str, edition: int, options: Mapping[str, object], seats: int
) -> bytes:
    """Return the first hash of a match's chain, before any entry."""
    rules = {"match": match, "game": game, "edition": edition, "options": dict(options), "seats": seats}
    return hashlib.sha256(commitment + canonical_json(rules)).digest()


@dataclass(frozen=True, slots=True)
class MoveEntry:
    """Log entry of a move; `at` is UTC with milliseconds, `salt` 32 hex digits kept secret until the end."""

    ply: int
    seat: int
    move: str
    at: str
    salt: str

    def data(self) -> dict[str, Json]:
        """Return the entry as it is recorded and hashed."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass(frozen=True, slots=True)
class EventEntry:
    """Log entry of an act of the table, the clock or an operator; `seat` is None for the whole table."""

    event: str
    seat: int | None
    by: str
    detail: dict[str, Json]
    at: str
    salt: str

    def data(self) -> dict[str, Json]:
        """Return the entry as it is recorded and hashed."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


Entry = MoveEntry | EventEntry


def next_hash(head: bytes, entry: Entry) -> bytes:
    """Return the hash of the chain with one more entry of the log."""
    return hashlib.sha256(head + canonical_json(entry.data())).digest()
