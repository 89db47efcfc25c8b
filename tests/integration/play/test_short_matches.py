"""Matches made by mail are short unless it is said, and their host is told how long they take."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import Match
from tests.support.play.lobby.request_parser import verified, write

if TYPE_CHECKING:
    from tests.support.house import House


@pytest.mark.parametrize(
    ("typed", "options"),
    [
        ("martian-whist with bob@example.org", {"sets": 2}),
        ("martian-whist with bob@example.org sets 4", {"sets": 4}),
        ("minimax", {"size": "small"}),
    ],
)
def test_a_match_is_short_unless_it_is_said_and_its_host_is_told_how_long_it_takes(
    house: House, typed: str, options: dict[str, object]
) -> None:
    verified(house, "Ann")
    write(house, f"new {typed}")
    (match,) = [one for one in house.all(select(Match)) if one.game != "middle-card"]
    assert match.options == options
    assert "It takes about " in house.mails("Ann")[0].flat
