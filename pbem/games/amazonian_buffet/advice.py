"""Suggested moves for Amazonian Buffet: a useful claim, and three hands to start from.

Cheap rules of thumb for a page's buttons, not a strong player. They use what the seat itself knows.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING, TypeAlias

from pbem.games.amazonian_buffet import turns
from pbem.games.amazonian_buffet.layouts import HANDS, Hand, Layout, arranged
from pbem.games.cards import RANKS
from pbem.games.poker import FULL_HAND, contest, strength

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pbem.games.game import Move

LayoutRating: TypeAlias = "Callable[[Layout], tuple[int, ...]]"
"""Rating of three hands: the greater, the better."""

_MAX_CARDS_SEARCHED = 16
"""Number of cards among which the best hands are searched: enough to find good ones, few enough to be quick."""


def useful_claims(moves: Iterable[Move], grid: Sequence[str], pool: Hand, count: int) -> tuple[Move, ...]:
    """Return turns that claim the cards most useful to a pool, each card once; any turns if none claims."""
    rated: list[tuple[int, Move]] = []
    offered = tuple(moves)
    for move in offered:
        square = turns.claimed_square(move)
        if square is not None:
            rated.append((usefulness(grid[square], pool), move))
    rated.sort(key=lambda pair: -pair[0])
    first_of_each = {move.rpartition(" ")[2]: move for _, move in reversed(rated)}
    best = sorted(first_of_each.values(), key=[move for _, move in rated].index)
    return tuple(best or offered)[:count]


def usefulness(card: str, pool: Hand) -> int:
    """Rate a card by what it adds to a pool: ranks and suits held already, neighbours for a straight, its own rank."""
    place = RANKS.index(card[0])
    same_rank = sum(held[0] == card[0] for held in pool)
    same_suit = sum(held[1] == card[1] for held in pool)
    near = len({held[0] for held in pool if 0 < abs(RANKS.index(held[0]) - place) < FULL_HAND})
    return 12 * same_rank + 5 * same_suit + 3 * near + place


def ready_layouts(pool: Hand, compare: str) -> tuple[Layout, ...]:
    """Build layouts of a pool: the strongest hand first, three balanced hands, two strong ones."""

    def balance(layout: Layout) -> tuple[int, ...]:
        return tuple(sorted(strength(hand, compare) for hand in layout))

    def two_strong(layout: Layout) -> tuple[int, ...]:
        return balance(layout)[1:]

    begun = _strongest_first(pool, compare)
    return begun, _improve(begun, pool, balance), _improve(begun, pool, two_strong)


def hands_won(own: Layout, other: Layout, compare: str) -> int:
    """Count the hands that one layout wins against another."""
    return sum(contest(a, b, compare) > 0 for a, b in zip(own, other, strict=True))


def best_answer(pool: Hand, shown: Layout, compare: str) -> Layout:
    """Build a layout that wins as many hands as it can find against a shown one, if that is kept."""

    def worth(layout: Layout) -> tuple[int, ...]:
        lost = sum(min(contest(a, b, compare), 0) for a, b in zip(layout, shown, strict=True))
        return hands_won(layout, shown, compare), lost

    begun = _strongest_first(pool, compare)
    turned = (begun[turn:] + begun[:turn] for turn in range(HANDS))
    return max((_improve(layout, pool, worth) for layout in turned), key=worth)


def _strongest_first(pool: Hand, compare: str) -> Layout:
    rest, hands = pool, []
    for _ in range(HANDS):
        tried = combinations(rest[:_MAX_CARDS_SEARCHED], min(FULL_HAND, len(rest)))
        best = max(tried, key=lambda hand: strength(hand, compare))
        hands.append(best)
        rest = tuple(card for card in rest if card not in best)
    return tuple(hands)


def _improve(layout: Layout, pool: Hand, worth: LayoutRating) -> Layout:
    """Repeat the best change of one or two cards as long as it improves the rating."""
    while worth(changed := max(_changes(layout, pool), key=worth)) > worth(layout):
        layout = changed
    return tuple(map(arranged, layout))


def _changes(layout: Layout, pool: Hand) -> Iterator[Layout]:
    """Yield layouts with one card moved between hands or two exchanged, also with the cards left over."""
    left = tuple(card for card in pool if not any(card in hand for hand in layout))
    groups = (*layout, left)
    for one, two in combinations(range(HANDS + 1), 2):
        for give, take in product((*groups[one], ""), (*groups[two], "")):
            changed = list(groups)
            changed[one] = tuple(card for card in (*groups[one], take) if card not in {give, ""})
            changed[two] = tuple(card for card in (*groups[two], give) if card not in {take, ""})
            if max(map(len, changed[:HANDS])) <= FULL_HAND and len(changed[HANDS]) == len(left):
                yield tuple(changed[:HANDS])
