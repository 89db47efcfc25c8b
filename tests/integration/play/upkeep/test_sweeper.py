"""What a lost broker forgot is found again, because Postgres knows what is owed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from pbem.db import session
from pbem.db.models import Heartbeat, ServiceMail
from pbem.play.upkeep import sweeper
from tests.support.house import reply

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.house import House

LATER = timedelta(seconds=4)


@pytest.fixture
def sent() -> Iterator[list[tuple[str, tuple[Any, ...]]]]:
    """The tasks that this process sends."""
    before = list(session._sender)
    tasks: list[tuple[str, tuple[Any, ...]]] = []
    session.set_task_sender(lambda task, arguments: tasks.append((task, arguments)))
    yield tasks
    session._sender[:] = before


def swept(house: House, sent: list[tuple[str, tuple[Any, ...]]], now: datetime) -> list[tuple[str, tuple[Any, ...]]]:
    sent.clear()
    with house.transaction(now) as ctx:
        sweeper.sweep(ctx)
    return sorted(sent, key=str)


def test_a_sweep_names_every_match_and_shard_that_waits_once(house: House, sent: list[tuple[str, Any]]) -> None:
    ids = [house.start_match("minimax", 1), house.start_match("middle-card", 3)]
    house.mails("Ann")
    mails = [mail for mail in house.every_mail if "It is your turn" in mail.text]
    for mail in mails:
        for words in ("board", "help"):
            assert house.send(reply(mail, words).as_bytes(), mail.reply_to, "ann@example.org").code == 250
    assert swept(house, sent, datetime.now(UTC)) == []
    assert swept(house, sent, datetime.now(UTC) + LATER) == sorted([("judge_submissions", (match,)) for match in ids])
    for match in ids:
        house.judge(match)
    shard = sum(b"ann@example.org") % 4
    assert swept(house, sent, datetime.now(UTC) + LATER) == [("deliver_mail", (shard,))]
    house.deliver()
    assert swept(house, sent, datetime.now(UTC) + LATER) == []


def test_a_mail_that_is_not_due_is_not_named(house: House, sent: list[tuple[str, Any]]) -> None:
    house.make("minimax", 1)
    assert swept(house, sent, datetime.now(UTC) - timedelta(hours=1)) == []
    assert len(swept(house, sent, datetime.now(UTC) + LATER)) == 1


def test_a_heartbeat_is_kept_newest(house: House) -> None:
    moments = [datetime(2026, 11, 21, 12, second, tzinfo=UTC) for second in (0, 1)]
    for now in moments:
        with house.transaction(now) as ctx:
            sweeper.record_heartbeat(ctx, "worker")
    assert house.all(select(Heartbeat.seen_at)) == moments[1:]


def test_a_letter_that_nobody_has_read_is_found(house: House, sent: list[tuple[str, Any]]) -> None:
    house.send(b"From: ann@example.org\n\nnew minimax\n", "games@games.localhost", "ann@example.org")
    (number,) = house.all(select(ServiceMail.id))
    assert ("read_service_mail", (number,)) in sent
    assert swept(house, sent, datetime.now(UTC)) == []
    assert swept(house, sent, datetime.now(UTC) + LATER) == [("read_service_mail", (number,))]
