"""Rows that a transaction only inserts: those of a table are written together, by one statement.

They are written before the session's next statement, before a savepoint and before the commit, as the session's own
rows are, but cost a fraction of those. The statement has an array for each column, so it is the same for any number of
rows.
"""

from __future__ import annotations

import contextvars
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import Table, event, inspect
from sqlalchemy.dialects.postgresql import JSONB, dialect
from sqlalchemy.orm import ORMExecuteState, Session, SessionTransaction

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from sqlalchemy import Column

    from pbem.db.models import Base

_PENDING = "pending rows"
_POSTGRESQL = dialect()  # type: ignore[no-untyped-call]


@dataclass(frozen=True, slots=True)
class Insert:
    """An INSERT of any number of rows, whose columns in `documents` take JSON.

    With a `key`, a unique column, rows that are known already are left as they are; `ids` returns keys and ids of the
    others.
    """

    table: str
    statement: str
    columns: tuple[str, ...]
    documents: frozenset[str]
    key: str
    ids: str

    def parameters(self, rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
        """Return the parameters of the statement: the values of each column."""
        return {
            name: [json.dumps(row[name]) for row in rows] if name in self.documents else [row[name] for row in rows]
            for name in self.columns
        }


def insert_into(model: type[Base], *, key: str = "", defaults: Collection[str] = ()) -> Insert:
    """Build the INSERT of a model's rows; the columns in `defaults` are left to the database."""
    table = inspect(model).local_table
    assert isinstance(table, Table)  # noqa: S101 -- for the type checker: our models are tables
    columns = [column for column in table.columns if column.name not in defaults]
    documents = frozenset(column.name for column in columns if isinstance(column.type, JSONB))
    names = ", ".join(column.name for column in columns)
    values = ", ".join(f"{column.name}::jsonb" if column.name in documents else column.name for column in columns)
    arrays = ", ".join(_array(column) for column in columns)
    rows = f"SELECT {values} FROM unnest({arrays}) AS rows ({names})"  # noqa: S608 -- the names of our own columns
    statement = f"INSERT INTO {table.name} ({names}) {rows}"
    if key:
        statement += " ON CONFLICT DO NOTHING"
    ids = f" RETURNING {key}, {table.primary_key.columns[0].name}"
    return Insert(table.name, statement, tuple(column.name for column in columns), documents, key, ids)


def _array(column: Column[Any]) -> str:
    """Return the placeholder of a column: psycopg would escape the texts of an array that is not binary."""
    kind = "text" if isinstance(column.type, JSONB) else column.type.compile(_POSTGRESQL)
    return f"%({column.name})b::{kind}[]"


@dataclass(frozen=True, slots=True)
class _Row:
    """A row, and what to call with its id once it was inserted, in the context of now."""

    values: Mapping[str, Any]
    then: Callable[[Any], object] | None
    context: contextvars.Context = field(default_factory=contextvars.copy_context)


def add(
    session: Session, insert: Insert, values: Mapping[str, Any], then: Callable[[Any], object] | None = None
) -> None:
    """Add a row; if it has a key and is new, `then` is called with its id after it was written."""
    rows: dict[Insert, list[_Row]] = session.info.setdefault(_PENDING, {})
    rows.setdefault(insert, []).append(_Row(values, then))


def has_any(session: Session, *models: type[Base]) -> bool:
    """Return whether rows of some models were added and are not written yet."""
    tables = {model.__tablename__ for model in models}
    return any(insert.table in tables for insert in session.info.get(_PENDING, ()))


def write(session: Session) -> None:
    """Write the rows that were added, after those of the session, to which they may refer."""
    pending: dict[Insert, list[_Row]] = session.info.pop(_PENDING, {})
    if not pending:
        return
    session.flush()
    connection = session.connection()
    for insert, rows in pending.items():
        parameters = insert.parameters([row.values for row in rows])
        if not any(row.then for row in rows):
            connection.exec_driver_sql(insert.statement, parameters)
            continue
        written = connection.exec_driver_sql(insert.statement + insert.ids, parameters)
        ids = {key: number for key, number in written}  # noqa: C416 -- `dict` takes a result for a mapping
        for row in rows:
            if row.then and row.values[insert.key] in ids:
                row.context.run(row.then, ids[row.values[insert.key]])


@event.listens_for(Session, "before_commit")
def _write_before_commit(session: Session) -> None:
    write(session)


@event.listens_for(Session, "do_orm_execute")
def _write_before_statement(state: ORMExecuteState) -> None:
    if state.session.autoflush or not state.is_select:
        write(state.session)


@event.listens_for(Session, "after_soft_rollback")
def _forget(session: Session, _undone: SessionTransaction) -> None:
    session.info.pop(_PENDING, None)
