"""Board stage of Amazonian Buffet: how pawns slide, and which cards they may claim.

Sections named in this module are those of the game's rulebook.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias, cast

from pbem.games import cards
from pbem.games.errors import IllegalMove, InvalidMove, Phrase, any_of
from pbem.games.game import Move
from pbem.games.slots import slot_setters
from pbem.games.squares import Line, SquareSet, members, queen_stops, rectangular_board, subsets

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FILES, ROWS = 6, 8
BOARD = rectangular_board(FILES, ROWS)

Pawns: TypeAlias = tuple[int, int]
"""Squares of a seat's two pawns."""

PASS = Move("pass")
NO_CLAIM = "none"
"""Text in place of a square where nothing is claimed."""


@dataclass(frozen=True, slots=True)
class Slide:
    """A pawn move, legal or not."""

    source: int
    target: int
    ends: SquareSet
    """Source and target."""
    way: SquareSet | None
    """Squares that have to be free, from the one next to the source to the target; None if no line joins the two."""


Turn: TypeAlias = "tuple[Slide, SquareSet]"
"""A turn as written, legal or not: the pawn move, and the square claimed, if any."""


@dataclass(frozen=True, slots=True, init=False)
class Field:
    """The board as the seat to move finds it."""

    own: Pawns
    other: Pawns
    occupied: SquareSet
    """All squares with a claim stone or a pawn (Legality of a board turn)."""

    def __init__(self, own: Pawns, other: Pawns, occupied: SquareSet) -> None:
        set_own, set_other, set_occupied = _FIELD_SLOTS
        set_own(self, own)
        set_other(self, other)
        set_occupied(self, occupied)


_FIELD_SLOTS = slot_setters(Field)


def make_field(own: Pawns, other: Pawns, stones: SquareSet) -> Field:
    """Build the board for the seat to move."""
    return Field(own, other, stones | 1 << own[0] | 1 << own[1] | 1 << other[0] | 1 << other[1])


# -- legality ----------------------------------------------------------------------------------------


def _claimable(a: int, b: int) -> SquareSet:
    """Return what pawns on two squares may claim (Claiming): what is between them, or the two intersections."""
    if a == b:
        return 0  # No two pawns share a square.
    line = BOARD.between[a][b]
    return line if line is not None and BOARD.aligned[a] >> b & 1 else BOARD.aligned[a] & BOARD.aligned[b]


_ALL = range(FILES * ROWS)
CLAIMABLE = tuple(tuple(_claimable(a, b) for b in _ALL) for a in _ALL)
"""For two pawns' squares, what they may claim if all of it is free."""
_CLAIM_TEXTS = {
    free: (*[BOARD.names[square] for square in members(free)], NO_CLAIM)
    for free in chain.from_iterable(map(subsets, set(chain.from_iterable(CLAIMABLE))))
}
"""For the squares that may be claimed, the texts of all claims; “none” is always possible."""
_SLIDE_TEXTS = tuple(tuple(f"{a}-{b}" for b in BOARD.names) for a in BOARD.names)
_SLIDES = {
    _SLIDE_TEXTS[a][b]: Slide(a, b, 1 << a | 1 << b, None if between is None else between | 1 << b)
    for a in _ALL
    for b, between in enumerate(BOARD.between[a])
}
"""Every pawn move by its text, those that no queen can make too."""
_STONES = {f" {name}": 1 << square for name, square in BOARD.numbers.items()} | {f" {NO_CLAIM}": 0}
"""Squares claimed, by the text that follows the pawn move."""
_SLIDE_LENGTH = len(_SLIDE_TEXTS[0][0])


@cache
def _slide_line(source: int, number: int, barred: SquareSet) -> Line[str]:
    """Return a line with slides as texts in place of their end squares, without those that end on a barred square."""
    (line, reach), texts = BOARD.lines[source][number], _SLIDE_TEXTS[source]
    slides = {ends: tuple([texts[end] for end in ends if not barred >> end & 1]) for ends in set(reach.values())}
    return line, {occupied: slides[ends] for occupied, ends in reach.items()}


def _pawn_lines(source: int, other: int) -> tuple[Line[str], ...]:
    """Return a pawn's lines, given the square of its seat's other pawn: aligned pawns must not end aligned."""
    barred = BOARD.aligned[other] if BOARD.aligned[source] >> other & 1 else 0
    return tuple(_slide_line(source, number, line & barred) for number, (line, _) in enumerate(BOARD.lines[source]))


