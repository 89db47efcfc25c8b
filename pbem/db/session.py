"""Engines and transactions; tasks named inside a transaction are sent only after it has committed."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

from sqlalchemy import create_engine, event
from sqlalchemy.orm import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Engine
    from sqlalchemy.orm import SessionTransaction

    Sender = Callable[[str, tuple[Any, ...]], object]

log = logging.getLogger(__name__)

_WANTED = "wanted tasks"
_NOTED = "noted for afterwards"
_sender: list[Sender] = []


def connect(url: str, pool_size: int = 5, patience: int = 5) -> Engine:
    """Make the engine of one process; a connection that the server has dropped is replaced unseen.

    What a statement was about stands in no error and so in no log: it may be somebody's mail, or a hand.
    """
    return create_engine(
        url,
        hide_parameters=True,
        pool_pre_ping=True,
        pool_size=pool_size,
        max_overflow=10,
        connect_args={"connect_timeout": patience, "application_name": "pbem"},
    )


@contextmanager
def transaction(engine: Engine) -> Iterator[Session]:
    """Run a block as one transaction: committed at its end, undone where it raises."""
    with Session(engine, expire_on_commit=False) as session, session.begin():
        yield session


def bind_sender(sender: Sender) -> None:
    """Say how this process sends tasks: a function of a task's name and its arguments."""
    _sender[:] = [sender]


def after_commit(session: Session, task: str, *arguments: Any) -> None:
    """Name a task to be sent once the transaction has committed, each only once.

    A task is a hint: if it cannot be sent, the sweep finds what is to be done.
    """
    wanted = session.info.setdefault(_WANTED, {})
    wanted[task, arguments] = None


def once_committed(session: Session, act: Callable[..., object], *arguments: Any) -> None:
    """Have something noted once the transaction has committed, in the words of now: a line in the log, a count.

    It must not fail, and nothing may rest on it: a process that ends just then does not do it.
    """
    note = session.get_nested_transaction(), copy_context(), act, arguments
    session.info.setdefault(_NOTED, []).append(note)


@event.listens_for(Session, "after_commit")
def _send(session: Session) -> None:
    # SQLAlchemy tells of savepoints too: what they release is not committed yet.
    if session.in_nested_transaction():
        return
    for _savepoint, context, act, arguments in session.info.pop(_NOTED, ()):
        context.run(act, *arguments)
    for task, arguments in session.info.pop(_WANTED, {}):
        for sender in _sender:
            try:
                sender(task, arguments)
            except Exception:
                log.warning("could not send task %s; the sweep will find it", task, exc_info=True)


@event.listens_for(Session, "after_soft_rollback")
def _unsay(session: Session, undone: SessionTransaction) -> None:
    if _NOTED in session.info:
        session.info[_NOTED] = [note for note in session.info[_NOTED] if note[0] is not undone]


@event.listens_for(Session, "after_rollback")
def _forget(session: Session) -> None:
    # A task too many, of a savepoint that was undone, does no harm; one too few would wait for the sweep.
    if not session.in_nested_transaction():
        session.info.pop(_WANTED, None)
        session.info.pop(_NOTED, None)
