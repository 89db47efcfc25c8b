"""Lines that a seat tries out: as far as it may know what comes, and the same whatever it cannot see."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest

from pbem.games import Chance, GameError, Seat
from pbem.play.matches import lines
from tests.support.examples import examples
from tests.support.games.random_play import choose, typed
from tests.support.house import NAMES
from tests.support.play.matches.mail_facts import course_of, every_game, turns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.games import Move
    from pbem.play.matches.lines import Line
    from pbem.play.matches.match_state import LoadedMatch

POSITIONS = examples(200)
LONGEST = 4
OPEN = ("martian-whist", "minimax")


def positions(key: str) -> Iterator[tuple[LoadedMatch, Seat]]:
    """Walk through matches, and yield each position with each seat."""
    for course, seat, _names in named_positions(key):
        yield course, seat


def named_positions(key: str) -> Iterator[tuple[LoadedMatch, Seat, tuple[str, ...]]]:
    """Yield the same with the names of the players."""
    for deal, before, turn in islice(turns(key), POSITIONS):
        for seat in range(1, deal.seats + 1):
            yield course_of(deal, before, turn.before), Seat(seat), NAMES[: deal.seats]


def tried(course: LoadedMatch, seat: Seat) -> Line | None:
    """Try out moves at random as long as the seat may; None if it may try none."""
    stream, line, mover = Chance(bytes(32)).stream("tried"), None, lines.next_seat(course, seat)
    texts: list[str] = []
    after: LoadedMatch | None = course
    while mover and after and len(texts) < LONGEST:
        texts.append(typed(choose(after.game, after.position, mover, stream)))
        line = lines.follow(course, seat, texts)
        after, mover = line.after, line.next_seat
    return line


def seen(line: Line, seat: Seat, names: tuple[str, ...]) -> Any:
    """Return all that a seat is shown of a line."""
    view = line.after and line.after.game.view(line.after.position, seat)
    return line.moves, line.next_seat, view, lines.preview(line, seat, names)


@every_game
def test_a_line_is_the_same_whatever_its_seat_cannot_see(key: str) -> None:
    compared = 0
    for course, seat, names in named_positions(key):
        hidden = course.game.exchange(course.position, seat, bytes(range(32)))
        other, line = replace(course, position=hidden), tried(course, seat)
        assert lines.next_seat(other, seat) == lines.next_seat(course, seat)
        if line:
            compared += 1
            assert seen(lines.follow(other, seat, line.texts), seat, names) == seen(line, seat, names)
    assert compared > POSITIONS / 2


@every_game
def test_no_line_has_what_is_drawn_revealed_or_chosen_by_another_seat_unseen(key: str) -> None:
    for course, seat in positions(key):
        game, after, line = course.game, course, tried(course, seat)
        if line is None:
            continue
        for mover, move in line.moves:
            assert mover == seat or len(game.to_move(after.position)) == 1
            before, after = after, replace(after, position=game.apply(after.position, mover, move, course.chance))
            if (mover, move) != line.moves[-1]:
                assert not game.reveals(before.position, move, after.position)
            if len(game.to_move(before.position)) > 1:
                assert (mover, line.next_seat) == (seat, None)


@pytest.mark.parametrize("key", OPEN)
def test_where_nothing_is_hidden_a_line_goes_on_with_the_moves_of_the_seat_to_move(key: str) -> None:
    for course, seat in positions(key):
        line = tried(course, seat)
        assert line
        assert line.moves[0][0] in course.game.to_move(course.position)
        assert line.after
        assert len(line.moves) == LONGEST or course.game.outcome(line.after.position)


@pytest.mark.parametrize("key", ["montauk", "martian-trickery"])
def test_where_hands_are_hidden_a_line_has_the_moves_of_its_own_seat_alone(key: str) -> None:
    for course, seat in positions(key):
        line = tried(course, seat)
        assert (line is not None) == (seat in course.game.to_move(course.position))
        assert {mover for mover, _move in (line.moves if line else ())} <= {seat}


def test_a_move_that_nobody_can_know_is_refused_like_one_that_is_not_legal() -> None:
    course, seat = next((course, seat) for course, seat in positions("montauk") if lines.next_seat(course, seat))
    (own,) = lines.follow(course, seat, [first(course, seat)]).texts[:1]
    with pytest.raises(GameError, match="depends on what is hidden or drawn"):
        lines.follow(course, seat, [own, own, own, own, own])
    with pytest.raises(GameError):
        lines.follow(course, seat, ["nonsense"])


def first(course: LoadedMatch, seat: Seat) -> Move:
    return next(course.game.moves(course.position, seat))
