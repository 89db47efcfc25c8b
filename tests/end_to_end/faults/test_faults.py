"""A handful of faults on the running service; `make test-faults` makes hundreds."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from tests.faults.__main__ import plan
from tests.faults.installation import installation
from tests.faults.points import POINTS, Fault, faults
from tests.faults.runs import Play
from tests.support.faults.faults import SEED

if TYPE_CHECKING:
    from pathlib import Path
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
