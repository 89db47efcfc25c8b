"""Which examples of a long table are tried where somebody waits, and where nobody does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support import examples

if TYPE_CHECKING:
    import pytest

NAMES = [f"a.py::test_table[{number}]" for number in range(12)]


def test_of_a_table_the_first_three_are_tried_and_then_one_in_four(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examples, "THOROUGH", False)
    left_out = examples.passed_over([*NAMES, "a.py::test_alone", "b.py::test_table[0]"])
    assert [number for number, out in enumerate(left_out) if not out] == [0, 1, 2, 4, 8, 12, 13]


def test_where_nobody_waits_all_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examples, "THOROUGH", True)
    assert not any(examples.passed_over(NAMES))
