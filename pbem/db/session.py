"""Engines and transactions; tasks requested inside a transaction are sent only after COMMIT."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from contextvars import copy_context
from typing import TYPE_CHECKING, Any, cast

import psycopg
from sqlalchemy import create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from pbem.db import pending_rows
from pbem.db.connection_check import check_idle_connections

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Connection, Engine
    from sqlalchemy.orm import SessionTransaction

    TaskSender = Callable[[str, tuple[Any, ...]], object]
    DriverConnection = psycopg.Connection[tuple[Any, ...]]

log = logging.getLogger(__name__)

_PENDING_TASKS = "wanted tasks"
_PENDING_CALLBACKS = "noted for afterwards"
_sender: list[TaskSender] = []


def connect(url: str, pool_size: int = 5, patience: int = 5) -> Engine:
    """Create the engine of a process; connections that the server has dropped are replaced transparently.

    Errors and logs never include statement parameters: these may hold a mail, or a hand.
    """
    engine = create_engine(
        url,
        hide_parameters=True,
        pool_size=pool_size,
        max_overflow=10,
        connect_args={"connect_timeout": patience, "application_name": "pbem"},
    )
    check_idle_connections(engine)
    return engine


class WritingSession(Session):
    """A session whose savepoints undo what was added within them, and nothing before."""

    def begin_nested(self) -> SessionTransaction:
        """Begin a savepoint, after all that was added is written."""
        pending_rows.write(self)
        return super().begin_nested()


@contextmanager
def session_scope(engine: Engine) -> Iterator[Session]:
    """Run a block as one transaction: committed at its end, rolled back if it raises."""
    with WritingSession(engine, expire_on_commit=False) as session, session.begin():
        yield session


@contextmanager
def driver_transaction(engine: Engine, *, autocommit: bool = False) -> Iterator[DriverConnection]:
    """Run a block as one transaction on a connection of the driver, for a constant statement that is executed often.

    It costs half of a session's. With `autocommit` each statement is committed by itself. Errors are SQLAlchemy's.
    """
    with _wrap_errors():
        pooled = engine.raw_connection()
        connection = cast("DriverConnection", pooled.driver_connection)
        try:
            connection.autocommit = autocommit
            yield connection
            if not autocommit:
                connection.commit()
        finally:
            if connection.closed:
                # It is broken: its pool would try to roll it back, and log that this fails.
                pooled.invalidate()
            elif autocommit:
                connection.autocommit = False
            # Rolls back what was not committed.
            pooled.close()


@contextmanager
def driver_connection(session: Session) -> Iterator[DriverConnection]:
    """Lend the driver's connection of a session, for statements in its transaction; errors are SQLAlchemy's."""
    with _wrap_errors():
        yield underlying(session.connection())


@contextmanager
def _wrap_errors() -> Iterator[None]:
    try:
        yield
    except psycopg.Error as error:
        raise DBAPIError.instance(None, None, error, psycopg.Error, hide_parameters=True) from error


def underlying(connection: Connection) -> DriverConnection:
    """Return the driver's own connection below one of SQLAlchemy; its errors are the driver's."""
    return cast("DriverConnection", connection.connection.driver_connection)


def set_task_sender(sender: TaskSender) -> None:
    """Set how this process sends tasks: a function of a task's name and its arguments."""
    _sender[:] = [sender]


def send_after_commit(session: Session, task: str, *arguments: Any) -> None:
    """Send a task once the transaction has committed; duplicates are sent once.

    A task is only a wake-up: if it cannot be sent, the sweeper finds the work.
    """
    wanted = session.info.setdefault(_PENDING_TASKS, {})
    wanted[task, arguments] = None


def send_task(task: str, *arguments: Any) -> None:
    """Send a task now; what it is about was committed."""
    for sender in _sender:
        try:
            sender(task, arguments)
        except Exception:
            log.warning("could not send task %s; the sweep will find it", task, exc_info=True)


def call_after_commit(session: Session, act: Callable[..., object], *arguments: Any) -> None:
    """Call a function once the transaction has committed, with the context variables of now.

    The function must not raise, and is lost if the process dies after COMMIT: use it for logging and metrics only.
    """
    note = session.get_nested_transaction(), copy_context(), act, arguments
    session.info.setdefault(_PENDING_CALLBACKS, []).append(note)


@event.listens_for(Session, "after_commit")
def _run_after_commit(session: Session) -> None:
    # SQLAlchemy also fires this event for savepoints, which are not committed yet.
    if session.in_nested_transaction():
        return
    for _savepoint, context, act, arguments in session.info.pop(_PENDING_CALLBACKS, ()):
        context.run(act, *arguments)
    for task, arguments in session.info.pop(_PENDING_TASKS, {}):
        send_task(task, *arguments)


@event.listens_for(Session, "after_soft_rollback")
def _drop_callbacks(session: Session, undone: SessionTransaction) -> None:
    if _PENDING_CALLBACKS in session.info:
        session.info[_PENDING_CALLBACKS] = [note for note in session.info[_PENDING_CALLBACKS] if note[0] is not undone]


@event.listens_for(Session, "after_rollback")
def _drop_all(session: Session) -> None:
    # A superfluous task of a rolled-back savepoint is harmless; a missing one would wait for the sweeper.
    if not session.in_nested_transaction():
        session.info.pop(_PENDING_TASKS, None)
        session.info.pop(_PENDING_CALLBACKS, None)
