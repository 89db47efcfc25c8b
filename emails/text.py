"""A mail's text part: complete by itself, and without a line that could be read as its reader's move."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

from emails.marker import MARKER
from emails.parts import Board, Button, Choice, Choices, Heading, Links, Meant, Part, Points, Say, Small, Tell
from pbem.boards.prose import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

WIDTH = 72

_WORD = re.compile(r"\b[a-z]{3,}\b")
_WORDS_AT_THE_END = 5
_WIDEST = 90
"""A line may be as wide as that rather than be read as a move."""


def as_text(parts: Sequence[Part], marker: str = MARKER) -> str:
    """Write a mail's parts as plain text, below the line that replies are written above."""
    blocks = [marker, *("\n".join(_lines(part)) for part in parts)]
    return "\n\n".join(block.rstrip() for block in blocks) + "\n"


def _lines(part: Part) -> Iterator[str]:
    match part:
        case Say(text):
            yield from _wrapped(text)
        case Tell(heading, lines):
            yield heading
            yield from _pointed(lines)
        case Heading(text):
            yield text.upper()
        case Points(lines):
            yield from _pointed(lines)
        case Board(text):
            yield text.rstrip()
        case Choices(heading, likely, listed):
            yield from _listed(heading, listed) if listed else _instances(likely)
        case Meant(likely):
            yield from _meant([f"“{one.move}”" for one in likely])
        case Button() | Links():
            yield from _led(part)
        case Small(lines):
            yield from _pointed(lines, "")


def _led(part: Button | Links) -> Iterator[str]:
    for label, url in part.pages if isinstance(part, Links) else [(part.label, part.url)]:
        yield f"{label}:"
        yield url


def _instances(likely: Sequence[Choice]) -> Iterator[str]:
    """List moves under their names, where they have any: each on one line that says more than the move."""
    if any(one.name for one in likely):
        for one in likely:
            yield f"{one.name}: {one.move}"
            yield from textwrap.wrap(f"({one.hint})", WIDTH, initial_indent="  ", subsequent_indent="  ")
    else:
        yield from _listed("For instance", [one.move for one in likely])


def _meant(quoted: Sequence[str]) -> Iterator[str]:
    """Ask for what was meant in one line, or with each move on a line that is never broken."""
    sentence = f"Did you mean {' or '.join(quoted)}?"
    if len(sentence) <= WIDTH:
        yield sentence
    else:
        for number, move in enumerate(quoted):
            yield f"{'or' if number else 'Did you mean'} {move}?"


def _pointed(lines: Sequence[str], point: str = "  * ") -> Iterator[str]:
    for line in lines:
        yield from _wrapped(line, point)


def _wrapped(text: str, front: str = "") -> Iterator[str]:
    """Break a text into lines, but not where its words are glued together."""
    wrapped = textwrap.wrap(
        text,
        WIDTH,
        initial_indent=front,
        subsequent_indent=" " * len(front),
        break_long_words=False,
        break_on_hyphens=False,
    )
    while len(wrapped) > 1 and (words := len(_WORD.findall(wrapped[-1]))) < _WORDS_AT_THE_END:
        # What a sentence ends with, such as the last of the cards that may be played, must not be alone on a line.
        before, _, word = wrapped[-2].rpartition(" ")
        last = f"{word} {wrapped[-1].lstrip(' ')}"
        if len(front) + len(last) > (WIDTH if words > 1 else _WIDEST):
            break
        wrapped[-2:] = [before, " " * len(front) + last] if before.strip(" *") else [f"{before} {last}"]
    if len(wrapped) > 1 and " " not in wrapped[0].removeprefix(front) and not wrapped[0].endswith(":"):
        # A name alone: somebody may be called like a move.
        wrapped[:2] = [f"{wrapped[0]} {wrapped[1].lstrip(' ')}"]
    yield from map(plain, wrapped)


def _listed(heading: str, moves: Sequence[str]) -> Iterator[str]:
    """List moves in lines that say more than a move, so that none quoted back can be taken for one."""
    line = f"{heading}:"
    for number, move in enumerate(moves):
        item = f" {move}" + (" |" if number + 1 < len(moves) else "")
        if len(line) + len(item) > WIDTH and line not in {f"{heading}:", "or:"}:
            yield line
            line = "or:"
        line += item
    if moves:
        yield line
