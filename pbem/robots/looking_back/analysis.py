"""The work of looking back, piece by piece: values of positions, other draws, people's choices, and turning points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.robots.looking_back import facts, turning_points, values
from pbem.robots.looking_back.history import read
from pbem.robots.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pbem.games.record import Record
    from pbem.robots.looking_back.effort import Effort
    from pbem.robots.looking_back.history import History, Work

_NOTHING: Work = {"values": [], "means": [], "drawn": [], "choices": [], "others": [], "tally": None}


def steps(record: Record, work: Mapping[str, Any], effort: Effort | None = None) -> Iterator[Progress]:
    """Yield the progress of looking back on a record, by default with the effort that its game's robot needs.

    Raises ValueError if there is nothing to look back on.
    """
    history, so_far = read(record, effort), {**_NOTHING, **work}
    total = len(history.positions) + history.effort.draws * len(history.draws) + len(history.choices) + 1
    for piece in (_value_position, _value_draw, turning_points.examine, turning_points.try_others):
        while (further := piece(history, so_far)) is not None:
            so_far = further
            yield Progress(_done(history, so_far), total, so_far)
    yield Progress(total, total, so_far, facts.collect(history, so_far))


def _value_position(history: History, work: Work) -> Work | None:
    """Find the value of the next position with all cards seen; None if all are done."""
    at, positions = len(work["values"]), history.positions
    if at == len(positions):
        return None
    found = values.of_position(history.robot, positions[at], history.effort.outlook, history.seed("position", at))
    return {**work, "values": [*work["values"], found]}


def _value_draw(history: History, work: Work) -> Work | None:
    """Find the value of the next draw in place of one that chance made; None if all are done."""
    place, number, effort = len(work["means"]), len(work["drawn"]), history.effort
    if place == len(history.draws):
        return None
    at, seed = history.draws[place], history.seed("draw", place, number)
    found = values.of_position(history.robot, history.redraw(at, seed), effort.draw, seed)
    drawn = [*work["drawn"], found]
    if len(drawn) < effort.draws:
        return {**work, "drawn": drawn}
    return {**work, "means": [*work["means"], values.mean(drawn)], "drawn": []}


def _done(history: History, work: Work) -> int:
    drawn = len(work["means"]) * history.effort.draws + len(work["drawn"])
    return len(work["values"]) + drawn + len(work["choices"])
