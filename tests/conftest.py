"""What every test has: the same cards in each run, and the fixtures of tests/support."""

import gc
import os
import random
import secrets
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, settings

from tests.support.examples import examples

pytest_plugins = [
    "tests.support.drawing",
    "tests.support.left_out",
    "tests.support.live_service",
    "tests.support.servers",
    "tests.support.browsers",
    "tests.support.ops.backup.empty",
    "tests.support.ops.doctor.patient",
    "tests.support.web.site",
    "tests.support.web.operators.office",
]

SEED = os.environ.get("TEST_SEED", "")
"""Another word here deals other cards to all tests: how a test is found that holds for some cards only."""

# How long examples take says nothing where other tests run beside them.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=examples(100))
settings.register_profile("unhurried", unhurried)
settings.load_profile("unhurried")


def pytest_collection_finish() -> None:
    """Spare the collector of garbage what stays for the whole run: all that was imported, and the tests."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def seeded(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal the same cards in every run of a test: what this process draws follows from the names of module and test."""
    drawn = random.Random(f"{SEED} {request.path.stem} {request.node.name}")
    monkeypatch.setattr(secrets, "token_bytes", lambda size=32: drawn.randbytes(size))


@pytest.fixture
def short_path() -> Iterator[Path]:
    """A folder whose name is short enough for sockets below it, however deep the tests' own folders lie."""
    with TemporaryDirectory(prefix="t", dir="/tmp") as folder:
        yield Path(folder)
