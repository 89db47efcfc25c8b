"""Montauk's track: what the values of a trick can do with one seat's pyramids, and the notation for it.

A track is a count of pyramids per spot; the rest of the six are off. All steps of one phase together are a spending,
written from the highest step to the lowest, which is also an order in which it can be carried out.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache, reduce
from itertools import compress
from operator import and_, getitem, sub
from typing import TYPE_CHECKING, TypeAlias

from pbem.games.errors import IllegalMove, InvalidMove, Phrase
from pbem.games.game import Move

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PYRAMIDS = 6
OFF = 0
_BYTE_BITS = 8

Track: TypeAlias = tuple[int, ...]
"""Pyramids on spots 1 to 6, spot 1 first."""
Values: TypeAlias = tuple[int, ...]
"""Values to use up in one phase, in ascending order, without zeros."""
Step: TypeAlias = tuple[int, int]
"""Move of one pyramid from a spot to a lower one, or to `OFF`."""

EMPTY: Track = (0,) * 6
"""Track of a seat that has all its pyramids off."""

_STEPS_BY_VALUE: dict[int, list[Step]] = {
    value: [(spot, max(spot - value, OFF)) for spot in range(1, 7)] for value in range(1, 7)
}
"""Steps that each value allows, from the lowest spot to the highest."""
_OFF_TEXT = "off"
_STEP_TEXTS = {(start, end): f"{start}-{end or _OFF_TEXT}" for start in range(1, 7) for end in range(start)}
_STEP_BY_TEXT = {text: step for step, text in _STEP_TEXTS.items()}

_STEP_PATTERN = re.compile(
    r"([1-6])\s*(?:[-/>]|to)\s*(off|[0-6xo])(?:\s*[x*×]\s*([1-9]))?(?:[\s,;]+(?:and\s+)?|$)",
    re.IGNORECASE,
)
_SPEND_PREFIX = re.compile(r"(?:move|spend|play)\b\s*", re.IGNORECASE)


def borne_off(track: Track) -> int:
    """Count the pyramids that have left a track."""
    return PYRAMIDS - sum(track)


def bears_off(move: Move) -> bool:
    """Return whether a spending takes a pyramid off the track."""
    return _OFF_TEXT in move


def pips(track: Track) -> int:
    """Return the sum of the spots that pyramids stand on."""
    return sum(spot * count for spot, count in enumerate(track, 1))


@cache
def move_pyramid(track: Track, step: Step) -> Track:
    """Move one pyramid."""
    counts = list(track)
    start, end = step
    counts[start - 1] -= 1
    if end != OFF:
        counts[end - 1] += 1
    return tuple(counts)


def after_spending(track: Track, move: Move) -> Track:
    """Return the track after a spending."""
    return tuple(map(sub, track, _taken_pyramids(move)))


@cache
def _taken_pyramids(move: Move) -> Track:
    """Return how many pyramids a spending takes from each spot, less those that it brings there."""
    left_from, come_to = zip(*map(_STEP_BY_TEXT.__getitem__, move.split()), strict=True)
    return tuple(left_from.count(spot) - come_to.count(spot) for spot in range(1, 7))


@cache
def spendings(track: Track, values: Values) -> tuple[Move, ...]:
    """Return every legal spending in canonical text, each once (Legality).

    There are 924 tracks and 33 groups of values, so at most some 30 000 short lists are ever cached.
    """
    moves, allowed = _possible_spendings(values)
    legal = reduce(and_, map(getitem, allowed, track))
    return tuple(compress(moves, legal.to_bytes(len(moves), "little")))


SpendingSet: TypeAlias = int
"""Set of spendings as a number of one byte for each, 0 or 1, so that an intersection is a single operation."""


@cache
def _possible_spendings(values: Values) -> tuple[list[Move], list[list[SpendingSet]]]:
    """Return the spendings of some values on any track, and the set that each number of pyramids on a spot allows.

    From the highest step to the lowest, all pyramids that come to a spot are there before one leaves it. So a spending
    that uses all values needs as many pyramids as it takes; one that leaves values over takes all that there are.
    """
    moves = list[Move]()
    allowed = [[0] * (PYRAMIDS + 1) for _ in EMPTY]
    for steps in dict.fromkeys(_descending_steps(values, (PYRAMIDS, PYRAMIDS))):
        move, uses_all = format_steps(steps), len(steps) == len(values)
        taken = _taken_pyramids(move)
        if uses_all or min(taken) >= 0:
            for needed, sets in zip(taken, allowed, strict=True):
                for count in range(max(needed, 0), PYRAMIDS + 1) if uses_all else (needed,):
                    sets[count] |= 1 << _BYTE_BITS * len(moves)
            moves.append(move)
    return moves, allowed


def _descending_steps(values: Values, last: Step) -> Iterator[tuple[Step, ...]]:
    """Yield all rows of steps that use up values, or some of them, going down from the last step."""
    for value in dict.fromkeys(values):
        at = values.index(value)
        rest = values[:at] + values[at + 1 :]
        for step in _STEPS_BY_VALUE[value]:
            if step <= last:
                yield (step,)
                yield from ((step, *steps) for steps in _descending_steps(rest, step))


def format_steps(steps: Iterable[Step]) -> Move:
    """Format steps, given from the highest to the lowest, as a move."""
    return Move(" ".join(map(_STEP_TEXTS.__getitem__, steps)))


def parse_steps(line: str) -> tuple[Step, ...]:
    """Parse steps in any order and in all forms of the rulebook, highest first; InvalidMove for anything else."""
    prefix = _SPEND_PREFIX.match(line)
    at = prefix.end() if prefix else 0
    steps: list[Step] = []
    while found := _STEP_PATTERN.match(line, at):
        start, end = int(found[1]), int(found[2]) if found[2] in "123456" else OFF
        if end >= start:
            raise InvalidMove("“{start}-{end}” does not go down.", start=start, end=end)
        steps += [(start, end)] * int(found[3] or 1)
        at = found.end()
    if at < len(line) or not steps:
        raise InvalidMove("That is not a list of steps.")
    return tuple(sorted(steps, reverse=True))


def pieces(track: Track, values: Values, chosen: tuple[str, ...]) -> tuple[str, ...]:
    """Return the steps that may follow those chosen, highest first: each is possible now, and none is a dead end."""
    taken = Counter(chosen)
    lists = [Counter(move.split()) for move in spendings(track, values)]
    after = {text for steps in lists if taken <= steps for text in steps - taken}
    if not after:
        return ()
    now = track
    for step in map(_parse_step, chosen):
        now = move_pyramid(now, step)
    return tuple(text for text in sorted(after, key=_parse_step, reverse=True) if now[_parse_step(text)[0] - 1] > 0)


def _parse_step(text: str) -> Step:
    return parse_steps(text)[0]


def nearest(track: Track, values: Values, steps: Iterable[Step], wanted: int) -> tuple[Move, ...]:
    """Return the legal spendings that have most in common with some steps."""
    typed: Counter[str] = Counter(format_steps([step]) for step in steps)
    common = {move: (Counter(move.split()) & typed).total() for move in spendings(track, values)}
    return tuple(sorted(common, key=lambda move: -common[move])[:wanted])


def find_fault(track: Track, values: Values, steps: tuple[Step, ...]) -> IllegalMove:
    """Return what is wrong with steps, highest first, that are no legal spending (Legality)."""
    spoken = values_phrase(values)
    if len(steps) > len(values):
        return IllegalMove("That is too many steps: the values to use are {values}, one step for each.", values=spoken)
    now = track
    for step in steps:
        spot = step[0]
        if not now[spot - 1]:
            text = format_steps([step])
            if track[spot - 1]:
                return IllegalMove("There are not enough pyramids on {spot} for “{step}”.", spot=spot, step=text)
            return IllegalMove("There is no pyramid on {spot} for “{step}”.", spot=spot, step=text)
        now = move_pyramid(now, step)
    left = list(values)
    for start, end in sorted(steps, key=lambda step: step[1] == OFF):
        need = start - end
        # A pyramid that leaves the track uses the highest value that the other steps have not used.
        paid = left[-1] if end == OFF and left[-1] >= need else need
        if paid not in left:
            exact = Phrase("“{step}” uses up a {need}", step=format_steps([(start, end)]), need=need)
            least = Phrase("“{step}” uses up a {need} or more", step=format_steps([(start, end)]), need=need)
            return IllegalMove(
                "{uses}, but the values to use are {values}, each once.", uses=exact if end else least, values=spoken
            )
        left.remove(paid)
    return IllegalMove(
        "Use all values while you have pyramids on your track: {values}, one step for each.", values=spoken
    )


def values_phrase(values: Values) -> Phrase:
    """Format the values to use: "3 and 6", "2 (4 times)"."""
    if len(set(values)) < len(values):
        return Phrase("{value} ({count} times)", value=values[0], count=len(values))
    *front, last = values
    return Phrase("{first} and {last}", first=tuple(front), last=last) if front else Phrase(str(last))
