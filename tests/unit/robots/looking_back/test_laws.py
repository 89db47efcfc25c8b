"""Laws of looking back that hold for every robot that is found; with few playouts, by which figures say little."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from pbem import robots
from pbem.games import GAMES
from pbem.robots.looking_back import facts, steps, turning_points
from pbem.robots.looking_back.effort import Effort
from pbem.robots.looking_back.history import read
from tests.support.games.suggested_match import suggested

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pbem.games.record import Record
    from pbem.robots.looking_back.history import History, Work
    from pbem.robots.progress import Progress

ROBOTS = [key for key in GAMES if robots.find(key)]
EFFORT = Effort(outlook=4, choice=8, draws=2)
PLIES = 5
MAX_BYTES = 64 * 1024
MAX_CHOICES = 5
LONGEST: dict[str, dict[str, object]] = {
    "amazonian-buffet": {},
    "martian-trickery": {"hands": 4},
    "martian-whist": {"sets": 4},
    "minimax": {"size": "long"},
    "montauk": {"rounds": 12},
}

every_game = pytest.mark.parametrize("key", ROBOTS)


def progress_of(record: Record, work: Mapping[str, Any] | None = None) -> Iterator[Progress]:
    return iter(steps(record, work or {}, _effort(record)))


@cache
def looked(key: str, plies: int = PLIES) -> dict[str, Any]:
    """Look back on the beginning of a match, whose seat 1 resigned."""
    last = [*progress_of(suggested(key, plies=plies))][-1]
    assert last.result is not None
    return last.result


def _effort(record: Record) -> Effort:
    robot = robots.find(record.game)
    assert robot
    return replace(EFFORT, repeats=robot.draws)


@every_game
def test_start_luck_play_and_what_others_did_add_up_to_the_end(key: str) -> None:
    found = looked(key)
    for row in found["account"]:
        parts = [row[part] for part in ("start", "luck", "play", "others", "unexplained")]
        assert round(10 * sum(parts)) == round(10 * row["end"])
        assert abs(row["unexplained"]) <= 0.3
        assert row["end"] == found["chart"][-1]["values"][row["seat"] - 1]


@every_game
def test_chances_of_all_seats_are_a_hundred(key: str) -> None:
    found = looked(key)
    assert [entry["ply"] for entry in found["chart"]] == [*range(PLIES + 1)]
    if found["unit"] == "chance":
        for entry in found["chart"]:
            assert sum(entry["values"]) == pytest.approx(100, abs=0.2)
    else:
        assert len(found["chart"][0]["values"]) == 1


@every_game
def test_the_facts_are_the_same_to_the_byte_wherever_the_work_was_stopped(key: str) -> None:
    record, work = suggested(key, plies=PLIES), dict[str, Any]()
    pieces = 0
    while (progress := next(progress_of(record, work))).result is None:
        work, pieces = json.loads(json.dumps(progress.work)), pieces + 1
    assert json.dumps(progress.result) == json.dumps(looked(key))
    assert pieces > PLIES
    assert progress.done == progress.total


@every_game
def test_progress_only_grows(key: str) -> None:
    done = [progress.done for progress in progress_of(suggested(key, plies=2))]
    assert done == sorted(done)


@every_game
def test_choices_are_judged_by_what_their_seat_could_know(key: str) -> None:
    record = suggested(key, plies=PLIES)
    history = read(record, _effort(record))
    unknown = tuple(
        replace(made, begun=history.rules.exchange(made.begun, made.seat, bytes([made.ply]) * 32))
        for made in history.moves
    )
    assert examined(history) == examined(replace(history, moves=unknown))


def examined(history: History) -> list[object]:
    """Return what is found of each choice."""
    work: Work = {"choices": [], "tally": None}
    found = [work]
    while further := turning_points.examine(history, found[-1]):
        found.append(further)
    assert len(found[-1]["choices"]) == len(history.choices)
    return [*found]


@every_game
def test_the_facts_of_the_longest_match_are_short(key: str) -> None:
    history = read(suggested(key, LONGEST[key]))
    value = [round(100 / history.seats, 1)] * history.seats
    move = max((made.move for made in history.moves), key=len)
    choice = {"best": move, "others": [move] * 3, "worlds": 1, "value": 99.9, "played": 10.5, "error": 1.2}
    named = [choice] * len(history.choices)
    work = {
        "values": [value] * len(history.positions),
        "means": [value] * len(history.draws),
        "choices": named,
        "others": [{"move": move, "value": 55.5, "played": 10.5, "error": 1.2}] * 3 * 3 * history.seats,
    }
    found = facts.collect(history, work)
    assert len(found["turning_points"]) == turning_points.MAX_NAMED * history.seats
    assert all(2 <= len(point["choices"]) <= MAX_CHOICES for point in found["turning_points"])
    assert len(json.dumps(found)) <= MAX_BYTES
