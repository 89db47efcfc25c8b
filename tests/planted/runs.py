"""A copy of the tree, faults planted into it one after another, and what its tests say of each."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.planted.children import PASSED, Children
from tests.planted.fault import ROOT, PlantingError, modules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.planted.fault import Fault

LEFT_OUT = (".git", ".venv*", ".*_cache", ".hypothesis", ".coverage*", "__pycache__", "*.egg-info", "build")
PATIENCE = 300.0
"""Seconds after which tests that a fault has made wait for ever are ended: it is noticed by that."""
MANY = 12
"""All tests together may take so many times as long."""
FAILED = 1
"""How pytest ends where a test has failed."""

_NAMED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Result:
    """What the tests said of a fault: the first one that failed, "" where none did, and how long they took."""

    fault: Fault
    caught: str
    seconds: float


class Attempts:
    """Attempts with one copy of the tree."""

    def __init__(self, copy: Path, children: Children) -> None:
        self._copy = copy
        self._children = children

    def attempt(self, fault: Fault, *, everything: bool = False) -> Result:
        """Plant a fault, run the tests that it names, or all of them, and take it back."""
        began = time.monotonic()
        asked = ["tests/unit", "tests/integration"] if everything else modules(fault.tests, self._copy)
        with _planted(self._copy, fault):
            failed = self._failed(["-x", *asked], PATIENCE * (MANY if everything else 1))
        return Result(fault, next(iter(failed), ""), time.monotonic() - began)

    def unsound(self, results: Sequence[Result]) -> list[str]:
        """Run the tests that have noticed faults without any; returns those that fail all the same.

        What fails without a fault has noticed none.
        """
        noticed = list(dict.fromkeys(result.caught for result in results if "::" in result.caught))
        return self._failed(noticed, PATIENCE * MANY) if noticed else []

    def _failed(self, asked: Sequence[str], patience: float) -> list[str]:
        """Run tests, and return the names of those that failed."""
        status, said = self._children.tested(asked, patience)
        if status is None:
            return [f"tests that went on for more than {patience:.0f} seconds"]
        if status not in {PASSED, FAILED}:
            raise PlantingError(f"The tests could not be run (status {status}):\n{said[-2000:]}")
        return [] if status == PASSED else _NAMED.findall(said) or ["a test that is not named"]


@contextmanager
def attempts(root: Path = ROOT) -> Iterator[Attempts]:
    """Copy the tree into a folder of its own for a block, and make sure that it is the code there that runs."""
    # The folder is PostgreSQL's too, whose sockets want short names.
    with tempfile.TemporaryDirectory(prefix="p", dir="/tmp") as folder:
        copy = Path(folder).resolve() / "tree"
        shutil.copytree(root, copy, symlinks=True, ignore=shutil.ignore_patterns(*LEFT_OUT))
        # A test that waits for a failure to pass would be run once more.
        os.environ.pop("PYTEST_ADDOPTS", None)
        # The same cases in every run of what is tried by chance.
        os.environ["CI"] = "true"
        children = Children(copy)
        children.must_run_the_copy()
        with children.database():
            yield Attempts(copy, children)


@contextmanager
def _planted(copy: Path, fault: Fault) -> Iterator[None]:
    path = copy / fault.file
    before = path.read_bytes()
    path.write_bytes(fault.planted(before.decode()).encode())
    try:
        yield
    finally:
        path.write_bytes(before)
