"""Tasks named inside a transaction: sent after its commit, each once, never after a rollback."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import DataError, DBAPIError, OperationalError

from pbem.db import connection_check, session
from pbem.db.models import Heartbeat, Submission
from pbem.db.session import (
    call_after_commit,
    connect,
    driver_connection,
    driver_transaction,
    send_after_commit,
    set_task_sender,
)
from pbem.play.upkeep import sweeper
from pbem.telemetry import logs
from tests.support.house import reply

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.orm import Session

    from pbem.db.session import DriverConnection
    from tests.support.house import House

Task = tuple[str, tuple[Any, ...]]

BACKEND = text("SELECT pg_backend_pid()")
CUT = text("SELECT pg_terminate_backend(:backend, 5000)")


@pytest.fixture
def sent() -> Iterator[list[Task]]:
    """The tasks that this process sends."""
    before = list(session._sender)
    tasks: list[Task] = []
    set_task_sender(lambda task, arguments: tasks.append((task, arguments)))
    yield tasks
    session._sender[:] = before


class UndoneError(Exception):
    pass


def undo(session: Session, *tasks: Task, noted: list[str] | None = None) -> None:
    """Name tasks, and what is to be noted, then fail."""
    if noted is not None:
        call_after_commit(session, noted.append, "undone")
    for task, arguments in tasks:
        send_after_commit(session, task, *arguments)
    session.execute(select(1))
    raise UndoneError


def test_tasks_are_sent_after_the_commit_each_once_in_order(house: House, sent: list[Task]) -> None:
    with house.transaction() as ctx:
        for task, argument in (
            ("deliver_mail", 1),
            ("judge_submissions", "m"),
            ("deliver_mail", 1),
            ("deliver_mail", 2),
        ):
            send_after_commit(ctx.session, task, argument)
        ctx.session.flush()
        assert sent == []
    assert sent == [("deliver_mail", (1,)), ("judge_submissions", ("m",)), ("deliver_mail", (2,))]


def test_nothing_is_sent_after_a_rollback(house: House, sent: list[Task]) -> None:
    with pytest.raises(UndoneError), house.transaction() as ctx:
        undo(ctx.session, ("deliver_mail", (1,)))
    assert sent == []
    with house.transaction() as ctx:
        assert ctx.session.scalar(select(func.now()))
    assert sent == []


def test_a_savepoint_sends_nothing_by_itself(house: House, sent: list[Task]) -> None:
    with house.transaction() as ctx:
        with ctx.session.begin_nested():
            send_after_commit(ctx.session, "deliver_mail", 1)
            ctx.session.execute(select(1))
        assert sent == []
        ctx.session.execute(select(1))
    assert sent == [("deliver_mail", (1,))]


def test_a_savepoint_that_is_undone_forgets_no_task_of_the_transaction(house: House, sent: list[Task]) -> None:
    with house.transaction() as ctx:
        send_after_commit(ctx.session, "deliver_mail", 1)
        with pytest.raises(UndoneError), ctx.session.begin_nested():
            undo(ctx.session)
    assert sent == [("deliver_mail", (1,))]


def test_what_a_task_is_about_can_be_read_when_it_is_sent(house: House, sent: list[Task]) -> None:
    seen: list[int] = []

    def look(_task: str, _arguments: tuple[Any, ...]) -> None:
        seen.extend(house.all(select(func.count()).select_from(Submission)))

    mail = (house.start_match("minimax", 1), house.last("Ann"))[1]
    set_task_sender(look)
    house.send(reply(mail, "help").as_bytes(), mail.reply_to, "ann@example.org")
    assert seen == [1]
    assert sent


def test_a_sender_that_fails_loses_nothing_and_the_sweep_names_it_again(
    house: House, sent: list[Task], caplog: pytest.LogCaptureFixture
) -> None:
    match_id = house.start_match("minimax", 1)
    mail = house.last("Ann")

    def fail(_task: str, _arguments: tuple[Any, ...]) -> None:
        raise ConnectionError("no broker")

    set_task_sender(fail)
    assert house.send(reply(mail, "help").as_bytes(), mail.reply_to, "ann@example.org").code == 250
    assert "the sweep will find it" in caplog.text
    assert house.all(select(Submission.status)) == ["pending"]
    set_task_sender(lambda task, arguments: sent.append((task, arguments)))
    sent.clear()
    with house.transaction(datetime.now(UTC) + timedelta(seconds=4)) as ctx:
        sweeper.sweep(ctx)
    assert sent == [("judge_submissions", (match_id,))]


def test_without_a_sender_nothing_breaks(house: House) -> None:
    before = list(session._sender)
    session._sender.clear()
    try:
        house.make("minimax", 1)
    finally:
        session._sender[:] = before


def test_what_is_noted_is_done_after_the_commit_in_the_words_of_then(house: House) -> None:
    noted: list[object] = []
    with house.transaction() as ctx:
        with logs.bound_fields(request="r"):
            call_after_commit(ctx.session, lambda: noted.append(logs.current_fields()))
        with ctx.session.begin_nested():
            call_after_commit(ctx.session, noted.append, "released")
        ctx.session.flush()
        assert noted == []
    assert noted == [{"request": "r"}, "released"]


def test_what_is_undone_is_not_noted(house: House) -> None:
    noted: list[str] = []
    with house.transaction() as ctx:
        call_after_commit(ctx.session, noted.append, "kept")
        with pytest.raises(UndoneError), ctx.session.begin_nested():
            undo(ctx.session, noted=noted)
    assert noted == ["kept"]
    with pytest.raises(UndoneError), house.transaction() as ctx:
        undo(ctx.session, noted=noted)
    assert noted == ["kept"]


def test_a_connection_that_the_server_has_cut_is_replaced_unseen(house: House) -> None:
    engine = connect(house.config.database_url)

    def used() -> int:
        with engine.connect() as connection:
            return int(connection.execute(BACKEND).scalar_one())

    first = used()
    assert used() == first
    with house.transaction() as ctx:
        ctx.session.execute(CUT, {"backend": first})
    assert used() != first
    engine.dispose()


def test_a_connection_that_was_idle_is_asked_before_it_is_used(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_check, "MAX_IDLE_SECONDS", 0.0)
    engine = connect(house.config.database_url)
    asked: list[object] = []
    monkeypatch.setattr(engine.dialect, "do_ping", asked.append)
    for _ in range(2):
        with engine.connect() as connection:
            connection.execute(BACKEND)
    assert len(asked) == 1
    monkeypatch.setattr(connection_check, "MAX_IDLE_SECONDS", 60.0)
    with engine.connect() as connection:
        connection.execute(BACKEND)
    assert len(asked) == 1
    engine.dispose()


# -- statements by the driver alone ----------------------------------------------------------------------


ADD = "INSERT INTO heartbeats (part, seen_at) VALUES (%(part)s, now())"
PARTS = select(Heartbeat.part).where(Heartbeat.part.like("driver%"))


def add(connection: DriverConnection, part: str) -> None:
    connection.execute(ADD, {"part": part})


def add_and_fail(connection: DriverConnection, part: str) -> None:
    add(connection, part)
    raise UndoneError


def test_what_the_driver_writes_is_kept_at_the_end_or_not_at_all(house: House) -> None:
    with driver_transaction(house.engine) as connection:
        add(connection, "driver 1")
        assert house.all(PARTS) == []
    with pytest.raises(UndoneError), driver_transaction(house.engine) as connection:
        add_and_fail(connection, "driver 2")
    assert house.all(PARTS) == ["driver 1"]


def test_each_statement_of_the_driver_is_kept_if_wanted_and_none_later(house: House) -> None:
    engine = connect(house.config.database_url)
    with pytest.raises(UndoneError), driver_transaction(engine, autocommit=True) as connection:
        add_and_fail(connection, "driver 1")
    with engine.connect() as again:
        # The same connection, which commits nothing by itself.
        again.execute(text("INSERT INTO heartbeats (part, seen_at) VALUES ('driver 2', now())"))
    assert house.all(PARTS) == ["driver 1"]
    engine.dispose()


def test_statements_of_the_driver_belong_to_the_session_that_lends_it(house: House) -> None:
    with pytest.raises(UndoneError), house.transaction() as ctx, driver_connection(ctx.session) as connection:
        add_and_fail(connection, "driver 1")
    assert house.all(PARTS) == []


def test_an_error_of_the_driver_is_one_of_the_database_and_tells_no_parameter(house: House) -> None:
    with pytest.raises(DBAPIError) as wrong, driver_transaction(house.engine) as connection:
        connection.execute("SELECT %(secret)s::text::int", {"secret": "7 of hearts", "other": "5 of spades"})
    assert isinstance(wrong.value, DataError)
    assert "spades" not in str(wrong.value)
    nobody = connect("postgresql+psycopg://nobody@127.0.0.1:1/nothing", patience=1)
    with pytest.raises(OperationalError), driver_transaction(nobody):
        pass


def test_a_connection_that_breaks_in_a_transaction_of_the_driver_is_not_used_again(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    engine = connect(house.config.database_url)

    def cut(connection: DriverConnection) -> None:
        with house.transaction() as ctx:
            ctx.session.execute(CUT, {"backend": connection.info.backend_pid})
        connection.execute("SELECT 1")

    with pytest.raises(OperationalError), driver_transaction(engine) as connection:
        cut(connection)
    assert not caplog.text
    with driver_transaction(engine) as connection:
        assert connection.execute("SELECT 1").fetchall() == [(1,)]
    engine.dispose()
