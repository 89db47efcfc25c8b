"""Fair deals and the chain: the formulas that let a finished match prove itself.

They are explained to players in `docs/fair-deals.md`; changing one breaks every record there is.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.games.game import Json

EVENTS = (
    "resigned", "timed_out", "substituted", "taken_back", "draw_agreed", "abandoned", "paused", "resumed",
    "extended", "aborted", "restored", "opened",
)  # fmt: skip
"""What the table, the clock or an operator may enter into a log."""


def commit(secret: bytes) -> bytes:
    """Give the commitment to a secret, published before anybody adds entropy: its SHA-256."""
    return hashlib.sha256(secret).digest()


def own_entropy(text: str) -> str:
    """Turn what a player typed into their seat's entropy: 64 hex digits."""
    return hashlib.sha256(text.strip().encode()).hexdigest()


def derive_seed(secret: bytes, match: str, entropies: Sequence[str]) -> bytes:
    """Mix the server's secret with every seat's entropy, in seat order, into the seed of the match."""
    message = b"\0".join([b"pbem-seed-v1", match.encode(), *(entropy.encode() for entropy in entropies)])
    return hmac.digest(secret, message, "sha256")


def canonical(data: Any) -> bytes:
    """Write plain data as the only JSON text of it: keys sorted, no spaces, utf-8 unescaped."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def opening_hash(
    commitment: bytes, match: str, game: str, edition: int, options: Mapping[str, object], seats: int
) -> bytes:
    """Begin the chain of a match, before anything has happened in it."""
    rules = {"match": match, "game": game, "edition": edition, "options": dict(options), "seats": seats}
    return hashlib.sha256(commitment + canonical(rules)).digest()


@dataclass(frozen=True, slots=True)
class Played:
    """A log entry: a move; `at` is UTC with milliseconds, `salt` 32 hex digits kept until the end."""

    ply: int
    seat: int
    move: str
    at: str
    salt: str

    def data(self) -> dict[str, Json]:
        """Give the entry as it stands in a record and is hashed."""
        return {"ply": self.ply, "seat": self.seat, "move": self.move, "at": self.at, "salt": self.salt}


@dataclass(frozen=True, slots=True)
class Acted:
    """A log entry: an act of the table, the clock or an operator; `seat` is None for the whole table."""

    event: str
    seat: int | None
    by: str
    detail: dict[str, Json]
    at: str
    salt: str

    def data(self) -> dict[str, Json]:
        """Give the entry as it stands in a record and is hashed."""
        return {
            "event": self.event,
            "seat": self.seat,
            "by": self.by,
            "detail": self.detail,
            "at": self.at,
            "salt": self.salt,
        }


Entry = Played | Acted


def next_hash(head: bytes, entry: Entry) -> bytes:
    """Lengthen the chain by one entry of the log."""
    return hashlib.sha256(head + canonical(entry.data())).digest()
