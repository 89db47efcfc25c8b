"""What tests of secrecy share."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pbem.games import Eye, Seat
from pbem.play.matches.match_state import load_match, lock_match, play_move

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import LoadedMatch
    from tests.support.house import House

NOW = datetime(2026, 11, 21, tzinfo=UTC)


def stages(
    house: House, game: str, seats: int, options: dict[str, object], most: int
) -> Iterator[tuple[Context, LoadedMatch]]:
    """Walk a match played at random, to every position."""
    match_id = house.start_match(game, seats, options)
    chosen = random.Random(game)
    for _ in range(most):
        with house.transaction() as ctx:
            course = load_match(ctx, lock_match(ctx, match_id))
            yield ctx, course
            if not course.match.to_move:
                return
            seat = Seat(chosen.choice(course.match.to_move))
            play_move(ctx, course, seat, chosen.choice(course.game.view(course.position, seat).moves), NOW)


def exchanged(course: LoadedMatch, viewer: Seat | Eye) -> LoadedMatch:
    """Draw anew what the viewer cannot see."""
    seeds = (bytes([number]) * 32 for number in range(50))
    others = (course.game.exchange(course.position, viewer, seed) for seed in seeds)
    position = next((other for other in others if other != course.position), course.position)
    return replace(course, position=position)


def bytes_of(data: Any) -> bytes:
    return json.dumps(data, sort_keys=True).encode()
