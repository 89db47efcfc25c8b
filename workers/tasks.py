"""The Celery tasks: thin wrappers around `pbem.play` and `emails`."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy.exc import OperationalError

from emails.outbound.relay import deliver_shard
from emails.parsing.reader import parse_mail
from pbem.db.session import connect
from pbem.play.archive import statistics
from pbem.play.core.context import transaction
from pbem.play.inbox import service_mail
from pbem.play.lobby import table_expiry
from pbem.play.notifications import push_delivery, webhook_delivery
from pbem.play.ratings import updates
from pbem.play.timeouts import idle_robots
from pbem.play.upkeep import after_restore, deadline_tasks, disk_full, event_steps, outages, sweeper
from workers.judging import Judging
from workers.thinker_process import ThinkerProcess
from workers.thinking import Thinking

if TYPE_CHECKING:
    from collections.abc import Callable

    from celery import Celery
    from sqlalchemy import Engine

    from emails.parsing.reader import ParsedMail
    from pbem.config import Config
    from pbem.play.core.context import Context


def register_tasks(app: Celery, config: Config, engine: Engine | None = None) -> None:
    """Register the service's tasks with a Celery app; they share one engine, a new one unless given."""
    engine = engine or connect(config.database_url)
    app.task_cls = "workers.base_task:MonitoredTask"
    read_ours = partial(parse_mail, server=config.authserv_id)
    judging, thinking = Judging(engine, config, read_ours), Thinking(engine, config, ThinkerProcess())

    _register_deadline_tasks(app, config, engine, read_ours)
    _register_statistics_tasks(app, config, engine)

    @app.task(name="judge_submissions", shared=False)
    def judge_submissions(*matches: str) -> None:
        """Judge the submissions of some matches."""
        judging(matches)

    @app.task(name="read_service_mail", shared=False)
    def read_service_mail(number: int) -> None:
        """Judge a mail to the service itself."""
        with transaction(engine, config) as ctx:
            service_mail.process(ctx, number, read_ours)

    @app.task(name="deliver_mail", shared=False)
    def deliver_mail(shard: int) -> None:
        """Send the due mails of a shard."""
        deliver_shard(engine, config, shard)

    @app.task(name="think", shared=False)
    def think() -> None:
        """Run the thoughts that robots wait for, and a chunk of an analysis."""
        thinking()

    @app.task(name="deliver_webhooks", shared=False)
    def deliver_webhooks() -> None:
        """Make the due webhook calls."""
        webhook_delivery.deliver_due_calls(engine, config)

    @app.task(name="deliver_pushes", shared=False)
    def deliver_pushes() -> None:
        """Send the due push messages."""
        push_delivery.deliver_due_messages(engine, config)

    @app.task(name="sweep", shared=False)
    def sweep() -> None:
        """Find the work of lost wake-ups: submissions to judge, notifications to send."""
        with transaction(engine, config) as ctx:
            sweeper.sweep(ctx)

    @app.task(name="expire_tables", shared=False)
    def expire_tables() -> None:
        """Process the tables that wait for players and those left lying, each in a transaction of its own."""
        _repeat(engine, config, table_expiry.process_next)
        _repeat(engine, config, idle_robots.process_next)

    @app.task(name="heartbeat", shared=False)
    def heartbeat() -> None:
        """Record that beat, broker and worker are alive."""
        with transaction(engine, config) as ctx:
            sweeper.record_heartbeat(ctx, "worker")


def _repeat(engine: Engine, config: Config, step: Callable[[Context], object], most: int = sys.maxsize) -> None:
    """Run a step until it returns that nothing is left, each time in a transaction of its own."""
    for _round in range(most):
        with transaction(engine, config) as ctx:
            more = step(ctx)
        if not more:
            break


def _register_deadline_tasks(
    app: Celery, config: Config, engine: Engine, read_ours: Callable[[bytes], ParsedMail]
) -> None:
    """Register the deadline tasks."""

    @app.task(name="run_deadlines", shared=False)
    def run_deadlines(match: str) -> None:
        """Run what is due for a match: automatic moves, reminders, timeouts."""
        with transaction(engine, config) as ctx:
            deadline_tasks.run_match(ctx, match, read_ours)

    @app.task(name="claim_deadlines", shared=False)
    def claim_deadlines() -> None:
        """Credit the time of outages, send mails after a restore, and claim due deadlines."""
        with transaction(engine, config) as ctx:
            outages.record_clock_heartbeat(ctx)
            held = disk_full.update(ctx)
        _repeat(engine, config, after_restore.notify_batch, after_restore.MAX_BATCHES)
        if not held:
            _repeat(engine, config, lambda ctx: deadline_tasks.claim(ctx) == deadline_tasks.BATCH_SIZE)


def _register_statistics_tasks(app: Celery, config: Config, engine: Engine) -> None:
    """Register the tasks of ratings, events and statistics."""

    @app.task(name=updates.RATE_TASK, shared=False)
    def rate_matches() -> None:
        """Rate the matches that have ended, in the order of their ends."""
        _repeat(engine, config, updates.rate_batch, updates.MAX_BATCHES)

    @app.task(name="run_events", shared=False)
    def run_events() -> None:
        """Do what is due for leagues, ladders, fields and shared deals, a transaction a step."""
        faults: list[Exception] = []
        for step in event_steps.STEPS:
            try:
                _repeat(engine, config, step, event_steps.MAX_BATCHES)
            except OperationalError:
                # The others would probably fail too; all are run again in a minute.
                raise
            except Exception as fault:  # noqa: BLE001 -- a fault at one season holds up no other event
                faults.append(fault)
        if faults:
            raise ExceptionGroup("could not do all that is due for events", faults)

    @app.task(name="update_statistics", shared=False)
    def update_statistics() -> None:
        """Recompute the statistics of games and players with newly finished matches."""
        with transaction(engine, config) as ctx:
            statistics.mark_stale(ctx)
        _repeat(engine, config, statistics.recompute_batch, statistics.MAX_BATCHES)
