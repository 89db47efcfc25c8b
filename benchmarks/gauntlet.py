"""How strong the robots are: each deal is played once with the tested robot in each seat, and is one sample.

In a game for one the margin is the points, and the share says how often the robot won.

`make gauntlet` plays what pages say of all levels, and writes `pbem/robots/strengths.toml`; `--game` leaves out the
other games. With `--level` one pairing is played and printed, and with `--write` written too.
"""

from __future__ import annotations

import math
import statistics
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from benchmarks import strengths
from benchmarks.options import Options
from pbem import robots
from pbem.games import GAMES, Chance, Outcome, Seat
from pbem.robots import Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pbem.games import Move

RANDOM = "random"
"""Player of any legal move."""
CERTAINTY = 0.95
CONFIDENCE = 1.96
"""Standard errors on each side of a mean that hold it in 95 of 100 cases."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A robot that is tested, and the one in all other seats; `playouts` overrides those of its level."""

    game: str
    seats: int
    options: Mapping[str, object]
    tested: str
    against: str
    playouts: int | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """What one deal came to: the tested robot's share of the wins, its mean margin, and the seconds of its moves."""

    share: float
    margin: float
    seconds: tuple[float, ...]


def choose(pairing: Pairing, player: str, position: Any, seat: Seat, seed: bytes) -> Move:
    """Choose a move as a player of a level does, or at random."""
    rules = GAMES[pairing.game]
    if player == RANDOM:
        return robots.any_move(rules, position, seat, seed)
    level = Level(player)
    if level in robots.QUICK_LEVELS:
        return robots.choose_quickly(rules, position, seat, level, seed)
    playouts = pairing.playouts if player == pairing.tested else None
    return robots.think(pairing.game, rules.view(position, seat), level, seed, playouts).move


def play_deal(pairing: Pairing, deal: int) -> Sample:
    """Play a deal once with the tested robot in each seat."""
    played = [_play(pairing, deal, hero) for hero in range(1, pairing.seats + 1)]
    shares, margins, seconds = zip(*played, strict=True)
    return Sample(statistics.fmean(shares), statistics.fmean(margins), tuple(each for some in seconds for each in some))


def _play(pairing: Pairing, deal: int, hero: int) -> tuple[float, float, tuple[float, ...]]:
    rules, chance = GAMES[pairing.game], Chance(_seed("deal", deal))
    position = rules.setup(pairing.seats, pairing.options, chance)
    seconds, ply = [], 0
    while to_move := rules.to_move(position):
        seat, ply = to_move[0], ply + 1
        player = pairing.tested if seat == hero else pairing.against
        begun = time.process_time()
        move = choose(pairing, player, position, seat, _seed("move", deal, hero, ply))
        if seat == hero:
            seconds.append(time.process_time() - begun)
        position = rules.apply(position, seat, move, chance)
    outcome = rules.outcome(position) or Outcome((0,) * pairing.seats, ())
    share = 1 / len(outcome.winners) if hero in outcome.winners else 0.0
    others = [score for seat, score in enumerate(outcome.scores, 1) if seat != hero]
    return share, outcome.scores[hero - 1] - statistics.fmean(others or [0]), tuple(seconds)


def _seed(*parts: object) -> bytes:
    return sha256("/".join(map(str, parts)).encode()).digest()


def interval(values: list[float]) -> tuple[float, float]:
    """Return the mean of some samples, and half the width of its interval of 95 %."""
    half = CONFIDENCE * statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    return statistics.fmean(values), half


def play(pairing: Pairing, deals: range, jobs: int) -> Iterator[Sample]:
    """Play some deals, several at once."""
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(partial(play_deal, pairing), deals)


