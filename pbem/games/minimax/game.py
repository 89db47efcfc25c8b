"""Minimax: one player sows pyramids round a wheel of five cards, and builds trees in the vault.

Sections named in this module are those of the rulebook's page on Minimax.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from pbem.games.errors import IllegalMove, InvalidMove
from pbem.games.game import Game, Json, Move, Outcome
from pbem.games.hidden import Seat
from pbem.games.minimax.advice import promising_sowings
from pbem.games.minimax.foresight import MinimaxForesight
from pbem.games.minimax.repair import repair_sowing
from pbem.games.minimax.sowing import (
    ANY_CARD,
    CARDS,
    EMPTY_WHEEL,
    PYRAMIDS,
    SOW_TEXTS,
    VAULT,
    Sowing,
    Stacks,
    Wheel,
    begin_sowing,
    sowable_cards,
    starts,
    vault_points,
)
from pbem.games.minimax.words import (
    EXAMPLE_MOVE,
    card_objection,
    drop_objection,
    extract_sowing,
    format_drop,
    format_move,
    parse_sowing,
    stacks_topped_by,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pbem.games.chance import Chance
    from pbem.games.hidden import Viewer

_PLAYER = Seat(1)
_SETS = {"small": 1, "long": 2}
_CARD_BY_TEXT = {text: card for card, text in enumerate(SOW_TEXTS)}

_MAX_SUGGESTIONS = 3
_MAX_PIECES = 1 + len(PYRAMIDS) * max(_SETS.values())
"""Maximum number of pieces in a move: the card, and every pyramid of the long game on its own."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One sowing and its result."""

    move: Move
    score: int
    next: str | None
    """The card to be sown next, `any`, or None at the end."""
    trees: Stacks
    """Trees finished in this turn, in the vault too."""


@dataclass(frozen=True, slots=True)
class Position:
    """The wheel between two turns (Position)."""

    size: str
    wheel: Wheel
    fresh: Wheel
    """Trees on each card that may stay whole if it is sown now."""
    next: str | None = ANY_CARD
    """The card that must be sown, `any` in a free choice, None when the game is over."""
    turns: tuple[Turn, ...] = ()