class _PawnLines(dict[int, "tuple[Line[str], ...]"]):
    """A pawn's lines by the square of its seat's other pawn, computed when first needed: all together take 3 MB."""

    def __init__(self, source: int) -> None:
        super().__init__()
        self._source = source

    def __missing__(self, other: int) -> tuple[Line[str], ...]:
        lines = self[other] = _pawn_lines(self._source, other)
        return lines


_PAWN_LINES = tuple(map(_PawnLines, _ALL))


def legal_turns(field: Field) -> Iterator[Move]:
    """Yield every legal turn in canonical text."""
    return cast("Iterator[Move]", _turn_texts(field))


def _turn_texts(field: Field) -> Iterator[str]:
    slide, (first, second) = "", field.own
    for source, stays in ((first, second), (second, first)):
        free, claimable = ~field.occupied | 1 << source, CLAIMABLE[stays]
        for slide in queen_stops(_PAWN_LINES[source][stays], field.occupied):
            for claim in _CLAIM_TEXTS[claimable[_SLIDES[slide].target] & free]:
                yield f"{slide} {claim}"
    if not slide:
        yield PASS


def slide_texts(field: Field) -> tuple[str, ...]:
    """Return every legal pawn move as text, without a claim (Moving)."""
    first, second = field.own
    occupied = field.occupied
    return queen_stops(_PAWN_LINES[first][second], occupied) + queen_stops(_PAWN_LINES[second][first], occupied)


def claim_texts(field: Field, slide: str) -> tuple[str, ...]:
    """Return the claims possible after a legal pawn move as text, “none” included; empty for any other text."""
    return _CLAIM_TEXTS[claims(field, _SLIDES[slide])] if slide in _SLIDES else ()


def claims(field: Field, slide: Slide) -> SquareSet:
    """Return the squares that may be claimed after a pawn move (Claiming), also the one that the pawn leaves."""
    first, second = field.own
    # A pawn's own square is never claimable from it: of both ends only the source counts.
    return CLAIMABLE[slide.target][second if slide.source == first else first] & (~field.occupied | slide.ends)


def is_legal_slide(field: Field, slide: Slide) -> bool:
    """Return whether a seat may make a pawn move."""
    source, own = slide.source, field.own
    if slide.way is None or slide.way & field.occupied or source not in own:
        return False
    aligned = BOARD.aligned[own[1] if source == own[0] else own[0]]
    return not aligned >> source & aligned >> slide.target & 1


def is_legal_turn(field: Field, move: Move) -> bool:
    """Return whether a canonical turn is legal."""
    turn = parse_canonical(move)
    if turn is None:
        return move == PASS and not slide_texts(field)
    slide, stone = turn
    return is_legal_slide(field, slide) and (not stone or bool(stone & claims(field, slide)))


# -- notation ----------------------------------------------------------------------------------------

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


def parse_canonical(move: str) -> Turn | None:
    """Parse a canonical turn other than `pass`; None for any other text."""
    slide, stone = _SLIDES.get(move[:_SLIDE_LENGTH]), _STONES.get(move[_SLIDE_LENGTH:])
    return None if slide is None or stone is None else (slide, stone)


def claimed_square(move: str) -> int | None:
    """Return the square that a canonical turn claims; None for any other text."""
    turn = parse_canonical(move)
    return members(turn[1])[0] if turn and turn[1] else None


def parse(field: Field, grid: Sequence[str], line: str) -> Move:
    """Parse a folded line leniently (Move grammar); IllegalMove if it omits a claim that is possible."""
    if line.lower() == PASS:
        return PASS
    found = _TYPED.fullmatch(cards.fold(line))
    if found is None:
        raise InvalidMove(
            "A turn is a pawn move and a claim, such as “{example}”; write “none” for the claim to claim nothing.",
            example=next(legal_turns(field)),
        )
    text = _SLIDE_TEXTS[square_number(found[1])][square_number(found[2])]
    slide = _SLIDES[text]
    if found[3]:
        return Move(f"{text} {BOARD.names[square_number(found[3])]}")
    if found[4]:
        return Move(f"{text} {_square_with_card(grid, found[4].upper())}")
    if not found[5] and is_legal_slide(field, slide) and (open_to := claims(field, slide)):
        raise IllegalMove(
            "With {slide} you could claim {cards}. Add the square, as in “{slide} {first}”, or claim nothing: "
            "“{slide} none”.",
            slide=text, cards=_claim_choices(grid, open_to), first=BOARD.names[members(open_to)[0]],
        )  # fmt: skip
    return Move(f"{text} {NO_CLAIM}")


