"""Poster: a board next to a few sentences, in the format of link previews."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from pbem.boards.numbers import number
from pbem.boards.shapes import rectangle
from pbem.boards.stroke_font import fitting_size, label, text_width

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

WIDTH, HEIGHT = 1200, 630

_EDGE = 48.0
_MAX_BOARD_WIDTH = 620.0
"""Maximum width of a board, which leaves room for legible words next to it."""
_HEADING, _WORDS, _LINE, _FOOT = 46.0, 27.0, 56.0, 19.0
_MAX_LINES = 4
_VIEW_BOX = re.compile(r'viewBox="0 0 (\S+) (\S+)"')


def poster(svg: str, heading: str, sentences: Iterable[str], foot: str = "") -> str:
    """Draw a poster: a drawing with a heading and sentences to its left, and a footer below them."""
    wide, high = (float(part) for part in _VIEW_BOX.findall(svg)[0])
    scale = min((HEIGHT - _EDGE) / high, _MAX_BOARD_WIDTH / wide)
    left, top = WIDTH - _EDGE / 2 - wide * scale, (HEIGHT - high * scale) / 2
    place = f'x="{number(left)}" y="{number(top)}" width="{number(wide * scale)}" height="{number(high * scale)}"'
    room = left - 2 * _EDGE
    parts = [rectangle((0, 0, WIDTH, HEIGHT), "paper", 0), svg.replace("<svg ", f"<svg {place} ", 1)]
    parts.append(label(heading, _EDGE, 120, fitting_size(heading, _HEADING, room), "ink", "start", 1.6))
    down = 120.0 + _LINE
    for sentence in sentences:
        for line in _wrap(sentence, room):
            down += _LINE
            parts.append(label(line, _EDGE, down, fitting_size(line, _WORDS, room), "faint", "start", 1.6))
        down += _LINE / 2
    parts.append(label(foot, _EDGE, HEIGHT - _EDGE, _FOOT, "accent", "start", 1.6))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" stroke-linecap="round"'
        f' stroke-linejoin="round"><title>{escape(heading)}</title>{"".join(parts)}</svg>'
    )


def _wrap(sentence: str, room: float) -> Iterator[str]:
    """Yield a sentence as lines that fit; what exceeds a few lines is left out."""
    line = ""
    count = 1
    for word in sentence.split():
        longer = f"{line} {word}".strip()
        if not line or text_width(longer, _WORDS) <= room:
            line = longer
        elif count == _MAX_LINES:
            line += " …"
            break
        else:
            yield line
            line, count = word, count + 1
    if line:
        yield line
