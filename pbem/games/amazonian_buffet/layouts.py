"""Layouts of Amazonian Buffet: three hands from a seat's pool, and their notation.

Sections named in this module are those of the game's rulebook.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import chain, combinations, islice, product
from operator import itemgetter
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast

from pbem.games import cards
from pbem.games.errors import IllegalMove, InvalidMove
from pbem.games.game import MAX_MOVES_SHOWN, Move
from pbem.games.poker import FULL_HAND

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

T = TypeVar("T")

Hand: TypeAlias = tuple[str, ...]
Layout: TypeAlias = tuple[Hand, ...]
"""Three hands, the first of which meets the opponent's first."""

HANDS = 3
KEEP = Move("keep")
_COUNT_LISTED = MAX_MOVES_SHOWN + 1
"""Number of layouts that a View asks for."""
BAR = "|"
EMPTY = "-"

_ORDER = {rank + suit: 4 * i + j for i, rank in enumerate(reversed(cards.RANKS)) for j, suit in enumerate("SHDC")}


def arranged(held: Iterable[str]) -> Hand:
    """Sort cards for canonical text: from the highest rank, equal ranks in the order S H D C."""
    return tuple(sorted(held, key=_ORDER.__getitem__))


def required_cards(pool: Sequence[object]) -> int:
    """Count the cards that a layout of this pool must use (Building the hands)."""
    return min(HANDS * FULL_HAND, len(pool))


def hand_sizes(count: int) -> Iterator[tuple[int, ...]]:
    """Yield the sizes that three hands of `count` cards in all can have, full first hands before all."""
    return (split for split in product(range(FULL_HAND, -1, -1), repeat=HANDS) if sum(split) == count)


def all_layouts(pool: Sequence[T]) -> Iterator[tuple[tuple[T, ...], ...]]:
    """Yield every legal layout of an arranged pool, each once."""
    for first, second, third in hand_sizes(required_cards(pool)):
        for one in combinations(pool, first):
            rest = [card for card in pool if card not in one]
            for two in combinations(rest, second):
                for three in combinations([card for card in rest if card not in two], third):
                    yield one, two, three


# -- notation ----------------------------------------------------------------------------------------


def format_layout(layout: Layout) -> Move:
    """Format a layout, its hands arranged, as canonical text."""
    return Move("hands " + f" {BAR} ".join(" ".join(hand) or EMPTY for hand in layout))


def layout_moves(pool: Hand) -> Iterator[Move]:
    """Yield every legal layout of an arranged pool as canonical text."""
    first, words = _first_layouts(len(pool)), (*pool, "hands", BAR, EMPTY)
    listed = cast("Iterator[Move]", (" ".join(pick(words)) for pick in first))
    if len(first) < _COUNT_LISTED:
        return listed
    return chain(listed, map(format_layout, islice(all_layouts(pool), _COUNT_LISTED, None)))


@cache
def _first_layouts(count: int) -> tuple[Callable[[Hand], Hand], ...]:
    """Return functions that pick the words of the layouts that a View lists from `count` cards, `hands`, `|` and `-`.

    They are the same for all pools of one size; picking takes a fourth of the time of dividing and formatting.
    """
    hands, bar, empty = range(count, count + 3)
    layouts = islice(all_layouts(range(count)), _COUNT_LISTED)
    orders = ([hands, *(a or [empty]), bar, *(b or [empty]), bar, *(c or [empty])] for a, b, c in layouts)
    return tuple(itemgetter(*order) for order in orders)


def split_hands(move: Move) -> Layout:
    """Parse the hands of a canonical layout."""
    hands = move.removeprefix("hands ").split(f" {BAR} ")
    return tuple(() if hand == EMPTY else tuple(hand.split(" ")) for hand in hands)


def parse_canonical(move: Move) -> Layout | None:
    """Parse a canonical layout; None for any other text."""
    layout = split_hands(move)
    if len(layout) != HANDS or any(card not in _ORDER for hand in layout for card in hand):
        return None
    return layout if move == format_layout(tuple(map(arranged, layout))) else None


_BARS = re.compile(r"[|/;]")
_HANDS_PREFIX = re.compile(r"^\s*hands?\b[\s:]*", re.IGNORECASE)
_CARD = r"(?:10|[2-9TJQKA])[SHDC]"
_HAND = re.compile(rf"(?:{_CARD}(?:[\s,]+|(?={_CARD})|$))*", re.IGNORECASE)
_NO_CARDS = {"", EMPTY, "empty", "none", "nothing"}


