"""A handful of faults on the running service; `make test-faults` makes hundreds."""

from __future__ import annotations

import os
import sys
from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.faults.__main__ import go, plan, table
from tests.faults.installation import installation
from tests.faults.points import POINTS, Fault, faults
from tests.faults.runs import Play, Result

if TYPE_CHECKING:
    from pathlib import Path

RUNS = int(os.environ.get("TEST_FAULTS", "200"))
SEED = int(os.environ.get("TEST_SEED", "1"))
SOME = (
    (Fault("mail", "killed", "accept-after-commit"), Fault("worker", "killed", "relay-after-data")),
    (Fault("database", "restarted", "judge-after-commit"), Fault("broker", "emptied", "accept-before-commit")),
)


def test_every_fault_is_made_in_so_many_runs() -> None:
    every = faults()
    chosen = list(plan(len(every), Random(SEED)))
    assert {one[0] for one in chosen} == set(every)
    assert {fault.point for fault in every} == {"", *POINTS}
    assert all(len({fault.point for fault in one}) == len(one) for one in chosen)


def test_some_faults_lose_and_repeat_nothing(short_path: Path) -> None:
    with installation(short_path / "data") as here:
        play = Play(here, Random(SEED))
        for chosen in SOME:
            result = play.run(chosen)
            # How long it takes says nothing where other tests run beside this one.
            assert [one for one in result.wrong if "done only after" not in one] == []
            assert result.happened == len(chosen)


@pytest.mark.slow
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
