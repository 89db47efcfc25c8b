"""Outlooks of Amazonian Buffet: the board stage played on many times, and what the sealed stages come to.

In both, a seat adjusts its hands as the game suggests half of the time, and otherwise plays the strongest it has, in
any order.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from itertools import permutations, product
from math import fsum
from typing import TYPE_CHECKING, TypeAlias

from pbem.games.amazonian_buffet.advice import ready_layouts
from pbem.games.amazonian_buffet.layouts import HANDS, KEEP, format_layout, split_hands
from pbem.games.amazonian_buffet.position import SEATS, after_sealing
from pbem.games.poker import contest
from pbem.robots.amazonian_buffet import draft, tree
from pbem.robots.amazonian_buffet.pools import strongest_three
from pbem.robots.outlook import Outlook

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.games import Game, Seat
    from pbem.games.amazonian_buffet.layouts import Hand, Layout
    from pbem.games.amazonian_buffet.position import Position
    from pbem.robots.amazonian_buffet.pools import Strengths

Wins: TypeAlias = tuple[tuple[bool, ...], ...]
"""For each hand of a seat, whether it wins against each of the other's."""
Expected: TypeAlias = tuple[float, float, float]
"""Seat 1's share of the win, and the hands that each seat wins."""

_SUGGESTED_SHARE = 0.5
"""How often a seat adjusts its hands as the game suggests."""
_CERTAINTY = 0.88
"""How often a match comes out by the strengths of hands; else what they neglect decides, and seats win alike."""
_ORDERS = tuple(permutations(range(HANDS)))


def outlook(rules: Game[Position], position: Position, playouts: int, seed: bytes) -> Outlook:
    """Return what a match that runs comes to; in the sealed stages nothing is drawn."""
    if position.phase != "board":
        return _outlook([_sealed(rules, position)])
    begun, ends = draft.begin(position), list[Expected]()
    for number in range(playouts):
        played = begun.copy()
        tree.play_on(played, seed + number.to_bytes(8, "big"))
        ends.append(value_by_strengths(*map(strongest_three, played.pools)))
    return _outlook(ends)


def _outlook(ends: Sequence[Expected]) -> Outlook:
    """Return the mean of what was expected."""
    first, one, two = (fsum(each) / len(ends) for each in zip(*ends, strict=True))
    return Outlook((first, 1 - first), (one, two))


# -- after the board stage, by strengths -------------------------------------------------------------


def value_by_strengths(first: Strengths, second: Strengths) -> Expected:
    """Return what the hands of both seats come to; of two that are as strong, each wins half of the time."""
    one, two = (
        value_by_wins(tuple(tuple(a > b for b in other) for a in own))
        for own, other in ((first, second), (second, first))
    )
    (chance, won), (other_chance, other_won) = one, two
    first_chance = 0.5 + _CERTAINTY * (chance - other_chance) / 2
    return first_chance, (won + HANDS - other_won) / 2, (other_won + HANDS - won) / 2


@cache
def value_by_wins(wins: Wins) -> tuple[float, float]:
    """Return the share of the win, and the hands won, of a seat whose hands win so; there are 512 ways."""
    lost = tuple(tuple(not wins[own][other] for own in range(HANDS)) for other in range(HANDS))
    own, other = _answer(wins), _answer(lost)
    as_suggested = sum(wins[a][b] for a, b in zip(own, other, strict=True))
    won = [sum(wins[a][b] for a, b in enumerate(order)) for order in _ORDERS]
    most = HANDS // 2 + 1
    # If one seat's order is any, it does not matter how the other one orders its hands.
    both = _SUGGESTED_SHARE**2
    return (
        both * (as_suggested >= most) + (1 - both) * sum(hands >= most for hands in won) / len(won),
        both * as_suggested + (1 - both) * sum(won) / len(won),
    )


def _answer(wins: Wins) -> tuple[int, ...]:
    """Return the order of a seat's hands that wins most against the other's hands in their order."""
    return max(_ORDERS, key=lambda order: sum(wins[own][other] for other, own in enumerate(order)))


# -- sealed stages, by cards -------------------------------------------------------------------------


def _sealed(rules: Game[Position], position: Position) -> Expected:
    """Return what a sealed stage comes to; a seat that has not laid out lays out the strongest hands that it has."""
    while position.phase == "layout":
        seat = position.to_move[0]
        strongest = _strongest(position.pool(seat), position.deal.compare)
        position = after_sealing(position, seat, format_layout(strongest))
    first, second = (_adjustments(rules, position, seat) for seat in SEATS)
    ends = [
        (share * other_share, *_won(own, other, position.deal.compare))
        for (own, share), (other, other_share) in product(first, second)
    ]
    return (
        fsum(share * (1 + (one > two) - (one < two)) / 2 for share, one, two in ends),
        fsum(share * one for share, one, _ in ends),
        fsum(share * two for share, _, two in ends),
    )


def _won(own: Layout, other: Layout, compare: str) -> tuple[int, int]:
    results = [contest(a, b, compare) for a, b in zip(own, other, strict=True)]
    return sum(result > 0 for result in results), sum(result < 0 for result in results)


def _adjustments(rules: Game[Position], position: Position, seat: Seat) -> list[tuple[Layout, float]]:
    """Return the layouts with which a seat may end, and how often it does."""
    secret = position.sealed[seat - 1]
    if secret:
        return [(position.shown[-1][seat - 1] if secret.value == KEEP else split_hands(secret.value), 1.0)]
    suggested = _suggested(rules, replace(position, to_move=SEATS, sealed=(None, None)), seat)
    strongest = _strongest(position.pool(seat), position.deal.compare)
    share = (1 - _SUGGESTED_SHARE) / len(_ORDERS)
    return [(suggested, _SUGGESTED_SHARE), *((layout, share) for layout in permutations(strongest))]


# Finding layouts takes many milliseconds, and the positions of a sealed stage have them in common.


@lru_cache(maxsize=64)
def _suggested(rules: Game[Position], position: Position, seat: Seat) -> Layout:
    """Return the layout that the game suggests once both are shown."""
    move = rules.suggest(position, seat)[0]
    return position.shown[-1][seat - 1] if move == KEEP else split_hands(move)


@lru_cache(maxsize=64)
def _strongest(pool: Hand, compare: str) -> Layout:
    return ready_layouts(pool, compare)[0]
