"""What is in deploy/ for those who watch: every figure that it names is there, and every alert says what to do."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.support.deploy_watching import ALERTS, DEPLOY, said

__all__ = ["said"]


@pytest.mark.parametrize("question", ["rules", "config"])
def test_prometheus_own_tool_agrees(question: str) -> None:
    tool = shutil.which("promtool")
    if tool is None:
        pytest.skip("NO PROMTOOL: it comes with Debian's package prometheus")
    file = ALERTS if question == "rules" else DEPLOY / "prometheus" / "prometheus.yml"
    run = subprocess.run([tool, "check", question, str(file)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def test_prometheus_own_tool_likes_the_figures(said: str) -> None:
    tool = shutil.which("promtool")
    if tool is None:
        pytest.skip("NO PROMTOOL: it comes with Debian's package prometheus")
    run = subprocess.run([tool, "check", "metrics"], input=said, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
