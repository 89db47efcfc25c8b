"""Lines in logs: what they are about, for people or for programs, and nobody's secrets."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.support.live_service import environment
from tests.support.places import ROOT

PROGRAM = """
import logging, sys, threading, warnings
theirs = logging.getLogger("gunicorn.error")
theirs.addHandler(logging.StreamHandler())
theirs.propagate = False
from pbem.telemetry import logs
from pbem.telemetry.redaction import Redactor
logs.configure("web", Redactor(), as_json=True)
theirs.error("theirs ann@example.org")
logging.getLogger("alembic").info("too much")
warnings.warn("ann@example.org is deprecated")
thread = threading.Thread(target=lambda: {}["ann@example.org"])
thread.start()
thread.join()
stopped = threading.Thread(target=sys.exit)
stopped.start()
stopped.join()
raise KeyError("ann@example.org")
"""


def test_a_process_writes_all_that_it_writes_in_one_way() -> None:
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False, env=environment(), cwd=ROOT
    )
    assert run.returncode == 1
    lines = [json.loads(line) for line in run.stderr.splitlines()]
    assert [(line["level"], line["where"]) for line in lines] == [
        ("error", "gunicorn.error"),
        ("warning", "py.warnings"),
        ("critical", "pbem.telemetry.logs"),
        ("critical", "pbem.telemetry.logs"),
    ]
    assert [line["says"] for line in lines[2:]] == [
        "a thread is ended by a fault",
        "this process is ended by a fault",
    ]
    assert "ann@" not in run.stderr
