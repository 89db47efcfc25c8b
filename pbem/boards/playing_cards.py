"""Playing cards as shapes: rank and pip large enough for a phone, rows of cards, and their backs."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from pbem.boards.numbers import number
from pbem.boards.palette import tone
from pbem.boards.shapes import definition, frame, last_move, rectangle, touchable
from pbem.boards.stroke_font import fitting_size, label, strokes, text_width
from pbem.games.cards import RANKS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

CARD_WIDTH, CARD_HEIGHT = 100.0, 140.0
"""Width and height of a card at scale 1."""
BACK = "back"
"""A face-down card."""
_SHEET = "sheet"
"""Shape that every card is drawn on."""
SUIT_ORDER = "SHCD"
"""Suits of a hand from left to right, alternately dark and light."""

_TONES = {"S": "spade", "H": "heart", "D": "diamond", "C": "club"}
_PIPS = {
    "S": "M0-50C-10-30-42-16-42 10C-42 36-12 38-5 22"
    "C-6 36-11 44-18 50H18C11 44 6 36 5 22C12 38 42 36 42 10C42-16 10-30 0-50z",
    "H": "M0 48C-8 28-46 4-46-20C-46-50-8-52 0-24C8-52 46-50 46-20C46 4 8 28 0 48z",
    "D": "M0-52C8-32 22-14 38 0C22 14 8 32 0 52C-8 32-22 14-38 0C-22-14-8-32 0-52z",
    "C": "M-5 18C-12 34-46 32-46 6C-46-14-26-20-15-12C-28-24-20-50 0-50"
    "C20-50 28-24 15-12C26-20 46-14 46 6C46 32 12 34 5 18C6 34 11 44 18 50H-18C-11 44-6 34-5 18z",
}
"""Pip of each suit around the point 0 0, about 100 high."""
_RANK_HEIGHT, _MAX_RANK_WIDTH = 36.0, 38.0
"""Height of the rank in the corner, and its maximum width."""
_SMALL_PIP_HEIGHT = 34.0
_OPEN_SCALE = 0.62
OPEN_HAND_HEIGHT = CARD_HEIGHT * _OPEN_SCALE + 42
"""Height of one of several open hands."""


class PlayingCards:
    """Playing cards of one picture; each card that is drawn is defined once.

    `prefix` keeps two pictures on one page apart.
    """

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._seen: dict[str, None] = {}
        self._ranks: dict[str, None] = {}
        self._pips: dict[str, None] = {}

    def card(self, card: str, x: float, y: float, scale: float = 1) -> str:
        """Draw a card, or BACK, with its top left corner at x and y."""
        self._seen[card] = None
        size = "" if scale == 1 else f"scale({number(scale, 2)})"
        place = f"translate({number(x)} {number(y)}){size}"
        return f'<use href="#{self._prefix}-{card}" transform="{place}"/>'

    def row(
        self,
        held: Sequence[str],
        x: float,
        y: float,
        width: float,
        scale: float = 1,
        *,
        step: float = CARD_WIDTH + 10,
        raised: Iterable[str] = (),
        lift: float = 16,
        own: bool = False,
        marked: Collection[str] = (),
    ) -> str:
        """Draw cards from left to right, centred in a width, overlapping where it is too narrow.

        Cards of the viewer's `own` hand can be touched to choose them; those `marked` are of the last move.
        """
        wide = CARD_WIDTH * scale
        step = min(step * scale, (width - wide) / max(len(held) - 1, 1))
        at = x + (width - wide - step * (len(held) - 1)) / 2
        high = frozenset(raised)
        drawn = [
            self.card(card, at + place * step, y - (lift if card in high else 0), scale)
            for place, card in enumerate(held)
        ]
        marks = [
            last_move((at + place * step, y, wide, CARD_HEIGHT * scale), 3)
            for place, card in enumerate(held)
            if card in marked
        ]
        return "".join([*(map(touchable, held, drawn) if own else drawn), *marks])

    def pip(self, suit: str, x: float, y: float, high: float) -> str:
        """Draw a suit's pip, centred at x and y."""
        self._pips[suit] = None
        return _pip(self._prefix, suit, x, y, high)

    def index(self, card: str, x: float, y: float, gap: float) -> str:
        """Draw a card's rank, centred at x with its top at y, and the pip `gap` below it."""
        self._ranks[card[0]] = self._pips[card[1]] = None
        return _index(self._prefix, card, x, y, gap)

    def names(self, places: Mapping[str, tuple[float, float]], high: float) -> Iterator[str]:
        """Draw cards as rank and pip only, side by side and `high` high, centred at the places."""
        size, small = high / _RANK_HEIGHT, high * 1.1 / 100
        self._ranks |= dict.fromkeys(card[0] for card in places)
        self._pips |= dict.fromkeys(card[1] for card in places)
        for suit in sorted({card[1] for card in places}):
            held = {card: place for card, place in places.items() if card[1] == suit}
            ranks = [self._at(f"rank-{card[0]}", x - high * 0.65, y + high / 2, size) for card, (x, y) in held.items()]
            pips = [self._at(f"pip-{suit}", x + high * 0.7, y, small) for x, y in held.values()]
            yield (
                f'<g {tone(_TONES[suit])}><g transform="scale({number(size, 3)})">{"".join(ranks)}</g>'
                f'<g transform="scale({number(small, 3)})">{"".join(pips)}</g></g>'
            )

    def definitions(self) -> str:
        """Return the definitions of every card that was drawn, and of the parts of cards."""
        drawn = {card: self._drawn(card) for card in self._seen}
        if drawn:
            drawn[_SHEET] = _sheet()
        drawn |= {f"rank-{rank}": _rank(rank) for rank in self._ranks}
        drawn |= {f"pip-{suit}": f'<path fill="currentColor" d="{_PIPS[suit]}"/>' for suit in self._pips}
        return "".join([definition(f"{self._prefix}-{name}", drawn[name]) for name in sorted(drawn)])

    def _at(self, name: str, x: float, y: float, scale: float) -> str:
        """Use a shape within a scaled group, which is shorter than a transformation of its own."""
        return f'<use href="#{self._prefix}-{name}" x="{number(x / scale, 0)}" y="{number(y / scale, 0)}"/>'

    def _drawn(self, card: str) -> str:
        sheet = f'<use href="#{self._prefix}-{_SHEET}"/>'
        if card == BACK:
            return sheet + _back()
        return sheet + self.index(card, 27, 10, 9) + self.pip(card[1], CARD_WIDTH - 34, CARD_HEIGHT - 42, 58)


