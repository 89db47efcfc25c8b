"""Many runs, and a table of how they went: `python -m tests.faults --runs 200 --seed 1`.

`--smoke` makes one run, and judges all of it but how long it took.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from tests.faults.installation import WORKERS, installation
from tests.faults.points import faults
from tests.faults.runs import LATE, Play, Result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.faults.points import Fault

PAIRS = 0.2
"""So many of the runs have two faults at once."""


def plan(runs: int, chance: Random) -> Iterator[tuple[Fault, ...]]:
    """Choose what happens in each run: every fault in its turn, now and then with another."""
    every = list(faults())
    for number in range(runs):
        if number % len(every) == 0:
            chance.shuffle(every)
        one = every[number % len(every)]
        others = [other for other in every if other.point and other.point != one.point]
        yield (one, chance.choice(others)) if one.point and chance.random() < PAIRS else (one,)


def go(
    runs: int, seed: int, data: Path, say: Callable[[str], object], results: list[Result], workers: int = WORKERS
) -> None:
    """Execute all runs, one after the other, on one installation; report each, and add its result."""
    chance = Random(seed)
    with installation(data, workers) as here:
        play = Play(here, chance)
        for number, chosen in enumerate(plan(runs, chance), 1):
            result = play.run(chosen)
            results.append(result)
            names = " and ".join(fault.name for fault in chosen)
            say(f"{number:4} {result.done:5.1f} s  {result.moves:2} moves  {names}  {'; '.join(result.wrong)}")


def table(results: list[Result]) -> Iterator[str]:
    """Sum up how runs went, fault by fault."""
    of: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        for fault in result.faults:
            of[fault.name].append(result)
    yield f"{'fault':58} runs  slowest  repeated  wrong"
    for name in [fault.name for fault in faults() if fault.name in of]:
        mine = of[name]
        slowest, repeated = max(one.done for one in mine), sum(one.repeated for one in mine)
        yield f"{name:58} {len(mine):4} {slowest:6.1f} s {repeated:9} {sum(bool(one.wrong) for one in mine):6}"
    done = sorted(one.done for one in results)
    yield (
        f"{len(results)} runs with {sum(one.happened for one in results)} faults and "
        f"{sum(one.moves for one in results)} moves: {sum(one.repeated for one in results)} mails repeated, "
        f"all done after {done[len(done) // 2]:.1f} s (half of the runs) and {done[-1]:.1f} s (all), "
        f"{sum(bool(one.wrong) for one in results)} with something wrong"
    )


def main() -> int:
    """Execute the runs that were asked for; return exit status 1 where one went wrong."""
    asked = argparse.ArgumentParser(prog="tests.faults", description=__doc__)
    asked.add_argument("--runs", type=int, default=200)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--keep", type=Path, help="a folder, to be made, in which the data stay")
    asked.add_argument("--smoke", action="store_true", help="make one run, however long it takes")
    given = asked.parse_args()
    if given.smoke:
        given.runs = 1

    def say(line: str) -> None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    # Asked to end, it ends what it has started, and tells what came of it so far.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    results: list[Result] = []
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        home = given.keep or Path(folder)
        home.mkdir(parents=True, exist_ok=True)
        with suppress(KeyboardInterrupt):
            go(given.runs, given.seed, home / "data", say, results, workers=1 if given.smoke else WORKERS)
    for line in table(results):
        say(line)
    say(f"{time.monotonic() - began:.0f} s, seed {given.seed}")
    wrong = [one for result in results for one in result.wrong if not (given.smoke and one.startswith(LATE))]
    return int(bool(wrong) or (given.smoke and not results))


if __name__ == "__main__":
    sys.exit(main())
