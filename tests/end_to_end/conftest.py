"""The running service and its programs, real browsers and mail servers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.examples import THOROUGH

HERE = Path(__file__).parent
LATE = ("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
"""A browser's own connection is closed by its driver, late."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if not item.path.is_relative_to(HERE):
            continue
        if "browser" in getattr(item, "fixturenames", ()):
            for warning in LATE:
                item.add_marker(pytest.mark.filterwarnings(warning))
        if THOROUGH:
            # Real browsers, servers and clocks on a busy machine: what fails is tried once more, and both are reported.
            item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print why a test was tried once more: the second try passes, and leaves no trace of the first."""
    for report in terminalreporter.stats.get("rerun", []):
        terminalreporter.section(f"first try of {report.nodeid}")
        terminalreporter.write_line(report.longreprtext)
        for title, text in report.sections:
            terminalreporter.section(title, sep="-")
            terminalreporter.write_line(text)
