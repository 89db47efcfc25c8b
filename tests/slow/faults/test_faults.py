"""A handful of faults on the running service; `make test-faults` makes hundreds."""

from __future__ import annotations

import os
import sys
from random import Random
from typing import TYPE_CHECKING

from tests.faults.__main__ import go, table
from tests.faults.installation import installation
from tests.faults.points import Fault
from tests.faults.runs import Play
from tests.support.faults.faults import SEED

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.faults.runs import Result

RUNS = int(os.environ.get("TEST_FAULTS", "200"))

SOME = (
    (Fault("mail", "killed", "accept-after-commit"), Fault("worker", "killed", "relay-after-data")),
    (Fault("database", "restarted", "judge-after-commit"), Fault("broker", "emptied", "accept-before-commit")),
)


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


def test_some_faults_lose_and_repeat_nothing(short_path: Path) -> None:
    with installation(short_path / "data") as here:
        play = Play(here, Random(SEED))
        for chosen in SOME:
            result = play.run(chosen)
            # How long it takes says nothing where other tests run beside this one.
            assert [one for one in result.wrong if "done only after" not in one] == []
            assert result.happened == len(chosen)
