"""The examples of the OpenAPI document are what the service answers today."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pbem.web.api import examples
from tests.support.web.api.examples.stored import record

if TYPE_CHECKING:
    from tests.support.house import House


def test_the_same_calls_are_answered_as_they_are_stored(house: House) -> None:
    found, stored = json.loads(record(house)), json.loads(examples.FILE.read_text())
    assert found["problems"] == stored["problems"], "run python -m tests.support.web.api.examples.stored"
    assert found["calls"] == stored["calls"], "run python -m tests.support.web.api.examples.stored"
