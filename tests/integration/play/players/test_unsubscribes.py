"""What is still sent to somebody who has stopped a match's mail, or all of it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import SeatHolder, Suppression
from pbem.play.players import unsubscribes

if TYPE_CHECKING:
    from tests.support.house import House


@pytest.mark.parametrize(
    ("kind", "answers", "stopped"),
    [
        ("turn", None, True),
        ("offer", None, True),
        ("turn", "<a@example.org>", False),
        ("rejected", "<a@example.org>", False),
        ("final", None, False),
        ("board", None, False),
    ],
)
def test_a_stopped_match_sends_its_result_and_what_was_asked_for(kind: str, answers: str | None, stopped: bool) -> None:  # noqa: FBT001
    holder = SeatHolder(mail_stopped_at=datetime(2026, 11, 21, tzinfo=UTC))
    assert unsubscribes.is_stopped(holder, kind, answers) is stopped
    assert not unsubscribes.is_stopped(SeatHolder(mail_stopped_at=None), kind, answers)


def test_an_address_is_known_by_its_hash_and_written_to_again_when_its_owner_says_so(house: House) -> None:
    with house.transaction() as ctx:
        unsubscribes.unsubscribe(ctx, "Ann@Example.org")
        unsubscribes.unsubscribe(ctx, "ann@example.org")
        assert unsubscribes.is_unsubscribed(ctx, "ann@example.org")
        assert not unsubscribes.is_unsubscribed(ctx, "bob@example.org")
        unsubscribes.resubscribe(ctx, "ANN@example.org")
        assert not unsubscribes.is_unsubscribed(ctx, "ann@example.org")


def test_a_graver_reason_stays(house: House) -> None:
    with house.transaction() as ctx:
        ctx.session.add(
            Suppression(hash=unsubscribes.address_hash("ann@example.org"), reason="bounce", suppressed_at=ctx.now)
        )
        ctx.session.flush()
        unsubscribes.unsubscribe(ctx, "ann@example.org")
        unsubscribes.resubscribe(ctx, "ann@example.org")
    assert house.all(select(Suppression.reason)) == ["bounce"]
