"""How good looking back is: seconds, how well its chances fit results, and whether it finds bad moves.

Robots play matches with short options, half of them at the level fair and half at strong; the person is in seat 1.
Chances are compared with results at each move of all matches. In further matches the person makes one bad move, whose
loss is known, and is expected to find it among the turning points. `make bench-lookbacks`.
"""

from __future__ import annotations

import json
import math
import statistics
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from benchmarks.gauntlet import interval
from benchmarks.keeping import compute
from benchmarks.options import Options
from benchmarks.robot_matches import Plan, play
from pbem.games import GAMES
from pbem.robots import Level, find
from pbem.robots.looking_back import steps
from pbem.robots.looking_back.effort import Effort
from pbem.robots.looking_back.turning_points import MAX_NAMED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.games.record import Record

SHORT: dict[str, dict[str, object]] = {
    "amazonian-buffet": {},
    "martian-trickery": {"hands": 1},
    "martian-whist": {"sets": 2},
    "minimax": {"size": "small"},
    "montauk": {"rounds": 12},
}
"""Short options of each game; Montauk's are its longest, since most matches have them."""
SECONDS, WITHIN, ENOUGH, BETTER, UNEXPLAINED, FOUND = 60, 5, 200, 15, 3, 90
"""Goals: seconds of a core; points of a hundred in each tenth with so many steps; per cent by which the Brier score is
better than that of even chances; points that may stay unexplained in 95 of 100; bad moves found of 100."""
BAD_LOSS = 25.0
BAD_POINTS = 3.0


@dataclass(frozen=True, slots=True)
class Looked:
    """What looking back on a match came to."""

    moves: int
    seconds: float
    longest: float
    facts: dict[str, Any]
    shares: tuple[float, ...]
    """Share of the win of each seat."""
    planted: int | None


def look(plan: Plan, effort: Effort | None = None) -> Looked:
    """Play a match and look back on it."""
    record, planted = play(plan)
    begun = last = time.process_time()
    longest, facts = 0.0, None
    for progress in steps(record, {}, effort):
        now = time.process_time()
        longest, last, facts = max(longest, now - last), now, progress.result
    winners: Any = record.result["winners"]
    shares = tuple((seat in winners) / max(1, len(winners)) for seat in range(1, plan.seats + 1))
    return Looked(len(record.log), last - begun, longest, facts or {}, shares, planted)


def report(looked: list[Looked]) -> Iterator[str]:
    """Return the figures of some matches, each beside its goal."""
    seconds, longest = [each.seconds for each in looked], max(each.longest for each in looked)
    told = f"seconds of a core: median {statistics.median(seconds):.1f}, most {max(seconds):.1f}"
    told += f"; longest piece {longest:.2f}"
    yield _beside(told, f"at most {SECONDS}", met=max(seconds) <= SECONDS)
    unexplained = sorted(abs(row["unexplained"]) for each in looked for row in each.facts["account"])
    most = unexplained[math.ceil(0.95 * len(unexplained)) - 1]
    yield _beside(f"unexplained: in 95 of 100 at most {most}", f"at most {UNEXPLAINED}", met=most <= UNEXPLAINED)
    luck = [each.facts["account"][0]["luck"] for each in looked]
    mean, half = interval(luck)
    yield _beside(f"luck of seat 1: mean {mean:+.2f} ± {half:.2f}", "0 within the interval", met=abs(mean) <= half)
    if looked[0].facts["unit"] == "chance":
        yield from _calibration(looked)
    else:
        ends = [each.facts["account"][0]["end"] for each in looked]
        starts = [each.facts["account"][0]["start"] for each in looked]
        yield f"  points: {statistics.fmean(ends):.2f} made, {statistics.fmean(starts):.2f} expected of other deals"


