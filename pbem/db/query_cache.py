"""Per-transaction query cache, invalidated when a row of a queried model is written.

So a function that needs the players of a match can query them itself, instead of getting them from its callers.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import event, select
from sqlalchemy.orm import ORMExecuteState, Session, SessionTransaction

from pbem.db import pending_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy.orm.unitofwork import UOWTransaction

    from pbem.db.models import Base, MatchSeat, SeatHolder

Found = TypeVar("Found")

_CACHE_KEY = "query cache"


@dataclass(frozen=True, slots=True)
class Question:
    """What is queried: rows of some models, under a key; with a `match`, rows of other matches do not count."""

    models: tuple[type[Base], ...]
    key: tuple[object, ...]
    match: str | None = None

    def concerns(self, row: object) -> bool:
        """Return whether the answer may depend on a row; a row without a match may concern every one."""
        # Asked some hundred times for a batch of moves, nearly always of rows of other models.
        if type(row) not in self.models:
            return False
        return self.match is None or row.__dict__.get("match_id", self.match) == self.match


@dataclass(frozen=True, slots=True)
class _Answer:
    """A result, and the rows it accounts for that were not flushed yet when it was stored."""

    found: Any
    unflushed: frozenset[object] = frozenset()


def get_or_query(session: Session, question: Question, query: Callable[[], Found]) -> Found:
    """Return a cached result, or query it."""
    answer = _cache(session).get(question)
    if answer is None or not _unflushed(session, question) <= answer.unflushed:
        if _unflushed(session, question):
            session.flush()
        with session.no_autoflush:
            # The flush may have invalidated the answer.
            answer = _cache(session).get(question) or _Answer(query())
            _cache(session)[question] = answer
    found: Found = answer.found
    return found


@contextmanager
def flushing_only(session: Session, *models: type[Base]) -> Iterator[None]:
    """Flush pending changes of these models only, and disable autoflush within the block."""
    if pending_rows.has_any(session, *models):
        pending_rows.write(session)
    elif _unflushed(session, Question(models, ())):
        session.flush()
    with session.no_autoflush:
        yield


def store(session: Session, question: Question, found: object) -> None:
    """Store the result of a query, which accounts for all rows that are not flushed yet."""
    _cache(session)[question] = _Answer(found, _unflushed(session, question))


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


def _cache(session: Session) -> dict[Question, _Answer]:
    cache: dict[Question, _Answer] = session.info.setdefault(_CACHE_KEY, {})
    return cache


def _unflushed(session: Session, question: Question) -> frozenset[object]:
    """Return the rows that a question concerns and that are not flushed yet."""
    rows = chain(session.new, session.dirty, session.deleted)
    return frozenset([row for row in rows if question.concerns(row)])


@event.listens_for(Session, "after_flush")
def _invalidate_flushed(session: Session, _context: UOWTransaction) -> None:
    # An attribute that was set to its old value is not written.
    changed = [row for row in session.dirty if session.is_modified(row)]
    written = {row for rows in (session.new, changed, session.deleted) for row in rows}
    session.info[_CACHE_KEY] = {
        question: answer
        for question, answer in _cache(session).items()
        if not any(question.concerns(row) for row in written - answer.unflushed)
    }


@event.listens_for(Session, "do_orm_execute")
def _invalidate_executed(state: ORMExecuteState) -> None:
    if not state.is_select and state.bind_mapper is not None:
        model = state.bind_mapper.class_
        kept = {question: answer for question, answer in _cache(state.session).items() if model not in question.models}
        state.session.info[_CACHE_KEY] = kept


@event.listens_for(Session, "after_soft_rollback")
def _clear_after_rollback(session: Session, _undone: SessionTransaction) -> None:
    session.info.pop(_CACHE_KEY, None)


@event.listens_for(Session, "after_transaction_end")
def _clear_at_end(session: Session, transaction: SessionTransaction) -> None:
    if transaction.parent is None:
        session.info.pop(_CACHE_KEY, None)
