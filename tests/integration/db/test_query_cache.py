"""What was asked in a transaction is not asked again, and never stands against what was written since."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import event, select, update
from sqlalchemy.orm import Session

from pbem.db.models import Match, SeatHolder
from pbem.db.query_cache import Question, flushing_only, get_or_query, refresh_match, store
from pbem.play.core.context import Context, system_time
from pbem.play.matches import seats
from pbem.play.matches.views import player_names

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.house import House


def _by_row(ctx: Context) -> None:
    seats.holders(ctx, ctx.session.scalars(select(Match)).one())[0].name = "Zoe"


def _in_bulk(ctx: Context) -> None:
    ctx.session.execute(update(SeatHolder).where(SeatHolder.seat == 1).values(name="Zoe"))


@pytest.mark.parametrize("rename", [_by_row, _in_bulk])
def test_it_is_asked_again_once_it_was_written(house: House, rename: Callable[[Context], None]) -> None:
    match_id = house.start_match("middle-card", 3)
    asked: list[str] = []
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        connection = ctx.session.connection()
        event.listen(connection, "before_cursor_execute", lambda *told: asked.append(told[2]))
        before = player_names(ctx, match)
        assert player_names(ctx, match) == before
        assert len(asked) == 1
        rename(ctx)
        assert player_names(ctx, match) == ("Zoe", *before[1:])


def test_what_a_savepoint_undid_is_forgotten(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        before = player_names(ctx, match)
        savepoint = ctx.session.begin_nested()
        _in_bulk(ctx)
        assert player_names(ctx, match) != before
        savepoint.rollback()
        assert player_names(ctx, match) == before


def test_the_next_transaction_asks_for_itself(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    with Session(house.engine, expire_on_commit=False) as session:
        table = Context(session, house.config, system_time())
        match = session.get_one(Match, match_id)
        before = player_names(table, match)
        with house.transaction() as other:
            _in_bulk(other)
        assert player_names(table, match) == before
        session.commit()
        assert player_names(table, match) == ("Zoe", *before[1:])


def test_what_was_written_by_whoever_knows_the_answer_is_not_asked(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    with house.transaction() as ctx:
        question = Question((SeatHolder,), ("whose",), match_id)
        store(ctx.session, question, "known")
        assert get_or_query(ctx.session, question, lambda: "asked") == "known"
        _in_bulk(ctx)
        assert get_or_query(ctx.session, question, lambda: "asked") == "asked"


def test_an_answer_may_account_for_rows_that_are_yet_to_be_written(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    with house.transaction() as ctx:
        ann, bob, _cyd = seats.holders(ctx, ctx.session.get_one(Match, match_id))
        question = Question((SeatHolder,), ("whose",), match_id)
        ann.name = "Zoe"
        store(ctx.session, question, "known")
        assert get_or_query(ctx.session, question, lambda: "asked") == "known"
        assert ann in ctx.session.dirty
        ctx.session.flush()
        assert get_or_query(ctx.session, question, lambda: "asked") == "known"
        bob.name = "Yan"
        assert get_or_query(ctx.session, question, lambda: "asked") == "asked"
        assert bob not in ctx.session.dirty


def test_what_is_written_of_other_matches_changes_no_answer(house: House) -> None:
    match_id, other_id = house.start_match("middle-card", 3), house.start_match("middle-card", 3)
    with house.transaction() as ctx:
        question = Question((SeatHolder,), ("whose",), match_id)
        store(ctx.session, question, "known")
        other, *_others = seats.holders(ctx, ctx.session.get_one(Match, other_id))
        other.name = "Zoe"
        assert get_or_query(ctx.session, question, lambda: "asked") == "known"
        assert other in ctx.session.dirty


def test_only_what_is_asked_for_is_written_first(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        match.invitation_text = "Welcome"
        with flushing_only(ctx.session, SeatHolder):
            assert match in ctx.session.dirty
        with flushing_only(ctx.session, Match):
            assert match not in ctx.session.dirty


def test_what_others_wrote_before_the_lock_is_read_again_and_what_is_changed_here_stays(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    with house.transaction() as ctx:
        ann, bob, _cyd = seats.holders(ctx, ctx.session.get_one(Match, match_id))
        with house.transaction() as other:
            _in_bulk(other)
        bob.name = "Yan"
        assert ann.name == "Ann"
        refresh_match(ctx.session, match_id, SeatHolder)
        assert (ann.name, bob.name) == ("Zoe", "Yan")
