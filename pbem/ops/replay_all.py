"""`pbem replay-all`: replays every stored match with the current code, before a deploy."""

from __future__ import annotations

import multiprocessing
import signal
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click
from sqlalchemy.orm import Session

from pbem.db.session import connect
from pbem.play.archive import replay_check
from pbem.play.core.context import Context, system_time

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from click._termui_impl import ProgressBar
    from sqlalchemy import Engine

    from pbem.config import Config
    from pbem.play.archive.replay_check import Difference

SAME, DIFFERENT = 0, 1
BATCH_SIZE = 100
"""Matches per batch; after an interruption, at most one batch per process is replayed again."""
PROGRESS_LINES = 10
"""Number of progress lines if there is no terminal."""

_process_state: list[tuple[Engine, Config]] = []


def replay_all(config: Config, after: str = "", processes: int = 1, batch: int = BATCH_SIZE) -> int:
    """Replay all started matches after one, and report each that differs; returns the command's exit status."""
    engine = connect(config.database_url)
    last, done, differing = after, 0, 0
    with _snapshot_session(engine) as session:
        total = replay_check.count(session, after)
    try:
        with (
            _progress(total) as progress,
            _results(config, engine, _batches(engine, after, batch), processes) as results,
        ):
            for names, differences in results:
                for difference in differences:
                    progress.report(str(difference))
                last, done, differing = names[-1], done + len(names), differing + len(differences)
                progress.advance(len(names))
    except KeyboardInterrupt:
        click.echo(f"Stopped after {done:,} of {total:,} matches, {differing:,} of which differ.")
        click.echo(f"Continue with:  pbem replay-all --after {last}" if last else "Nothing was replayed yet.")
        return DIFFERENT
    finally:
        engine.dispose()
    if differing:
        click.echo(f"{differing:,} of {done:,} matches differ.")
        return DIFFERENT
    click.echo(f"All {done:,} matches replay as they were played.")
    return SAME


class Progress:
    """Reports progress by a bar below the differences, or in lines without a terminal."""

    def __init__(self, total: int, bar: ProgressBar[int] | None) -> None:
        self.total, self.done, self.bar = total, 0, bar
        click.echo(f"{total:,} matches to replay.")

    def advance(self, matches: int) -> None:
        """Advance by some matches."""
        before, self.done = self.done, self.done + matches
        if self.bar:
            self.bar.update(matches)
        elif self.done * PROGRESS_LINES // self.total > before * PROGRESS_LINES // self.total:
            click.echo(f"{self.done:,} of {self.total:,} matches replayed.")

    def report(self, difference: str) -> None:
        """Report a match that differs, in place of the bar, which is drawn again."""
        if self.bar:
            click.echo("\r\033[K", nl=False, file=sys.stderr)
        click.echo(difference)
        if self.bar:
            self.bar.render_progress()


@contextmanager
def _progress(total: int) -> Iterator[Progress]:
    if not sys.stderr.isatty():
        yield Progress(total, None)
        return
    with click.progressbar(length=total, show_pos=True, file=sys.stderr) as bar:
        yield Progress(total, bar)


def _snapshot_session(engine: Engine) -> Session:
    """Open a read-only snapshot of the database."""
    return Session(engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True))


def _batches(engine: Engine, after: str, size: int) -> Iterator[list[str]]:
    """Yield the IDs of all matches to replay in batches; no snapshot is open for longer than one query."""
    while True:
        with _snapshot_session(engine) as session:
            names = replay_check.next_batch(session, after, size)
        if not names:
            return
        yield names
        after = names[-1]


@contextmanager
def _results(
    config: Config, engine: Engine, batches: Iterable[list[str]], processes: int
) -> Iterator[Iterator[tuple[list[str], list[Difference]]]]:
    """Yield an iterator over batches and their differences, in order, whichever process has done them."""
    if processes == 1:
        _process_state[:] = [(engine, config)]
        yield map(_replay_batch, batches)
        return
    spawned = multiprocessing.get_context("spawn")
    with spawned.Pool(processes, _start_process, (config,)) as pool:
        yield pool.imap(_replay_batch, batches)


def _start_process(config: Config) -> None:
    # Ctrl-C reaches all processes of a terminal; the parent prints how to continue, and ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _process_state[:] = [(connect(config.database_url), config)]


def _replay_batch(batch: list[str]) -> tuple[list[str], list[Difference]]:
    engine, config = _process_state[0]
    with _snapshot_session(engine) as session:
        return batch, replay_check.find_differences(Context(session, config, system_time()), batch)
