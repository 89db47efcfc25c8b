"""Robots of a record: each of their moves is chosen again, and the first that they would not have made is named."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from pbem import robots
from pbem.games import GAMES, Chance, Move, Seat
from pbem.games.chain import EventEntry, MoveEntry
from pbem.games.record import Record
from pbem.games.verify import UnsoundError, VerifiedEntry
from pbem.robots import Identity, Level, identity
from pbem.robots.verify import check_robots

WHIST = GAMES["martian-whist"]
SECRET = bytes(range(32))
STRONG, FAIR, EASY = (Identity(level, 1) for level in (Level.STRONG, Level.FAIR, Level.EASY))


@dataclass(slots=True)
class Played:
    """A match of Martian Whist as far as it was played: robots choose as they do, and people as they are told to."""

    seats: tuple[str, ...]
    position: Any = field(default_factory=lambda: WHIST.setup(2, {"sets": 2}, Chance(bytes(32))))
    entries: list[VerifiedEntry] = field(default_factory=list)
    ply: int = 1

    def move(self, by: Identity | None = None, move: str = "") -> Played:
        """Play the next move: a robot's own choice, or a given one."""
        seat = WHIST.to_move(self.position)[0]
        chosen = move or self.choice(seat, by or FAIR)
        after = WHIST.apply(self.position, seat, Move(chosen), Chance(bytes(32)))
        self.entries.append(VerifiedEntry(WHIST, MoveEntry(self.ply, seat, chosen, "", ""), self.position, after, ()))
        self.position, self.ply = after, self.ply + 1
        return self

    def event(self, name: str, seat: int | None, detail: dict[str, Any], after: Any = None) -> Played:
        """Enter an event, which may lead back to a position."""
        before, self.position = self.position, self.position if after is None else after
        self.entries.append(
            VerifiedEntry(WHIST, EventEntry(name, seat, "table", detail, "", ""), before, self.position, ())
        )
        return self

    def choice(self, seat: Seat, by: Identity) -> Move:
        """Return what a robot plays at a seat now."""
        seed = robots.derive_seed(SECRET, "m", seat, self.ply, by.level, by.edition)
        if by.level in robots.QUICK_LEVELS:
            return robots.choose_quickly(WHIST, self.position, seat, by.level, seed)
        return robots.think(WHIST.key, WHIST.view(self.position, seat), by.level, seed).move

    @property
    def finding(self) -> str | None:
        """What the verification says of the robots."""
        log = tuple(walked.entry for walked in self.entries)
        empty = b""
        record = Record(
            "m", WHIST.key, 1, {}, self.seats, empty, SECRET, (), (), empty, log, {}, empty
        )  # fmt: skip
        return check_robots(record, self.entries)


def against(robot: Identity) -> Played:
    return Played(("Ann", identity.record_name("Ada", robot)))


def test_a_record_of_people_says_nothing_of_robots() -> None:
    assert Played(("Ann", "Bob")).move().move().finding is None


@pytest.mark.parametrize("robot", [STRONG, FAIR, EASY])
def test_the_moves_of_a_robot_are_reproduced(robot: Identity) -> None:
    played = against(robot).move(move="take 1").move(robot).move(move="take 2").move(robot)
    assert played.finding == "The robots chose as they do: 2 of 2 moves reproduced."


@pytest.mark.parametrize("robot", [STRONG, FAIR])
def test_a_move_that_the_robot_would_not_have_made_is_named_by_its_ply(robot: Identity) -> None:
    played = against(robot).move(move="take 1")
    own = {played.choice(Seat(2), robot), played.choice(Seat(2), FAIR)}
    played.move(move=next(move for move in WHIST.moves(played.position, Seat(2)) if move not in own))
    with pytest.raises(UnsoundError, match=r"Ply 2 does not hold: the robot at seat 2 would have played"):
        assert played.finding


def test_a_move_that_was_not_thought_about_in_time_is_the_suggested_one() -> None:
    played = against(STRONG)
    while not (finding := played.move(move="take 1" if not played.entries else "").move(FAIR).finding or "").endswith(
        "without thinking, because it took too long."
    ):
        assert finding
    assert "1 of them without thinking" in finding


def test_a_robot_that_takes_over_a_seat_is_checked_from_then_on() -> None:
    played = Played(("Ann", identity.record_name("Ada", FAIR))).move(move="take 1").move(move="take 10")
    played.event("substituted", 2, {**identity.event_detail(FAIR)}).move(move="take 2").move(FAIR)
    assert played.finding == "The robots chose as they do: 1 of 1 moves reproduced."


def test_a_person_who_comes_back_is_not_checked() -> None:
    played = Played(("Ann", "Bob")).move(move="take 1").move(move="take 10")
    played.event("substituted", 2, {**identity.event_detail(FAIR)}).move(move="take 2").move(FAIR)
    played.event("substituted", 2, {}).move(move="take 3").move(move="take 9")
    assert played.finding == "The robots chose as they do: 1 of 1 moves reproduced."


def test_after_a_take_back_the_robot_chooses_anew_with_another_seed() -> None:
    played = against(EASY).move(move="take 1")
    before = played.position
    played.move(EASY).event("taken_back", 2, {"from": 2}, before).event("paused", None, {}).event(
        "substituted", None, {}
    ).move(EASY)
    assert [walked.entry.ply for walked in played.entries if isinstance(walked.entry, MoveEntry)] == [1, 2, 3]
    assert played.finding == "The robots chose as they do: 2 of 2 moves reproduced."


def test_robots_of_other_editions_are_named_as_unchecked() -> None:
    played = against(replace(FAIR, edition=2)).move(move="take 1").move(move="take 10")
    assert played.finding == (
        "The robots chose as they do: 0 of 1 moves reproduced. "
        "The others are of an edition or a level that this installation does not have."
    )
