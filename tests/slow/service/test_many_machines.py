"""Two machines of each part: nothing on a move's way needs a disk that both have, or that either of them stays."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.support.live_service import until
from tests.support.service.by_mail import play_to_the_end
from tests.support.service.many_machines import NAMES, told_once, well
from tests.support.spread import spread

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.spread import Spread
OWN = {"beat-schedule"}
"""What a machine may have on its own disk: when its beat last named each task, which any other can do without."""


@pytest.mark.parametrize("broker", ["valkey", "rabbitmq"])
def test_two_machines_of_each_part_play_together_and_either_goes_on_alone(short_path: Path, broker: str) -> None:
    with spread(short_path, broker, "one", "two") as service:
        service.release("one")
        for machine in ("one", "two"):
            service.start(machine)
        until(lambda: well(service), 120)
        first = played(service, ("montauk", {"rounds": 1}), Random(1))
        assert all(count > 0 for balancer in service.balancers for count in balancer.served.values())
        service.stop("one", kill=True)
        second = played(service, ("martian-whist", {"sets": 2}), Random(2), crashes=1)
        service.start("one")
        service.stop("two", kill=True)
        third = played(service, ("martian-whist", {"sets": 2}), Random(3), crashes=2)
        assert len({first, second, third}) == 3
        for name in ("one", "two"):
            assert {file.partition(".")[0] for file in service.written(name)} <= OWN, name


def played(service: Spread, what: tuple[str, dict[str, object]], chance: Random, crashes: int = 0) -> str:
    """Play a match to its end by mail."""
    match = service.start_match(*what, *NAMES)
    told_once(service, match, play_to_the_end(service, match, NAMES, chance), crashes)
    return match
