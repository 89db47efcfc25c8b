"""How fast moves are accepted and played, beside pgbench with the same writes: `make bench-service`.

One run measures, several times over and in turns, so that a busy machine is busy for all of them:

- pgbench, 8 clients: one transaction with the writes of one move;
- durable accept: mails taken by the SMTP door over 8 connections or as many as are said, each committed before its 250;
- end to end: a move's 250 until the next player's mail is at an SMTP server, over many matches at once;
- boardgame.io's server, 8 matches, in memory and with a flat file; left out with a sentence where there is no Node.

Beside each of ours stands what it costs the processors, process by process, which a busy machine changes less than the
rates. `--only flat` does the same among few matches and among 100,000 running ones with 1,200,000 moves; `--only
memory` looks at `pbem up` at rest. Prints figures and ratios; asserts nothing.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import tempfile
import threading
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import boardgame, senders
from benchmarks.crowd import fill
from benchmarks.options import Options
from benchmarks.senders import in_parallel, reply
from benchmarks.sink import Sink, free_port
from benchmarks.stage import Stage
from pbem.ops.up.binaries import find_postgres
from tests.support.live_service import service

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

CLIENTS = 8
GOALS = {"accept": 0.20, "end to end": 0.14, "flatfile": 4.0, "memory": 0.35}
PARTS = ("accept", "moves", "boardgame", "flat", "memory")
SMOKED = PARTS[:3]
"""The others do the same with services of their own, and `python -m benchmarks.up --smoke` looks at memory."""
MOVE = """\
\\set match random(1, 1000)
BEGIN;
SELECT id FROM bench_matches WHERE id = :match FOR UPDATE;
INSERT INTO bench_submissions (match, raw) VALUES (:match, repeat('x', 2000));
INSERT INTO bench_log (match, move, salt) VALUES (:match, 'take 7', decode(md5(random()::text), 'hex'));
UPDATE bench_matches SET head = md5(random()::text), ply = ply + 1 WHERE id = :match;
INSERT INTO bench_notices (match, facts) VALUES (:match, repeat('x', 3000)), (:match, repeat('y', 3000));
COMMIT;
"""
TABLES = """
CREATE TABLE bench_matches (id int PRIMARY KEY, head text, ply int NOT NULL DEFAULT 1);
INSERT INTO bench_matches SELECT n FROM generate_series(1, 1000) n;
CREATE TABLE bench_submissions (id bigserial PRIMARY KEY, match int, raw text);
CREATE TABLE bench_log (id bigserial PRIMARY KEY, match int, move text, salt bytea);
CREATE TABLE bench_notices (id bigserial PRIMARY KEY, match int, facts text);
CREATE INDEX ON bench_submissions (match); CREATE INDEX ON bench_log (match); CREATE INDEX ON bench_notices (match);
"""


def pgbench(stage: Stage, seconds: float, script: Path) -> float:
    """Let pgbench write moves; returns transactions per second."""
    program = find_postgres() / "pgbench"
    command: list[str | Path] = [program, "-n", "-c", str(CLIENTS), "-j", "2"]
    command += ["-T", str(max(1, round(seconds))), "-f", str(script), stage.cluster.url.replace("+psycopg", "")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return next(float(line.split()[2]) for line in done.stdout.splitlines() if line.startswith("tps"))


def accepts(stage: Stage, addresses: list[str], mails: int, connections: int = CLIENTS) -> float:
    """Send mails over several connections at once; returns mails taken per second."""
    return mails / senders.time_of(stage.port, connections, list(islice(cycle(addresses), mails)))


def end_to_end(stage: Stage, sink: Sink, moves: int) -> tuple[float, float]:
    """Play many matches at once by mail; returns moves per second, and the median seconds from 250 to mail."""
    left = threading.Semaphore(moves)

    def play(_number: int) -> None:
        with stage.door() as smtp:
            while left.acquire(blocking=False):
                turn = sink.turns.get(timeout=60)
                smtp.sendmail(turn.player, [turn.reply_to], reply(turn.reply_to, turn.player, turn.move))
                sink.sent(turn, time.monotonic())

    took = in_parallel(play, CLIENTS)
    waits = sink.waits(moves - CLIENTS)
    return moves / took, statistics.median(waits)


@dataclass(frozen=True, slots=True)
class Round:
    """What one round found: rates by what was measured, and milliseconds of processors for each of ours."""

    rates: Mapping[str, float]
    costs: Mapping[str, Mapping[str, float]]
    wait: float | None = None


@contextmanager
def staged(wanted: argparse.Namespace, crowd: int = 0) -> Iterator[tuple[Stage, Sink, list[str], Path]]:
    """Put a service together, with matches that wait for their first moves, among a crowd of others."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        sink = stack.enter_context(Sink(free_port()))
        stage = stack.enter_context(Stage(folder, sink.port, wanted.doors))
        stage.execute(TABLES)
        if crowd:
            fill(stage.engine, matches=crowd, running=crowd)
        addresses = stage.begin_matches(wanted.matches)
        # What a process loads for the first mail of all is not what a mail costs.
        accepts(stage, addresses, wanted.warm_up)
        yield stage, sink, addresses, folder


