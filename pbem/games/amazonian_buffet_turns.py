"""The board stage of Amazonian Buffet: how pawns slide, and which cards they may claim.

Sections named here are those of the game's rulebook.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from pbem.games import cards
from pbem.games.errors import IllegalMove, InvalidMove
from pbem.games.game import Move
from pbem.games.squares import SquareSet, as_set, rectangle

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FILES, ROWS = 6, 8
BOARD = rectangle(FILES, ROWS)

Pawns: TypeAlias = tuple[int, int]
"""The squares of a seat's two pawns."""

PASS = Move("pass")
NONE = "none"
"""Stands in place of a square where nothing is claimed."""


class Turn(NamedTuple):
    """A turn as its text says it, legal or not."""

    source: int
    target: int
    claim: int | None


class Field(NamedTuple):
    """What the seat to move finds on the board."""

    own: Pawns
    other: Pawns
    stones: SquareSet

    def occupied(self) -> SquareSet:
        """Give all squares with a claim stone or a pawn on them (Legality)."""
        first, second = self.own
        third, fourth = self.other
        return self.stones | 1 << first | 1 << second | 1 << third | 1 << fourth


# -- what is legal -----------------------------------------------------------------------------------


def _claimable(a: int, b: int) -> tuple[int, ...]:
    """List what pawns on two squares may claim (Claiming): what is between them, or the two intersections."""
    line = BOARD.between[a][b]
    if BOARD.aligned[a] >> b & 1 and line is not None:
        return tuple(BOARD.members(line))
    return tuple(BOARD.members(BOARD.aligned[a] & BOARD.aligned[b]))


_ALL = range(FILES * ROWS)
_CLAIMABLE = tuple(tuple(_claimable(a, b) for b in _ALL) for a in _ALL)
_CLAIM_NAMES = tuple(
    tuple(tuple((1 << square, BOARD.names[square]) for square in squares) for squares in row) for row in _CLAIMABLE
)
"""For two pawns' squares, what they may claim: each square as a set of its own, and its name."""
_SLIDE_TEXTS = tuple(tuple(f"{a}-{b}" for b in BOARD.names) for a in BOARD.names)


def slides(field: Field) -> Iterator[tuple[int, int, int]]:
    """List every legal pawn move as its start, its end and the square of the pawn that stays (Moving)."""
    occupied = field.occupied()
    first, second = field.own
    aligned = BOARD.aligned[first] >> second & 1
    for pawn, stays in ((first, second), (second, first)):
        forbidden = BOARD.aligned[stays] if aligned else 0
        for target in BOARD.reach(pawn, occupied):
            if not forbidden >> target & 1:
                yield pawn, target, stays


def claims(field: Field, source: int, target: int) -> tuple[int, ...]:
    """List the squares that may be claimed after a pawn move (Claiming)."""
    stays = _stays(field, source)
    occupied = field.occupied() & ~(1 << source)
    return tuple(square for square in _CLAIMABLE[target][stays] if not occupied >> square & 1)


def turns(field: Field) -> Iterator[Move]:
    """List every legal turn in canonical text."""
    return cast("Iterator[Move]", _turn_texts(field))


def _turn_texts(field: Field) -> Iterator[str]:
    occupied = field.occupied()
    text = ""
    for source, target, stays in slides(field):
        text = _SLIDE_TEXTS[source][target] + " "
        free = ~occupied | 1 << source
        for square, name in _CLAIM_NAMES[target][stays]:
            if free & square:
                yield text + name
        yield text + NONE
    if not text:
        yield PASS


def slide_texts(field: Field) -> tuple[str, ...]:
    """List every legal pawn move as text, without a claim."""
    return tuple([_SLIDE_TEXTS[source][target] for source, target, _ in slides(field)])


def claim_texts(field: Field, slide: str) -> tuple[str, ...]:
    """List what may be claimed after a legal pawn move, or nothing, as text."""
    source, target = _SLIDES[slide]
    free = ~field.occupied() | 1 << source
    return (*[name for square, name in _CLAIM_NAMES[target][_stays(field, source)] if free & square], NONE)


def legal_slide(field: Field, source: int, target: int) -> bool:
    """Tell whether a seat may move a pawn from one square to another."""
    if source not in field.own:
        return False
    stays = _stays(field, source)
    between = BOARD.between[source][target]
    if between is None or (between | 1 << target) & field.occupied():
        return False
    return not (BOARD.aligned[stays] >> source & BOARD.aligned[stays] >> target & 1)


def legal_turn(field: Field, move: Move) -> bool:
    """Tell whether a canonical turn is legal."""
    if move == PASS:
        return next(slides(field), None) is None
    turn = understood(move)
    return (
        turn is not None
        and legal_slide(field, turn.source, turn.target)
        and (turn.claim is None or turn.claim in claims(field, turn.source, turn.target))
    )


def _stays(field: Field, source: int) -> int:
    first, second = field.own
    return second if source == first else first


# -- what is written ---------------------------------------------------------------------------------

_SLIDES = {_SLIDE_TEXTS[a][b]: (a, b) for a in _ALL for b in _ALL}
_CLAIMS: dict[str, int | None] = {**BOARD.numbers, NONE: None}

