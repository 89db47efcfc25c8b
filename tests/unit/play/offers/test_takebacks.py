"""The law of take-backs: what stands is as if what was taken back had never been played, and nothing shown is void."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.db.models import Match as Row
from pbem.db.models import MatchSeat
from pbem.games import GAMES, Seat
from pbem.games.chain import Entry, EventEntry, MoveEntry
from pbem.play.matches.match_state import replay_log
from pbem.play.offers import takebacks
from tests.support.examples import examples
from tests.support.games.random_play import Match, matches

if TYPE_CHECKING:
    from pbem.play.matches.match_state import LoadedMatch

STEPS = 12
BACK = 3
"""One step in so many is a take-back."""


def course_of(match: Match, log: list[Entry]) -> LoadedMatch:
    row = Row(
        id="abcdefghjk0123456789",
        game=match.game.key,
        edition=match.game.edition,
        options=dict(match.game.settle(match.seats, match.options)),
        seed=match.seed,
        seats=[MatchSeat(seat=seat) for seat in range(1, match.seats + 1)],
    )
    return replay_log(row, log)


def some_move(course: LoadedMatch, seat: Seat, chosen: Random) -> str:
    """Assemble a move piece by piece, as nobody can list those of every game."""
    pieces: tuple[str, ...] = ()
    while further := course.game.steps(course.position, seat, pieces):
        pieces = (*pieces, chosen.choice(further))
        if pieces[-1] == ".":
            break
    return course.game.read(course.position, seat, " ".join(piece for piece in pieces if piece != "."))


@pytest.mark.parametrize("key", GAMES)
@settings(max_examples=examples(8), deadline=None)
@given(data=st.data())
def test_after_a_take_back_the_position_is_that_before_the_move(key: str, data: Any) -> None:
    match = data.draw(matches(key))
    chosen = Random(match.seed)
    log: list[Entry] = []
    # What stands: each move's ply, seat and text, whether it showed something, and the position before it.
    stands: list[tuple[int, int, str, bool, Any]] = []
    course, ply = course_of(match, log), 0
    for _ in range(STEPS):
        movers = course.game.to_move(course.position)
        if not movers:
            break
        ply += 1
        if not stands or chosen.randrange(BACK):
            seat = chosen.choice(movers)
            move = some_move(course, seat, chosen)
            before = course.position
            log.append(MoveEntry(ply, seat, move, "", ""))
            course = course_of(match, log)
            shows = course.game.reveals(before, move, course.position)  # type: ignore[arg-type]
            stands.append((ply, seat, move, shows, before))
            continue
        seat = chosen.choice([Seat(one[1]) for one in stands])
        first = takebacks.last_ply(course, seat)
        place = next(place for place in reversed(range(len(stands))) if stands[place][1] == seat)
        assert first == stands[place][0]
        shown = next((at for at in range(place, len(stands)) if stands[at][3]), None)
        assert takebacks.first_reveal(course, first) == shown
        if shown is None:
            log.append(EventEntry("taken_back", None, "table", {"from": first}, "", ""))
            course = course_of(match, log)
            assert course.position == stands[place][4]
            stands = stands[:place]
            straight: list[Entry] = [MoveEntry(at, mover, move, "", "") for at, mover, move, *_ in stands]
            assert course.position == course_of(match, straight).position
            assert course.turns == course_of(match, straight).turns
            assert takebacks.last_ply(course, 0) is None