class Minimax(Game[Position]):
    """Rules of Minimax."""

    key = "minimax"
    name = "Minimax"
    seats = range(1, 2)
    options: ClassVar[Mapping[str, tuple[object, ...]]] = {"size": tuple(_SETS)}
    arrow = ">"
    has_open_deal = True
    foresight = MinimaxForesight()

    def setup(self, seats: int, options: Mapping[str, object], chance: Chance) -> Position:
        """Shuffle the pyramids and deal them to the four cards (Setup)."""
        size = str(self.settle(seats, options)["size"])
        shuffled = chance.shuffle("wheel", PYRAMIDS * _SETS[size])
        each = len(shuffled) // VAULT
        wheel = tuple(tuple(sorted(shuffled[card * each : (card + 1) * each])) for card in range(len(CARDS)))
        return Position(size, wheel, EMPTY_WHEEL)

    def to_move(self, position: Position) -> tuple[Seat, ...]:
        """Return seat 1 until the game is over."""
        return () if position.next is None else (_PLAYER,)

    def stage(self, position: Position) -> int:
        """Return the number of the current turn; each is a stage of its own."""
        return len(position.turns) + 1

    # -- moves ---------------------------------------------------------------------------------------

    def moves(self, position: Position, seat: Seat) -> Iterator[Move]:
        """Yield the sowings of each card, drop by drop; a long game has countless ones."""
        if seat not in self.to_move(position):
            return
        for card in sowable_cards(position.wheel, position.next):
            yield from map(Move, _begin_sowing(position, card).completions(f"{SOW_TEXTS[card]} "))

    def allows(self, position: Position, seat: Seat, move: Move) -> bool:
        """Return whether each drop can be made in order and none is missing (Legality)."""
        return seat in self.to_move(position) and _complete_sowing(position, move) is not None

    def steps(self, position: Position, seat: Seat, chosen: tuple[str, ...]) -> tuple[str, ...]:
        """Return first the cards that may be sown, then the drops that may be made next."""
        if position.next is None or seat != _PLAYER:
            return ()
        if not chosen:
            return tuple([SOW_TEXTS[card] for card in sowable_cards(position.wheel, position.next)])
        sowing = _partial_sowing(position, chosen)
        if sowing is None:
            raise self.objection(position, seat, format_move(chosen))
        return sowing.drops()

    def parse(self, position: Position, seat: Seat, line: str) -> Move:  # noqa: ARG002
        """Parse a sowing as people write it: without the card, or with a stack by its top pyramid (Move grammar)."""
        card, drops = parse_sowing(line)
        if card is None:
            if position.next not in CARDS:
                raise InvalidMove(
                    "Name the card that you sow, then the drops, as in “{example}”.", example=EXAMPLE_MOVE
                )
            card = CARDS.index(position.next)
        sowing = _begin_sowing(position, card)
        chosen = [SOW_TEXTS[card]]
        for piece, typed in drops:
            onto = typed
            here = sowing.wheel[sowing.at]
            if typed not in here and len(kinds := stacks_topped_by(here, typed)) == 1:
                onto = kinds[0]
            drop = format_drop(piece, onto)
            chosen.append(drop)
            # The first illegal drop is the one to object to; what is typed after it hardly matters.
            sowing = sowing.after(drop) if sowing.may(drop) else sowing
        return format_move(chosen)

    def objection(self, position: Position, seat: Seat, move: Move) -> IllegalMove:
        """Return which part of a sowing is wrong, and what would be possible there."""
        if position.next is None:
            return IllegalMove("The match is over.")
        if seat != _PLAYER:
            return IllegalMove("It is not your turn.")
        try:
            card, drops = parse_sowing(move)
        except InvalidMove:
            card, drops = None, []
        if card is None:
            return super().objection(position, seat, move)
        may = [CARDS[card] for card in sowable_cards(position.wheel, position.next)]
        return (
            card_objection(position.wheel, card, may)
            or drop_objection(position.wheel, card, position.fresh[card], drops)
            or super().objection(position, seat, move)
        )

    def nearest(self, position: Position, seat: Seat, text: str) -> tuple[Move, ...]:
        """Complete the good part of a typed sowing; empty if no pyramid and no card is named."""
        if seat not in self.to_move(position):
            return ()
        line = self.meant(position, seat, text)
        try:
            card, drops = parse_sowing(line)
        except InvalidMove:
            card, drops = extract_sowing(line)
        if card is None and not drops:
            return ()
        may = sowable_cards(position.wheel, position.next)
        begun = [(SOW_TEXTS[one], _begin_sowing(position, one)) for one in ((card,) if card in may else may)]
        return tuple(map(format_move, repair_sowing(begun, drops)))

    # -- resolution ----------------------------------------------------------------------------------

    def apply(self, position: Position, seat: Seat, move: Move, chance: Chance) -> Position:  # noqa: ARG002
        """Sow a card, and determine the next one by where the last drop fell (Resolution)."""
        sowing = _complete_sowing(position, move) if seat == _PLAYER else None
        if sowing is None:
            raise self.objection(position, seat, move)
        wheel = sowing.wheel
        following = sowing.next()
        turn = Turn(move, vault_points(wheel), following, tuple([tree for _, tree in sowing.trees]))
        return Position(position.size, wheel, sowing.fresh(), following, (*position.turns, turn))

    def outcome(self, position: Position) -> Outcome | None:
        """Return the score of the vault; the player wins by clearing the wheel (End and result)."""
        if position.next is not None:
            return None
        return Outcome((vault_points(position.wheel),), (_PLAYER,) if is_cleared(position.wheel) else ())

    def suggest(self, position: Position, seat: Seat) -> tuple[Move, ...]:
        """Return the most promising of the sowings whose drops look best."""
        if seat not in self.to_move(position):
            return ()
        begun = starts(position.wheel, position.fresh, position.next)
        return tuple(map(format_move, promising_sowings(begun, _MAX_SUGGESTIONS)))

    # -- views ---------------------------------------------------------------------------------------

    def board(self, position: Position, viewer: Viewer) -> dict[str, Json]:  # noqa: ARG002
        """Return the wheel, the fresh trees, the cards that may be sown and the score (What each seat may see)."""
        may = sowable_cards(position.wheel, position.next)
        wheel: list[Json] = [
            {
                "card": name,
                "stacks": _plain(position.wheel[card]),
                "fresh": _plain(position.fresh[card]),
                "may_sow": card in may,
            }
            for card, name in enumerate(CARDS)
        ]
        return {
            "size": position.size,
            "over": position.next is None,
            "cleared": is_cleared(position.wheel),
            "wheel": wheel,
            "free": position.next == ANY_CARD,
            "score": vault_points(position.wheel),
        }

    def log(self, position: Position, viewer: Viewer) -> list[Json]:  # noqa: ARG002
        """Return each sowing with the score after it, the trees it finished and the card it led to."""
        cleared = is_cleared(position.wheel)
        return [
            {
                "seat": _PLAYER,
                "move": turn.move,
                "score": turn.score,
                "next": turn.next,
                "trees": list(turn.trees),
                "ended": turn.next is None,
                "cleared": turn.next is None and cleared,
            }
            for turn in position.turns
        ]


def _begin_sowing(position: Position, card: int) -> Sowing:
    return begin_sowing(position.wheel, card, position.fresh[card])


def _partial_sowing(position: Position, chosen: tuple[str, ...]) -> Sowing | None:
    if len(chosen) > _MAX_PIECES:
        return None
    return _cached_sowing(position.wheel, position.fresh, position.next, chosen)


@lru_cache(maxsize=256)
def _cached_sowing(wheel: Wheel, fresh: Wheel, following: str | None, chosen: tuple[str, ...]) -> Sowing | None:
    # A caller of `steps` comes with one more piece each time, and then with the whole move.
    last = chosen[-1]
    if len(chosen) == 1:
        card = _CARD_BY_TEXT.get(last)
        return begin_sowing(wheel, card, fresh[card]) if card in sowable_cards(wheel, following) else None
    sowing = _cached_sowing(wheel, fresh, following, chosen[:-1])
    return sowing.after(last) if sowing is not None and sowing.may(last) else None


def _complete_sowing(position: Position, move: str) -> Sowing | None:
    first, *drops = move.split(", ")
    start, _, drop = first.partition(" ")
    card, _, drop = drop.partition(" ")
    sowing = _partial_sowing(position, (f"{start} {card}", drop, *drops))
    return sowing if sowing is not None and not sowing.hand else None


def is_cleared(wheel: Wheel) -> bool:
    """Return whether all pyramids are in the vault."""
    return not any(wheel[:VAULT])


def _plain(stacks: Stacks) -> list[Json]:
    return [list[Json](stack.split("/")) for stack in stacks]
