"""What tests of rolling share."""

from __future__ import annotations

import subprocess

import pytest

from tests.support.places import ROOT


def git(*words: str) -> bytes:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=False)  # noqa: S607
    if done.returncode != 0:
        pytest.skip(
            f"THE RELEASE BEFORE IS NOT TRIED: there is no history here to take it from: {done.stderr.decode()}"
        )
    return done.stdout.strip()
