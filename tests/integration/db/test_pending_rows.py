"""Rows that are only inserted: together, before anything that could miss them, and not at all if they are undone."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import event, func, select, text
from sqlalchemy.exc import DataError
from sqlalchemy.orm import Session

from pbem.db import pending_rows
from pbem.db.models import LogEntry, Match, Token

if TYPE_CHECKING:
    from pbem.play.core.context import Context
    from tests.support.house import House

WHERE: ContextVar[str] = ContextVar("where", default="")
TOKENS = pending_rows.insert_into(Token, key="hash")
ENTRIES = pending_rows.insert_into(LogEntry)


def _add(ctx: Context, *hashes: bytes) -> None:
    for one in hashes:
        token = {"hash": one, "kind": "link", "holder_id": 1, "ply": 90, "generation": 1, "issued_at": ctx.now}
        pending_rows.add(ctx.session, TOKENS, token)


def _add_entry(ctx: Context, match: str, number: int, **fields: Any) -> None:
    empty = dict.fromkeys(["ply", "seat", "move", "event", "by", "detail"])
    row = {"match_id": match, "number": number, "logged_at": ctx.now, "salt": b"salt"} | empty | fields
    pending_rows.add(ctx.session, ENTRIES, row)


def _known(ctx: Context) -> set[bytes]:
    return {*ctx.session.scalars(select(Token.hash).where(Token.ply == 90))}


@pytest.fixture
def started(house: House) -> House:
    house.start_match("middle-card", 3)
    return house


def test_a_query_finds_them(started: House) -> None:
    with started.transaction() as ctx:
        _add(ctx, b"one", b"two")
        assert _known(ctx) == {b"one", b"two"}


def test_a_statement_that_deletes_finds_them(started: House) -> None:
    with started.transaction() as ctx:
        _add(ctx, b"one")
        ctx.session.execute(text("DELETE FROM tokens WHERE ply = 90"))
    with started.transaction() as ctx:
        assert _known(ctx) == set()


def test_a_query_that_must_not_flush_does_not_write_them(started: House) -> None:
    with started.transaction() as ctx:
        _add(ctx, b"one")
        with ctx.session.no_autoflush:
            assert _known(ctx) == set()
        assert _known(ctx) == {b"one"}


def test_the_commit_writes_those_of_a_table_by_one_statement(started: House) -> None:
    statements: list[str] = []
    with started.transaction() as ctx:
        event.listen(ctx.session.connection(), "before_cursor_execute", lambda *seen: statements.append(seen[2]))
        for one in range(100):
            _add(ctx, b"%d" % one)
    assert len(statements) == 1
    with started.transaction() as ctx:
        assert len(_known(ctx)) == 100


def test_a_savepoint_that_is_undone_takes_only_its_own_with_it(started: House) -> None:
    with started.transaction() as ctx:
        _add(ctx, b"before")
        savepoint = ctx.session.begin_nested()
        _add(ctx, b"written")
        assert b"written" in _known(ctx)
        _add(ctx, b"not written")
        savepoint.rollback()
        _add(ctx, b"after")
    with started.transaction() as ctx:
        assert _known(ctx) == {b"before", b"after"}


def test_a_transaction_that_fails_writes_none(started: House) -> None:
    with pytest.raises(ZeroDivisionError), started.transaction() as ctx:  # noqa: PT012 -- what is added is undone
        _add(ctx, b"one")
        raise ZeroDivisionError
    with started.transaction() as ctx:
        assert _known(ctx) == set()


def test_the_next_transaction_of_the_same_session_writes_none_of_a_failed_one(started: House) -> None:
    with started.transaction() as ctx:
        moment = ctx.now
    with Session(started.engine) as session:
        token = {"hash": b"one", "kind": "link", "holder_id": 1, "ply": 90, "generation": 1, "issued_at": moment}
        session.connection()
        pending_rows.add(session, TOKENS, token)
        session.rollback()
        session.connection()
        session.commit()
    with started.transaction() as ctx:
        assert _known(ctx) == set()


def test_a_row_that_is_known_already_stays_and_only_new_ones_are_reported_in_their_own_context(started: House) -> None:
    reported: list[tuple[bytes, str]] = []
    with started.transaction() as ctx:
        _add(ctx, b"one")
    with started.transaction() as ctx:
        for one in (b"one", b"two"):
            token = {"hash": one, "kind": "reply", "holder_id": 1, "ply": 90, "generation": 1, "issued_at": ctx.now}
            WHERE.set(f"at {one.decode()}")
            pending_rows.add(ctx.session, TOKENS, token, lambda key: reported.append((bytes(key), WHERE.get())))
        WHERE.set("")
    assert reported == [(b"two", "at two")]
    with started.transaction() as ctx:
        assert [*ctx.session.scalars(select(Token.kind).where(Token.ply == 90).order_by(Token.hash))] == [
            "link",
            "reply",
        ]


def test_columns_without_a_value_and_documents_are_as_the_session_writes_them(started: House) -> None:
    with started.transaction() as ctx:
        match = ctx.session.scalars(select(Match.id)).one()
        _add_entry(ctx, match, 901, event="paused", by="seat 1", detail={"why": "“tea”, \\ and 'cake'"})
        _add_entry(ctx, match, 902, event="resumed", by="seat 1", detail={})
        found = ctx.session.scalars(select(LogEntry).where(LogEntry.number > 900).order_by(LogEntry.number)).all()
        assert [(one.ply, one.seat, one.event, one.detail) for one in found] == [
            (None, None, "paused", {"why": "“tea”, \\ and 'cake'"}),
            (None, None, "resumed", {}),
        ]
        assert found[0].logged_at == ctx.now


def test_what_the_database_does_not_accept_undoes_the_savepoint_that_added_it(started: House) -> None:
    with started.transaction() as ctx:
        match = ctx.session.scalars(select(Match.id)).one()
        _add(ctx, b"before")
        with pytest.raises(DataError), ctx.session.begin_nested():
            _add_entry(ctx, match, 901, event="paused\0", by="seat 1")
        assert _known(ctx) == {b"before"}
        assert ctx.session.scalar(select(func.count()).where(LogEntry.number > 900)) == 0
