"""Lines in logs: what they are about, for people or for programs, and nobody's secrets."""

from __future__ import annotations

import json
import logging
import threading
from io import StringIO
from typing import TYPE_CHECKING

import pytest

from pbem.telemetry import logs, metrics
from pbem.telemetry.redaction import Scrubber

if TYPE_CHECKING:
    from collections.abc import Iterator

TOKEN = "0123456789abcdefghjkmnpqrs"
log = logging.getLogger("tests.telemetry")


@pytest.fixture
def written() -> Iterator[StringIO]:
    """What a logger of this test has written."""
    out = StringIO()
    handler = logging.StreamHandler(out)
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False
    yield out
    log.removeHandler(handler)
    log.propagate = True


def form(formatter: logging.Formatter) -> None:
    log.handlers[0].setFormatter(formatter)


def test_plain_lines_are_for_people(written: StringIO) -> None:
    form(logs.Plain(Scrubber()))
    with logs.about(request="abc", match=None), logs.about(submission="def"):
        log.warning("%s was refused:\n2026 ERROR all is lost", "ann@example.org")
    (line,) = written.getvalue().splitlines()
    said = "someone at example.org was refused:\\n2026 ERROR all is lost"
    assert line.endswith(f"WARNING tests.telemetry: {said} request=abc submission=def")


def test_json_lines_are_for_programs(written: StringIO) -> None:
    form(logs.Json(Scrubber(), "mail"))
    with logs.about(notice=7):
        log.info("wrote to %s", "ann@example.org")
    told = json.loads(written.getvalue())
    assert told.pop("time").endswith("+00:00")
    assert told == {
        "level": "info",
        "part": "mail",
        "where": "tests.telemetry",
        "says": "wrote to someone at example.org",
        "notice": 7,
    }


@pytest.mark.parametrize("formatter", [logs.Plain(Scrubber()), logs.Json(Scrubber(), "web")])
def test_a_fault_is_told_without_secrets(written: StringIO, formatter: logging.Formatter) -> None:
    form(formatter)
    try:
        dict[str, str]()[f"/m/{TOKEN}"]
    except KeyError:
        log.exception("a request failed")
    said = written.getvalue()
    assert "KeyError" in said
    assert "test_a_fault_is_told" in said
    assert TOKEN not in said
    if isinstance(formatter, logs.Json):
        assert "KeyError" in json.loads(said)["fault"]


@pytest.mark.parametrize("formatter", [logs.Plain(Scrubber()), logs.Json(Scrubber(), "web")])
def test_what_an_operator_is_to_open_stays_as_it_is(written: StringIO, formatter: logging.Formatter) -> None:
    form(formatter)
    log.warning("open https://sns.example.com/?Token=%s", TOKEN, extra=logs.AS_IT_IS)
    assert f"open https://sns.example.com/?Token={TOKEN}" in written.getvalue()


def test_what_lines_are_about_ends_with_its_block_and_is_of_one_thread() -> None:
    seen: list[object] = []
    with logs.about(request="a"):
        thread = threading.Thread(target=lambda: seen.append(logs.topics()))
        thread.start()
        thread.join()
        with pytest.raises(ValueError, match="x"), logs.about(task="b"):
            raise ValueError("x")
        assert logs.topics() == {"request": "a"}
    assert (seen, logs.topics()) == ([{}], {})


def test_names_are_short_and_differ() -> None:
    names = {logs.fresh() for _ in range(100)}
    assert len(names) == 100
    assert {len(name) for name in names} == {logs.SHORT}


def test_warnings_and_errors_are_counted() -> None:
    metrics.take()
    counting = logs.Counting("worker")
    for level in (logging.INFO, logging.WARNING, logging.ERROR, logging.CRITICAL):
        if level >= counting.level:
            counting.emit(logging.LogRecord("pbem.x", level, "", 0, "", (), None))
    assert metrics.take() == {
        (metrics.WARNINGS.name, ("worker", "pbem.x")): 1.0,
        (metrics.ERRORS.name, ("worker", "pbem.x")): 2.0,
    }


def test_somebody_who_presses_ctrl_c_is_no_fault(capsys: pytest.CaptureFixture[str]) -> None:
    logs._ended(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert capsys.readouterr().err == ""
