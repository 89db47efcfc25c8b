from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest


@pytest.fixture
def short_path() -> Iterator[Path]:
    """A folder whose name is short enough for sockets below it, however deep the tests' own folders lie."""
    with TemporaryDirectory(prefix="t", dir="/tmp") as folder:
        yield Path(folder)
