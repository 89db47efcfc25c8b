"""The deal that several matches share, as a record has it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.games.game import Json

_is_entropy = re.compile(r"[0-9a-f]{32}|[0-9a-f]{64}").fullmatch


@dataclass(frozen=True, slots=True)
class SharedDeal:
    """A deal that a match shares with others as their `place`-th, from 1.

    `entropies` are those of all seats of all matches that were part of the deal, by place and seat. A match that joined
    later has a place behind them.
    """

    id: str
    place: int
    entropies: tuple[str, ...]

    def data(self) -> dict[str, Json]:
        """Return it as JSON data."""
        return {"id": self.id, "place": self.place, "entropies": list(self.entropies)}

    def at_place(self, seats: int) -> tuple[str, ...]:
        """Return the entropies at the match's own place: none if it joined after the deal."""
        return self.entropies[(self.place - 1) * seats : self.place * seats]

    def fault(self, own: tuple[str, ...]) -> str | None:
        """Return why it cannot be the deal of a match whose seats have these entropies, if so."""
        seats = len(own)
        if self.place < 1:
            return f"there is no table {self.place}"
        if not self.entropies or len(self.entropies) % seats:
            return f"{len(self.entropies)} entropies are not those of whole tables of {seats}"
        for number, entropy in enumerate(self.entropies):
            if not _is_entropy(entropy):
                table, seat = divmod(number, seats)
                return f"the entropy of seat {seat + 1} at table {table + 1} does not have the form of one"
        for seat, (shared, entropy) in enumerate(zip(self.at_place(seats), own, strict=False), 1):
            if shared != entropy:
                return f"the entropy of seat {seat} at table {self.place} is not that of this match"
        return None

    def describe(self, seats: int) -> str:
        """Describe how many tables share the deal, and which of them the match is."""
        tables = len(self.entropies) // seats
        of = "one table" if tables == 1 else f"{tables} tables"
        if self.at_place(seats):
            return f"one deal for {of}; this is table {self.place}"
        return f"one deal for {of}; this table joined after it was dealt"
