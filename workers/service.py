"""The tasks, each a few lines: they call the table and the mails."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy.exc import DBAPIError

from emails.read import read
from emails.relay import relay
from pbem.db.session import connect
from pbem.play import calling, letters, restoring, shortage, submissions, sweeping, tallies, timing, waiting, waking
from pbem.play.judging import judge
from pbem.play.table import glance, open_table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from celery import Celery
    from sqlalchemy import Engine

    from emails.read import Reading
    from pbem.config import Config


def serve(app: Celery, config: Config, engine: Engine | None = None) -> None:
    """Register the service's tasks with a Celery app; they share one engine, a new one unless given."""
    engine = engine or connect(config.database_url)
    app.task_cls = "workers.watched:Watched"
    read_ours = partial(read, server=config.mail_server)

    _keep_time(app, config, engine, read_ours)
    _keep_tallies(app, config, engine)

    @app.task(name="judge", shared=False)
    def judge_matches(*matches: str) -> None:
        """Judge the submissions of some matches, each in transactions of its own."""
        judge_all(engine, config, matches, read_ours)

    @app.task(name="letter", shared=False)
    def read_letter(number: int) -> None:
        """Read a letter to the service itself."""
        with open_table(engine, config) as table:
            letters.judge(table, number, read_ours)

    @app.task(name="relay", shared=False)
    def relay_shard(shard: int) -> None:
        """Send a shard's notices."""
        relay(engine, config, shard)

    @app.task(name="calls", shared=False)
    def make_calls() -> None:
        """Call the webhooks that are owed a call."""
        calling.make_calls(engine, config)

    @app.task(name="sweep", shared=False)
    def sweep() -> None:
        """Find what a lost hint has left lying: submissions to judge, notices to send."""
        with open_table(engine, config) as table:
            sweeping.sweep(table)

    @app.task(name="waiting", shared=False)
    def look_after_tables() -> None:
        """Look after the tables that wait for somebody, each in a transaction of its own."""
        done = True
        while done:
            with open_table(engine, config) as table:
                done = waiting.look(table)

    @app.task(name="pulse", shared=False)
    def pulse() -> None:
        """Show that beat, broker and worker are alive."""
        with open_table(engine, config) as table:
            sweeping.beat(table, "worker")


def judge_all(engine: Engine, config: Config, matches: Sequence[str], read: Callable[[bytes], Reading]) -> None:
    """Judge some matches one after another; a fault at one harms no other."""
    faults = []
    for match in matches:
        try:
            _judge(engine, config, match, read)
        except DBAPIError:
            # The others would fare no better; the sweep finds them.
            raise
        except Exception as fault:  # noqa: BLE001 -- it is told below
            faults.append(fault)
    if faults:
        raise ExceptionGroup("could not judge", faults)


def _judge(engine: Engine, config: Config, match: str, read: Callable[[bytes], Reading]) -> None:
    """Judge a match's submissions; look once more after commit, for those that came meanwhile."""
    waits = True
    while waits:
        with open_table(engine, config) as table:
            judged = judge(table, match, read)
        with glance(engine, config) as table:
            waits = judged > 0 and submissions.are_waiting(table, match)


def _keep_time(app: Celery, config: Config, engine: Engine, read_ours: Callable[[bytes], Reading]) -> None:
    """Register the tasks of the clock."""

    @app.task(name="clock", shared=False)
    def act_on_time(match: str) -> None:
        """Do what is due at a match: play for seats, remind, let time run out."""
        with open_table(engine, config) as table:
            timing.act(table, match, read_ours)

    @app.task(name="tick", shared=False)
    def tick() -> None:
        """Give back the time for which the service slept, tell of a return to an older state, and find what is due."""
        with open_table(engine, config) as table:
            waking.wake(table)
            held = shortage.look(table)
        for _round in range(restoring.ROUNDS):
            with open_table(engine, config) as table:
                more = restoring.tell(table)
            if not more:
                break
        claimed = 0 if held else timing.AT_ONCE
        while claimed == timing.AT_ONCE:
            with open_table(engine, config) as table:
                claimed = timing.claim(table)


def _keep_tallies(app: Celery, config: Config, engine: Engine) -> None:
    """Register the task of the statistics."""

    @app.task(name="tallies", shared=False)
    def keep_tallies() -> None:
        """Reckon anew what finished matches come to, where some have ended."""
        with open_table(engine, config) as table:
            tallies.look(table)
        for _round in range(tallies.ROUNDS):
            with open_table(engine, config) as table:
                more = tallies.reckon(table)
            if not more:
                break