@dataclass(frozen=True, slots=True)
class Figures:
    """What the deals of a pairing came to, with the interval of 95 % of the share, and milliseconds for a move."""

    pairing: Pairing
    deals: int
    share: float
    low: float
    high: float
    margin: float
    margin_half: float
    median_ms: float
    most_ms: float

    @classmethod
    def of(cls, pairing: Pairing, samples: list[Sample]) -> Figures:
        """Compute the figures of some samples."""
        share, half = interval([sample.share for sample in samples])
        margin, margin_half = interval([sample.margin for sample in samples])
        seconds = sorted(each for sample in samples for each in sample.seconds)
        most = seconds[int(len(seconds) * 0.95)]
        low, high = max(share - half, 0.0), min(share + half, 1.0)
        if not half:
            # All deals alike: the share at which so many of them are still seen in 2.5 of 100 cases.
            rare = ((1 - CERTAINTY) / 2) ** (1 / len(samples))
            low, high = (rare, 1.0) if share else (0.0, 1 - rare)
        middle = 1000 * statistics.median(seconds)
        return cls(pairing, len(samples), share, low, high, margin, margin_half, middle, 1000 * most)

    @property
    def line(self) -> str:
        """The figures in a line."""
        pairing = self.pairing
        what = f"{pairing.game} {pairing.tested}"
        share = f"{self.share:.3f} ({self.low:.3f} to {self.high:.3f}"
        if pairing.seats > 1:
            what += f" against {pairing.against}, {pairing.seats} seats"
            told = f"share {share}; even {1 / pairing.seats:.3f}), margin {self.margin:+.2f} ± {self.margin_half:.2f}"
        else:
            told = f"points {self.margin:.2f} ± {self.margin_half:.2f}, won {share})"
        times = f"ms a move: median {self.median_ms:.0f}, 95 % {self.most_ms:.0f}"
        return f"{what}, {self.deals} deals: {told}, {times}"


def measure(pairing: Pairing, deals: range, jobs: int) -> Figures:
    """Play a pairing, and print its figures as deals come in."""
    samples: list[Sample] = []
    for sample in play(pairing, deals, jobs):
        samples.append(sample)
        if len(samples) % 10 == 0 and len(samples) < len(deals):
            print(" …", Figures.of(pairing, samples).line, flush=True)
    figures = Figures.of(pairing, samples)
    print(figures.line, flush=True)
    return figures


def main() -> None:
    """Play one pairing or all that are planned, and print their figures."""
    options = Options(__doc__)
    options.add_argument("--game", default="", help="key of the game")
    options.add_argument("--level", default="", help="level that is tested, or “random”; none: all that are planned")
    options.add_argument("--against", default="fair", help="level of all others, or “random”")
    options.add_argument("--option", default="", help="options of the match, as sets=2,hands=1")
    options.add_argument("--write", action="store_true", help="write the figures of one pairing into the file")
    options.number("--seats", 0, 0, "seats; 0 is the fewest that the game has")
    options.number("--deals", 400, 2, "deals")
    options.number("--first", 0, 0, "number of the first deal")
    options.number("--playouts", 0, 5, "playouts of the tested level; 0 is its own number")
    options.number("--jobs", 2, 1, "deals at once")
    wanted = options.told()
    deals = range(wanted.first, wanted.first + wanted.deals)
    playouts = wanted.playouts or None
    if wanted.level:
        game = wanted.game or "martian-whist"
        seats = wanted.seats or GAMES[game].seats[0]
        planned = [(game, seats, _typed(wanted.option), wanted.level, wanted.against)]
    else:
        planned = [*strengths.planned(wanted.game)]
    for each in planned:
        figures = measure(Pairing(*each, playouts), deals, wanted.jobs)
        if not wanted.smoke and (wanted.write or not wanted.level):
            strengths.write(figures, datetime.now(UTC).date())


def _typed(text: str) -> dict[str, object]:
    """Parse options of a match, as `sets=2,hands=1`."""
    chosen = dict(part.split("=") for part in text.split(",") if part)
    return {name: int(value) if value.isdigit() else value for name, value in chosen.items()}


if __name__ == "__main__":
    main()
