"""One process and its servers: what runs the service's own programs lies in tests/end_to_end."""

from __future__ import annotations

import subprocess
from itertools import compress
from pathlib import Path
from typing import NoReturn

import pytest

from tests.support.examples import passed_over

HERE = Path(__file__).parent


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out a part of long tables of examples where somebody waits, unless a test is asked for by its name."""
    if any("::" in argument for argument in config.args):
        return
    here = [item for item in items if item.path.is_relative_to(HERE)]
    left_out = {*compress(here, passed_over(item.nodeid for item in here))}
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


@pytest.fixture(autouse=True)
def one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse to start programs in a test; its servers run already."""

    def refuse(*_arguments: object, **_more: object) -> NoReturn:
        pytest.fail("An integration test starts no program: move it to tests/end_to_end.")

    monkeypatch.setattr(subprocess.Popen, "__init__", refuse)
