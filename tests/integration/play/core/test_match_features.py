"""What few matches have is told of those that have it, and of no other."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import Address, Domain, Holder, Match, Message, Plan, Standstill, Turn, Webhook
from pbem.play.core import match_features
from pbem.play.matches import seats
from pbem.states import PauseReason
from tests.support.house import address

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.db.models import Base
    from pbem.play.core.context import Table
    from tests.support.house import House

    Made = Callable[[Table, Holder], Base]


def _plan(table: Table, holder: Holder) -> Base:
    return Plan(holder_id=holder.id, lines={}, stage=0, length=0, missed="", made_at=table.now)


def _webhook(table: Table, holder: Holder) -> Base:
    return Webhook(id="w", holder_id=holder.id, url="https://example.org", secret=b"s", made_at=table.now)


def _words(table: Table, holder: Holder) -> Base:
    return Message(match_id=holder.match_id, holder_id=holder.id, seat=1, ply=1, text="Hello", at=table.now)


def _automatic(table: Table, holder: Holder) -> Base:
    when = {"asked_at": table.now, "moved_at": table.now}
    return Turn(match_id=holder.match_id, seat=1, ply=1, holder_id=holder.id, automatic="forced", **when)


def _away(table: Table, holder: Holder) -> Base:
    day = timedelta(days=1)
    return Standstill(
        why=PauseReason.AWAY.value, player_id=holder.player_id, begin_at=table.now - day, end_at=table.now + day
    )


def _refused(table: Table, _holder: Holder) -> Base:
    # Its pause is over, but has only just been.
    return Domain(
        domain="example.org", since=table.now, until=table.now - match_features.LATELY / 2, refusals=1, text=""
    )


def _failing(table: Table, holder: Holder) -> Base:
    failing = table.session.get_one(Address, holder.email)
    failing.failing_since = table.now
    return failing


@pytest.mark.parametrize(
    ("made", "name"),
    [
        (_plan, "plans"),
        (_webhook, "webhooks"),
        (_words, "words"),
        (_automatic, "automatic"),
        (_away, "away"),
        (_refused, "troubled"),
        (_failing, "troubled"),
    ],
)
def test_each_rarity_is_told_as_soon_as_it_is_there(house: House, made: Made, name: str) -> None:
    match_id = house.start_match("middle-card", 3)
    with house.table() as table:
        match = table.session.get_one(Match, match_id)
        (holder,) = (one for one in seats.holders(table, match) if one.email == address("Ann"))
        before = match_features.of(table, match_id)
        assert not any(asdict(before).values())
        assert match_features.of(table, match_id) is before
        table.session.add(made(table, holder))
        assert {key for key, there in asdict(match_features.of(table, match_id)).items() if there} == {name}


def test_a_match_has_nothing_of_what_another_has(house: House) -> None:
    one, other = house.start_match("middle-card", 3), house.start_match("middle-card", 3)
    with house.table() as table:
        holder = table.session.scalars(select(Holder).where(Holder.match_id == one).limit(1)).one()
        table.session.add_all([_plan(table, holder), _webhook(table, holder), _words(table, holder)])
        assert any(asdict(match_features.of(table, one)).values())
        assert not any(asdict(match_features.of(table, other)).values())
