"""Whatever is sent to the API, its answer is one that its OpenAPI document describes, and never a fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.web.api.exploring import World

if TYPE_CHECKING:
    from tests.support.house import House

FEW, AT_LEAST = 6, 180


@pytest.mark.usefixtures("judged")
def test_some_hundred_requests_are_answered_as_the_document_says(house: House) -> None:
    world = World.of(house)
    world.explore(FEW)
    assert world.requests > AT_LEAST
    assert "POST /api/matches/{match_id}/fork" not in world.never_served
