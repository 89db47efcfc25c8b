"""Readers of typed text do no more than a fixed amount for each character, or look at so many and no more."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from tests.support.places import ROOT
from tests.support.reading import BEHIND, NO_TYPED_TEXT

LONGEST = 8000
"""No pattern is given more at once."""
DOUBLED = 2.4
SMALL = 2000
"""What starts of readers, and lists of words that are remembered, may take on top."""


@cache
def counted() -> Any:
    """Count in a process of its own: patterns are counted from when they are made."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.support.counting"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return json.loads(run.stdout)


def test_every_reader_is_counted() -> None:
    found = counted()
    rows = set(found["rows"])
    assert set(found["found"]) == rows | set(BEHIND) | set(NO_TYPED_TEXT)
    assert set(BEHIND.values()) <= rows
    assert not rows & (set(BEHIND) | set(NO_TYPED_TEXT))


@pytest.mark.parametrize("what", ["calls", "characters given to patterns"])
def test_a_text_of_twice_the_length_takes_at_most_twice_as_much(what: str) -> None:
    at = ("calls", "characters given to patterns").index(what)
    grown = [
        (reader, shape, [line[at] for line in lines])
        for reader, shapes in counted()["measured"].items()
        for shape, lines in shapes.items()
        if any(after[at] > DOUBLED * before[at] + SMALL for before, after in pairwise(lines))
    ]
    assert not grown


def test_no_pattern_is_given_a_long_text() -> None:
    longest = {
        (reader, shape): max(line[2] for line in lines)
        for reader, shapes in counted()["measured"].items()
        for shape, lines in shapes.items()
    }
    assert not {where: length for where, length in longest.items() if length > LONGEST}
    assert max(longest.values()) > 0