def parse_other_turn(grid: Sequence[str], line: str) -> str | None:
    """Parse a folded line as another seat's turn, or as its pawn move alone; None if it is neither."""
    if line.lower() == PASS:
        return PASS
    found = _TYPED.fullmatch(line)
    if found is None:
        return None
    slide = _SLIDE_TEXTS[square_number(found[1])][square_number(found[2])]
    claim = (
        BOARD.names[square_number(found[3])]
        if found[3]
        else _square_with_card(grid, found[4].upper())
        if found[4]
        else ""
    )
    return f"{slide} {claim or (NO_CLAIM if found[5] else '')}".rstrip()


def square_number(name: str) -> int:
    """Return the number of a square by its name; InvalidMove if there is no such square."""
    if name.lower() not in BOARD.numbers:
        raise InvalidMove("There is no square {name}: files go from a to f, rows from 1 to 8.", name=name)
    return BOARD.numbers[name.lower()]


def _square_with_card(grid: Sequence[str], card: str) -> str:
    if card not in grid:
        raise IllegalMove("The {card} is not on the board: it was dealt to a player.", card=Phrase(cards.name(card)))
    return BOARD.names[grid.index(card)]


def _claim_choices(grid: Sequence[str], squares: SquareSet) -> object:
    return any_of(f"{BOARD.names[square]} ({grid[square]})" for square in members(squares))


# -- objections --------------------------------------------------------------------------------------


def objection(field: Field, grid: Sequence[str], move: Move) -> IllegalMove:
    """Return why a turn is illegal."""
    if move == PASS:
        example = next(legal_turns(field))
        return IllegalMove("You may pass only when neither pawn can move. You could play “{example}”.", example=example)
    turn = parse_canonical(move)
    if turn is None:
        return IllegalMove("You cannot play “{move}” now.", move=move)
    slide, claim = turn[0], claimed_square(move)
    if claim is None or not is_legal_slide(field, slide):
        return _slide_objection(field, slide)
    source, target = slide.source, slide.target
    after = Field((target, _other_pawn(field, source)), field.other, field.occupied ^ slide.ends)
    why = Phrase("there is {what} on it", what=_occupant(after, claim))
    if not after.occupied >> claim & 1:
        why = Phrase("it is neither between your pawns nor where the row of one crosses the file of the other")
    open_to = claims(field, slide)
    return IllegalMove(
        "You cannot claim {claim} ({card}): {why}. With {slide} you could claim {cards}.",
        claim=BOARD.names[claim], card=grid[claim], why=why, slide=_SLIDE_TEXTS[source][target],
        cards=_claim_choices(grid, open_to) if open_to else Phrase("nothing"),
    )  # fmt: skip


def _slide_objection(field: Field, slide: Slide) -> IllegalMove:
    source, target = slide.source, slide.target
    start, end = BOARD.names[source], BOARD.names[target]
    first, second = (BOARD.names[pawn] for pawn in field.own)
    own = Phrase("{first} and {last}", first=first, last=second)
    if source in field.other:
        return IllegalMove("The pawn on {start} is not yours; yours are on {own}.", start=start, own=own)
    if source not in field.own:
        return IllegalMove("There is no pawn on {start}; yours are on {own}.", start=start, own=own)
    if source == target:
        return IllegalMove("A pawn must move at least one square; it already stands on {start}.", start=start)
    if slide.way is None:
        return IllegalMove(
            "A pawn moves like a chess queen, straight or diagonally; {end} is not on a line with {start}.",
            start=start, end=end,
        )  # fmt: skip
    blocked = members(slide.way & field.occupied)
    if blocked:
        nearest = min(blocked, key=lambda square: abs(square - source))
        return IllegalMove(
            "The way from {start} to {end} is blocked: there is {what} on {square}.",
            start=start, end=end, what=_occupant(field, nearest), square=BOARD.names[nearest],
        )  # fmt: skip
    stays = _other_pawn(field, source)
    return IllegalMove(
        "Your pawns share {before}, so this move must end on neither the row nor the file of the other pawn; "
        "{end} and {stays} share {after}.",
        before=_shared_line(source, stays), end=end, stays=BOARD.names[stays], after=_shared_line(target, stays),
    )  # fmt: skip


def _other_pawn(field: Field, source: int) -> int:
    first, second = field.own
    return second if source == first else first


def _occupant(field: Field, square: int) -> Phrase:
    return Phrase("a pawn") if square in (*field.own, *field.other) else Phrase("a claim stone")


def _shared_line(a: int, b: int) -> Phrase:
    one, other = BOARD.names[a], BOARD.names[b]
    return Phrase("row {row}", row=one[1]) if one[1] == other[1] else Phrase("file {file}", file=one[0])
