"""Which cards seem best to a player who looks no further than the trick."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.games.montauk.advice import EXTRA_CARD_PIPS
from pbem.robots.montauk.kinds import GROUPS, KINDS, TRICKS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pbem.robots.montauk.kinds import Kind

_PIPS = [[sum(GROUPS[group]) + (EXTRA_CARD_PIPS if extras else 0) for _, group, extras in row] for row in TRICKS]
"""Pips that the winner of each trick moves, on average."""


def gains(
    counts: Sequence[int], burden: int, other_burden: int, *, leads: bool, kinds: Iterable[Kind] = KINDS
) -> list[int]:
    """Return what kinds gain for a player against cards, counted by kind; none gains more than is left to do."""

    def gain(kind: Kind, met: Kind) -> int:
        led, followed = (kind, met) if leads else (met, kind)
        pips = _PIPS[led][followed]
        return min(pips, burden) if TRICKS[led][followed][0] != leads else -min(pips, other_burden)

    return [sum(count * gain(kind, met) for met, count in enumerate(counts) if count) for kind in kinds]
