"""Per-transaction query cache, invalidated when a row of a queried model is written.

So a function that needs the players of a match can query them itself, instead of getting them from its callers.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import event, select
from sqlalchemy.orm import ORMExecuteState, Session, SessionTransaction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy.orm.unitofwork import UOWTransaction

    from pbem.db.models import Base, MatchSeat, SeatHolder

Found = TypeVar("Found")

_CACHE_KEY = "query cache"


def get_or_query(
    session: Session, kinds: tuple[type[Base], ...], what: tuple[object, ...], query: Callable[[], Found]
) -> Found:
    """Return a cached result for rows of some models, or query it; `what` is the key of the query."""
    with flushing_only(session, *kinds):
        cache = session.info.setdefault(_CACHE_KEY, {})
        if (kinds, what) not in cache:
            cache[kinds, what] = query()
        found: Found = cache[kinds, what]
        return found


@contextmanager
def flushing_only(session: Session, *kinds: type[Base]) -> Iterator[None]:
    """Flush pending changes of these models only, and disable autoflush within the block."""
    if any(isinstance(row, kinds) for rows in (session.new, session.dirty, session.deleted) for row in rows):
        session.flush()
    with session.no_autoflush:
        yield


def store(session: Session, kinds: tuple[type[Base], ...], what: tuple[object, ...], found: object) -> None:
    """Store the result of a query after writing the rows that it reads."""
    session.flush()
    session.info.setdefault(_CACHE_KEY, {})[kinds, what] = found


def refresh_match(session: Session, match: str, *kinds: type[SeatHolder | MatchSeat]) -> None:
    """Reload the loaded rows of a match, since other transactions may have changed them.

    Changes of this transaction are flushed first, and stay.
    """
    known = {type(row) for row in session.identity_map.values() if row.__dict__.get("match_id") == match}
    for kind in kinds:
        if kind in known:
            newest = select(kind).where(kind.match_id == match)
            session.scalars(newest, execution_options={"populate_existing": True}).all()
    session.info.pop(_CACHE_KEY, None)


def _invalidate(session: Session, written: set[type[object]]) -> None:
    cache = session.info.get(_CACHE_KEY)
    if cache:
        session.info[_CACHE_KEY] = {key: found for key, found in cache.items() if not written.intersection(key[0])}


@event.listens_for(Session, "after_flush")
def _invalidate_flushed(session: Session, _context: UOWTransaction) -> None:
    # An attribute that was set to its old value is not written.
    changed = [row for row in session.dirty if session.is_modified(row)]
    _invalidate(session, {type(row) for rows in (session.new, changed, session.deleted) for row in rows})


@event.listens_for(Session, "do_orm_execute")
def _invalidate_executed(state: ORMExecuteState) -> None:
    if not state.is_select and state.bind_mapper is not None:
        _invalidate(state.session, {state.bind_mapper.class_})


@event.listens_for(Session, "after_soft_rollback")
def _clear_after_rollback(session: Session, _undone: SessionTransaction) -> None:
    session.info.pop(_CACHE_KEY, None)


@event.listens_for(Session, "after_transaction_end")
def _clear_at_end(session: Session, transaction: SessionTransaction) -> None:
    if transaction.parent is None:
        session.info.pop(_CACHE_KEY, None)
