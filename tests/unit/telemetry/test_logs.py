"""Lines in logs: what they are about, for people or for programs, and nobody's secrets."""

from __future__ import annotations

import json
import logging
import threading
from io import StringIO
from typing import TYPE_CHECKING

import pytest

from pbem.telemetry import logs, metrics
from pbem.telemetry.redaction import Redactor

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
    form(logs.PlainFormatter(Redactor()))
    with logs.bound_fields(request="abc", match=None), logs.bound_fields(submission="def"):
        log.warning("%s was refused:\n2026 ERROR all is lost", "ann@example.org")
    (line,) = written.getvalue().splitlines()
    said = "someone at example.org was refused:\\n2026 ERROR all is lost"
    assert line.endswith(f"WARNING tests.telemetry: {said} request=abc submission=def")


def test_json_lines_are_for_programs(written: StringIO) -> None:
    form(logs.JsonFormatter(Redactor(), "mail"))
    with logs.bound_fields(notice=7):
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


@pytest.mark.parametrize("formatter", [logs.PlainFormatter(Redactor()), logs.JsonFormatter(Redactor(), "web")])
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
    if isinstance(formatter, logs.JsonFormatter):
        assert "KeyError" in json.loads(said)["fault"]


@pytest.mark.parametrize("formatter", [logs.PlainFormatter(Redactor()), logs.JsonFormatter(Redactor(), "web")])
def test_what_an_operator_is_to_open_stays_as_it_is(written: StringIO, formatter: logging.Formatter) -> None:
    form(formatter)
    log.warning("open https://sns.example.com/?Token=%s", TOKEN, extra=logs.UNREDACTED)
    assert f"open https://sns.example.com/?Token={TOKEN}" in written.getvalue()


def test_what_lines_are_about_ends_with_its_block_and_is_of_one_thread() -> None:
    seen: list[object] = []
    with logs.bound_fields(request="a"):
        thread = threading.Thread(target=lambda: seen.append(logs.current_fields()))
        thread.start()
        thread.join()
        with pytest.raises(ValueError, match="x"), logs.bound_fields(task="b"):
            raise ValueError("x")
        assert logs.current_fields() == {"request": "a"}
    assert (seen, logs.current_fields()) == ([{}], {})


def test_names_are_short_and_differ() -> None:
    names = {logs.new_id() for _ in range(100)}
    assert len(names) == 100
    assert {len(name) for name in names} == {logs.SHORT_ID_LENGTH}


def test_warnings_and_errors_are_counted() -> None:
    metrics.drain()
    counting = logs.CountingHandler("worker")
    for level in (logging.INFO, logging.WARNING, logging.ERROR, logging.CRITICAL):
        if level >= counting.level:
            counting.emit(logging.LogRecord("pbem.x", level, "", 0, "", (), None))
    assert metrics.drain() == {
        (metrics.WARNINGS.name, ("worker", "pbem.x")): 1.0,
        (metrics.ERRORS.name, ("worker", "pbem.x")): 2.0,
    }


def test_somebody_who_presses_ctrl_c_is_no_fault(capsys: pytest.CaptureFixture[str]) -> None:
    logs._log_uncaught(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert capsys.readouterr().err == ""
