"""What was asked of the database in a transaction and is asked again: known until something of its kind is written.

So whoever needs to know who sits at a match asks for it, and need not be handed it through all who know it already.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import event, select
from sqlalchemy.orm import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy.orm import ORMExecuteState, SessionTransaction
    from sqlalchemy.orm.unitofwork import UOWTransaction

    from pbem.db.models import Base, Holder, MatchSeat

Found = TypeVar("Found")

_KNOWN = "remembered"


def remembered(
    session: Session, kinds: tuple[type[Base], ...], what: tuple[object, ...], ask: Callable[[], Found]
) -> Found:
    """Give what is known already of rows of some kinds, or ask for it; `what` names the question."""
    with asking(session, *kinds):
        known = session.info.setdefault(_KNOWN, {})
        if (kinds, what) not in known:
            known[kinds, what] = ask()
        found: Found = known[kinds, what]
        return found


@contextmanager
def asking(session: Session, *kinds: type[Base]) -> Iterator[None]:
    """Ask in a block for rows of some kinds alone: what is changed of these is written first, and all else later."""
    if any(isinstance(row, kinds) for rows in (session.new, session.dirty, session.deleted) for row in rows):
        session.flush()
    with session.no_autoflush:
        yield


def remember(session: Session, kinds: tuple[type[Base], ...], what: tuple[object, ...], found: object) -> None:
    """Give the answer to a question, for whoever has just written what it asks for."""
    session.flush()
    session.info.setdefault(_KNOWN, {})[kinds, what] = found


def read_again(session: Session, match: str, *kinds: type[Holder | MatchSeat]) -> None:
    """Read the rows of a match again that are known already, since others may have written them meanwhile.

    What this transaction has changed is written first, and stays.
    """
    known = {type(row) for row in session.identity_map.values() if row.__dict__.get("match_id") == match}
    for kind in kinds:
        if kind in known:
            newest = select(kind).where(kind.match_id == match)
            session.scalars(newest, execution_options={"populate_existing": True}).all()
    session.info.pop(_KNOWN, None)


def _forget(session: Session, written: set[type[object]]) -> None:
    known = session.info.get(_KNOWN)
    if known:
        session.info[_KNOWN] = {key: found for key, found in known.items() if not written.intersection(key[0])}


@event.listens_for(Session, "after_flush")
def _flushed(session: Session, _context: UOWTransaction) -> None:
    # What was set to what it was already is not written.
    changed = [row for row in session.dirty if session.is_modified(row)]
    _forget(session, {type(row) for rows in (session.new, changed, session.deleted) for row in rows})


@event.listens_for(Session, "do_orm_execute")
def _executed(state: ORMExecuteState) -> None:
    if not state.is_select and state.bind_mapper is not None:
        _forget(state.session, {state.bind_mapper.class_})


@event.listens_for(Session, "after_soft_rollback")
def _undone(session: Session, _undone: SessionTransaction) -> None:
    session.info.pop(_KNOWN, None)


@event.listens_for(Session, "after_transaction_end")
def _ended(session: Session, transaction: SessionTransaction) -> None:
    if transaction.parent is None:
        session.info.pop(_KNOWN, None)
