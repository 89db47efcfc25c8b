"""A handful of faults on the running service; `make test-faults` makes hundreds."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from tests.faults.__main__ import go, table
from tests.support.faults.faults import SEED

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.faults.runs import Result

RUNS = int(os.environ.get("TEST_FAULTS", "200"))


def test_hundreds_of_faults_lose_and_repeat_nothing(short_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def say(line: str) -> None:
        with capsys.disabled():
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()

    results: list[Result] = []
    go(RUNS, SEED, short_path / "data", say, results)
    for line in table(results):
        say(line)
    assert [result for result in results if result.wrong] == []
