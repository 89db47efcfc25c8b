"""Turning points: choices of people in which the robot found a better move, by what their seat could know."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from pbem.robots.looking_back.comparing import Comparison, Tally

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.games import Move, Seat
    from pbem.robots.looking_back.comparing import Found
    from pbem.robots.looking_back.history import History, Made, Work

MAX_NAMED = 3
"""Number of turning points that are named for a seat."""
_MAX_OTHERS = 3
"""Number of further moves that are tried at a turning point."""
_SURE = 2
"""Standard errors above which a difference is named."""
_MIN_LOSS = {"chance": 3.0, "points": 1.0}
"""Smallest difference that is named, by the unit of values."""
_MIN_WORLDS = 50
_EXACT = 2.0
"""Standard error of a difference that is exact enough."""


def examine(history: History, work: Work) -> Work | None:
    """Do a piece of the next choice of a person; None if all are done.

    First the robot thinks; then its move is tried beside the one that was played, until it is clear whether the
    difference is to be named.
    """
    at, choices = len(work["choices"]), history.choices
    if at == len(choices):
        return None
    comparison, begun = _compare(history, choices[at]), work["tally"]
    if begun is None:
        best, others = _think(comparison, history)
        return _decided(work, None) if best == comparison.played else {**work, "tally": [best, others, None]}
    best, others, before = begun
    tally = comparison.go_on(_parse(before), best, history.effort.worlds)
    found = comparison.judge(tally)
    if is_named(found, history.unit) and (found.error <= _EXACT or tally.worlds >= history.effort.worlds):
        return _decided(work, {"best": best, "others": others, "worlds": tally.worlds, **_data(found)})
    unclear = tally.worlds < _MIN_WORLDS or found.loss + found.error > _MIN_LOSS[history.unit]
    if unclear and tally.worlds < history.effort.worlds:
        return {**work, "tally": [best, others, list(tally)]}
    return _decided(work, None)


def try_others(history: History, work: Work) -> Work | None:
    """Do a piece of the next further move that is tried at a turning point; None if all are done."""
    left = list(_others(history, work))[len(work["others"]) :]
    if not left:
        return None
    made, move, worlds = left[0]
    comparison = _compare(history, made)
    tally = comparison.go_on(_parse(work["tally"]), move, worlds)
    if tally.worlds < worlds:
        return {**work, "tally": list(tally)}
    found = {"move": move, **_data(comparison.judge(tally))}
    return {**work, "tally": None, "others": [*work["others"], found]}


def collect(history: History, work: Work) -> Iterator[tuple[Made, list[dict[str, Any]]]]:
    """Yield the moves at which a match turned, each with the choices that were tried, the best one first."""
    tried = iter(work["others"])
    for made, choice in named(history, work):
        others = [next(tried) for _ in choice["others"]]
        yield made, sorted([{**choice, "move": choice["best"]}, *others], key=lambda each: -each["value"])


def named(history: History, work: Work) -> list[tuple[Made, dict[str, Any]]]:
    """Return the greatest losses of each seat, in the order of moves."""
    found = [(made, choice) for made, choice in zip(history.choices, work["choices"], strict=True) if choice]
    kept: list[tuple[Made, dict[str, Any]]] = []
    counts: Counter[Seat] = Counter()
    for made, choice in sorted(found, key=lambda each: -_loss(each[1])):
        counts[made.seat] += 1
        if counts[made.seat] <= MAX_NAMED:
            kept.append((made, choice))
    return sorted(kept, key=lambda each: each[0].ply)


def is_named(found: Found, unit: str) -> bool:
    """Return whether a difference is large enough, and surely one."""
    return found.loss > _SURE * found.error and found.loss >= _MIN_LOSS[unit]


def _think(comparison: Comparison, history: History) -> tuple[Move, list[Move]]:
    """Return the robot's move, and others that it tried most; the played one alone if there was no choice."""
    view, robot = comparison.view, history.robot
    if view.moves_are_all and len(view.moves) == 1:
        return comparison.played, []
    thought = robot.think(view, history.effort.choice, comparison.seed)
    others = [tried.move for tried in thought.tried if tried.move not in {thought.move, comparison.played}]
    return thought.move, others[:_MAX_OTHERS]


def _others(history: History, work: Work) -> Iterator[tuple[Made, Move, int]]:
    for made, choice in named(history, work):
        for move in choice["others"]:
            yield made, move, choice["worlds"]


def _compare(history: History, made: Made) -> Comparison:
    view = history.rules.view(made.begun, made.seat)
    return Comparison(history.robot, history.effort, view, made.move, history.seed("choice", made.ply))


def _decided(work: Work, choice: dict[str, Any] | None) -> Work:
    return {**work, "tally": None, "choices": [*work["choices"], choice]}


def _data(found: Found) -> dict[str, float]:
    return {"value": found.value, "played": found.played, "error": found.error}


def _loss(choice: dict[str, Any]) -> float:
    return float(choice["value"] - choice["played"])


def _parse(tally: list[Any] | None) -> Tally | None:
    return Tally(*tally) if tally else None
