"""What few matches have is told of those that have it, and of no other."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import Address, ChatMessage, ClockPause, DomainBackoff, Match, MoveTiming, Plan, SeatHolder, Webhook
from pbem.play.core import match_features
from pbem.play.matches import seats
from pbem.states import PauseReason
from tests.support.house import address

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.db.models import Base
    from pbem.play.core.context import Context
    from tests.support.house import House

    Made = Callable[[Context, SeatHolder], Base]


def _plan(ctx: Context, holder: SeatHolder) -> Base:
    return Plan(holder_id=holder.id, lines={}, stage=0, log_length=0, dropped_reasons="", created_at=ctx.now)


def _webhook(ctx: Context, holder: SeatHolder) -> Base:
    return Webhook(id="w", holder_id=holder.id, url="https://example.org", secret=b"s", created_at=ctx.now)


def _words(ctx: Context, holder: SeatHolder) -> Base:
    return ChatMessage(match_id=holder.match_id, holder_id=holder.id, seat=1, ply=1, text="Hello", sent_at=ctx.now)


def _automatic(ctx: Context, holder: SeatHolder) -> Base:
    when = {"asked_at": ctx.now, "moved_at": ctx.now}
    return MoveTiming(match_id=holder.match_id, seat=1, ply=1, holder_id=holder.id, automatic_reason="forced", **when)


def _away(ctx: Context, holder: SeatHolder) -> Base:
    day = timedelta(days=1)
    return ClockPause(
        reason=PauseReason.AWAY.value, player_id=holder.player_id, started_at=ctx.now - day, ended_at=ctx.now + day
    )


def _refused(ctx: Context, _holder: SeatHolder) -> Base:
    # Its pause is over, but has only just been.
    return DomainBackoff(
        domain="example.org",
        started_at=ctx.now,
        retry_at=ctx.now - match_features.REFUSAL_WINDOW / 2,
        refusals=1,
        last_error="",
    )


def _failing(ctx: Context, holder: SeatHolder) -> Base:
    failing = ctx.session.get_one(Address, holder.email)
    failing.failing_since = ctx.now
    return failing


@pytest.mark.parametrize(
    ("made", "name"),
    [
        (_plan, "plans"),
        (_webhook, "webhooks"),
        (_words, "chat"),
        (_away, "away"),
        (_refused, "unreachable"),
        (_failing, "unreachable"),
    ],
)
def test_each_rarity_is_told_as_soon_as_it_is_there(house: House, made: Made, name: str) -> None:
    match_id = house.start_match("middle-card", 3)
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        (holder,) = (one for one in seats.holders(ctx, match) if one.email == address("Ann"))
        before = match_features.load(ctx, match_id)
        assert not any(asdict(before).values())
        assert match_features.load(ctx, match_id) is before
        ctx.session.add(made(ctx, holder))
        assert {key for key, there in asdict(match_features.load(ctx, match_id)).items() if there} == {name}


def test_a_match_has_nothing_of_what_another_has(house: House) -> None:
    one, other = house.start_match("middle-card", 3), house.start_match("middle-card", 3)
    with house.transaction() as ctx:
        holder = ctx.session.scalars(select(SeatHolder).where(SeatHolder.match_id == one).limit(1)).one()
        ctx.session.add_all([_plan(ctx, holder), _webhook(ctx, holder), _words(ctx, holder)])
        assert any(asdict(match_features.load(ctx, one)).values())
        assert not any(asdict(match_features.load(ctx, other)).values())


def test_a_move_that_the_service_has_played_is_known_in_its_transaction_and_in_the_next(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        assert not match_features.load(ctx, match_id).automatic
        ctx.session.add(_automatic(ctx, seats.holders(ctx, match)[0]))
        match_features.record_automatic(ctx, match_id)
        assert match_features.load(ctx, match_id).automatic
    with house.transaction() as ctx:
        assert match_features.load(ctx, match_id).automatic
