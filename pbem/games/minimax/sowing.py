"""Wheel of Minimax, and one card of it being sown drop by drop (rulebook: Legality, Resolution).

Stacks are stored as moves write them, bottom to top (`R3/G2/R1`), and every card's stacks in alphabetical order, so
that equal positions are equal values. There are few stacks and few ways to raise one: all of them are in tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pbem.games.pyramids import TREEHOUSE

if TYPE_CHECKING:
    from collections.abc import Iterator

CARDS = ("a", "b", "c", "d", "vault")
"""Cards in the order of sowing; after the vault comes `a` again."""
VAULT = CARDS.index("vault")
ANY_CARD = "any"
"""Card to be sown next in a free choice."""
PLACE_NAMES = (*CARDS[:VAULT], "the vault")
"""Cards as sentences name them."""

PYRAMIDS = tuple(pyramid for pyramid in TREEHOUSE if pyramid[0] != "K")
"""The twelve pyramids of the small game, in the order before the shuffle; black is not used."""

Stacks: TypeAlias = tuple[str, ...]
Wheel: TypeAlias = tuple[Stacks, ...]
"""Stacks on each of the five cards."""
EMPTY_WHEEL: Wheel = ((),) * len(CARDS)

SOW_TEXTS = tuple(f"sow {card}" for card in CARDS)
"""How a move begins that sows each card."""
_CARDS_BY_NEXT: dict[str | None, tuple[int, ...]] = {None: ()} | {CARDS[card]: (card,) for card in range(VAULT)}

_PAIRS = tuple(f"{low}/{top}" for low in PYRAMIDS for top in PYRAMIDS if top[1] < low[1])
TREES = frozenset(f"{pair}/{top}" for pair in _PAIRS for top in PYRAMIDS if top[1] < pair[-1])
"""Every stack of sizes 3, 2, 1."""


def _stack_points(stack: str) -> int:
    parts = stack.split("/")
    if stack not in TREES:
        return len(parts)
    return 7 if len({part[0] for part in parts}) == 1 else 4


STACK_POINTS = {stack: _stack_points(stack) for stack in (*PYRAMIDS, *_PAIRS, *TREES)}
"""Score of each stack in the vault (rulebook: End and result)."""


@dataclass(frozen=True, slots=True)
class Drop:
    """What one drop takes from the hand, which stack it goes on, and what is there afterwards."""

    takes: Stacks
    onto: str | None
    leaves: Stacks
    tree: str | None = None
    """Tree that it finishes, if any."""


_RAISED = {
    f"{pyramid} on {stack}": Drop((pyramid,), stack, (raised,), raised if raised in TREES else None)
    for stack in (*PYRAMIDS, *_PAIRS)
    for pyramid in PYRAMIDS
    if (raised := f"{stack}/{pyramid}") in STACK_POINTS
}
DROPS: dict[str, Drop] = (
    _RAISED
    | {pyramid: Drop((pyramid,), None, (pyramid,)) for pyramid in PYRAMIDS}
    | {tree: Drop(tuple(tree.split("/")), None, tuple(tree.split("/"))) for tree in sorted(TREES)}
)
"""Every possible drop, by its canonical text."""

_ONTO: dict[str, dict[str, str]] = {
    pyramid: {drop.onto: text for text, drop in _RAISED.items() if drop.onto and drop.takes == (pyramid,)}
    for pyramid in PYRAMIDS
}
"""Drops of each pyramid on a stack, by the stack."""
_PYRAMIDS_OF = {stack: tuple(stack.split("/")) for stack in STACK_POINTS}


class Sowing(NamedTuple):
    """Card that is partly sown: what is still in hand, and the wheel after the drops made so far."""

    at: int
    """Card that the next drop falls on."""
    hand: Stacks
    """Pyramids still to be sown, including those of unbroken trees."""
    whole: Stacks
    """Fresh trees not yet sown whole."""
    wheel: Wheel
    trees: tuple[tuple[int, str], ...] = ()
    """Trees finished in this turn, with their cards."""
    onto_empty: bool = False
    """Whether the last drop fell on a card that was empty just before."""

    def may(self, text: str) -> bool:
        """Return whether a drop may be made now (rulebook: Legality 2 to 4)."""
        drop = DROPS.get(text)
        if drop is None or (drop.onto is not None and drop.onto not in self.wheel[self.at]):
            return False
        return drop.takes[0] in self.hand if len(drop.takes) == 1 else _may_stay_whole(text, self.hand, self.whole)

    def after(self, text: str) -> Sowing:
        """Return the sowing after a legal drop (rulebook: Resolution)."""
        at, hand, whole, wheel, trees, _ = self
        drop, here = DROPS[text], wheel[at]
        left, standing, cards = [*hand], [*here], [*wheel]
        for pyramid in drop.takes:
            left.remove(pyramid)
        if drop.onto is not None:
            standing.remove(drop.onto)
        standing += drop.leaves
        standing.sort()
        cards[at] = tuple(standing)
        if len(drop.takes) > 1:
            whole = _without(whole, (text,))
        if drop.tree:
            trees = (*trees, (at, drop.tree))
        return Sowing((at + 1) % len(CARDS), tuple(left), whole, tuple(cards), trees, not here)

    def next(self) -> str | None:
        """Return, when all is sown, the next card: the one below the last drop, `any`, or None at the end."""
        last = (self.at or len(CARDS)) - 1
        if not any(self.wheel[:VAULT]) or (self.onto_empty and last != VAULT):
            return None
        return ANY_CARD if last == VAULT else CARDS[last]

    def fresh(self) -> Wheel:
        """Return the trees on each card that may stay whole in the next turn: those finished outside the vault."""
        if not self.trees:
            return EMPTY_WHEEL
        return tuple(
            tuple(sorted(tree for at, tree in self.trees if at == card)) if card != VAULT else ()
            for card in range(len(CARDS))
        )

    def drops(self) -> tuple[str, ...]:
        """List the drops that may be made now, each once; none when all is sown."""
        return tuple(_list_drops(self.wheel[self.at], self.hand, self.whole)) if self.hand else ()

    def completions(self, start: str) -> Iterator[str]:
        """Yield each way to sow what is in hand, in the order of `drops`, as a text that begins as given."""
        if len(self.hand) <= _SHORT:
            ahead = tuple([self.wheel[(self.at + drop) % len(CARDS)] for drop in range(len(self.hand))])
            for rest in _short_completions(ahead, self.hand, self.whole):
                yield start + rest
        else:
            for drop in self.drops():
                yield from self.after(drop).completions(f"{start}{drop}, ")


_SHORT = 3
"""Number of pyramids in hand whose completions are listed at once."""


@lru_cache(maxsize=128)
def _short_completions(ahead: tuple[Stacks, ...], hand: Stacks, whole: Stacks) -> tuple[str, ...]:
    """List the ways to sow few pyramids on as many cards.

    No drop falls on a card that another one has changed, and nothing is left after a whole tree: what may follow
    depends on the pyramids in hand alone.
    """
    found: list[str] = []
    for drop in _list_drops(ahead[0], hand, whole):
        left = _without(hand, DROPS[drop].takes)
        rests = _short_completions(ahead[1 : 1 + len(left)], left, whole) if left else ()
        found += [f"{drop}, {rest}" for rest in rests] if left else [drop]
    return tuple(found)


def _list_drops(here: Stacks, hand: Stacks, whole: Stacks) -> list[str]:
    """List the drops on a card that may be made from a hand, each once."""
    found = [tree for tree in dict.fromkeys(whole) if _may_stay_whole(tree, hand, whole)] if whole else []
    # Hand and stacks are sorted: whatever is there twice follows itself.
    before = ""
    for pyramid in hand:
        if pyramid == before:
            continue
        before = pyramid
        found.append(pyramid)
        onto = _ONTO[pyramid]
        for stack in here:
            if stack in onto and onto[stack] != found[-1]:
                found.append(onto[stack])
    return found


def _may_stay_whole(tree: str, hand: Stacks, whole: Stacks) -> bool:
    return tree in whole and all(pyramid in hand for pyramid in _PYRAMIDS_OF[tree])


def _without(held: Stacks, taken: Stacks) -> Stacks:
    left = [*held]
    for one in taken:
        left.remove(one)
    return tuple(left)


def begin_sowing(wheel: Wheel, card: int, fresh: Stacks) -> Sowing:
    """Start to sow a card: its stacks are single pyramids in hand, and fresh trees may stay whole."""
    hand = sorted([pyramid for stack in wheel[card] for pyramid in _PYRAMIDS_OF[stack]])
    return Sowing((card + 1) % len(CARDS), tuple(hand), fresh, (*wheel[:card], (), *wheel[card + 1 :]))


def sowable_cards(wheel: Wheel, following: str | None) -> tuple[int, ...]:
    """Return the cards that may be sown: the next one, or in a free choice any but an empty one."""
    return tuple([card for card in range(VAULT) if wheel[card]]) if following == ANY_CARD else _CARDS_BY_NEXT[following]


def starts(wheel: Wheel, fresh: Wheel, following: str | None) -> list[tuple[str, Sowing]]:
    """Return for each card that may be sown how its moves begin, and its sowing before the first drop."""
    return [(SOW_TEXTS[card], begin_sowing(wheel, card, fresh[card])) for card in sowable_cards(wheel, following)]


def vault_points(wheel: Wheel) -> int:
    """Return the score of the vault (rulebook: End and result)."""
    return sum(map(STACK_POINTS.__getitem__, wheel[VAULT]))
