"""Players whose time runs out, and others who take their seats or vote: examples of the calls for that."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from tests.support.clockwork import at
from tests.support.house import NAMES
from tests.support.play.timeouts.lapses import late, running
from tests.support.web.api.examples.matches import BEGIN, ME

if TYPE_CHECKING:
    from tests.support.web.api.examples.recorder import Recorder


def record(recorder: Recorder) -> None:
    """Record how Zoe takes the seat of a late player, and how the others vote about one."""
    house = recorder.house
    with at(BEGIN - timedelta(days=20)):
        match_id = running(house, "substitute")
    seat, ends = late(house, match_id)
    with at(ends):
        recorder.call("", "get", "/api/sought")
        recorder.call("Zoe", "post", "/api/matches/{match_id}/seats/{seat}", match_id=match_id, seat=seat)
    with at(ends):
        match_id = running(house, "vote", 4, hands=2)
    seat, ends = late(house, match_id)
    first, second = (name for name in NAMES if name not in {NAMES[seat - 1], NAMES[seat % 4]})
    with at(ends):
        path, token = "/api/seats/{token}/votes", house.last(first).token
        recorder.call("", "get", path, token=token)
        recorder.call("", "put", path, {"choice": "robot"}, token=token)
        recorder.call(second, "get", f"{ME}/votes", match_id=match_id)
        recorder.call(second, "put", f"{ME}/votes", {"choice": "robot"}, match_id=match_id)
        recorder.call(NAMES[seat - 1], "post", f"{ME}/back", match_id=match_id)
