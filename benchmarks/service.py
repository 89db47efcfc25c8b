"""What a move costs, beside other systems that take a mail and send some: `make bench-service`.

One run measures, several times over and in turns, so that a busy machine is busy for all of them:

- ours: the service with matches of all games, all played at once by replies that quote the mail they answer;
- floor: the same commits, writes, bytes and mails by as little work as there can be, and nothing decided;
- plain: an app that is written in the usual way with the same libraries;
- mailman, roundup: a post to a list of two, and a reply to an issue that two hear of, where `make bench-peers` has
  installed them;
- pgbench: the writes of a move alone.

Each round begins with a checkpoint and ends when the last mail has arrived. Printed are the milliseconds of all
processors for a move, part by part; those of the harness, which writes the replies and takes the mails in a process of
its own, are told apart. Then the service is given moves at six tenths of the rate that it has shown, and one at a
time: the seconds until the next player has the mail. `--only flat` measures a move among few matches and among 100,000
running ones with 1,200,000 moves; `--only thoughts` measures moves while robots think, and without; `--only memory`
looks at `pbem up` at rest. Prints figures, and the goals beside
them; asserts nothing.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from benchmarks import goals
from benchmarks.goals import Reached, percentile, reached, table
from benchmarks.options import Options
from benchmarks.players import CLIENTS
from benchmarks.systems import install
from benchmarks.systems.floor.system import Floor
from benchmarks.systems.mailman import Mailman
from benchmarks.systems.ours import Ours
from benchmarks.systems.pgbench import Pgbench
from benchmarks.systems.plain.system import Plain
from benchmarks.systems.roundup import Roundup
from tests.support.live_service import service

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Mapping

    from benchmarks.systems.system import Found, System

SystemT = TypeVar("SystemT", bound="System")

PARTS = ("moves", "accept", "latency", "thoughts", "flat", "memory")
SMOKED = PARTS[:4]
"""The others do the same with services of their own, and `python -m benchmarks.up --smoke` looks at memory."""
PEERS: Mapping[str, Callable[[Path, int], System]] = {
    "floor": Floor, "plain": Plain, "mailman": Mailman, "roundup": Roundup, "pgbench": Pgbench,
}  # fmt: skip
LOAD = 0.6
"""The share of its capacity that an open load asks of the service."""
OFTEN = 0.95


def main() -> None:
    """Measure and print."""
    options = Options(__doc__)
    options.number("--rounds", 5, 1, "how often each is measured")
    options.number("--matches", 64, CLIENTS, "so many are played at once")
    options.number("--moves", 500, CLIENTS, "moves a round of ours and of the floor")
    options.number("--theirs", 128, CLIENTS, "moves a round of the other peers, which take longer")
    options.number("--mails", 2400, 16, "mails a round, accepted")
    options.number("--warm-up", 320, CLIENTS, "moves of ours before those that are measured")
    options.number("--seconds", 3, 1, "how long pgbench is measured in a round")
    options.number("--steady", 400, CLIENTS, "moves at an open load")
    options.number("--alone", 40, 2, "moves one at a time")
    options.number("--thoughts", 50, 2, "thoughts of robots that wait when a round begins")
    options.number("--crowd", 100_000, 1_000, "so many running matches are besides, where there are many")
    options.number("--rest", 20.0, 0.0, "seconds with nothing to do before the memory is looked at")
    options.number("--connections", CLIENTS, CLIENTS, "so many bring the mails that are accepted")
    options.number("--doors", 1, 1, "so many processes take mail")
    options.add_argument("--only", choices=PARTS, action="append", help="this alone; may be said several times")
    options.add_argument("--beside", choices=PEERS, action="append", help="this peer alone; may be said several times")
    wanted = options.told()
    wanted.only = wanted.only or list(SMOKED if wanted.smoke else PARTS)
    wanted.beside = [peer for peer in wanted.beside or PEERS if is_ready(peer)]
    if {"moves", "accept", "latency"} & {*wanted.only}:
        beside(wanted)
    if "thoughts" in wanted.only:
        beside_thoughts(wanted)
    if "flat" in wanted.only:
        flat(wanted)
    if "memory" in wanted.only:
        at_rest(wanted.rest)


def is_ready(peer: str) -> bool:
    """Return whether a peer can be measured; says how to get it, where it is not installed."""
    complaint = install.missing(peer) if peer in install.PEERS else None
    if complaint:
        print(complaint)
    return not complaint


@contextmanager
def staged(wanted: argparse.Namespace) -> Iterator[tuple[Ours, dict[str, Callable[[], Found]]]]:
    """Start all systems that are wanted; gives ours, and by names what measures each once."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))

        def started(system: SystemT) -> SystemT:
            begun = time.monotonic()
            stack.enter_context(system)
            print(f"{system.name} is warm after {time.monotonic() - begun:.0f} s", flush=True)
            return system

        ours = started(Ours(folder / "ours", wanted.matches, wanted.warm_up, wanted.doors))
        measures: dict[str, Callable[[], Found]] = {}
        if "moves" in wanted.only:
            measures["ours"] = partial(ours.measure, wanted.moves)
            many = {"floor": wanted.moves, "pgbench": wanted.seconds}
            for peer in wanted.beside:
                system = started(PEERS[peer](folder / peer, wanted.matches))
                measures[peer] = partial(system.measure, many.get(peer, wanted.theirs))
        if "accept" in wanted.only:
            measures["ours accepting"] = partial(ours.measure_accepting, wanted.mails, wanted.connections)
            if "mailman" in wanted.beside:
                door = started(Mailman(folder / "door", wanted.matches, only_door=True))
                measures["mailman accepting"] = partial(door.measure_accepting, wanted.mails, wanted.connections)
        yield ours, measures


