"""Faults told to Sentry: a program with the settings of the service, and a server that takes what it is told."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.support.telemetry.collector import collector, program

if TYPE_CHECKING:
    from pathlib import Path

FAULTY = """
import logging, os
from pbem import telemetry
from pbem.config import from_environment
from pbem.telemetry import logs
telemetry.configure("worker", from_environment(os.environ))
log = logging.getLogger("pbem.play.inbox.judge")
hand = "QH 7C of ann@example.org"
log.info("not told")
with logs.bound_fields(submission="abcdefghijkl"):
    try:
        {}["0123456789abcdefghjkmnpqrs ann@example.org"]
    except KeyError:
        log.exception("could not judge %s of %s", "0123456789abcdefghjkmnpqrs", "ann@example.org")
"""


def test_an_error_is_told_without_secrets(tmp_path: Path) -> None:
    with collector() as (url, taken):
        run = program(FAULTY, tmp_path, SENTRY_DSN=url.replace("http://", "http://publickey@") + "/7")
        assert run.returncode == 0, run.stderr
    (told,) = taken
    assert told.path == "/api/7/envelope/"
    body = told.body.decode()
    event = next(json.loads(line) for line in body.splitlines() if '"exception"' in line)
    assert event["logentry"]["message"] == "could not judge %s of %s"
    assert event["exception"]["values"][0]["type"] == "KeyError"
    assert event["tags"] == {"part": "worker", "submission": "abcdefghijkl"}
    assert "someone at example.org" in body
    for secret in ("0123456789abcdefghjkmnpqrs", "ann@", "QH 7C", "opensesame"):
        assert secret not in body
    frame = event["exception"]["values"][0]["stacktrace"]["frames"][0]
    assert "vars" not in frame


@pytest.mark.parametrize("package", ["sentry_sdk", "opentelemetry"])
def test_without_the_setting_nothing_is_imported(tmp_path: Path, package: str) -> None:
    run = program(f"{FAULTY}\nimport sys\nassert {package!r} not in sys.modules", tmp_path)
    assert run.returncode == 0, run.stderr
