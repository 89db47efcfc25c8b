"""How quickly `pbem up` starts and answers, and what memory it takes at rest: `make bench-up`.

Prints figures; asserts nothing. The memory is the proportional share (PSS) of all processes together.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from functools import partial
from pathlib import Path
from random import Random

from benchmarks.options import Options
from tests.support.live_service import LiveService, service, token_in, until


def start(folder: Path) -> float:
    """Start the service and stop it again; returns the seconds until it was ready."""
    began = time.monotonic()
    with service(folder):
        return time.monotonic() - began


def waits(live_service: LiveService, moves: int) -> list[float]:
    """Play a match by mail; returns the seconds from each reply's 250 to the next player's mail."""
    names = ("Ann", "Bob")
    match = live_service.start_match("martian-whist", {}, *names)
    chance = Random(1)  # noqa: S311 -- any moves will do
    found = []
    name, mail, view = until(partial(live_service.next_turn, match, names))
    for _ in range(moves):
        before = asked(live_service, names, set())
        live_service.reply(name, mail, chance.choice(view["moves"]))
        taken = time.monotonic()
        until(partial(asked, live_service, names, before), pause=0.005)
        found.append(time.monotonic() - taken)
        name, mail, view = until(partial(live_service.next_turn, match, names, view["ply"]))
    return found


def asked(live_service: LiveService, names: tuple[str, ...], before: set[str]) -> set[str]:
    """Name the mails that ask somebody for a move and were not there before."""
    return {mail["Message-ID"] for name in names for mail in live_service.mails(name) if token_in(mail)} - before


def main() -> None:
    """Measure and print."""
    options = Options(__doc__)
    options.number("--moves", 30, 2)
    options.number("--starts", 3, 1, "how often it is started again")
    options.number("--rest", 20.0, 0.0, "seconds without anything to do before the memory is looked at")
    wanted = options.told()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        print(f"ready from a fresh data folder   {start(data):6.1f} s")
        warm = [start(data) for _ in range(wanted.starts - 1)]
        began = time.monotonic()
        with service(data) as running:
            print(f"ready when warm                  {statistics.median([*warm, time.monotonic() - began]):6.1f} s")
            print(f"from a 250 to the next mail      {statistics.median(waits(running, wanted.moves)):6.3f} s (median)")
            time.sleep(wanted.rest)
            print(f"memory at rest                   {running.memory() / 1e6:6.0f} MB")


if __name__ == "__main__":
    main()
