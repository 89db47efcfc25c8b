"""The running service and its programs, real browsers and mail servers."""

from __future__ import annotations

import pytest

LATE = ("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
"""A browser's own connection is closed by its driver, late."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            for warning in LATE:
                item.add_marker(pytest.mark.filterwarnings(warning))
