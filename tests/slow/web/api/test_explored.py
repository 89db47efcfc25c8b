"""Whatever is sent to the API, its answer is one that its OpenAPI document describes, and never a fault."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tests.support.web.api.exploring import World

if TYPE_CHECKING:
    from tests.support.house import House
MANY = 50
REQUESTS = 10_000
REFUSED, FAULT = 400, 500
SELDOM = {
    "POST /api/matches/{match_id}/seats/{seat}",
    "POST /api/me/matches/{match_id}/back",
    "PUT /api/seats/{token}/votes",
    "DELETE /api/submissions/{submission}",
}
"""What is served only where somebody's time has run out, or a move is held."""


@pytest.mark.usefixtures("judged")
def test_ten_thousand_requests_are_answered_as_the_document_says(house: House) -> None:
    worlds: list[World] = []
    while sum(world.requests for world in worlds) < REQUESTS:
        worlds.append(World.of(house))
        worlds[-1].explore(MANY, start=len(worlds))
    answered = sum((world.answered for world in worlds), Counter())
    faults = sum(count for (_operation, status), count in answered.items() if status >= FAULT)
    served = {operation for operation, status in answered if status < REFUSED}
    print(f"\n{answered.total()} requests, {faults} answered by a fault")  # noqa: T201 (a figure)
    assert not faults
    assert {operation for operation, _status in answered} - served <= SELDOM