_TYPED = re.compile(
    r"""
    ([a-z][0-9]) \s* (?:-|to)? \s* ([a-z][0-9]) [\s,:;]*
    (?:
        (?: x | (?:and\ )? (?:claims?|takes?) )? \s*
        (?: ([a-z][0-9]) | (?:the\ )? ([2-9TJQKA][SHDC]) | ( - | none | no\ claim | nothing ) )
    )?
    """,
    re.IGNORECASE | re.VERBOSE,
)


def understood(move: str) -> Turn | None:
    """Read canonical text other than `pass`; None for what is none."""
    slide, _, claim = move.partition(" ")
    if slide not in _SLIDES or claim not in _CLAIMS:
        return None
    source, target = _SLIDES[slide]
    return Turn(source, target, _CLAIMS[claim])


def parse(field: Field, grid: Sequence[str], line: str) -> Move:
    """Read a folded line leniently (Move grammar); IllegalMove where it leaves out a claim that is possible."""
    if line.lower() == PASS:
        return PASS
    found = _TYPED.fullmatch(cards.fold(line))
    if found is None:
        raise InvalidMove(
            "A turn is a pawn move and a claim, such as “{example}”; write “none” for the claim to claim nothing.",
            example=next(turns(field)),
        )
    source, target = _square(found[1]), _square(found[2])
    text = _SLIDE_TEXTS[source][target]
    if found[3]:
        return Move(f"{text} {BOARD.names[_square(found[3])]}")
    if found[4]:
        return Move(f"{text} {_lying(grid, found[4].upper())}")
    if not found[5] and legal_slide(field, source, target) and (open_to := claims(field, source, target)):
        raise IllegalMove(
            "With {slide} you could claim {cards}. Add the square, as in “{slide} {first}”, or say that you "
            "claim nothing: “{slide} none”.",
            slide=text, cards=_listed(grid, open_to), first=BOARD.names[open_to[0]],
        )  # fmt: skip
    return Move(f"{text} {NONE}")


def _square(name: str) -> int:
    if name.lower() not in BOARD.numbers:
        raise InvalidMove("There is no square {name}: files go from a to f, rows from 1 to 8.", name=name)
    return BOARD.numbers[name.lower()]


def _lying(grid: Sequence[str], card: str) -> str:
    if card not in grid:
        raise IllegalMove("The {card} is not on the board: it was dealt to a player.", card=cards.name(card))
    return BOARD.names[grid.index(card)]


def _listed(grid: Sequence[str], squares: Sequence[int]) -> str:
    return " or ".join(f"{BOARD.names[square]} ({grid[square]})" for square in squares)


# -- why not -----------------------------------------------------------------------------------------


def objection(field: Field, grid: Sequence[str], move: Move) -> IllegalMove:
    """Say why a turn is not legal."""
    if move == PASS:
        example = next(turns(field))
        return IllegalMove("You may pass only when neither pawn can move; “{example}” would do.", example=example)
    turn = understood(move)
    if turn is None:
        return IllegalMove("“{move}” may not be played now.", move=move)
    if not legal_slide(field, turn.source, turn.target):
        return _slide_objection(field, turn.source, turn.target)
    claim = turn.claim or 0
    open_to = claims(field, turn.source, turn.target)
    why = _occupant(field, claim, gone=turn.source)
    return IllegalMove(
        "{claim} cannot be claimed: {why}. With {slide} you could claim {cards}.",
        claim=f"{BOARD.names[claim]} ({grid[claim]})",
        why=f"{why} on it"
        if why
        else "it is neither between your pawns nor where their rows and files cross",
        slide=_SLIDE_TEXTS[turn.source][turn.target],
        cards=_listed(grid, open_to) or "nothing",
    )


def _slide_objection(field: Field, source: int, target: int) -> IllegalMove:
    start, end = BOARD.names[source], BOARD.names[target]
    own = " and ".join(BOARD.names[pawn] for pawn in field.own)
    if source in field.other:
        return IllegalMove("The pawn on {start} is not yours; yours are on {own}.", start=start, own=own)
    if source not in field.own:
        return IllegalMove("There is no pawn on {start}; yours are on {own}.", start=start, own=own)
    if source == target:
        return IllegalMove("A pawn must move at least one square; {start} is where it stands.", start=start)
    between = BOARD.between[source][target]
    if between is None:
        return IllegalMove(
            "A pawn moves like a chess queen, straight or diagonally; {end} is not on a line with {start}.",
            start=start, end=end,
        )  # fmt: skip
    for square in BOARD.members(between | 1 << target):
        if why := _occupant(field, square):
            return IllegalMove(
                "The way from {start} to {end} is blocked: {why} on {square}.",
                start=start, end=end, why=why, square=BOARD.names[square],
            )  # fmt: skip
    stays = _stays(field, source)
    return IllegalMove(
        "Your pawns share {before}, so this move must end on neither the row nor the file of the other pawn; "
        "{end} and {stays} share {after}.",
        before=_shared(source, stays), end=end, stays=BOARD.names[stays], after=_shared(target, stays),
    )  # fmt: skip


def _occupant(field: Field, square: int, gone: int | None = None) -> str:
    if field.stones >> square & 1:
        return "there is a claim stone"
    return "there is a pawn" if square != gone and as_set((*field.own, *field.other)) >> square & 1 else ""


def _shared(a: int, b: int) -> str:
    one, other = BOARD.names[a], BOARD.names[b]
    return f"row {one[1]}" if one[1] == other[1] else f"file {one[0]}"
