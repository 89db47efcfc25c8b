"""Children that run tests: forks of a process that has loaded all libraries already, but nothing of the project.

So each of them begins with the code as it is then, and saves the seconds that everything else takes to load. One
more of them keeps a database server for all.
"""

from __future__ import annotations

import gc
import importlib
import multiprocessing
import os
import signal
import subprocess
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.planted.fault import PlantingError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.context import ForkProcess

PACKAGES = ("emails", "migrations", "pbem", "tests", "workers")
PASSED = 0
"""How a child ends that has done all, and whose tests have passed."""
SHARED = "tests.planted.shared"
"""The plugin with which all runs have one database server."""
PLACE = "PLANTED_DATABASE"
"""Names the folder of that server in the environment."""
OPTIONS = ("-q", "-p", "no:cacheprovider", "--tb", "no", "-p", SHARED)
BESIDES = ("-W", "ignore:Module already imported so cannot be rewritten")
"""What is loaded before pytest begins, it says, holds no tests: it does not."""
PATIENCE = 120.0
GOODBYE = 30.0

_LOADED = """
import importlib.metadata, sys, tests.support.servers, tests.support.pages, pbem.web.app, workers.tasks
for plugin in importlib.metadata.entry_points(group="pytest11"):
    plugin.load()
print(*sorted(sys.modules), sep="\\n")
"""
_FORK = multiprocessing.get_context("fork")


class Children:
    """Children that run the code of one copy of the tree."""

    def __init__(self, copy: Path) -> None:
        self._copy = copy
        self._data = copy.parent / "data"
        for name in self._libraries():
            # One that cannot be loaded alone is loaded where it is needed.
            with suppress(Exception):
                importlib.import_module(name)
        # What is loaded stays as it is: no child need look through it for what can be thrown away.
        gc.freeze()

    def must_run_the_copy(self) -> None:
        """Raise PlantingError where a child would run other code than what lies in the copy."""
        status, said = self._done(_where, PATIENCE)
        places = said.split()
        if status != PASSED or not places or {*places} != {str(self._copy)}:
            raise PlantingError(f"What would be tested is not the copy in {self._copy}, but: {said}")

    def tested(self, asked: Sequence[str], patience: float) -> tuple[int | None, str]:
        """Run tests by their names in a child; returns how pytest ended, None where it did not, and what it said."""
        return self._done(lambda: int(pytest.main([*OPTIONS, *BESIDES, *asked])), patience)

    @contextmanager
    def database(self) -> Iterator[None]:
        """Run a database server for all tests of a block."""
        os.environ[PLACE] = str(self._data)
        ready, over = _FORK.Event(), _FORK.Event()

        def keep() -> int:
            importlib.import_module(SHARED).keep(self._data, ready.set, over.wait)
            return PASSED

        keeper = self._begun(keep, "keeper")
        try:
            if not ready.wait(PATIENCE):
                raise PlantingError(f"There is no database server: {self._said('keeper')}")
            yield
        finally:
            over.set()
            keeper.join(GOODBYE)
            _end(keeper)

    def _libraries(self) -> list[str]:
        """List what the tests load that is not the project's own."""
        command = (sys.executable, "-c", _LOADED)
        where = os.environ | {"PYTHONPATH": str(self._copy)}
        found = subprocess.run(command, cwd=self._copy, env=where, capture_output=True, text=True, check=True)
        return [name for name in found.stdout.split() if name.partition(".")[0] not in PACKAGES]

    def _done(self, act: Callable[[], int], patience: float) -> tuple[int | None, str]:
        child = self._begun(act, "child")
        child.join(patience)
        status = child.exitcode
        _end(child)
        return status, self._said("child")

    def _begun(self, act: Callable[[], int], name: str) -> ForkProcess:
        child = _FORK.Process(target=_run, args=(self._copy, act, self._log(name)), name=name)
        child.start()
        return child

    def _said(self, name: str) -> str:
        return self._log(name).read_text("utf-8", "replace")

    def _log(self, name: str) -> Path:
        return self._copy.parent / f"{name}.log"


def _run(copy: Path, act: Callable[[], int], log: Path) -> None:
    """Do something in this child as if it had been started in the copy; what it says goes into a file."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with log.open("wb") as said:
        os.dup2(said.fileno(), 1)
        os.dup2(said.fileno(), 2)
    for name in [name for name in sys.modules if name.partition(".")[0] in PACKAGES]:
        del sys.modules[name]
    os.chdir(copy)
    os.environ["PYTHONPATH"] = str(copy)
    sys.path[:] = [str(copy), *(place for place in sys.path if "site-packages" in place or "/lib/python" in place)]
    importlib.invalidate_caches()
    sys.exit(act())


def _where() -> int:
    """Print the folders in which the packages lie."""
    for name in PACKAGES:
        for place in importlib.import_module(name).__path__:
            sys.stdout.write(f"{Path(place).resolve().parent}\n")
    return PASSED


def _end(child: ForkProcess) -> None:
    """End a child that has not ended by itself; what it has started ends with it."""
    if child.exitcode is None:
        child.terminate()
        child.join(GOODBYE)
    if child.exitcode is None:
        child.kill()
        child.join()
