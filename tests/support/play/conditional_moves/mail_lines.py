"""Looking for moves among the lines of a mail, which mail programs quote back, with and without their marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.games import GameError
from pbem.play.submissions.move_finder import MAX_JOINED_LINES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pbem.games import Game, Seat


def readable(game: Game[Any], position: Any, seat: Seat, lines: Sequence[str], *, joined: bool = True) -> list[str]:
    """Return the lines that are legal moves of a seat, alone or joined with those directly below as a reply's are."""
    if seat not in game.to_move(position):
        return []
    bare = [line.lstrip("> \t").rstrip() for line in lines]
    texts = dict.fromkeys(joinings(bare) if joined else filter(None, bare))
    return [text for text in texts if is_move(game, position, seat, text)]


def joinings(lines: Sequence[str]) -> Iterator[str]:
    for at, line in enumerate(lines):
        text = line
        for below in [*lines[at + 1 : at + 1 + MAX_JOINED_LINES], ""]:
            if not text:
                break
            yield text
            if not below:
                break
            text = f"{text}\n{below}"


def is_move(game: Game[Any], position: Any, seat: Seat, text: str) -> bool:
    try:
        game.read(position, seat, text)
    except GameError:
        return False
    return True