def measured(stage: Stage, sink: Sink, addresses: list[str], folder: Path, wanted: argparse.Namespace) -> Round:
    """Measure everything once."""
    script = folder / "move.sql"
    script.write_text(MOVE)
    rates, costs, wait = {}, {}, None
    before = stage.spent()
    rates["pgbench"] = pgbench(stage, wanted.seconds, script)
    costs["pgbench"] = stage.spent().since(before).each(rates["pgbench"] * wanted.seconds)
    if "accept" in wanted.only:
        before = stage.spent()
        rates["accept"] = accepts(stage, addresses, wanted.mails, wanted.connections)
        costs["accept"] = stage.spent().since(before).each(wanted.mails)
    if "moves" in wanted.only:
        with stage.worker():
            # What two workers load and draw for the first time is not what a move costs either.
            end_to_end(stage, sink, wanted.warm_up)
            stage.settle()
            before = stage.spent()
            rates["end to end"], wait = end_to_end(stage, sink, wanted.moves)
            costs["end to end"] = stage.spent().since(before).each(wanted.moves)
    if "boardgame" in wanted.only:
        rates |= {storage: boardgame.rate(storage, folder, wanted.seconds) for storage in boardgame.STORAGES}
    return Round(rates, costs, wait)


def main() -> None:
    """Measure and print."""
    options = Options(__doc__)
    options.number("--rounds", 5, 1, "how often each is measured")
    options.number("--matches", 64, CLIENTS)
    options.number("--moves", 400, 3 * CLIENTS, "moves per round, end to end")
    options.number("--mails", 1600, 16, "mails per round, accepted")
    options.number("--warm-up", 160, 2 * CLIENTS, "so many mails and moves come before those that are measured")
    options.number("--seconds", 3, 1, "how long pgbench and boardgame.io's server are measured in a round")
    options.number("--crowd", 100_000, 1_000, "so many running matches are besides, where there are many")
    options.number("--rest", 20.0, 0.0, "seconds with nothing to do before the memory is looked at")
    options.number("--connections", CLIENTS, CLIENTS, "so many bring the mails at once")
    options.number("--doors", 1, 1, "so many processes take mail")
    options.add_argument("--only", choices=PARTS, action="append", help="this alone; may be said several times")
    wanted = options.told()
    wanted.only = wanted.only or list(SMOKED if wanted.smoke else PARTS)
    if "boardgame" in wanted.only and (reason := boardgame.ready(fetch=not wanted.smoke)):
        print(f"boardgame.io is left out: {reason}")
        wanted.only.remove("boardgame")
    if {"accept", "moves", "boardgame"} & {*wanted.only}:
        with staged(wanted) as (stage, sink, addresses, folder):
            print(f"{wanted.matches} matches of Martian Whist, {wanted.rounds} rounds, {wanted.doors} doors; fsync on")
            rounds = []
            for number in range(1, wanted.rounds + 1):
                rounds.append(measured(stage, sink, addresses, folder, wanted))
                print(f"  {number}:", *(f"{name} {rate:.0f}/s " for name, rate in rounds[-1].rates.items()), flush=True)
            report(rounds)
    if "flat" in wanted.only:
        flat(wanted)
    if "memory" in wanted.only:
        at_rest(wanted.rest)


def report(rounds: list[Round]) -> None:
    """Print the medians of all rounds, of the ratios within each, and of what ours costs."""
    middle = statistics.median
    for name in rounds[0].rates:
        print(f"{name:<12}{middle(one.rates[name] for one in rounds):>9.0f}/s", end="")
        if name in rounds[0].costs:
            for part in sorted(rounds[0].costs[name]):
                print(f"   {part} {middle(one.costs[name][part] for one in rounds):.2f} ms", end="")
        print()
    if "end to end" in rounds[0].rates:
        print(f"from a 250 to the mail {middle(one.wait for one in rounds if one.wait is not None):.3f} s")
    for name, goal in GOALS.items():
        ours, peer = ("end to end", name) if name in boardgame.STORAGES else (name, "pgbench")
        if ours in rounds[0].rates and peer in rounds[0].rates:
            ratio = middle(one.rates[ours] / one.rates[peer] for one in rounds)
            short = "" if ratio >= goal else f"   short of it by {1 - ratio / goal:.0%}"
            print(f"{ours} / {peer}: {ratio:.3f}, to reach {goal:.2f}{short}")


def flat(wanted: argparse.Namespace) -> None:
    """Play the same among few matches and among many, in turns; print what a move costs in each."""
    wanted = argparse.Namespace(**{**vars(wanted), "only": ["moves"]})
    found: list[list[Mapping[str, float]]] = [[], []]
    with staged(wanted) as few, staged(wanted, wanted.crowd) as many:
        for _round in range(wanted.rounds):
            for place, costs in zip((few, many), found, strict=True):
                costs.append(measured(*place, wanted).costs["end to end"])
    for part in ("all", "database"):
        small, large = (statistics.median(one[part] for one in costs) for costs in found)
        ratio = statistics.median(b[part] / a[part] for a, b in zip(*found, strict=True))
        what = f"a move among {wanted.crowd:,} running matches, {part}"
        print(f"{what}: {large:.2f} ms, among {wanted.matches}: {small:.2f} ms, ratio {ratio:.2f}")


def at_rest(seconds: float) -> None:
    """Print what memory `pbem up` takes with nothing to do."""
    with tempfile.TemporaryDirectory() as folder, service(Path(folder) / "data") as running:
        time.sleep(seconds)
        print(f"memory of all processes at rest, PSS: {running.memory() / 1e6:.0f} MB, to reach 400 MB or less")


if __name__ == "__main__":
    main()
