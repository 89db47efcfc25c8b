"""How many deals set strong robots apart from fair ones: plain, beside par, and in a field of the same deals.

Each deal is played at all tables of a field. In the seat that is compared sits a strong or a fair robot, with even
chances; in all others one of the level `--others`, or any of the two (`mixed`): then all seats are compared. The same
tables count as plain matches, so that only the way of scoring differs:

- plain: the points less the mean of the others, less what this seat makes on average of all deals;
- field: the score that fields have (`pbem.events.deal_scores`);
- par: the margin less the mean of so many plays of the strong robot in that seat, at one table and seat of each deal.

Printed is how many deals each needs to hold a strong robot for no fair one: 5 of 100 fair ones are, and 80 of 100
strong ones are. `make bench-duplicates`.
"""

from __future__ import annotations

import math
import statistics
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from benchmarks.keeping import compute
from benchmarks.options import Options
from pbem import robots
from pbem.events.deal_scores import TableResult, compare, margins
from pbem.games import GAMES, Chance, Stream
from pbem.robots import Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

SHORT: Mapping[str, tuple[int, Mapping[str, object]]] = {
    "martian-trickery": (3, {"hands": 1}),
    "montauk": (2, {"rounds": 3}),
}
"""Seats and options of each game."""
GOALS = {"field": 0.85, "par": 0.75}
"""Deals that are needed at most, beside those of plain matches."""
CERTAIN, POWER = 1.960, 0.842
"""Standard errors above which 2.5 of 100 lie, and below which 80 of 100 do."""
RESAMPLES = 1000
METHODS = ("plain", "field", "par")
LEVELS = (Level.FAIR, Level.STRONG)
MIXED = "mixed"


@dataclass(frozen=True, slots=True)
class Plan:
    """A field that plays one deal after the other; `playouts` overrides those of the strong robot."""

    game: str
    tables: int
    plays: int
    playouts: int | None
    others: str


@dataclass(frozen=True, slots=True)
class Sample:
    """What a seat at a table came to; `par` is None where it was not played."""

    seat: int
    level: Level
    margin: float
    field: float
    par: float | None


def play_deal(numbered: tuple[Plan, int]) -> tuple[Sample, ...]:
    """Play the deal with a number at all tables, and one seat of one of them again as par does."""
    plan, deal = numbered
    seats, _ = SHORT[plan.game]
    stream = Stream(_seed("levels", plan.game, deal), "levels")
    hero, at = stream.below(seats), stream.below(plan.tables)
    drawn = [[LEVELS[stream.below(2)] for _ in range(seats)] for _ in range(plan.tables)]
    if plan.others != MIXED:
        drawn = [[level if seat == hero else Level(plan.others) for seat, level in enumerate(one)] for one in drawn]
    points = [_play(plan, deal, levels, f"table {number}") for number, levels in enumerate(drawn)]
    again = [Level.STRONG if seat == hero else level for seat, level in enumerate(drawn[at])]
    plays = [float(margins(_play(plan, deal, again, f"par {number}"))[hero]) for number in range(plan.plays)]
    samples = []
    for number, scores in enumerate(compare([TableResult(one) for one in points]) or ()):
        for seat, score in enumerate(scores or ()):
            if score is not None and score.margin is not None and (plan.others == MIXED or seat == hero):
                margin = float(score.margin)
                par = margin - statistics.fmean(plays) if plays and (number, seat) == (at, hero) else None
                samples.append(Sample(seat, drawn[number][seat], margin, float(score.score), par))
    return tuple(samples)


def _play(plan: Plan, deal: int, levels: Sequence[Level], purpose: str) -> tuple[int, ...]:
    rules, chance = GAMES[plan.game], Chance(_seed("deal", plan.game, deal))
    seats, options = SHORT[plan.game]
    position, ply = rules.setup(seats, rules.settle(seats, options), chance), 0
    while to_move := rules.to_move(position):
        seat, ply = to_move[0], ply + 1
        position = rules.apply(position, seat, _choose(plan, position, seat, levels, _seed(purpose, deal, ply)), chance)
    outcome = rules.outcome(position)
    return outcome.scores if outcome else (0,) * seats


def _choose(plan: Plan, position: Any, seat: Any, levels: Sequence[Level], seed: bytes) -> Any:
    rules, level = GAMES[plan.game], levels[seat - 1]
    if level in robots.QUICK_LEVELS:
        return robots.choose_quickly(rules, position, seat, level, seed)
    return robots.think(plan.game, rules.view(position, seat), level, seed, plan.playouts).move


def _seed(*parts: object) -> bytes:
    return sha256("/".join(map(str, parts)).encode()).digest()


