"""Pyramids and the stacks made of them: their names, the fresh set, and the words that people use for them."""

from __future__ import annotations

import re
from typing import TypeAlias

from pbem.games.vocabulary import shortener

COLOURS = "RYGBK"
"""Colours in the order of a fresh Treehouse set: red, yellow, green, blue, black."""
SIZES = "123"
"""Small, medium, large."""

TREEHOUSE: tuple[str, ...] = tuple(colour + size for colour in COLOURS for size in SIZES)
"""A fresh Treehouse set."""

Stack: TypeAlias = tuple[str, ...]
"""Pyramids on top of one another, bottom to top."""

COLOUR_NAMES = {"R": "red", "Y": "yellow", "G": "green", "B": "blue", "K": "black"}
SIZE_NAMES = {"1": "small", "2": "medium", "3": "large"}

_COLOUR_WORDS = {name: letter for letter, name in COLOUR_NAMES.items()} | {
    "rot": "R", "rote": "R", "roten": "R", "roter": "R", "rotes": "R",
    "gelb": "Y", "gelbe": "Y", "gelben": "Y", "gelber": "Y", "gelbes": "Y",
    "grün": "G", "grüne": "G", "grünen": "G", "grüner": "G", "grünes": "G", "gruen": "G", "gruene": "G",
    "blau": "B", "blaue": "B", "blauen": "B", "blauer": "B", "blaues": "B",
    "schwarz": "K", "schwarze": "K", "schwarzen": "K", "schwarzer": "K", "schwarzes": "K",
}  # fmt: skip
_SIZE_WORDS = {name: size for size, name in SIZE_NAMES.items()} | {
    "little": "1", "tiny": "1", "big": "3", "middle": "2",
    "klein": "1", "kleine": "1", "kleinen": "1", "kleiner": "1", "kleines": "1",
    "mittel": "2", "mittlere": "2", "mittleren": "2", "mittlerer": "2", "mittleres": "2",
    "groß": "3", "große": "3", "großen": "3", "großer": "3", "großes": "3", "gross": "3", "grosse": "3",
}  # fmt: skip
WORDS = frozenset({*_COLOUR_WORDS, *_SIZE_WORDS})
"""Words that people use for colours and sizes."""


_size_first = shortener(_SIZE_WORDS, _COLOUR_WORDS, r"[\s-]+", swapped=True)
_colour_first = shortener(_COLOUR_WORDS, _SIZE_WORDS, r"[\s-]+")
_PYRAMID = re.compile(r"(?<![A-Z0-9])([RYGBK])([123])(?![A-Z0-9])", re.IGNORECASE)


def fold(line: str) -> str:
    """Write every pyramid in a folded line as colour and size: `r1`, `large red`, `klein grün` as `R1`, `R3`, `G1`."""
    line = _colour_first(_size_first(line))
    return _PYRAMID.sub(lambda m: m[0].upper(), line)


def colour_letter(word: str) -> str | None:
    """Return the letter of a colour by its name or itself: `R` for "red" and for "r"."""
    return word.upper() if word.upper() in COLOUR_NAMES else _COLOUR_WORDS.get(word.lower())


def name(pyramid: str) -> str:
    """Return a pyramid in words: `R3` is "large red"."""
    return f"{SIZE_NAMES[pyramid[1]]} {COLOUR_NAMES[pyramid[0]]}"


def format_stack(stack: Stack) -> str:
    """Format a stack bottom to top, as in moves: `R3/G2/R1`."""
    return "/".join(stack)
