"""Playing on from a finished match: what is taken over, whose luck it is, who sits there, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from pbem.db.models import LogEntry, Match
from pbem.games import GAMES, Eye, Seat
from pbem.games.chain import Played, next_hash, opening_hash
from pbem.games.record import replay
from pbem.play import endings, forking, matches
from pbem.play.history import course_of, lock, play_move, standing
from tests.house import address

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.play.forking import Fork
    from pbem.play.history import Course
    from pbem.play.table import Table
    from tests.house import House

ANN = matches.Guest("Ann", address("Ann"))
SMALL: dict[str, tuple[int, dict[str, object]]] = {
    "minimax": (1, {}),
    "martian-whist": (2, {"sets": 2}),
    "martian-trickery": (3, {"hands": 1}),
    "amazonian-buffet": (2, {}),
    "montauk": (2, {"rounds": 1}),
}


def played(table: Table, match_id: str, most: int = 10_000, way: int = 0) -> Course:
    """Play a match on by legal moves, to its end or so many of them."""
    course = course_of(table, lock(table, match_id))
    for number in range(most):
        seats = course.game.to_move(course.position)
        if not seats:
            endings.finish(table, course)
            break
        seat = seats[(number + way) % len(seats)]
        legal = course.game.view(course.position, seat).moves
        course = play_move(table, course, seat, legal[(7 * number + way) % len(legal)], table.now)
    return course


def finished(house: House, key: str) -> str:
    """Give a match that was played to its end."""
    seats, options = SMALL.get(key, (GAMES[key].seats[0], {}))
    match_id = house.begin(key, seats, options)
    with house.table() as table:
        played(table, match_id)
    return match_id


def practised(table: Table, fork: Fork) -> Match:
    return forking.make(table, fork, forking.alone(fork, ANN), creator=1)


def walked(course: Course) -> Iterator[Any]:
    """Give the position at each step."""
    yield course.deal
    yield from (step.position for step in replay(course.game, course.deal, course.log, course.chance))


def chained(table: Table, match: Match) -> bytes:
    """Follow a match's own chain from its beginning."""
    head = opening_hash(match.commitment, match.id, match.game, match.edition, match.options, len(match.seats))
    course = course_of(table, match)
    for entry in course.log[course.taken :]:
        head = next_hash(head, entry)
    return head


@pytest.mark.parametrize("key", GAMES)
def test_a_match_plays_on_from_any_step_to_its_end(house: House, key: str) -> None:
    origin = finished(house, key)
    with house.table() as table:
        match = table.session.get_one(Match, origin)
        course = course_of(table, match)
        positions = list(walked(course))
        step = 2 * len(course.log) // 3
        fork = forking.at(table, match, step)
        made = practised(table, fork)
        begun = course_of(table, made)
        assert begun.position == positions[fork.step]
        assert begun.log == course.log[: fork.step]
        assert made.state == "running"
        assert not made.public
        assert not made.rated
        assert tuple(made.to_move) == fork.to_move
        assert made.ply == made.next_ply == fork.step + 1
        over = played(table, made.id, way=1)
        assert over.game.outcome(over.position) is not None
        assert made.state == "over"
        assert made.head == chained(table, made)
        plies = [entry.ply for entry in over.log if isinstance(entry, Played)]
        assert plies == list(range(1, len(plies) + 1))
        rows = table.session.scalars(select(LogEntry.ply).where(LogEntry.match_id == made.id)).all()
        assert sorted(filter(None, rows)) == plies[fork.step :]
        assert course_of(table, match).log == course.log


@pytest.mark.parametrize(("key", "deal"), [("martian-trickery", "hand_number"), ("montauk", "round")])
def test_what_was_drawn_stays_and_later_luck_is_new(house: House, key: str, deal: str) -> None:
    seats, options = {"martian-trickery": (3, {"hands": 2}), "montauk": (2, {"rounds": 2})}[key]
    origin = house.begin(key, seats, options)
    with house.table() as table:
        match = table.session.get_one(Match, origin)
        course = played(table, origin)

        def dealt(position: Any) -> int:
            number = course.game.view(position, Eye.PUBLIC).board[deal]
            assert isinstance(number, int)
            return number

        positions = list(walked(course))
        second = next(step for step, position in enumerate(positions) if dealt(position) == 2)

        def replayed_on(step: int) -> Any:
            """Play the same moves in a fork, up to the second deal and no further."""
            fork = forking.at(table, match, step)
            made = practised(table, fork)
            again = course_of(table, made)
            for entry in standing(course.log)[fork.step : second]:
                again = play_move(table, again, Seat(entry.seat), course.log[entry.ply - 1].move, table.now)  # type: ignore[arg-type, union-attr]
            return again.position

        before = replayed_on(second - 1), replayed_on(second - 1)
        assert [dealt(position) for position in before] == [2, 2]
        assert before[0] != before[1] != positions[second] != before[0]
        assert replayed_on(second) == positions[second]
        assert replayed_on(0) not in {positions[second], *before}