def needed(deals: Sequence[tuple[Sample, ...]], method: str) -> float:
    """Return how many deals a method needs; infinite if it has no strong and fair ones to compare.

    How far strong and fair ones lie apart is the same for each method, so it comes from plain scores.
    """
    plain, wanted = _by_level(deals, "plain"), _by_level(deals, method)
    if min(map(len, (*plain.values(), *wanted.values()))) < 2:  # noqa: PLR2004 -- a deviation needs two
        return math.inf
    apart = statistics.fmean(plain[Level.STRONG]) - statistics.fmean(plain[Level.FAIR])
    errors = CERTAIN * statistics.stdev(wanted[Level.FAIR]) + POWER * statistics.stdev(wanted[Level.STRONG])
    return (errors / apart) ** 2 if apart else math.inf


def _by_level(deals: Sequence[tuple[Sample, ...]], method: str) -> dict[Level, list[float]]:
    every = [sample for deal in deals for sample in deal]
    usual = {
        seat: statistics.fmean(one.margin for one in every if one.seat == seat) for seat in {s.seat for s in every}
    }
    scores: dict[Level, list[float]] = {Level.FAIR: [], Level.STRONG: []}
    for one in every:
        score = {"plain": one.margin - usual[one.seat], "field": one.field, "par": one.par}[method]
        if score is not None:
            scores[one.level].append(score)
    return scores


def report(deals: Sequence[tuple[Sample, ...]]) -> Iterator[str]:
    """Return the figures of some deals, each with the interval in which 95 of 100 resamples lie, beside its goal."""
    stream = Stream(_seed("resample"), "resample")
    drawn = [[deals[stream.below(len(deals))] for _ in deals] for _ in range(RESAMPLES)]
    plain = _by_level(deals, "plain")
    told = ", ".join(f"{level} {statistics.fmean(values):+.2f}" for level, values in plain.items() if values)
    yield f"  {len(deals)} deals; mean of plain scores: {told}"
    for method in METHODS:
        low, high = _interval([needed(some, method) for some in drawn])
        yield f"  {method}: {needed(deals, method):.1f} deals needed ({low:.1f} to {high:.1f})"
    for method, goal in GOALS.items():
        share = _share(deals, method)
        low, high = _interval([_share(some, method) for some in drawn])
        surely = "" if high <= goal or low > goal else ", not surely"
        verdict = f"{'met' if share <= goal else 'MISSED'}{surely}"
        yield f"  {method} beside plain: {share:.2f} ({low:.2f} to {high:.2f}; goal: at most {goal}; {verdict})"


def _share(deals: Sequence[tuple[Sample, ...]], method: str) -> float:
    plain = needed(deals, "plain")
    return needed(deals, method) / plain if 0 < plain < math.inf else math.nan


def _interval(values: list[float]) -> tuple[float, float]:
    ordered = sorted(value for value in values if math.isfinite(value)) or [math.nan]
    return ordered[int(0.025 * len(ordered))], ordered[min(len(ordered) - 1, int(0.975 * len(ordered)))]


def main() -> None:
    """Play the deals of each game, and print the figures as they come in."""
    options = Options(__doc__)
    options.add_argument("--game", default="", help="key of the game; none: all")
    options.add_argument("--others", choices=(*LEVELS, MIXED), default=Level.STRONG, help="who sits in other seats")
    options.number("--deals", 400, 4, "deals of each game")
    options.number("--first", 0, 0, "number of the first deal")
    options.number("--tables", 5, 2, "tables of a field")
    options.number("--plays", 20, 2, "plays of par; 0 leaves it out")
    options.number("--playouts", 0, 5, "playouts of the strong robot; 0 is its own number")
    options.number("--every", 20, 4, "deals after which figures are printed")
    options.number("--jobs", 2, 1, "deals at once")
    options.add_argument("--keep", default="", help="file in which results are kept, to go on after a stop")
    wanted = options.told()
    for game in [wanted.game] if wanted.game else SHORT:
        plan, begun = Plan(game, wanted.tables, wanted.plays, wanted.playouts or None, wanted.others), time.monotonic()
        print(
            f"{game}, {SHORT[game]}, {plan.tables} tables, {plan.playouts or 'its own'} playouts, others {plan.others}",
            flush=True,
        )
        deals: list[tuple[Sample, ...]] = []
        with ProcessPoolExecutor(wanted.jobs) as pool:
            numbered = [(plan, number) for number in range(wanted.first, wanted.first + wanted.deals)]
            for deal in compute(pool, play_deal, numbered, wanted.keep):
                deals.append(deal)
                if len(deals) % wanted.every == 0 or len(deals) == wanted.deals:
                    print(*report(deals), f"  {time.monotonic() - begun:.0f} s", sep="\n", flush=True)


if __name__ == "__main__":
    main()
