"""Amazonian Buffet: queen-moving pawns claim cards, the cards make three poker hands, two of three win.

Sections named in this module are those of the game's rulebook.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, ClassVar

from pbem.games import nearness, typed_text
from pbem.games.amazonian_buffet import advice, layouts, turns
from pbem.games.amazonian_buffet.foresight import BuffetForesight
from pbem.games.amazonian_buffet.layouts import KEEP, Layout
from pbem.games.amazonian_buffet.position import (
    IDLE_TURNS,
    SEALED_STAGES,
    SEATS,
    Deal,
    Position,
    after_sealing,
    after_turn,
    exchange_sealed,
)
from pbem.games.amazonian_buffet.turns import BOARD, FILES, PASS, ROWS
from pbem.games.cards import DECK
from pbem.games.chance import Chance
from pbem.games.errors import IllegalMove, InvalidMove
from pbem.games.game import Game, Json, Move, Outcome
from pbem.games.poker import COMPARE_OPTIONS, level
from pbem.games.squares import members

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pbem.games.hidden import Seat, Viewer

_DEALT_PER_SEAT = 2
_MAX_SUGGESTIONS = 3


class AmazonianBuffet(Game[Position]):
    """Rules of Amazonian Buffet."""

    key = "amazonian-buffet"
    name = "Amazonian Buffet"
    seats = range(2, 3)
    options: ClassVar[Mapping[str, tuple[object, ...]]] = {"compare": COMPARE_OPTIONS}
    has_open_deal = True
    foresight = BuffetForesight()

    def setup(self, seats: int, options: Mapping[str, object], chance: Chance) -> Position:
        """Lay out the grid and deal two cards to each seat (Setup)."""
        compare = str(self.settle(seats, options)["compare"])
        deck = chance.shuffle("deck", DECK)
        rest = deck[FILES * ROWS :]
        return Position(Deal(deck[: FILES * ROWS], (rest[:_DEALT_PER_SEAT], rest[_DEALT_PER_SEAT:]), compare))

    # -- whose turn ----------------------------------------------------------------------------------

    def to_move(self, position: Position) -> tuple[Seat, ...]:
        """Return whose turn it is, or who has not sealed yet (Turn order and who must act)."""
        return position.to_move

    def stage(self, position: Position) -> int:
        """Return the number of the stage: each turn, the layouts and the adjustments are one each."""
        return position.turns + len(position.shown) + 1

    # -- moves ---------------------------------------------------------------------------------------

    def moves(self, position: Position, seat: Seat) -> Iterator[Move]:
        """Yield every legal move; layouts are countless, and those with full first hands come first."""
        if seat not in position.to_move:
            return iter(())
        if position.idle < IDLE_TURNS:
            return turns.legal_turns(position.field)
        listed = layouts.layout_moves(position.pool(seat))
        return chain([KEEP], listed) if position.phase == "adjust" else listed

    def allows(self, position: Position, seat: Seat, move: Move) -> bool:
        """Return whether a canonical move is legal, without listing moves."""
        if seat not in position.to_move:
            return False
        if position.idle < IDLE_TURNS:
            return turns.is_legal_turn(position.field, move)
        if move == KEEP:
            return position.phase == "adjust"
        layout = layouts.parse_canonical(move)
        return layout is not None and layouts.fault(position.pool(seat), layout) is None

    def steps(self, position: Position, seat: Seat, chosen: tuple[str, ...]) -> tuple[str, ...]:
        """Return a pawn move, then what it may claim; or cards one by one, with `|` between the hands."""
        if seat not in position.to_move:
            return ()
        if position.idle < IDLE_TURNS:
            if not chosen:
                return turns.slide_texts(position.field) or (PASS,)
            return turns.claim_texts(position.field, chosen[0]) if len(chosen) == 1 else ()
        if chosen == (KEEP,):
            return ()
        more = layouts.pieces(position.pool(seat), chosen)
        return (KEEP, *more) if position.phase == "adjust" and not chosen else more

    def read(self, position: Position, seat: Seat, text: str) -> Move:
        """Parse a typed move; three lines of cards are three hands."""
        if position.phase == "board":
            return super().read(position, seat, text)
        if position.sealed[seat - 1] is not None:
            raise IllegalMove("You have sealed your hands and cannot change them. Your opponent has not sealed yet.")
        return super().read(position, seat, layouts.insert_bars(text) if len(text) <= typed_text.MAX_LENGTH else text)

    def parse(self, position: Position, seat: Seat, line: str) -> Move:
        """Convert a folded line to canonical text by the grammar of the current stage (Move grammar)."""
        if position.phase == "board":
            return turns.parse(position.field, position.deal.grid, line)
        if line.lower() != KEEP:
            return layouts.parse(position.pool(seat), line)
        if position.phase == "layout":
            raise InvalidMove("You have no hands to keep yet. Write your three hands first.")
        return KEEP

    def objection(self, position: Position, seat: Seat, move: Move) -> IllegalMove:
        """Return which square, line or card makes a move illegal."""
        if position.phase == "board":
            return turns.objection(position.field, position.deal.grid, move)
        layout = layouts.parse_canonical(move)
        fault = layouts.fault(position.pool(seat), layout) if layout is not None else None
        return fault or super().objection(position, seat, move)

    def nearest(self, position: Position, seat: Seat, text: str) -> tuple[Move, ...]:
        """Return turns like the typed one; or the typed hands without foreign cards, filled up from the pool."""
        if position.phase == "board" or seat not in position.to_move:
            return super().nearest(position, seat, text)
        line = typed_text.fold(layouts.insert_bars(text[: typed_text.MAX_LENGTH]))
        keep = nearness.closest(line, [KEEP]) if position.phase == "adjust" else ()
        hands = layouts.extract_hands(line)
        return (*keep, layouts.format_layout(layouts.repair(position.pool(seat), hands))) if hands else keep

    def apply(self, position: Position, seat: Seat, move: Move, chance: Chance) -> Position:  # noqa: ARG002
        """Play a turn, or seal a layout; the second of two sealed moves opens both."""
        self.legal(position, seat, move)
        return (after_turn if position.idle < IDLE_TURNS else after_sealing)(position, seat, move)

    def outcome(self, position: Position) -> Outcome | None:
        """Return the hands won, and as winners the seats that won most (End and result)."""
        if position.phase != "over":
            return None
        won = position.won()
        return Outcome(won, tuple(seat for seat in SEATS if won[seat - 1] == max(won)))

    def suggest(self, position: Position, seat: Seat) -> tuple[Move, ...]:
        """Return claims that suit the seat's cards, ready layouts, or an answer to the layout shown."""
        if seat not in position.to_move:
            return ()
        pool, compare = position.pool(seat), position.deal.compare
        if position.phase == "board":
            return advice.useful_claims(self.moves(position, seat), position.deal.grid, pool, _MAX_SUGGESTIONS)
        if position.phase == "layout":
            return tuple(dict.fromkeys(map(layouts.format_layout, advice.ready_layouts(pool, compare))))
        first, second = position.shown[-1]
        own, other = (first, second) if seat == SEATS[0] else (second, first)
        answer = advice.best_answer(pool, other, compare)
        moves = (KEEP, layouts.format_layout(answer))
        return (
            moves if advice.hands_won(own, other, compare) >= advice.hands_won(answer, other, compare) else moves[::-1]
        )

    # -- views ---------------------------------------------------------------------------------------

    def board(self, position: Position, viewer: Viewer) -> dict[str, Json]:
        """Return everything but what the other seat has sealed (What each seat may see)."""
        deal, names = position.deal, BOARD.names
        both: tuple[Layout | None, ...] = position.shown[-1] if position.shown else (None, None)
        return {
            "stage": position.phase,
            "grid": [[*deal.grid[row : row + FILES]] for row in range(0, FILES * ROWS, FILES)],
            "stones": {names[square]: seat for seat in SEATS for square in members(position.stones[seat - 1])},
            "pawns": [[names[pawn] for pawn in pawns] for pawns in position.pawns],
            "idle": position.idle,
            "dealt": [[*dealt] for dealt in deal.dealt],
            "pools": [[*position.pool(seat)] for seat in SEATS],
            "layouts": [_plain(layout) for layout in both],
            "sealed": [secret is not None for secret in position.sealed],
            "own": _own_sealed(position, viewer),
            "comparisons": _comparisons(position),
            "won": [*position.won()] if position.shown else None,
            "compare": deal.compare,
        }

    def log(self, position: Position, viewer: Viewer) -> list[Json]:
        """Return the moves so far; in a stage that both seal, seat 1's entry comes first."""
        grid, past = position.deal.grid, position.past
        entries: list[Json] = [
            {"seat": SEATS[number % 2], "move": move, "stage": "board", "claimed": _card_claimed(grid, move)}
            for number, move in enumerate(past[: position.turns])
        ]
        entries += [
            {"seat": SEATS[number % 2], "move": move, "stage": SEALED_STAGES[number // 2], "claimed": None}
            for number, move in enumerate(past[position.turns :])
        ]
        for seat, secret in zip(SEATS, position.sealed, strict=True):
            if secret is not None:
                entries.append(
                    {"seat": seat, "move": secret.shown_to(viewer), "stage": position.phase, "claimed": None}
                )
        return entries

    def exchange(self, position: Position, viewer: Viewer, seed: bytes) -> Position:
        """Replace each sealed move that the viewer does not know by another legal one."""
        stream = Chance(seed).stream("exchange")
        for seat, secret in zip(SEATS, position.sealed, strict=True):
            if secret is not None and secret.shown_to(viewer) is None:
                position = exchange_sealed(position, seat, secret.value, stream)
        return position

    def reveals(self, before: Position, move: Move, after: Position) -> bool:  # noqa: ARG002
        """Return whether the second of two sealed moves has opened both."""
        return len(after.shown) > len(before.shown)


def _card_claimed(grid: Sequence[str], move: Move) -> str | None:
    square = turns.claimed_square(move)
    return None if square is None else grid[square]


def _plain(layout: Layout | None) -> Json:
    return None if layout is None else [[*hand] for hand in layout]


def _own_sealed(position: Position, viewer: Viewer) -> Json:
    """Return what a seat has sealed itself: its layout, or `keep`."""
    for seat, secret in zip(SEATS, position.sealed, strict=True):
        if seat == viewer and secret is not None:
            return secret.value if secret.value == KEEP else _plain(layouts.split_hands(secret.value))
    return None


def _comparisons(position: Position) -> list[Json]:
    if not position.shown:
        return []
    first, second = position.shown[-1]
    return [
        {"winner": 1 if result > 0 else 2 if result < 0 else None, "levels": [level(one), level(two)]}
        for result, one, two in zip(position.contests(), first, second, strict=True)
    ]
