"""Plant fault after fault, and print which test notices each: `python -m tests.planted`."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

from tests.planted.fault import PlantingError, every
from tests.planted.runs import attempts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tests.planted.fault import Fault
    from tests.planted.runs import Attempts, Result


def chosen(faults: Sequence[Fault], areas: Sequence[str], text: str, *, smoke: bool) -> list[Fault]:
    """Return the faults of some areas, or all, with a text in their names; for a smoke test only the first one."""
    found = [fault for fault in faults if (not areas or fault.area in areas) and text.casefold() in fault.name]
    return found[:1] if smoke else found


def go(trying: Attempts, faults: Sequence[Fault], say: Callable[[str], object], *, everything: bool) -> list[Result]:
    """Try all faults one after another, and say of each what came of it; returns what came of those that could be."""
    results = []
    for number, fault in enumerate(faults, 1):
        try:
            result = trying.attempt(fault)
            if everything and not result.caught:
                result = trying.attempt(fault, everything=True)
        except PlantingError as wrong:
            say(f"{number:4}  {fault.area}: {fault.name}: COULD NOT BE TRIED: {wrong}")
            continue
        what = f"caught by {result.caught}" if result.caught else "SURVIVED"
        say(f"{number:4} {result.seconds:6.1f} s  {fault.area}: {fault.name}: {what}")
        results.append(result)
    return results


def count(results: Sequence[Result]) -> Iterator[str]:
    """Sum up, area by area, how many faults were noticed."""
    planted = Counter(result.fault.area for result in results)
    caught = Counter(result.fault.area for result in results if result.caught)
    yield from (f"{area}: {caught[area]} of {planted[area]} caught" for area in sorted(planted))
    yield f"{caught.total()} of {planted.total()} planted faults caught"


def main() -> int:
    """Try the faults that were asked for; exit status 1 where one survived, 2 where nothing can be told."""
    asked = argparse.ArgumentParser(prog="tests.planted", description=__doc__)
    asked.add_argument("areas", nargs="*", help="only these lists of faults")
    asked.add_argument("--only", default="", help="only those with this text in their names")
    asked.add_argument("--smoke", action="store_true", help="one of them, to see that planting works")
    asked.add_argument("--all", action="store_true", help="try what survives on all tests; each takes many minutes")
    given = asked.parse_args()

    def say(line: str) -> None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    # Asked to end, it ends what it has started.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    began = time.monotonic()
    faults = chosen(every(), given.areas, given.only.casefold(), smoke=given.smoke)
    try:
        with attempts() as trying:
            results = go(trying, faults, say, everything=given.all)
            unsound = trying.unsound(results)
    except PlantingError as wrong:
        say(str(wrong))
        return 2
    for name in unsound:
        say(f"fails without any fault, so it has caught none: {name}")
    for line in count(results):
        say(line)
    say(f"{time.monotonic() - began:.0f} s")
    if unsound or len(results) < len(faults):
        return 2
    return int(not all(result.caught for result in results))


if __name__ == "__main__":
    sys.exit(main())
