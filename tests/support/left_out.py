"""What this machine cannot try: said in one line at the end of a run, with how to get it."""

from __future__ import annotations

import shutil
from typing import NoReturn

import pytest

MARK = "left out: "


def left_out(what: str, how: str) -> NoReturn:
    """Skip a test, or all that ask for a fixture, since this machine has not `what`; `how` says how to get it."""
    pytest.skip(f"{MARK}{what} ({how})")


def program(name: str, package: str) -> str:
    """Return the path of a program; leave out the test where there is none."""
    return shutil.which(name) or left_out(name, f"apt install {package}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    found: dict[str, int] = {}
    for report in terminalreporter.getreports("skipped"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        _, mark, what = reason.partition(MARK)
        if mark:
            found[what] = found.get(what, 0) + 1
    if found:
        named = "; ".join(f"{what}, {tests} test{'s' * (tests > 1)}" for what, tests in sorted(found.items()))
        terminalreporter.line(f"Left out on this machine: {named}.")
