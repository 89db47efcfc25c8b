"""What `make smoke` says of a command that it runs."""

from __future__ import annotations

import pytest

from benchmarks import smoke


@pytest.mark.parametrize(
    ("written", "failed"),
    [
        ("import sys; print('b is left out: it is not here'); print('other')", ""),
        ("import sys; print('words'); sys.exit(3)", "it ended with status 3"),
        ("import time; time.sleep(60)", "it had not ended after 1 s"),
    ],
)
def test_what_came_of_a_command_is_told(written: str, failed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smoke, "PATIENCE", 1.0 if "sleep" in written else 60.0)
    found = smoke.run("x.py", ("-c", written), {})
    head, *rest = found.lines()
    assert found.failed == failed
    assert ("FAILED" in head) is bool(failed)
    assert "x.py" in head
    assert [line.strip() for line in rest] == (
        ["b is left out: it is not here"] if not failed else ["words"] if "words" in written else []
    )
