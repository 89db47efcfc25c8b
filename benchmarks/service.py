"""How fast moves are accepted and played, beside pgbench with the same writes: `make bench-service`.

One run measures, several times over and in turns, so that a busy machine is busy for all of them:

- pgbench, 8 clients: one transaction with the writes of one move;
- durable accept: mails taken by the SMTP door over 8 connections, each committed before its 250;
- end to end: a move's 250 until the next player's mail is at an SMTP server, over many matches at once.

Prints figures and the ratios to pgbench; asserts nothing.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import tempfile
import threading
import time
from contextlib import ExitStack
from email.message import EmailMessage
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.sink import Sink
from benchmarks.stage import Stage, free_port
from pbem.up.binaries import postgres

if TYPE_CHECKING:
    from collections.abc import Callable

CLIENTS = 8
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
    program = postgres() / "pgbench"
    command: list[str | Path] = [program, "-n", "-c", str(CLIENTS), "-j", "2"]
    command += ["-T", str(max(1, round(seconds))), "-f", str(script), stage.cluster.url.replace("+psycopg", "")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return next(float(line.split()[2]) for line in done.stdout.splitlines() if line.startswith("tps"))


def accepts(stage: Stage, addresses: list[str], mails: int) -> float:
    """Send mails over several connections at once; returns mails taken per second."""
    share = mails // CLIENTS

    def send(number: int) -> None:
        with stage.door() as smtp:
            for count in range(share):
                to = addresses[(number * share + count) % len(addresses)]
                smtp.sendmail("ann@example.org", [to], reply(to, "ann@example.org", "away", automatic=True))

    return share * CLIENTS / in_parallel(send)


def end_to_end(stage: Stage, sink: Sink, moves: int) -> tuple[float, float]:
    """Play many matches at once by mail; returns moves per second, and the median seconds from 250 to mail."""
    left = threading.Semaphore(moves)

    def play(_number: int) -> None:
        with stage.door() as smtp:
            while left.acquire(blocking=False):
                turn = sink.turns.get(timeout=60)
                smtp.sendmail(turn.player, [turn.reply_to], reply(turn.reply_to, turn.player, turn.move))
                sink.sent(turn, time.monotonic())

    took = in_parallel(play)
    waits = sink.waits(moves - CLIENTS)
    return moves / took, statistics.median(waits)


def in_parallel(work: Callable[[int], None]) -> float:
    """Run a function in as many threads as there are clients; returns the seconds that took."""
    threads = [threading.Thread(target=work, args=(number,)) for number in range(CLIENTS)]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.monotonic() - began


def reply(to: str, player: str, line: str, *, automatic: bool = False) -> bytes:
    """Write a reply as a mail program would, without the quoted mail; an automatic one is kept and not answered."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Message-ID"] = player, to, f"<{time.monotonic_ns()}.{threading.get_ident()}@bench>"
    if automatic:
        mail["Auto-Submitted"] = "auto-replied"
    mail.set_content(f"{line}\n")
    return mail.as_bytes()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured")
    parser.add_argument("--matches", type=int, default=64)
    parser.add_argument("--moves", type=int, default=400, help="moves per round, end to end")
    parser.add_argument("--mails", type=int, default=1600, help="mails per round, accepted")
    wanted = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        sink = stack.enter_context(Sink(free_port()))
        stage = stack.enter_context(Stage(folder, sink.port))
        stage.execute(TABLES)
        script = folder / "move.sql"
        script.write_text(MOVE)
        print(f"{wanted.matches} matches of Martian Whist, {wanted.rounds} rounds; fsync on")
        addresses = stage.begin_matches(wanted.matches)
        rows = []
        for number in range(1, wanted.rounds + 1):
            peer = pgbench(stage, 3, script)
            taken = accepts(stage, addresses, wanted.mails)
            with stage.worker():
                stage.settle()
                played, wait = end_to_end(stage, sink, wanted.moves)
            rows.append((peer, taken, played, wait))
            rates = f"pgbench {peer:7.0f}/s  accept {taken:6.0f}/s  end to end {played:5.0f}/s"
            print(f"  {number}: {rates}  250 to mail {wait:.3f} s", flush=True)
    report(rows)


def report(rows: list[tuple[float, float, float, float]]) -> None:
    """Print the medians of all rounds, and of the ratios within each."""
    middle = statistics.median
    accept, play = middle(row[1] / row[0] for row in rows), middle(row[2] / row[0] for row in rows)
    print(f"pgbench, the writes of a move     {middle(row[0] for row in rows):8.0f}/s")
    print(f"durable accept                    {middle(row[1] for row in rows):8.0f}/s  ratio {accept:.3f}")
    print(f"accepted, judged, mailed          {middle(row[2] for row in rows):8.0f}/s  ratio {play:.3f}")
    print(f"from a reply's 250 to the mail    {middle(row[3] for row in rows):8.3f} s")


if __name__ == "__main__":
    main()
