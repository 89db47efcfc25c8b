"""Text as strokes, which looks the same where no font is installed."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Literal

from pbem.boards.glyphs import ACCENTS_ABOVE, ACCENTS_BELOW, GLYPHS, SUBSTITUTES
from pbem.boards.numbers import number
from pbem.boards.palette import tone

Anchor = Literal["start", "middle", "end"]

_LETTER_GAP = 3.0
_CAPITAL_HEIGHT = 10.0
_MISSING_GLYPH = "\N{REPLACEMENT CHARACTER}"
_TALL = frozenset("bdfhklt") | frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ß")
_EMOJI_CATEGORIES = {"So", "Sk", "Cf", "Cn"}
"""Unicode categories of emoji: symbols, skin tones, joiners, and characters newer than this Python."""
_DOTLESS = {"i": "\N{LATIN SMALL LETTER DOTLESS I}"}


def text_width(text: str, size: float) -> float:
    """Return the width of a text whose capitals are `size` high."""
    return _width(text) * size / _CAPITAL_HEIGHT


@lru_cache(maxsize=2048)
def _width(text: str) -> float:
    widths = [GLYPHS[base][0] for base, _ in _letters(text)]
    return sum(widths) + _LETTER_GAP * max(len(widths) - 1, 0)


def fitting_size(text: str, size: float, width: float) -> float:
    """Return the size, at most `size`, at which a text is no wider than `width`."""
    wide = text_width(text, size)
    return size if wide <= width else size * width / wide


@lru_cache(maxsize=2048)
def strokes(text: str) -> str:
    """Convert a text to path data, from x 0 on the baseline y 0, with capitals 10 high."""
    at, data = 0.0, []
    for base, marks in _letters(text):
        width, lines = GLYPHS[base]
        data += [_shifted(line, at, 0) for line in lines]
        top = -_CAPITAL_HEIGHT if base in _TALL else -7.0
        data += [_shifted(line, at + width / 2, top) for mark in marks for line in ACCENTS_ABOVE.get(mark, ())]
        data += [_shifted(line, at + width / 2, 0) for mark in marks for line in ACCENTS_BELOW.get(mark, ())]
        at += width + _LETTER_GAP
    return "".join(data)


@lru_cache(maxsize=2048)
def label(
    text: str, x: float, y: float, size: float, colour: str = "ink", anchor: Anchor = "middle", weight: float = 1.5
) -> str:
    """Draw a text on the baseline y, its capitals `size` high; `weight` is the stroke width at a height of 10."""
    shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * text_width(text, size)
    place = f"translate({number(x - shift)} {number(y)})scale({number(size / _CAPITAL_HEIGHT, 3)})"
    return f'<path {tone(colour)} fill="none" stroke-width="{number(weight)}" transform="{place}" d="{strokes(text)}"/>'


def fitted_label(
    text: str, x: float, y: float, size: float, width: float, colour: str = "ink", anchor: Anchor = "middle"
) -> str:
    """Draw a text of at most `size`, smaller if it would be wider than `width`."""
    return label(text, x, y, fitting_size(text, size, width), colour, anchor, 1.7)


def _letters(text: str) -> list[tuple[str, tuple[str, ...]]]:
    spelled = "".join(SUBSTITUTES.get(character, character) for character in text)
    known = unicodedata.normalize("NFKD", spelled)
    # An emoji in a name is left out, not drawn as an empty box, unless there is nothing else in it.
    plain = "".join(one for one in known if one in GLYPHS or unicodedata.category(one) not in _EMOJI_CATEGORIES).strip()
    letters: list[tuple[str, tuple[str, ...]]] = []
    for character in plain or known:
        if not unicodedata.category(character).startswith("M"):
            letters.append((character if character in GLYPHS else _MISSING_GLYPH, ()))
        elif letters:
            base, marks = letters[-1]
            letters[-1] = _DOTLESS.get(base, base) if character in ACCENTS_ABOVE else base, (*marks, character)
    return letters


def _shifted(line: tuple[float, float, str], x: float, y: float) -> str:
    return f"M{number(line[0] + x)} {number(line[1] + y)}{line[2]}"