def insert_bars(text: str) -> str:
    """Join three typed lines that have no bars by bars: they are three hands."""
    lines = [line for line in _HANDS_PREFIX.sub("", text, count=1).splitlines() if line.strip()]
    return f" {BAR} ".join(lines) if len(lines) == HANDS and not _BARS.search(text) else text


def parse(pool: Hand, line: str) -> Move:
    """Parse a folded line leniently (Move grammar); InvalidMove if it is not three hands of cards."""
    hands = _BARS.split(_HANDS_PREFIX.sub("", cards.fold(line), count=1))
    layout = [_typed_hand(hand) for hand in hands]
    if None not in layout:
        found = [hand for hand in layout if hand is not None]
        if len(found) == 1 and len(found[0]) == HANDS * FULL_HAND:
            found = [found[0][i : i + FULL_HAND] for i in range(0, HANDS * FULL_HAND, FULL_HAND)]
        if len(found) == HANDS:
            return format_layout(tuple(map(arranged, found)))
    example = format_layout(next(all_layouts(pool)))
    raise InvalidMove("Write your three hands with a bar between them, such as “{example}”.", example=example)


def _typed_hand(text: str) -> Hand | None:
    text = text.strip(" ,")
    if text.lower() in _NO_CARDS:
        return ()
    return _extract_cards(text) if _HAND.fullmatch(text) else None


def _extract_cards(text: str) -> Hand:
    return tuple(card.upper().replace("10", "T") for card in re.findall(_CARD, text, re.IGNORECASE))


# -- objections --------------------------------------------------------------------------------------


def fault(pool: Hand, layout: Layout) -> IllegalMove | None:
    """Return why a layout of a pool is illegal (Building the hands); None if it is legal."""
    held = [card for hand in layout for card in hand]
    foreign = [card for card in held if card not in pool]
    if foreign:
        if len(foreign) == 1:
            return IllegalMove("{card} is not yours. Your cards: {pool}.", card=foreign[0], pool=" ".join(pool))
        return IllegalMove("{cards} are not yours. Your cards: {pool}.", cards=tuple(foreign), pool=" ".join(pool))
    twice = [card for card in pool if held.count(card) > 1]
    if twice:
        return IllegalMove("{cards} can be used only once.", cards=tuple(twice))
    for number, hand in enumerate(layout, 1):
        if len(hand) > FULL_HAND:
            return IllegalMove(
                "A hand has at most five cards; hand {number} has {count}.", number=number, count=len(hand)
            )
    if len(held) < required_cards(pool):
        return IllegalMove(
            "Use exactly {used} cards; you used {count}. Still unused: {missing}.",
            used=required_cards(pool), count=len(held), missing=" ".join(card for card in pool if card not in held),
        )  # fmt: skip
    return None


def repair(pool: Hand, typed: Sequence[Sequence[str]]) -> Layout:
    """Build a layout of typed cards: those not in the pool are dropped, and missing ones filled up."""
    left = list(pool)
    hands: list[list[str]] = [[] for _ in range(HANDS)]
    for hand, cards_typed in zip(hands, typed, strict=False):
        for card in cards_typed:
            if card in left and len(hand) < FULL_HAND:
                hand.append(card)
                left.remove(card)
    wanting = required_cards(pool) - sum(map(len, hands))
    for hand in hands:
        taken = left[: min(wanting, FULL_HAND - len(hand))]
        hand.extend(taken)
        left, wanting = left[len(taken) :], wanting - len(taken)
    return tuple(map(arranged, hands))


def extract_hands(line: str) -> list[Hand]:
    """Extract the cards of a folded line, hand by hand; empty if there are none."""
    hands = [_extract_cards(hand) for hand in _BARS.split(cards.fold(line))]
    if len(hands) == 1:
        hands = [hands[0][at : at + FULL_HAND] for at in range(0, HANDS * FULL_HAND, FULL_HAND)]
    return hands if any(hands) else []


# -- piece by piece ----------------------------------------------------------------------------------


def pieces(pool: Hand, chosen: tuple[str, ...]) -> tuple[str, ...]:
    """Return what may follow: cards for the current hand, and a bar where the later hands can take the rest."""
    hand = chosen.count(BAR) + 1
    held = chosen[::-1].index(BAR) if BAR in chosen else len(chosen)
    wanting = required_cards(pool) - (len(chosen) - hand + 1)
    more = tuple(card for card in pool if card not in chosen) if wanting and held < FULL_HAND else ()
    return (*more, BAR) if hand < HANDS and wanting <= FULL_HAND * (HANDS - hand) else more
