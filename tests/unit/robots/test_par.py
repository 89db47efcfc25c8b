"""Par: the strong robot in the seats of people, with the same cards, and the other robots as they were."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pbem import robots
from pbem.games import GAMES, Chance, Move, Seat
from pbem.games.chain import EventEntry, MoveEntry
from pbem.robots import Identity, Level, identity, par
from tests.support.examples import few
from tests.support.games.small_record import random_match

if TYPE_CHECKING:
    from pbem.games.record import Record
    from pbem.robots.progress import Progress

WHIST = "martian-whist"
EVERY_MOVE = 1000
FAIR = Identity(Level.FAIR, 1)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the thinking of robots to a moment, and par to two plays."""
    for game in GAMES:
        if robot := robots.find(game):
            monkeypatch.setattr(type(robot), "playouts", dict.fromkeys(robot.playouts, 4))
    monkeypatch.setattr(par, "PLAYS", 2)


def seated(record: Record, *who: Identity | None) -> Record:
    """Return a record in whose seats people and robots sat."""
    names = [identity.record_name("Ada", robot) if robot else "Ann" for robot in who]
    return replace(record, seats=tuple(names))


def progress(record: Record) -> list[Progress]:
    return list(par.steps(record, {}))


def result(record: Record) -> dict[str, Any]:
    *before, last = progress(record)
    assert all(one.result is None for one in before)
    assert last.result is not None
    return last.result


def first_moves(record: Record, number: int) -> list[list[Any]]:
    """Return the first moves of the first play, each with its seat."""
    made: Any = progress(record)[number - 1].work["moves"]
    return [*made]


@pytest.mark.parametrize("game", GAMES)
def test_each_game_is_played_to_its_end(game: str) -> None:
    record, robot = random_match(game, EVERY_MOVE), robots.find(game)
    made = result(record)
    assert made["level"] == ("strong" if robot else "fair")
    assert made["edition"] == robots.edition(game)
    assert len(made["plays"]) == len(made["winners"]) == (2 if robot and robot.draws else 1)
    assert all(len(scores) == len(record.seats) for scores in made["plays"])


def test_only_a_robot_that_draws_nothing_plays_once() -> None:
    assert [game for game in GAMES if (robot := robots.find(game)) and not robot.draws] == ["minimax"]


@pytest.mark.parametrize("game", ["martian-trickery", "montauk"])
def test_the_result_is_the_same_wherever_the_work_was_interrupted(game: str) -> None:
    record = random_match(game, EVERY_MOVE)
    whole = progress(record)
    for number in few((len(whole) // 2, 0, 1, len(whole) // 2 + 1, len(whole) - 2)):
        work = json.loads(json.dumps(whole[number].work, sort_keys=True))
        assert list(par.steps(record, work)) == whole[number + 1 :]


def test_progress_grows_to_its_end() -> None:
    whole = progress(random_match(WHIST, EVERY_MOVE))
    done = [one.done for one in whole]
    assert done == sorted(done)
    assert {one.total for one in whole} == {whole[-1].done}


def test_the_cards_are_those_of_the_match() -> None:
    record = random_match("martian-trickery", EVERY_MOVE)
    game, chance = GAMES[record.game], Chance(record.seed)
    position: Any = game.setup(len(record.seats), record.options, chance)
    for seat, move in first_moves(record, 60):
        position = game.apply(position, Seat(seat), Move(move), chance)
    assert game.stage(position) == 61


def test_plays_differ_by_what_the_robot_draws() -> None:
    record = random_match("martian-trickery", EVERY_MOVE)
    one, other = result(record)["plays"]
    assert one != other


# -- the robots that sat there -------------------------------------------------------------------------


def test_a_robot_plays_as_it_played_while_all_moves_before_are_the_same() -> None:
    played = [entry for entry in random_match(WHIST, EVERY_MOVE).log if isinstance(entry, MoveEntry)]
    record = seated(random_match(WHIST, EVERY_MOVE), *(FAIR if seat == played[0].seat else None for seat in (1, 2)))
    game = GAMES[WHIST]
    dealt = game.setup(2, record.options, Chance(record.seed))
    assert game.suggest(dealt, Seat(played[0].seat))[0] != played[0].move
    assert first_moves(record, 1) == [[played[0].seat, played[0].move]]


def test_a_robot_plays_otherwise_as_it_would_have() -> None:
    record = random_match(WHIST, EVERY_MOVE)
    first = record.log[0].seat
    easy = Identity(Level.EASY, 1)
    record = seated(record, *(None if seat == first else easy for seat in (1, 2)))
    made = first_moves(record, 12)
    game, chance = GAMES[WHIST], Chance(record.seed)
    position: Any = game.setup(2, record.options, chance)
    own = 0
    for ply, (seat, move) in enumerate(made, 1):
        if seat != first:
            seed = robots.derive_seed(record.secret, record.match, seat, ply, Level.EASY, 1)
            assert robots.choose_quickly(game, position, Seat(seat), Level.EASY, seed) == move
            own += 1
        position = game.apply(position, Seat(seat), Move(move), chance)
    assert own


def test_a_level_that_is_no_more_is_played_as_the_fair_one() -> None:
    record = seated(random_match(WHIST, EVERY_MOVE), None, Identity(Level.BEST, 1))
    fair = seated(random_match(WHIST, EVERY_MOVE), None, FAIR)
    assert Level.BEST not in robots.levels(WHIST)
    assert result(record) == result(fair)


def test_a_seat_that_was_taken_over_is_a_person_s() -> None:
    record = seated(random_match(WHIST, EVERY_MOVE), None, FAIR)
    assert par.people_seats(record) == (1,)
    taken = EventEntry("substituted", 2, "clock", {**identity.event_detail(FAIR)}, "", "")
    assert par.people_seats(replace(record, log=(taken, *record.log))) == (1, 2)


def test_a_match_by_earlier_rules_is_refused() -> None:
    record = random_match(WHIST, EVERY_MOVE)
    for other in (replace(record, edition=0), replace(record, game="none")):
        with pytest.raises(ValueError, match="another edition"):
            progress(other)
