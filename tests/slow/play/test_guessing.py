"""Guessing tokens: what mail programs and people do to one is undone, and nothing else comes near one."""

from __future__ import annotations

import sys
from random import Random
from typing import TYPE_CHECKING

from tests.support.play.guessing import MANY, found_by_digest, issued, random_tokens

if TYPE_CHECKING:
    import pytest

    from tests.support.house import House


def test_many_random_tokens_are_unknown(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    known = issued(house)
    looked_up, found = found_by_digest(house, random_tokens(Random("many"), MANY))
    with capsys.disabled():
        sys.stdout.write(f"\n{looked_up} random tokens looked up by digest, {found} found\n")
    assert (looked_up, found) == (MANY, 0)
    assert found_by_digest(house, iter(known)) == (len(known), len(known))
