"""The worker, beat and mail processes, as they run behind the pages: over a real broker and a database."""

from __future__ import annotations

import sys
import time
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db import session
from pbem.db.models import Heartbeat, OutboxMessage, ServiceMail, Statistic
from pbem.db.session import send_after_commit
from pbem.play.upkeep import event_steps
from pbem.states import OutboxState, ServiceMailStatus
from pbem.task_queue import BEAT_SCHEDULE, bind
from tests.support.house import House, reply
from tests.support.workers.worker import app
from workers import smtp_server as door

if TYPE_CHECKING:
    from datetime import datetime

    from celery import Celery

    from pbem.play.core.context import Context

__all__ = ["app"]


@pytest.mark.parametrize("name", ["uvloop", "asyncio.unix_events"])
def test_the_door_does_with_the_loop_there_is(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name != "uvloop":
        monkeypatch.setitem(sys.modules, "uvloop", None)
    with closing(door.create_event_loop()) as loop:
        assert type(loop).__module__ == name


def test_each_task_does_its_work(house: House, app: Celery) -> None:
    match_id = house.start_match("middle-card", 3)
    mail = house.last("Ann")
    house.send(reply(mail, "stay").as_bytes(), mail.reply_to, "ann@example.org")
    app.tasks["judge_submissions"](match_id)
    assert house.match(match_id).log_length == 1
    house.send(b"From: ann@example.org\n\nHello!\n", "games@games.localhost", "ann@example.org")
    (number,) = house.all(select(ServiceMail.id).where(ServiceMail.status == ServiceMailStatus.PENDING))
    for _ in range(2):
        app.tasks["read_service_mail"](number)
    assert house.all(select(ServiceMail.status)) == ["stored"]
    for shard in range(4):
        app.tasks["deliver_mail"](shard)
    assert not house.all(select(OutboxMessage.id).where(OutboxMessage.state == OutboxState.PENDING))
    app.tasks["sweep"]()
    app.tasks["update_statistics"]()
    assert house.all(select(Statistic.subject)) == ["watermark"]
    app.tasks["rate_matches"]()
    app.tasks["heartbeat"]()
    assert house.all(select(Heartbeat.part)) == ["worker"]


def test_a_step_for_events_that_fails_holds_up_no_other(app: Celery, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[datetime] = []

    def fail(ctx: Context) -> bool:
        raise ValueError(ctx.now)

    def work(ctx: Context) -> bool:
        done.append(ctx.now)
        return False

    monkeypatch.setattr(event_steps, "STEPS", (fail, work))
    with pytest.raises(ExceptionGroup) as failed:
        app.tasks["run_events"]()
    assert [type(fault) for fault in failed.value.exceptions] == [ValueError]
    assert len(done) == 1


def test_hints_are_kept_short_and_their_results_nowhere(app: Celery) -> None:
    assert app.conf.task_ignore_result
    assert app.conf.task_acks_late
    assert [(queue.name, queue.no_ack) for queue in app.conf.task_queues] == [("pbem", True), ("robots", True)]
    assert app.conf.accept_content == ["json"]
    assert app.conf.worker_prefetch_multiplier == 1


def test_the_beat_names_tasks_that_there_are_and_that_nobody_takes_late(app: Celery) -> None:
    assert app.conf.beat_schedule == BEAT_SCHEDULE
    assert {entry["task"] for entry in BEAT_SCHEDULE.values()} == {
        "sweep",
        "heartbeat",
        "claim_deadlines",
        "expire_tables",
        "rate_matches",
        "run_events",
        "update_statistics",
    }
    for entry in BEAT_SCHEDULE.values():
        assert entry["task"] in app.tasks
        assert (
            0
            < float(str(entry["schedule"]))
            <= (3600 if entry["task"] in {"expire_tables", "rate_matches", "run_events", "update_statistics"} else 15)
        )
        assert entry["options"] == {"expires": entry["schedule"]}


def test_a_broker_that_is_away_holds_nobody_up(house: House) -> None:
    before = list(session._sender)
    app = bind(replace(house.config, redis_url="redis://127.0.0.1:1/0"))
    start = time.monotonic()
    try:
        with house.transaction() as ctx:
            send_after_commit(ctx.session, "deliver_mail", 1)
    finally:
        session._sender[:] = before
        app.close()
    assert time.monotonic() - start < 5
