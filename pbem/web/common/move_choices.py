"""Choosing a move part by part: what may follow, where to touch the board for it, and how to take a part back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.boards import drawing_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.boards import Board
    from pbem.games import Seat
    from pbem.play.matches.previews import PartialMove, Playable

MAX_ADDRESS_CHARS = 2000
"""Maximum length of an address that typed moves are part of; web servers refuse about twice as much."""


def template_facts(
    course: Playable, own: Seat, board: Board, choosing: PartialMove, address: Callable[[tuple[str, ...]], str]
) -> dict[str, Any]:
    """Return what a page's template needs about a move that is chosen part by part.

    `address` returns the page's address with some pieces chosen. `touches` are the places of the picture for each
    piece, `elsewhere` the pieces that are not on it; `resting` are the places of chosen pieces, each with the address
    that takes the piece back, and `instead` the places that begin another piece in the last one's stead.
    """
    drawing, chosen = drawing_for(course.game.key), choosing.chosen
    pieces = () if choosing.complete else choosing.pieces
    touches = drawing.touches(board, own, chosen, pieces)
    before = course.game.steps(course.position, own, chosen[:-1]) if chosen else ()
    instead = drawing.touches(board, own, chosen[:-1], before)
    resting = drawing.resting(board, own, chosen)
    return {
        "choosing": choosing,
        "address": address,
        "touches": touches,
        "groups": drawing.grouped([piece for piece in pieces if piece in touches]),
        "elsewhere": [piece for piece in pieces if piece not in touches],
        "pictured": {piece: drawing.pictured(board, piece) for piece in (*pieces, *chosen)},
        "begun": drawing.begun(chosen),
        "picture": drawing.during(board, own, chosen),
        "resting": {place: address(drawing.without(chosen, number)) for place, number in resting.items()},
        "instead": list(dict.fromkeys(places[0] for places in instead.values())),
        "undo": address(chosen[:-1]),
    }
