"""How strong the robots are: each deal is played once with the tested robot in each seat, and is one sample.

In a game for one the margin is the points, and the share says how often the robot won.

`make gauntlet` plays what `pbem/robots/strengths.toml` states, and writes it. With `--game` and `--level` one pairing
is played and printed.
"""

from __future__ import annotations

import math
import statistics
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from benchmarks.options import Options
from pbem import robots
from pbem.games import GAMES, Chance, Outcome, Seat
from pbem.robots import Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pbem.games import Move

RANDOM = "random"
"""Player of any legal move."""
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


def main() -> None:
    """Play one pairing, and print its figures as deals come in."""
    options = Options(__doc__)
    options.add_argument("--game", default="martian-whist", help="key of the game")
    options.add_argument("--level", default="strong", help="level that is tested, or “random”")
    options.add_argument("--against", default="fair", help="level of all others, or “random”")
    options.add_argument("--option", default="", help="options of the match, as sets=2,hands=1")
    options.number("--seats", 0, 0, "seats; 0 is the fewest that the game has")
    options.number("--deals", 400, 2, "deals")
    options.number("--first", 0, 0, "number of the first deal")
    options.number("--playouts", 0, 5, "playouts of the tested level; 0 is its own number")
    options.number("--jobs", 2, 1, "deals at once")
    wanted = options.told()
    rules = GAMES[wanted.game]
    chosen = dict(part.split("=") for part in wanted.option.split(",") if part)
    typed = {name: int(value) if value.isdigit() else value for name, value in chosen.items()}
    pairing = Pairing(
        wanted.game, wanted.seats or rules.seats[0], typed, wanted.level, wanted.against, wanted.playouts or None
    )
    samples: list[Sample] = []
    for sample in play(pairing, range(wanted.first, wanted.first + wanted.deals), wanted.jobs):
        samples.append(sample)
        if len(samples) % 10 == 0 or len(samples) == wanted.deals:
            print(line(pairing, samples), flush=True)


def line(pairing: Pairing, samples: list[Sample]) -> str:
    """Return the figures of some samples in a line."""
    share, half = interval([sample.share for sample in samples])
    margin, margin_half = interval([sample.margin for sample in samples])
    seconds = sorted(each for sample in samples for each in sample.seconds)
    median, most = statistics.median(seconds), seconds[int(len(seconds) * 0.95)]
    parts = [f"{pairing.game} {pairing.tested}"]
    if pairing.seats > 1:
        parts[0] += f" against {pairing.against}"
        shares = f"share {share:.3f} ± {half:.3f} (even {1 / pairing.seats:.3f})"
        parts += [f"{len(samples)} deals", shares, f"margin {margin:+.2f} ± {margin_half:.2f}"]
    else:
        points = f"points {margin:.2f} ± {margin_half:.2f}"
        parts += [f"{len(samples)} deals", points, f"won {share:.3f} ± {half:.3f}"]
    return ", ".join((*parts, f"ms a move: median {1000 * median:.0f}, 95 % {1000 * most:.0f}"))


if __name__ == "__main__":
    main()
