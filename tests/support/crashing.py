"""Processes that end by kill -9 at a named point of their work, over a real database and real mailboxes."""

from __future__ import annotations

import multiprocessing
import os
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import psycopg

from emails.inbound.accept import accept
from emails.outbound import relay
from emails.outbound.results import mark_sent
from emails.outbound.transport import MaildirTransport
from emails.parsing.reader import parse_mail
from pbem.db.session import connect
from pbem.play.core.context import transaction
from pbem.play.inbox import judge, service_mail
from pbem.play.upkeep import sweeper
from pbem.web import create_app
from workers import judging

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Engine

    from pbem.config import Config

BEFORE_COMMIT, AFTER_COMMIT = "before its commit", "after its commit"
BEFORE_SENDING, AFTER_SENDING = "before the mail goes", "when the mail is out"
BEFORE_MARKING, AFTER_MARKING = "before the mail is marked", "when the mail is marked"

POINTS = (
    ("door", BEFORE_COMMIT),
    ("door", AFTER_COMMIT),
    ("page", BEFORE_COMMIT),
    ("page", AFTER_COMMIT),
    ("judge", BEFORE_COMMIT),
    ("judge", AFTER_COMMIT),
    ("batch", BEFORE_COMMIT),
    ("batch", AFTER_COMMIT),
    ("relay", BEFORE_SENDING),
    ("relay", AFTER_SENDING),
    ("relay", BEFORE_MARKING),
    ("relay", AFTER_MARKING),
    ("sweep", BEFORE_COMMIT),
    ("sweep", AFTER_COMMIT),
    ("letter", BEFORE_COMMIT),
    ("letter", AFTER_COMMIT),
)
"""Who is killed, and when."""

PATIENCE = 60
"""Seconds in which a process reaches its point on a busy machine; its work is not cut short before."""


@dataclass(frozen=True, slots=True)
class Crash:
    """What a process is to do until it is killed, and what it is given for that; `sent` mails have gone by then."""

    who: str
    when: str
    given: tuple[Any, ...]
    sent: int = 0


def crash(engine: Engine, config: Config, meant: Crash) -> None:
    """Start a process, and wait until it is killed at its point; fails where it comes to its end instead."""
    url = engine.url.render_as_string(hide_password=False)
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload([__name__])
    process = processes.Process(target=_go, args=(url, config, meant))
    process.start()
    process.join(PATIENCE)
    assert process.exitcode == -signal.SIGKILL, f"{meant.who} was not killed {meant.when}"


def _go(url: str, config: Config, meant: Crash) -> None:
    _die_at_commit(meant.when)
    _die_at_mail(meant.when, meant.sent)
    _WORK[meant.who](connect(url), config, *meant.given)


def _die(*_any: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _die_at_commit(when: str) -> None:
    """Lay what kills this process before or after its first commit, where that is its point."""
    commit = psycopg.Connection.commit

    def commits(self: psycopg.Connection[Any]) -> None:
        if when == BEFORE_COMMIT:
            _die()
        commit(self)
        if when == AFTER_COMMIT:
            _die()

    psycopg.Connection.commit = commits  # type: ignore[method-assign]


def _die_at_mail(when: str, sent: int) -> None:
    """Lay what kills this process at a point of the mail after so many, where its point is one of a mail."""
    out: list[bool] = []
    send = MaildirTransport.send

    def reach(point: str) -> None:
        if point == when and len(out) == sent:
            _die()

    def sends(self: MaildirTransport, sender: str, recipient: str, raw: bytes) -> None:
        reach(BEFORE_SENDING)
        send(self, sender, recipient, raw)
        reach(AFTER_SENDING)

    def marks(*given: Any) -> None:
        reach(BEFORE_MARKING)
        mark_sent(*given)
        reach(AFTER_MARKING)
        out.append(True)

    MaildirTransport.send = sends  # type: ignore[method-assign]
    relay.mark_sent = marks  # type: ignore[attr-defined, assignment]


def _page(engine: Engine, config: Config, path: str, form: dict[str, str]) -> None:
    create_app(config, engine).test_client().post(path, data=form, base_url=config.base_url)


def _judge(engine: Engine, config: Config, match: str) -> None:
    with transaction(engine, config) as ctx:
        judge.judge(ctx, match, parse_mail)


def _batch(engine: Engine, config: Config, *matches: str) -> None:
    judging.MAX_SECONDS = PATIENCE
    judging.Judging(engine, config, parse_mail)(matches)


def _relay(engine: Engine, config: Config, shard: int) -> None:
    relay.MAX_RUN_SECONDS = PATIENCE
    relay.deliver_shard(engine, config, shard)


def _letter(engine: Engine, config: Config, number: int) -> None:
    with transaction(engine, config) as ctx:
        service_mail.process(ctx, number, parse_mail)


def _sweep(engine: Engine, config: Config) -> None:
    with transaction(engine, config) as ctx:
        sweeper.sweep(ctx)


_WORK: dict[str, Callable[..., object]] = {
    "door": accept,
    "page": _page,
    "judge": _judge,
    "batch": _batch,
    "relay": _relay,
    "sweep": _sweep,
    "letter": _letter,
}
