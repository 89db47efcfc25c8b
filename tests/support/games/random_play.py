"""Random play of any game: matches that hypothesis invents, walked by choosing among what `steps` offers."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from pbem.games import GAMES, Chance, Game, Move, OptionError, Seat, Stream

if TYPE_CHECKING:
    from collections.abc import Iterator

COUNTABLE = 5000
"""More moves than these are never listed by a test."""
DONE = "."


@dataclass(frozen=True, slots=True)
class Match:
    """One match of a game, with the seed of its deal; the choices are drawn from the same seed."""

    game: Game[Any]
    seats: int
    options: dict[str, object]
    seed: bytes

    def __repr__(self) -> str:
        return f"Match({self.game.key}, {self.seats} seats, {self.options}, seed {self.seed.hex()})"


@dataclass(frozen=True, slots=True)
class Turn:
    """One move of a match, with the positions before and after it."""

    before: Any
    seat: Seat
    chosen: tuple[str, ...]
    move: Move
    after: Any


class RecordingChance(Chance):
    """Draws like Chance and keeps every label that was drawn."""

    def __init__(self, seed: bytes) -> None:
        super().__init__(seed)
        self.labels: list[str] = []

    def stream(self, label: str) -> Stream:
        self.labels.append(label)
        return super().stream(label)


def refused(game: Game[Any], seats: int, options: dict[str, object]) -> bool:
    """Return whether a game excludes this combination of options."""
    try:
        game.setup(seats, options, Chance(bytes(32)))
    except OptionError:
        return True
    return False


@st.composite
def matches(draw: st.DrawFn, key: str) -> Match:
    """Invent a match of a game: any seats, any options that go together, any seed."""
    game = GAMES[key]
    options = st.fixed_dictionaries({}, optional={name: st.sampled_from(may) for name, may in game.options.items()})
    seats = draw(st.sampled_from(game.seats))
    chosen = draw(options.filter(lambda options: not refused(game, seats, options)))
    return Match(game, seats, chosen, draw(st.binary(min_size=32, max_size=32)))


def walk(match: Match, chance: Chance | None = None) -> Iterator[Turn]:
    """Play a match at random to its end, one move after the other."""
    chance = chance or Chance(match.seed)
    position = match.game.setup(match.seats, match.options, chance)
    number = 0
    while acting := match.game.to_move(position):
        number += 1
        # Choices have a Chance of their own, so that the match's labels are the game's alone.
        stream = Chance(match.seed).stream(f"walk/{number}")
        seat = acting[stream.below(len(acting))]
        chosen = choose(match.game, position, seat, stream)
        move = match.game.read(position, seat, typed(chosen))
        after = match.game.apply(position, seat, move, chance)
        yield Turn(position, seat, chosen, move, after)
        position = after


def choose(game: Game[Any], position: Any, seat: Seat, stream: Stream) -> tuple[str, ...]:
    """Assemble a move at random, piece by piece."""
    chosen: tuple[str, ...] = ()
    while chosen[-1:] != (DONE,) and (pieces := game.steps(position, seat, chosen)):
        chosen += (pieces[stream.below(len(pieces))],)
    return chosen


def typed(chosen: tuple[str, ...]) -> str:
    """Write chosen pieces as a person would type them."""
    return " ".join(piece for piece in chosen if piece != DONE)


def paths(game: Game[Any], position: Any, seat: Seat, chosen: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Follow `steps` along every way to a complete move."""
    pieces = game.steps(position, seat, chosen) if chosen[-1:] != (DONE,) else ()
    if not pieces:
        yield chosen
    for piece in pieces:
        yield from paths(game, position, seat, (*chosen, piece))


def countable(game: Game[Any], position: Any, seat: Seat, most: int = COUNTABLE) -> list[Move] | None:
    """List a seat's moves, or None where there are more than a test should wait for."""
    moves = list(islice(game.moves(position, seat), most + 1))
    return moves if len(moves) <= most else None