def open_hands(
    cards: PlayingCards, hands: Sequence[Sequence[str]], names: Sequence[str], box: tuple[float, float, float]
) -> Iterator[str]:
    """Draw every player's hand under the player's name; `box` is left, top and width."""
    left, top, width = box
    for seat, (name, held) in enumerate(zip(names, hands, strict=True)):
        y = top + seat * OPEN_HAND_HEIGHT
        yield label(name, left + 8, y + 18, fitting_size(name, 18, width), "faint", "start", 1.7)
        yield cards.row(sorted_by_suit(held), left, y + 28, width, _OPEN_SCALE)


def sorted_by_suit(held: Iterable[str]) -> list[str]:
    """Sort a hand by suit, in each suit from the highest rank to the lowest."""
    return sorted(held, key=lambda card: (SUIT_ORDER.index(card[1]), -RANKS.index(card[0])))


@lru_cache(maxsize=1024)
def _index(prefix: str, card: str, x: float, y: float, gap: float) -> str:
    place = f"translate({number(x)} {number(y + _RANK_HEIGHT)})"
    rank = f'<use {tone(_TONES[card[1]])} href="#{prefix}-rank-{card[0]}" transform="{place}"/>'
    return rank + _pip(prefix, card[1], x, y + _RANK_HEIGHT + gap + _SMALL_PIP_HEIGHT / 2, _SMALL_PIP_HEIGHT)


@lru_cache(maxsize=1024)
def _pip(prefix: str, suit: str, x: float, y: float, high: float) -> str:
    place = f"translate({number(x)} {number(y)})scale({number(high / 100, 2)})"
    return f'<use {tone(_TONES[suit])} href="#{prefix}-pip-{suit}" transform="{place}"/>'


@cache
def _rank(rank: str) -> str:
    """Draw a rank centred on its baseline; a ten is narrower, not lower, than the others."""
    text = "10" if rank == "T" else rank
    size = fitting_size(text, _RANK_HEIGHT, _MAX_RANK_WIDTH)
    left, across, up = number(-text_width(text, size) / 2), number(size / 10, 2), number(_RANK_HEIGHT / 10, 2)
    place = f"translate({left} 0)scale({across} {up})"
    return f'<path stroke="currentColor" fill="none" stroke-width="1.9" transform="{place}" d="{strokes(text)}"/>'


@cache
def _sheet() -> str:
    box = (0, 0, CARD_WIDTH, CARD_HEIGHT)
    return rectangle(box, "card", 11) + frame(box, "card-edge", 2, 11)


@cache
def _back() -> str:
    box = (8, 8, CARD_WIDTH - 16, CARD_HEIGHT - 16)
    lines = "M50 8l-42 62l42 62M50 8l42 62l-42 62M29 39l42 62M71 39l-42 62"
    return rectangle(box, "back", 6) + f'<path {tone("back-line")} fill="none" stroke-width="3" d="{lines}"/>'
