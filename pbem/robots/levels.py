"""Levels that choose a move without thinking, from what the game suggests."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from pbem.games import Stream
from pbem.games.game import END_OF_MOVE, MAX_MOVES_SHOWN
from pbem.robots.thought import Level

if TYPE_CHECKING:
    from pbem.games import Game, Move, Seat

P = TypeVar("P")

QUICK_LEVELS = (Level.EASY, Level.FAIR)
MAX_SUGGESTIONS = 3
"""Number of suggestions among which the easy level chooses."""
_CARELESS_EVERY = 4
"""One move in so many of the easy level is any legal one."""


def choose_quickly(rules: Game[P], position: P, seat: Seat, level: Level, seed: bytes) -> Move:
    """Choose a move at a level that does not think: what the game suggests depends on what the seat itself knows.

    The fair level plays what the game suggests first. The easy one plays any of the first three suggestions, and one
    time in four any legal move, so that players who only know the rules can win.
    """
    suggested = rules.suggest(position, seat)[:MAX_SUGGESTIONS]
    if level is Level.FAIR:
        return suggested[0]
    stream = Stream(seed, "easy")
    if stream.below(_CARELESS_EVERY):
        return suggested[stream.below(len(suggested))]
    return any_move(rules, position, seat, seed)


def any_move(rules: Game[P], position: P, seat: Seat, seed: bytes) -> Move:
    """Draw a legal move; where they are too many to list, draw it piece by piece."""
    stream = Stream(seed, "any")
    moves = tuple(islice(rules.moves(position, seat), MAX_MOVES_SHOWN + 1))
    if len(moves) <= MAX_MOVES_SHOWN:
        return moves[stream.below(len(moves))]
    chosen: tuple[str, ...] = ()
    while pieces := rules.steps(position, seat, chosen):
        piece = pieces[stream.below(len(pieces))]
        if piece == END_OF_MOVE:
            break
        chosen = (*chosen, piece)
    return rules.read(position, seat, " ".join(chosen))
