"""What tests of webhooks share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from pbem.db.models import Match, SeatHolder
from pbem.play.notifications import webhooks
from tests.support.receiver import receiving

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.house import House
    from tests.support.receiver import Receiver


@pytest.fixture
def program() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


def add(house: House, match_id: str, url: str, seat: int = 1, **more: Any) -> str:
    with house.transaction() as ctx:
        return webhooks.add(ctx, seated(ctx, match_id, seat), url, **more).id


def seated(table: Any, match_id: str, seat: int = 1) -> SeatHolder:
    same = SeatHolder.match_id == match_id, SeatHolder.seat == seat
    found: SeatHolder = table.session.scalars(select(SeatHolder).where(*same)).one()
    return found


def tried(house: House, match_id: str) -> None:
    with house.transaction() as ctx:
        holder = seated(ctx, match_id)
        match = ctx.session.get_one(Match, match_id)
        for webhook in webhooks.for_seat(ctx, holder):
            webhooks.send_test(ctx, webhook, holder, match)
