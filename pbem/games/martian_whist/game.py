"""Martian Whist: draft pyramids from a row of trees, then fight tricks with the trees built from them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import compress
from typing import TYPE_CHECKING, ClassVar, cast

from pbem.games.game import Game, Json, Move, Outcome
from pbem.games.hidden import Seat, Viewer
from pbem.games.martian_whist import words
from pbem.games.martian_whist.foresight import WhistForesight
from pbem.games.martian_whist.words import PASS, SWAP, SWAP_PLY, TAKE_PREFIX
from pbem.games.nearness import MAX_NEAREST
from pbem.games.pyramids import COLOURS, SIZES, Stack
from pbem.games.slots import slot_setters
from pbem.games.trees import (
    PYRAMID_UNIT,
    TREES,
    Tree,
    follower_wins,
    playable,
    pyramid_worth,
    room_by_height,
    score,
    strength,
    tree_moves,
    unpack,
    winning_answers,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pbem.games.chance import Chance
    from pbem.games.errors import IllegalMove

TREES_PER_SET = 5
TAKES: tuple[Move, ...] = tuple(Move(f"{TAKE_PREFIX}{number}") for number in range(1, 4 * TREES_PER_SET + 1))
TAKE_INDEX: dict[str, int] = {move: at for at, move in enumerate(TAKES)}

TO_MOVE: dict[Seat, tuple[Seat, ...]] = {Seat(1): (Seat(1),), Seat(2): (Seat(2),)}
OTHER_SEAT: dict[Seat, Seat] = {Seat(1): Seat(2), Seat(2): Seat(1)}


@dataclass(frozen=True, slots=True, init=False)
class PastMove:
    """A move linked to those before it; positions share the chain, so that further moves stay cheap."""

    before: PastMove | None
    seat: Seat
    move: Move
    took: str | None
    under: str | None
    winner: Seat | None

    def __init__(
        self,
        before: PastMove | None,
        seat: Seat,
        move: Move,
        took: str | None,
        under: str | None,
        winner: Seat | None,
    ) -> None:
        set_before, set_seat, set_move, set_took, set_under, set_winner = _PAST_MOVE_SLOTS
        set_before(self, before)
        set_seat(self, seat)
        set_move(self, move)
        set_took(self, took)
        set_under(self, under)
        set_winner(self, winner)


_PAST_MOVE_SLOTS = slot_setters(PastMove)


@dataclass(frozen=True, slots=True, init=False)
class Position:
    """State between two moves; stashes and pyramids won are packed as in `pbem.games.trees`."""

    to_move: tuple[Seat, ...]
    ply: int
    dealt: tuple[Stack, ...]
    """Trees as they were dealt, by number."""
    heights: bytes
    """Number of pyramids left of each tree; empty when the draft is over."""
    stashes: tuple[int, int]
    led: Tree | None
    won: tuple[int, int]
    past: PastMove | None

    def __init__(
        self,
        to_move: tuple[Seat, ...],
        ply: int,
        dealt: tuple[Stack, ...],
        heights: bytes,
        stashes: tuple[int, int],
        led: Tree | None,
        won: tuple[int, int],
        past: PastMove | None,
    ) -> None:
        set_to_move, set_ply, set_dealt, set_heights, set_stashes, set_led, set_won, set_past = _POSITION_SLOTS
        set_to_move(self, to_move)
        set_ply(self, ply)
        set_dealt(self, dealt)
        set_heights(self, heights)
        set_stashes(self, stashes)
        set_led(self, led)
        set_won(self, won)
        set_past(self, past)

    @property
    def limit(self) -> int:
        """Number of pyramids of one size that a seat may draft: N, also the number of tricks."""
        return len(self.dealt) // 2

    @property
    def trees(self) -> tuple[Stack, ...]:
        """What is left of each tree, by number; empty when the draft is over."""
        return tuple([tree[:height] for tree, height in zip(self.dealt, self.heights, strict=False)])


_POSITION_SLOTS = slot_setters(Position)


def compare_won(won: tuple[int, int]) -> Outcome:
    """Return the result of a match in which the seats have won these pyramids."""
    scores = (score(won[0]), score(won[1]))
    return Outcome(scores, tuple(seat for seat in TO_MOVE if scores[seat - 1] == max(scores)))


class MartianWhist(Game[Position]):
    """Rules of Martian Whist."""

    key: ClassVar[str] = "martian-whist"
    name: ClassVar[str] = "Martian Whist"
    seats: ClassVar[range] = range(2, 3)
    options: ClassVar[Mapping[str, tuple[object, ...]]] = {"sets": (4, 2)}
    has_open_deal = True
    foresight = WhistForesight()

    def setup(self, seats: int, options: Mapping[str, object], chance: Chance) -> Position:
        """Shuffle each size and assemble the trees (Setup)."""
        sets = cast("int", self.settle(seats, options)["sets"])
        sizes = [
            chance.shuffle(label, [colour + size for colour in COLOURS] * sets)
            for label, size in (("larges", "3"), ("mediums", "2"), ("smalls", "1"))
        ]
        trees = tuple(zip(*sizes, strict=True))
        heights = bytes(map(len, trees))
        return Position(TO_MOVE[Seat(1)], 1, trees, heights, (0, 0), None, (0, 0), None)

    def to_move(self, position: Position) -> tuple[Seat, ...]:
        """Return the one seat that acts, or none when both stashes are used up."""
        return position.to_move

    def stage(self, position: Position) -> int:
        """Return the number of the next move: every move is a stage of its own."""
        return position.ply

    # -- moves ---------------------------------------------------------------------------------------

    def moves(self, position: Position, seat: Seat) -> Iterator[Move]:
        """Yield the takes by tree, then swap; or the trees by the colours of large, medium and small."""
        return iter(_moves(position, seat))

    def allows(self, position: Position, seat: Seat, move: Move) -> bool:
        """Return whether a move is legal, without listing the others if possible (Legality)."""
        if seat not in position.to_move:
            return False
        stash, heights = position.stashes[seat - 1], position.heights
        if not heights:
            tree = TREES.get(move)
            return tree is not None and playable(stash, position.led) & tree.alone != 0
        at = TAKE_INDEX.get(move)
        if at is not None and at < len(heights):
            return bool(room_by_height(stash, position.limit)[heights[at]])
        return move in {SWAP, PASS} and move in _moves(position, seat)

    def steps(self, position: Position, seat: Seat, chosen: tuple[str, ...]) -> tuple[str, ...]:
        """Return a move of the draft in one piece, a tree by its large, its medium and its small."""
        if position.heights:
            return super().steps(position, seat, chosen)
        at = len(chosen)
        trees = (TREES[move].stack for move in _moves(position, seat))
        return () if at == len(SIZES) else tuple(dict.fromkeys(tree[at] for tree in trees if tree[:at] == chosen))

    def apply(self, position: Position, seat: Seat, move: Move, chance: Chance) -> Position:  # noqa: ARG002
        """Play a take, swap or pass; or present a tree and, as the follower, end the trick (Resolution)."""
        self.legal(position, seat, move)
        if not position.heights:
            return _present_tree(position, seat, TREES[move])
        if move in TAKE_INDEX:
            return _take_pyramid(position, seat, move)
        stashes, taken = position.stashes, None
        if move == SWAP:
            stashes, taken = stashes[::-1], position.past.took if position.past else None
        past = PastMove(position.past, seat, move, taken, None, None)
        return replace(position, to_move=TO_MOVE[OTHER_SEAT[seat]], ply=position.ply + 1, stashes=stashes, past=past)

    def outcome(self, position: Position) -> Outcome | None:
        """Score the trees won when the stashes are used up; equal scores are a draw (End and result)."""
        return None if position.to_move else compare_won(position.won)

    # -- typed moves ---------------------------------------------------------------------------------

    def parse(self, position: Position, seat: Seat, line: str) -> Move:
        """Parse a take, swap or pass in the draft, and a tree in the tricks (Move grammar)."""
        read = words.parse_draft if position.heights else words.parse_tree
        return read(line, _moves(position, seat))

    def objection(self, position: Position, seat: Seat, move: Move) -> IllegalMove:
        """Return the rule that forbids a move, and what the seat could play instead."""
        legal = _moves(position, seat)
        if position.heights:
            return words.draft_error(move, position.trees, position.limit, legal)
        led = position.led.stack if position.led else ()
        return words.tree_error(move, position.stashes[seat - 1], led, legal)

    def nearest(self, position: Position, seat: Seat, text: str) -> tuple[Move, ...]:
        """Return takes from the trees with the nearest numbers in the draft, later trees like the typed one."""
        drafts = position.trees and seat in position.to_move
        number = self.meant(position, seat, text).removeprefix(TAKE_PREFIX) if drafts else ""
        if not number.isdecimal():
            return super().nearest(position, seat, text)
        takes = [move for move in _moves(position, seat) if move in TAKE_INDEX]
        return tuple(sorted(takes, key=lambda move: abs(TAKE_INDEX[move] + 1 - int(number)))[:MAX_NEAREST])

    def suggest(self, position: Position, seat: Seat) -> tuple[Move, ...]:
        """Return moves that gain most at once and leave least to the other seat."""
        theirs = position.stashes[OTHER_SEAT[seat] - 1]
        led = position.led.move if position.led else None

        def price(move: Move) -> tuple[int, int]:
            if position.heights:
                return -_gain(position, seat, move), 0
            beaten = not follower_wins(led, move) if led else winning_answers(move, theirs)
            return beaten, strength(move)

        return tuple(sorted(_moves(position, seat), key=price)[:3])

    # -- views ---------------------------------------------------------------------------------------

    def board(self, position: Position, viewer: Viewer) -> dict[str, Json]:  # noqa: ARG002 (nothing is hidden)
        """Return everything: nothing is hidden in this game."""
        drafted = next((past.took for past in _past_moves(position.past) if past.took), None)
        leader = next(iter(position.to_move), None) if not position.heights else None
        history = _trick_history(position)
        return {
            "sets": 2 * position.limit // TREES_PER_SET,
            "stage": "draft" if position.heights else "tricks" if position.to_move else "over",
            "limit": position.limit,
            "trees": [
                {"number": number, "pieces": list(tree)} for number, tree in enumerate(position.trees, 1) if tree
            ],
            "stashes": [list(unpack(stash)) for stash in position.stashes],
            "can_swap": position.ply == SWAP_PLY,
            "drafted": drafted,
            "leader": OTHER_SEAT[leader] if leader and position.led else leader,
            "led": list(position.led.stack) if position.led else None,
            "trick": len(history) + 1 if leader else None,
            "total": position.limit,
            "won": [
                [
                    trick["led"] if seat == trick["leader"] else trick["followed"]
                    for trick in history
                    if trick["winner"] == seat
                ]
                for seat in TO_MOVE
            ],
            "scores": [score(won) for won in position.won],
            "history": [*history],
        }

    def log(self, position: Position, viewer: Viewer) -> list[Json]:  # noqa: ARG002 (nothing is hidden)
        """Return each move with the pyramid it took, the one it uncovered, and who won a trick by it."""
        entries: list[Json] = [
            {"seat": past.seat, "move": past.move, "took": past.took, "under": past.under, "winner": past.winner}
            for past in _past_moves(position.past)
        ]
        return entries[::-1]


# -- legality ----------------------------------------------------------------------------------------


def _moves(position: Position, seat: Seat) -> Sequence[Move]:
    if seat not in position.to_move:
        return ()
    stash = position.stashes[seat - 1]
    if not position.heights:
        return tree_moves(playable(stash, position.led))
    room = room_by_height(stash, position.limit)
    takes = list(compress(TAKES, position.heights.translate(room)))
    return [*takes, SWAP] if position.ply == SWAP_PLY else takes or (PASS,)


def _gain(position: Position, seat: Seat, move: Move) -> int:
    if move == PASS:
        return 0
    mine, theirs = position.stashes[seat - 1], position.stashes[OTHER_SEAT[seat] - 1]
    if move == SWAP:
        return 3 * pyramid_worth(mine, unpack(theirs)[0])
    *under, top = position.trees[TAKE_INDEX[move]]
    return (
        2 * pyramid_worth(mine, top) + pyramid_worth(theirs, top) - (pyramid_worth(theirs, under[-1]) if under else 0)
    )


# -- playing -----------------------------------------------------------------------------------------


def _take_pyramid(position: Position, seat: Seat, move: Move) -> Position:
    at = TAKE_INDEX[move]
    tree, heights, (first, second) = position.dealt[at], bytearray(position.heights), position.stashes
    heights[at] = left = heights[at] - 1
    took, under = tree[left], tree[left - 1] if left else None
    drafting = any(heights)
    return Position(
        # The last drafter leads the first trick (Turn order).
        TO_MOVE[OTHER_SEAT[seat] if drafting else seat],
        position.ply + 1,
        position.dealt,
        bytes(heights) if drafting else b"",
        (first + PYRAMID_UNIT[took], second) if seat == 1 else (first, second + PYRAMID_UNIT[took]),
        None,
        position.won,
        PastMove(position.past, seat, move, took, under, None),
    )


def _present_tree(position: Position, seat: Seat, tree: Tree) -> Position:
    (first, second), led, won = position.stashes, position.led, position.won
    stashes = (first - tree.units, second) if seat == 1 else (first, second - tree.units)
    to_move, winner = TO_MOVE[OTHER_SEAT[seat]], None
    if led is not None:
        winner = seat if follower_wins(led.move, tree.move) else OTHER_SEAT[seat]
        units = (tree if winner == seat else led).units
        won = (won[0] + units, won[1]) if winner == 1 else (won[0], won[1] + units)
        to_move = TO_MOVE[winner] if any(stashes) else ()
    past = PastMove(position.past, seat, tree.move, None, None, winner)
    led = tree if led is None else None
    return Position(to_move, position.ply + 1, position.dealt, b"", stashes, led, won, past)


# -- history -----------------------------------------------------------------------------------------


def _past_moves(past: PastMove | None) -> Iterator[PastMove]:
    while past:
        yield past
        past = past.before


def _trick_history(position: Position) -> list[dict[str, Json]]:
    played = [past for past in _past_moves(position.past) if past.move in TREES][::-1]
    return [
        {
            "trick": number,
            "leader": lead.seat,
            "led": list(TREES[lead.move].stack),
            "followed": list(TREES[follow.move].stack),
            "winner": follow.winner,
        }
        for number, (lead, follow) in enumerate(zip(played[::2], played[1::2], strict=False), 1)
    ]
