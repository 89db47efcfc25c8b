"""Choosing on the picture of Montauk: a card, or the spots that pyramids leave and reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.boards.drawing import Board, Chosen, Touches

_OFF = "off"


def touches(pieces: Sequence[str]) -> Touches:
    """Return the places to touch for cards or steps."""
    return {piece: _places(piece) for piece in pieces}


def resting(chosen: Chosen) -> dict[str, int]:
    """Return the place of the last chosen piece: a card, or the spot that a pyramid has reached."""
    return {_places(chosen[-1])[-1]: len(chosen) - 1} if chosen else {}


def during(board: Board, you: int, chosen: Chosen) -> Board:
    """Return a board with the seat's pyramids moved by the chosen steps."""
    if not board["to_use"]:
        return board
    tracks = [{"spots": [*track["spots"]], "off": track["off"]} for track in board["tracks"]]
    own = tracks[you - 1]
    for step in chosen:
        start, end = step.split("-")
        own["spots"][int(start) - 1] -= 1
        if end == _OFF:
            own["off"] += 1
        else:
            own["spots"][int(end) - 1] += 1
    return {**board, "tracks": tracks}


def _places(piece: str) -> tuple[str, ...]:
    if "-" not in piece:
        return (piece,)
    return tuple("vault" if spot == _OFF else f"spot {spot}" for spot in piece.split("-"))
