"""Plans at a table: by mail, alone or below a move, followed, dropped and taken back; and nobody else learns of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import LogEntry, Plan

if TYPE_CHECKING:
    from tests.house import House, Mail


def moves(house: House, match_id: str) -> list[tuple[int, str]]:
    """List what was played."""
    played = select(LogEntry.seat, LogEntry.move).where(LogEntry.match_id == match_id, LogEntry.move.is_not(None))
    return [(seat, move) for seat, move in house.rows(played.order_by(LogEntry.number))]


@pytest.fixture
def whist(house: House) -> tuple[House, str, Mail, Mail]:
    """A match in whose draft Ann is to move, and Bob has been told so."""
    match_id = house.begin("martian-whist", 2, {"sets": 2})
    return house, match_id, house.last("Ann"), house.last("Bob")


def test_a_plan_is_shown_back_and_followed_at_once(whist: tuple[House, str, Mail, Mail]) -> None:
    house, match_id, ann, bob = whist
    house.reply(bob, "if take 3: take 7")
    shown = house.only("Bob")
    assert "This is your plan, as I understand it." in shown.flat
    assert "1: if “take 3”, you play “take 7”." in shown.flat
    house.reply(ann, "take 3")
    assert moves(house, match_id) == [(1, "take 3"), (2, "take 7")]
    assert "it is your turn again" in house.only("Ann").flat
    assert house.mails("Bob") == []
    assert house.all(select(Plan)) == []