def _calibration(looked: list[Looked]) -> Iterator[str]:
    tenths: list[list[tuple[float, float]]] = [[] for _ in range(10)]
    for each in looked:
        for entry in each.facts["chart"][:-1]:
            for value, share in zip(entry["values"], each.shares, strict=True):
                tenths[min(9, int(value // 10))].append((value, 100 * share))
    for at, steps_ in enumerate(tenths):
        if steps_:
            said, came = (statistics.fmean(column) for column in zip(*steps_, strict=True))
            told = f"said {said:.1f} of 100, came {came:.1f} ({len(steps_)} steps, {10 * at} to {10 * at + 10})"
            met = abs(said - came) <= WITHIN if len(steps_) >= ENOUGH else None
            yield _beside(told, f"within {WITHIN}", met=met)
    middle = [(each.facts["chart"][len(each.facts["chart"]) // 2]["values"], each.shares) for each in looked]
    brier = statistics.fmean(_brier(values, shares) for values, shares in middle)
    even = statistics.fmean(_brier([100 / len(shares)] * len(shares), shares) for _, shares in middle)
    better = 100 * (1 - brier / even) if even else 0.0
    told = f"Brier score in the middle: {brier:.3f}, of even chances {even:.3f}: {better:.0f} % better"
    yield _beside(told, f"at least {BETTER} %", met=better >= BETTER)


def _brier(values: list[float], shares: tuple[float, ...]) -> float:
    return math.fsum((value / 100 - share) ** 2 for value, share in zip(values, shares, strict=True))


def report_planted(looked: list[Looked], loss: float) -> str:
    """Return how many of the bad moves are among the turning points, and how many are behind worse ones of the robot.

    `loss` is the smallest that was planted.
    """
    planted = [each for each in looked if each.planted]
    missed = [each for each in planted if each.planted not in {one["ply"] for one in each.facts["turning_points"]}]
    worse = sum(_named(each, loss) == MAX_NAMED for each in missed)
    found = len(planted) - len(missed)
    figures = f"bad moves found: {found} of {len(planted)}; {worse} more are behind {MAX_NAMED} that lose as much"
    return _beside(figures, f"{FOUND} of 100", met=100 * found >= FOUND * len(planted) if planted else None)


def _named(looked: Looked, loss: float) -> int:
    """Count the turning points that lost at least as much."""
    return sum(point["best_value"] - point["value"] >= loss for point in looked.facts["turning_points"])


def is_same_again(record: Record, effort: Effort | None) -> bool:
    """Return whether looking back comes to the same bytes when its work is stopped after each piece and written."""
    whole = [progress.result for progress in steps(record, {}, effort)][-1]
    work: dict[str, Any] = {}
    while (progress := next(iter(steps(record, work, effort)))).result is None:
        work = json.loads(json.dumps(progress.work))
    return json.dumps(whole) == json.dumps(progress.result)


def _beside(told: str, goal: str, *, met: bool | None) -> str:
    verdict = {True: "met", False: "MISSED", None: "too few"}[met]
    return f"  {told} (goal: {goal}; {verdict})"


def main() -> None:
    """Play matches of each game, look back on them, and print the figures."""
    options = Options(__doc__)
    options.add_argument("--game", default="", help="key of the game; none: all")
    options.add_argument("--options", default="", help="options of the matches as JSON, in place of the short ones")
    options.number("--matches", 200, 2, "matches of each game")
    options.number("--planted", 100, 1, "matches with a bad move")
    options.number("--first", 0, 0, "number of the first match")
    options.number("--people", 1, 1, "seats that count as people's")
    options.number("--seats", 0, 0, "seats; 0 is the fewest that the game has")
    options.add_argument("--level", default="", help="level of all seats; none: fair and strong by turns")
    options.number("--playouts", 0, 12, "playouts for an outlook; 0 is the robot's own number")
    options.number("--shorter", 0, 1, "1: the shortest matches there are, without the longest games")
    options.number("--jobs", 2, 1, "matches at once")
    options.add_argument("--keep", default="", help="file in which results are kept, to go on after a stop")
    wanted = options.told()
    with ProcessPoolExecutor(wanted.jobs) as pool:
        for game in [wanted.game] if wanted.game else [key for key in GAMES if find(key)]:
            chosen = json.loads(wanted.options) if wanted.options else SHORT.get(game, {})
            if wanted.shorter:
                chosen = {**chosen, **({"rounds": 1} if game == "montauk" else {})}
            seats, numbers = wanted.seats or GAMES[game].seats[0], range(wanted.first, wanted.first + wanted.matches)
            levels = [Level(wanted.level)] * 2 if wanted.level else [Level.FAIR, Level.STRONG]
            levels = [Level.FAIR] * 2 if wanted.smoke else levels
            effort = _effort(game, wanted.playouts, wanted.smoke)
            plans = [Plan(game, seats, chosen, levels[number % 2], number, wanted.people) for number in numbers]
            print(f"{game}, {seats} seats, {chosen}: {len(plans)} matches", flush=True)
            looked = partial(look, effort=effort)
            print(*report([*compute(pool, looked, plans, wanted.keep)]), sep="\n", flush=True)
            loss = BAD_LOSS if seats > 1 else BAD_POINTS
            bad = [Plan(game, seats, chosen, Level.FAIR, number, 1, loss) for number in range(wanted.planted)]
            if bad:
                print(report_planted([*compute(pool, looked, bad, wanted.keep)], loss), flush=True)
            same = is_same_again(play(plans[0])[0], effort)
            print(_beside(f"the same bytes however it is stopped: {same}", "the same", met=same), flush=True)


def _effort(game: str, playouts: int, smoke: bool) -> Effort | None:  # noqa: FBT001
    robot = find(game)
    if not playouts or robot is None:
        return None
    usual = Effort.of(robot)
    return replace(usual, outlook=playouts, choice=20, draws=2) if smoke else replace(usual, outlook=playouts)


if __name__ == "__main__":
    main()