def beside(wanted: argparse.Namespace) -> None:
    """Measure ours beside the others, and how long players wait."""
    with staged(wanted) as (ours, measures):
        print(f"{wanted.matches} matches of all games, {wanted.rounds} rounds, {wanted.doors} doors; fsync on")
        rounds: dict[str, list[Found]] = {name: [] for name in measures}
        for number in range(1, wanted.rounds + 1) if measures else ():
            for name, measure in measures.items():
                rounds[name].append(measure())
            said = (f"{name} {found[-1].costs['all']:.2f}" for name, found in rounds.items())
            print(f"  {number}: ms", ", ".join(said), flush=True)
        print(*table(rounds), sep="\n")
        waits = list(waited(ours, rounds.get("ours"), wanted)) if "latency" in wanted.only else []
        print(*reached(rounds), *waits, sep="\n")


def waited(ours: Ours, rounds: list[Found] | None, wanted: argparse.Namespace) -> Iterator[Reached]:
    """Measure how long players wait for a move of another, under load and alone; prints both."""
    measured = rounds or [ours.measure(wanted.moves)]
    rate = LOAD * statistics.median(one.rate for one in measured)
    loaded, alone = ours.play_steadily(wanted.steady, rate), ours.play_alone(wanted.alone)
    for what, waits in ((f"{rate:.0f} moves a second", loaded), ("one move at a time", alone)):
        if not waits:
            # A few moves may all end their matches, or wait for another's.
            continue
        often = percentile(waits, OFTEN)
        print(f"from a reply to the next mail, {what}: {statistics.median(waits):.3f} s, {OFTEN:.0%} in {often:.3f} s")
    if alone:
        yield Reached("a lone move's next mail", statistics.median(alone), goals.LONE_SECONDS, " s")


def beside_thoughts(wanted: argparse.Namespace) -> None:
    """Play moves while thoughts of robots wait and while none do, in turns; print both, and how long a thought took."""
    rates: list[tuple[float, float]] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        ours = stack.enter_context(Ours(folder / "ours", wanted.matches, wanted.warm_up, wanted.doors))
        for number in range(1, wanted.rounds + 1):
            alone = ours.measure(wanted.moves)
            beside, left = ours.measure_beside_thoughts(wanted.moves, wanted.thoughts)
            seconds = ours.finish_thoughts()
            rates.append((alone.rate, beside.rate))
            print(f"  {number}: {alone.rate:.1f} moves a second, beside thoughts {beside.rate:.1f}; {left} were left")
    alone_rate, beside_rate = (statistics.median(each) for each in zip(*rates, strict=True))
    ratio = statistics.median(beside / alone for alone, beside in rates)
    print(f"moves a second: {alone_rate:.1f}, beside {wanted.thoughts} thoughts {beside_rate:.1f}, ratio {ratio:.2f}")
    often = percentile(seconds, OFTEN)
    print(f"a thought, of {len(seconds)}: {statistics.median(seconds):.1f} s, {OFTEN:.0%} in {often:.1f} s")


def flat(wanted: argparse.Namespace) -> None:
    """Play the same among few matches and among many, in turns; print what a move costs in each."""
    found: list[list[Mapping[str, float]]] = [[], []]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        start: Any = partial(Ours, matches=wanted.matches, warm_up=wanted.warm_up, doors=wanted.doors)
        few = stack.enter_context(start(folder / "few"))
        many = stack.enter_context(start(folder / "many", crowd=wanted.crowd))
        for _round in range(wanted.rounds):
            for ours, costs in zip((few, many), found, strict=True):
                costs.append(ours.measure(wanted.moves).costs)
    for part in ("all", "database"):
        small, large = (statistics.median(one[part] for one in costs) for costs in found)
        ratio = statistics.median(b[part] / a[part] for a, b in zip(*found, strict=True))
        what = f"a move among {wanted.crowd:,} running matches, {part}"
        print(f"{what}: {large:.2f} ms, among {wanted.matches}: {small:.2f} ms, ratio {ratio:.2f}")


def at_rest(seconds: float) -> None:
    """Print what memory `pbem up` takes with nothing to do."""
    with tempfile.TemporaryDirectory() as folder, service(Path(folder) / "data") as running:
        time.sleep(seconds)
        print(Reached("memory of all processes at rest, PSS", running.memory() / 1e6, goals.REST_MEGABYTES, " MB"))


if __name__ == "__main__":
    main()
