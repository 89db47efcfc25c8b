"""What tests of supervise share."""

import time
from collections.abc import Callable

import pytest

from pbem.ops.up.supervisor import Supervisor


def process_of(supervisor: Supervisor, name: str) -> int:
    (charge,) = (charge for charge in supervisor.parts if charge.part.name == name)
    return charge.run.process.pid if charge.run else 0


def step_until(supervisor: Supervisor, condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        supervisor.step()
        supervisor.sleep(min(0.05, supervisor.seconds_until_due()))


@pytest.fixture
def said() -> list[str]:
    return []
