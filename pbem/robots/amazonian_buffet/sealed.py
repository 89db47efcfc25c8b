"""Sealed stages: both seats lay out three hands at once, each guessing what the other lays out.

Promising layouts of both are set against each other in every order of their hands, and regret matching finds how often
to play which (Hart and Mas-Colell, 2000). When hands are adjusted, the other seat is expected to play what the game
suggests to it half of the time, and what is worst for us otherwise: a restricted Nash response (Johanson, Zinkevich
and Bowling, 2007). All is computed in whole numbers, so that it is the same everywhere.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, permutations
from operator import mul
from typing import TYPE_CHECKING, TypeAlias

from pbem.games.amazonian_buffet import advice
from pbem.games.amazonian_buffet.layouts import KEEP, format_layout, split_hands
from pbem.games.poker import contest
from pbem.robots.thought import Thought, Try

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pbem.games import Game, Stream
    from pbem.games.amazonian_buffet.layouts import Layout
    from pbem.games.amazonian_buffet.position import Position
    from pbem.robots.amazonian_buffet.knowledge import Known

Payoffs: TypeAlias = "list[list[int]]"
"""What each of our layouts, a row, comes to against each of the other seat's."""

_MAX_ROUNDS = 200
"""Number of rounds of regret matching after which little changes."""
WIN, DRAW = 2, 1
CERTAIN = 1 << 12
"""Weight of what is certain."""
_EXPECTED_WEIGHT = CERTAIN // 2
"""Weight of what the game suggests to the other seat."""
_PER_MILLE = 1000


def think(known: Known, rules: Game[Position], playouts: int, stream: Stream) -> Thought:
    """Choose a layout, or whether to keep the one shown; a playout is a round of regret matching."""
    rounds = min(playouts, _MAX_ROUNDS)
    position, seat, other = known.position, known.seat, known.other
    compare, pool, other_pool = position.deal.compare, position.pool(seat), position.pool(other)
    own, others = advice.ready_layouts(pool, compare), advice.ready_layouts(other_pool, compare)
    answers = [advice.best_answer(pool, layout, compare) for layout in others]
    rows = _in_every_order((*own, *answers))
    columns = _in_every_order((*others, *(advice.best_answer(other_pool, layout, compare) for layout in own)))
    shown: Layout | None = None
    if position.shown:
        layouts = position.shown[-1]
        shown, expected = layouts[seat - 1], rules.suggest(position, other)[0]
        likely = layouts[other - 1] if expected == KEEP else split_hands(expected)
        rows = [*dict.fromkeys((shown, advice.best_answer(pool, likely, compare), *rows))]
        columns = [*dict.fromkeys((likely, *columns))]
    payoffs = [[_payoff(row, column, compare) for column in columns] for row in rows]
    weights, values = mix(payoffs, _EXPECTED_WEIGHT if position.shown else 0, rounds)
    tried = [
        Try(KEEP if row == shown else format_layout(row), weight, value / (WIN * CERTAIN))
        for row, weight, value in zip(rows, weights, values, strict=True)
        if weight
    ]
    bounds = list(accumulate(one.times for one in tried))
    drawn = tried[bisect_right(bounds, stream.below(bounds[-1]))]
    return Thought(drawn.move, tuple(sorted(tried, key=lambda one: (-one.times, -one.worth))), rounds)


def mix(payoffs: Payoffs, expected: int, rounds: int) -> tuple[list[int], list[int]]:
    """Return how often of a thousand to play each row, and what it is worth against how the columns are played.

    The first column is played with the weight `expected` at least.
    """
    columns = [[WIN - payoff for payoff in column] for column in zip(*payoffs, strict=True)]
    regrets, other_regrets = [0] * len(payoffs), [0] * len(columns)
    total, other_total = regrets, other_regrets
    for number in range(1, rounds + 1):
        own, free = _scale(regrets), _scale(other_regrets)
        other = [weight * (CERTAIN - expected) // CERTAIN for weight in free]
        other[0] += expected
        regrets = _regret(regrets, own, payoffs, other)
        other_regrets = _regret(other_regrets, free, columns, own)
        total = [so_far + number * weight for so_far, weight in zip(total, own, strict=True)]
        other_total = [so_far + number * weight for so_far, weight in zip(other_total, other, strict=True)]
    weights, met = _scale(total), _scale(other_total)
    return [weight * _PER_MILLE // CERTAIN for weight in weights], [sum(map(mul, row, met)) for row in payoffs]


def _regret(regrets: list[int], played: list[int], payoffs: Payoffs, met: list[int]) -> list[int]:
    """Add to the regret of not having played each row in place of what was played; it never falls below zero."""
    values = [sum(map(mul, row, met)) for row in payoffs]
    mean = sum(map(mul, values, played)) // CERTAIN
    return [max(0, regret + value - mean) for regret, value in zip(regrets, values, strict=True)]


def _scale(weights: list[int]) -> list[int]:
    """Scale weights to a sum of CERTAIN, or nearly; equal ones if all are zero."""
    total = sum(weights)
    return [weight * CERTAIN // total for weight in weights] if total else [CERTAIN // len(weights)] * len(weights)


def _in_every_order(layouts: Iterable[Layout]) -> list[Layout]:
    return [*dict.fromkeys(order for layout in layouts for order in permutations(layout))]


def _payoff(own: Sequence[Sequence[str]], other: Sequence[Sequence[str]], compare: str) -> int:
    results = [contest(a, b, compare) for a, b in zip(own, other, strict=True)]
    won, lost = sum(result > 0 for result in results), sum(result < 0 for result in results)
    return WIN if won > lost else DRAW if won == lost else 0
