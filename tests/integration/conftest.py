"""One process and its servers: what runs the service's own programs lies in tests/end_to_end."""

from __future__ import annotations

import subprocess
from typing import NoReturn

import pytest


@pytest.fixture(autouse=True)
def one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse to start programs in a test; its servers run already."""

    def refuse(*_arguments: object, **_more: object) -> NoReturn:
        pytest.fail("An integration test starts no program: move it to tests/end_to_end.")

    monkeypatch.setattr(subprocess.Popen, "__init__", refuse)
