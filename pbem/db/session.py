"""Engines and transactions; tasks requested inside a transaction are sent only after COMMIT."""

from __future__ import annotations

import logging
import select
import time
from contextlib import contextmanager
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

from psycopg import Error
from sqlalchemy import create_engine, event
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.orm import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from psycopg import Connection
    from sqlalchemy import Engine
    from sqlalchemy.orm import SessionTransaction
    from sqlalchemy.pool import ConnectionPoolEntry

    TaskSender = Callable[[str, tuple[Any, ...]], object]

log = logging.getLogger(__name__)

TRUSTED_IDLE_SECONDS = 10.0
"""Seconds for which a returned connection is reused without a ping, unless the server has sent something."""

_CHECKED_IN_AT = "put back at"
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

    def look(connection: Any, entry: ConnectionPoolEntry, _taken: object) -> None:
        try:
            if not _is_recently_used(connection, entry):
                engine.dialect.do_ping(connection)
        except Error as gone:
            raise InvalidatePoolError from gone

    event.listen(engine, "checkout", look)
    event.listen(engine, "checkin", _note_checkin)
    return engine


def _is_recently_used(connection: Connection, entry: ConnectionPoolEntry) -> bool:
    """Return whether a connection may be used without a ping, which costs as much as a query.

    A server that shuts down says so on the connection, so there is data to read; one that vanished silently is noticed
    within seconds.
    """
    put_back = entry.info.get(_CHECKED_IN_AT)
    if put_back is None:
        return True
    line = select.poll()
    line.register(connection.fileno(), select.POLLIN)
    return time.monotonic() - put_back < TRUSTED_IDLE_SECONDS and not line.poll(0)


def _note_checkin(_connection: object, entry: ConnectionPoolEntry) -> None:
    entry.info[_CHECKED_IN_AT] = time.monotonic()


@contextmanager
def session_scope(engine: Engine) -> Iterator[Session]:
    """Run a block as one transaction: committed at its end, rolled back if it raises."""
    with Session(engine, expire_on_commit=False) as session, session.begin():
        yield session


def set_task_sender(sender: TaskSender) -> None:
    """Set how this process sends tasks: a function of a task's name and its arguments."""
    _sender[:] = [sender]


def send_after_commit(session: Session, task: str, *arguments: Any) -> None:
    """Send a task once the transaction has committed; duplicates are sent once.

    A task is only a wake-up: if it cannot be sent, the sweeper finds the work.
    """
    wanted = session.info.setdefault(_PENDING_TASKS, {})
    wanted[task, arguments] = None


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
        for sender in _sender:
            try:
                sender(task, arguments)
            except Exception:
                log.warning("could not send task %s; the sweep will find it", task, exc_info=True)


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
