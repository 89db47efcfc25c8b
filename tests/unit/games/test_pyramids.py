"""Pyramids: the fresh Treehouse set of the conventions, and what people type for a pyramid."""

from __future__ import annotations

import pytest

from pbem.games.pyramids import TREEHOUSE, fold, format_stack, name


def test_the_fresh_set_is_in_colour_then_size_order() -> None:
    assert " ".join(TREEHOUSE) == "R1 R2 R3 Y1 Y2 Y3 G1 G2 G3 B1 B2 B3 K1 K2 K3"


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("r3", "R3"), ("large red", "R3"), ("red large", "R3"), ("Big-Red", "R3"), ("tiny black", "K1"),
        ("medium green, small blue", "G2, B1"), ("große rote", "R3"), ("klein grün", "G1"), ("Gelb mittel", "Y2"),
        ("r3/g2/r1", "R3/G2/R1"), ("sow d y1, b2 on r3", "sow d Y1, B2 on R3"),
    ],
)  # fmt: skip
def test_pyramids_are_read_as_people_write_them(typed: str, read: str) -> None:
    assert fold(typed) == read


@pytest.mark.parametrize("word", ["r4", "xr1", "r12", "p1", "red"])
def test_what_is_no_pyramid_stays(word: str) -> None:
    assert fold(word) == word


@pytest.mark.parametrize("pyramid", TREEHOUSE)
def test_a_pyramid_is_read_from_its_name(pyramid: str) -> None:
    assert fold(name(pyramid)) == pyramid
    assert fold(pyramid) == pyramid


def test_a_stack_is_written_bottom_to_top() -> None:
    assert format_stack(("R3", "G2", "R1")) == "R3/G2/R1"
