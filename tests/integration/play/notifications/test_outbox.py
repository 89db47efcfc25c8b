"""Notices: each is owed once; those that are owed together are written together, or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

from pbem.db.models import Match, OutboxMessage, SeatHolder, Token
from pbem.play.core import tokens
from pbem.play.matches import seats
from pbem.play.notifications import outbox
from tests.support.house import NAMES, address

if TYPE_CHECKING:
    from pbem.play.core.context import Context
    from tests.support.house import House


def _owe(ctx: Context, match_id: str, once: str) -> None:
    match = ctx.session.get_one(Match, match_id)
    for holder in seats.holders(ctx, match):
        facts = outbox.match_facts(ctx, match, holder)
        outbox.enqueue(ctx, "looked", holder, match, facts, once=f"{once} {holder.seat}", ply=7)


def _kept(ctx: Context) -> list[str]:
    return list(
        ctx.session.scalars(
            select(OutboxMessage.recipient)
            .where(OutboxMessage.idempotency_key.like("test %"))
            .order_by(OutboxMessage.id)
        )
    )


def test_they_are_written_in_order_with_their_links_and_each_once(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    with house.transaction() as ctx:
        for _time in range(2):
            _owe(ctx, match_id, "test")
            assert _kept(ctx) == [address(name) for name in NAMES[:3]]
        stage = Token.kind == tokens.LINK, Token.ply == 7
        assert ctx.session.scalar(select(func.count()).where(*stage)) == 3


def test_those_of_a_savepoint_that_is_undone_are_not_owed(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    with house.transaction() as ctx:
        _owe(ctx, match_id, "test before")
        savepoint = ctx.session.begin_nested()
        _owe(ctx, match_id, "test within")
        savepoint.rollback()
        _owe(ctx, match_id, "test after")
        keys = ctx.session.scalars(
            select(OutboxMessage.idempotency_key).where(OutboxMessage.idempotency_key.like("test %"))
        )
        assert {key.split()[1] for key in keys} == {"before", "after"}


def test_a_mail_to_an_address_alone_makes_no_link_known(house: House) -> None:
    with house.transaction() as ctx:
        outbox.enqueue_mail(ctx, "sign in", address("Ann"), {"name": "Ann"}, once="test")
        assert ctx.session.scalar(select(func.count()).select_from(OutboxMessage)) == 1
        assert ctx.session.scalar(select(func.count()).select_from(Token)) == 0


def test_a_notice_is_owed_once(house: House) -> None:
    match_id = house.make("minimax", 1)
    with house.transaction() as ctx:
        (holder,) = ctx.session.scalars(select(SeatHolder))
        match = ctx.session.get_one(Match, match_id)
        for _ in range(3):
            facts = outbox.unstarted_facts(ctx, match, holder)
            outbox.enqueue(ctx, "invited", holder, match, facts, once="this once", ply=0)
    assert len(house.all(select(OutboxMessage.id).where(OutboxMessage.idempotency_key == "this once"))) == 1
