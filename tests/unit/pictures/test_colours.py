"""The colours of pictures: every one that a drawing has, and enough in between for smooth edges."""

from __future__ import annotations

import pytest
from PIL import Image

from pbem.boards.palette import LIGHT_COLOURS, PNG_COLOUR_SETS, TONES, TOUCHING_CLASSES, tone, with_distinct_colours
from pbem.pictures.markup import parse_drawing
from pbem.pictures.png_palettes import apply_palette, palette
from tests.support.pictures.png import HEAD

MOST = 256
NEAR = 24
"""So many levels a mixture may be off."""


def colours_of(flat: bytes) -> list[tuple[int, ...]]:
    return [tuple(flat[at : at + 3]) for at in range(0, len(flat), 3)]


def colour(paint: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(paint.removeprefix("#")))


@pytest.mark.parametrize("look", PNG_COLOUR_SETS)
def test_our_own_tones_are_all_in_one_palette_with_what_lies_between_them(look: dict[str, str]) -> None:
    found = palette(tuple(look.values()))
    assert palette(tuple(look.values())[:3]) in {found, palette(tuple(LIGHT_COLOURS.values()))}
    assert {colour(paint) for paint in look.values()} <= {*colours_of(found)}
    assert len(colours_of(found)) <= MOST
    for one, other in TOUCHING_CLASSES:
        between = tuple((a + b) // 2 for a, b in zip(colour(look[one]), colour(look[other]), strict=True))
        nearest = apply_palette(Image.new("RGB", (1, 1), between), found).convert("RGB").getpixel((0, 0))
        assert max(abs(a - b) for a, b in zip(nearest, between, strict=True)) <= NEAR, (one, other)  # type: ignore[arg-type]


def test_a_picture_in_colours_that_all_can_tell_apart_has_them() -> None:
    svg = f'{HEAD}<rect {tone("red")} x="0" y="0" width="300" height="200"/></svg>'
    drawings = [parse_drawing(svg), parse_drawing(with_distinct_colours(svg))]
    first, second = (palette(drawing.colours) for drawing in drawings if drawing)
    assert first != second
    assert colour(TONES["red"][1]) in colours_of(first)
    assert colour(PNG_COLOUR_SETS[1]["red"]) in colours_of(second)


def test_colours_of_other_drawings_come_first_and_are_mixed() -> None:
    found = colours_of(palette(("#010203", "#f10203")))
    assert found[:3] == [(1, 2, 3), (0xF1, 2, 3), (255, 255, 255)]
    assert (0x79, 2, 3) in found
    many = tuple(f"#{at * 4:02x}{at * 37 % 256:02x}{at * 91 % 256:02x}" for at in range(64))
    assert len(colours_of(palette(many))) == MOST
