"""A mail's text part: complete by itself, and without a line that could be read as its reader's move."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from emails.parts import Board, Button, Choices, Part, Say, Small, Tell
from emails.quotes import MARKER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

WIDTH = 72


def as_text(parts: Sequence[Part]) -> str:
    """Write a mail's parts as plain text, below the line that replies are written above."""
    blocks = [MARKER, *("\n".join(_lines(part)) for part in parts)]
    return "\n\n".join(block.rstrip() for block in blocks) + "\n"


def _lines(part: Part) -> Iterator[str]:
    match part:
        case Say(text):
            yield from textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)
        case Tell(heading, lines):
            yield heading
            for line in lines:
                yield from textwrap.wrap(
                    line, WIDTH, initial_indent="  * ", subsequent_indent="    ", break_long_words=False
                )
        case Board(text):
            yield text.rstrip()
        case Choices(heading, likely, listed):
            yield from _listed(heading, listed) if listed else _listed("For instance", [one.move for one in likely])
        case Button(label, url):
            yield f"{label}:"
            yield url
        case Small(lines):
            for line in lines:
                yield from textwrap.wrap(line, WIDTH, break_long_words=False, break_on_hyphens=False)


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
