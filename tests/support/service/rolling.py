"""What tests of rolling share."""

from __future__ import annotations

import subprocess

from tests.support.left_out import left_out
from tests.support.places import ROOT


def git(*words: str) -> bytes:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=False)  # noqa: S607
    if done.returncode != 0:
        left_out("the release before", f"in a clone with its history; here: {done.stderr.decode().strip()}")
    return done.stdout.strip()
