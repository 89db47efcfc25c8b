"""Choosing on the pictures of Amazonian Buffet: the squares of a turn, or the cards of three hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.boards.amazonian_buffet.squares import FILES
from pbem.boards.card_words import suit, with_article
from pbem.games.amazonian_buffet.layouts import BAR, KEEP
from pbem.games.cards import DECK
from pbem.i18n import _, several

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.boards.drawing import Board, Chosen, Touches

_WITHOUT_PLACE = ("none", "pass", KEEP, BAR)
"""Pieces that are chosen by no place of the picture."""


def touches(pieces: Sequence[str]) -> Touches:
    """Return the places to touch for slides, claims or cards."""
    return {piece: tuple(piece.split("-")) for piece in pieces if piece not in _WITHOUT_PLACE}


def resting(chosen: Chosen) -> dict[str, int]:
    """Return where the chosen pieces are: a pawn on the square that it reaches, claims and cards where they were."""
    return {piece.split("-")[-1]: number for number, piece in enumerate(chosen) if piece not in _WITHOUT_PLACE}


def without(chosen: Chosen, number: int) -> Chosen:
    """Return the chosen pieces without one; hands keep their other cards, a claim goes with its slide."""
    return chosen[:number] + (chosen[number + 1 :] if chosen[number] in DECK else ())


def reason(board: Board, you: int, move: str) -> str:
    """Return how the card that a turn claims goes with the seat's cards; empty for a turn that claims none."""
    square = move.rpartition(" ")[2]
    if square in _WITHOUT_PLACE:
        return ""
    card = board["grid"][int(square[1]) - 1][FILES.index(square[0])]
    pool = board["pools"][you - 1]
    alike = sum(held[0] == card[0] for held in pool)
    of_suit = sum(held[1] == card[1] for held in pool)
    parts = {"card": with_article(card), "suit": suit(card[1])}
    if alike:
        return several(
            "It claims {card}; you have one of this rank.",
            "It claims {card}; you have {number} of this rank.",
            alike,
            **parts,
        )
    if of_suit:
        return several(
            "It claims {card}; you have one card of {suit}.",
            "It claims {card}; you have {number} cards of {suit}.",
            of_suit,
            **parts,
        )
    return _("It claims {card}.", **parts)


def during(board: Board, you: int, chosen: Chosen) -> Board:
    """Return a board with the pawn on the square that it is moved to."""
    if not chosen or "-" not in chosen[0]:
        return board
    start, end = chosen[0].split("-")
    pawns = [[*squares] for squares in board["pawns"]]
    pawns[you - 1] = [end if square == start else square for square in pawns[you - 1]]
    return {**board, "pawns": pawns}
