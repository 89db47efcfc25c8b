"""What is in deploy/ for those who watch: every figure that it names is there, and every alert says what to do."""

from __future__ import annotations

import subprocess

import pytest

from tests.support.deploy.watching import ALERTS, DEPLOY, said
from tests.support.left_out import program

__all__ = ["said"]


@pytest.mark.parametrize("question", ["rules", "config"])
def test_prometheus_own_tool_agrees(question: str) -> None:
    tool = program("promtool", "prometheus")
    file = ALERTS if question == "rules" else DEPLOY / "prometheus" / "prometheus.yml"
    run = subprocess.run([tool, "check", question, str(file)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def test_prometheus_own_tool_likes_the_figures(said: str) -> None:
    tool = program("promtool", "prometheus")
    run = subprocess.run([tool, "check", "metrics"], input=said, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
