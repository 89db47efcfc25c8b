"""Outlook of a position with all cards seen: what it comes to on average when all seats go on with ordinary play."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from math import fsum
from typing import TYPE_CHECKING, TypeVar

from pbem.games import Chance, Stream
from pbem.robots.levels import MAX_SUGGESTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbem.games import Game, Outcome

P = TypeVar("P")

_VARIED_EVERY = 4
"""One move in so many of ordinary play is any of the first suggestions."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a position comes to on average, for each seat.

    - `chances`: share of the wins; a win that seats share is shared. A game for one may be lost.
    - `points`: final score.
    """

    chances: tuple[float, ...]
    points: tuple[float, ...]


def average(outcomes: Iterable[Outcome]) -> Outlook:
    """Return the outlook that some outcomes come to, all of the same weight."""
    ends = [*outcomes]
    shares = [[(seat in end.winners) / (len(end.winners) or 1) for seat, _ in enumerate(end.scores, 1)] for end in ends]
    scores = [end.scores for end in ends]
    return Outlook(*(tuple(fsum(seat) / len(ends) for seat in zip(*table, strict=True)) for table in (shares, scores)))


def play_out(rules: Game[P], position: P, seed: bytes) -> Outcome:
    """Play a match on to its end, mostly by the first suggestion."""
    chance, stream = Chance(sha256(seed).digest()), Stream(seed, "outlook")
    while not (outcome := rules.outcome(position)):
        seat = rules.to_move(position)[0]
        suggested = rules.suggest(position, seat)[:MAX_SUGGESTIONS]
        at = 0 if stream.below(_VARIED_EVERY) else stream.below(len(suggested))
        position = rules.apply(position, seat, suggested[at], chance)
    return outcome


def by_the_rules(rules: Game[P], position: P, playouts: int, seed: bytes) -> Outlook:
    """Return the outlook of a position by playouts on the game's own positions, as `Robot.outlook` says."""
    if outcome := rules.outcome(position):
        return average([outcome])
    return average(play_out(rules, position, seed + number.to_bytes(8, "big")) for number in range(playouts))
