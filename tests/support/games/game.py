"""What tests of game share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from pbem.games import (
    Chance,
    Game,
    InvalidMove,
    Json,
    Move,
    Outcome,
    Seat,
    Viewer,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

CHANCE = Chance(bytes(32))
ONE, TWO = Seat(1), Seat(2)


@dataclass(frozen=True, slots=True)
class Counted:
    """Remembers the numbers said so far and how many may be named."""

    said: tuple[int, ...]
    most: int


class Counting(Game[Counted]):
    """Two take turns naming a number, three times; the highest number wins."""

    key = "counting"
    name = "Counting"
    seats = range(2, 4)
    options: ClassVar[Mapping[str, tuple[object, ...]]] = {"most": (3, 250), "loud": (False, True)}

    def setup(self, seats: int, options: Mapping[str, object], chance: Chance) -> Counted:  # noqa: ARG002
        most = self.settle(seats, options)["most"]
        assert isinstance(most, int)
        return Counted((), most)

    def to_move(self, position: Counted) -> tuple[Seat, ...]:
        return (Seat(len(position.said) % 2 + 1),) if len(position.said) < 3 else ()

    def stage(self, position: Counted) -> int:
        return len(position.said) + 1

    def moves(self, position: Counted, seat: Seat) -> Iterator[Move]:
        numbers = range(1, position.most + 1) if seat in self.to_move(position) else ()
        return (Move(str(number)) for number in numbers)

    def parse(self, position: Counted, seat: Seat, line: str) -> Move:  # noqa: ARG002
        if not line.isdigit():
            raise InvalidMove("A move is a number.")
        return Move(line)

    def apply(self, position: Counted, seat: Seat, move: Move, chance: Chance) -> Counted:  # noqa: ARG002
        return Counted((*position.said, int(self.legal(position, seat, move))), position.most)

    def outcome(self, position: Counted) -> Outcome | None:
        if self.to_move(position):
            return None
        scores = (max(position.said[::2]), position.said[1])
        return Outcome(scores, tuple(Seat(at + 1) for at in range(2) if scores[at] == max(scores)))

    def board(self, position: Counted, viewer: Viewer) -> dict[str, Json]:  # noqa: ARG002
        return {"said": list(position.said)}

    def log(self, position: Counted, viewer: Viewer) -> list[Json]:  # noqa: ARG002
        return [{"seat": at % 2 + 1, "move": str(number)} for at, number in enumerate(position.said)]


COUNTING = Counting()
START = COUNTING.setup(2, {}, CHANCE)
