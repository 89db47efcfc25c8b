"""The chart of what a match was worth: a line for each seat, whose steps are links."""

from __future__ import annotations

import io
import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from pbem.boards import with_distinct_colours
from pbem.boards.palette import TONES
from pbem.boards.value_chart import CHANCES, MAX_COLUMNS, WIDTH, Point, chart, points_scale, thin_out
from pbem.pictures.markup import parse_drawing
from pbem.pictures.png import png

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("Ann", "Bob", "Cyd", "Dee")


def course(moves: int, seats: int = 2, *, linked: bool = False) -> list[Point]:
    url = "/step?key=a&step={}" if linked else ""
    return [
        Point(
            move,
            tuple(round(100 * (seat + move) / (moves + seats), 1) for seat in range(seats)),
            "a & b",
            url.format(move),
        )
        for move in range(moves + 1)
    ]


def paths(svg: str, dashed: str) -> int:
    return svg.count(f'stroke-dasharray="{dashed}"')


def test_each_move_is_a_link_over_the_chart() -> None:
    drawn = ET.fromstring(chart(course(12, linked=True), NAMES[:2], CHANCES, "Move"))  # noqa: S314 -- drawn by us
    links = drawn.findall(f"{SVG}a")
    assert [link.get("href") for link in links] == [f"/step?key=a&step={move}" for move in range(13)]
    assert {link.findtext(f"{SVG}title") for link in links} == {"a & b"}
    boxes = [link.find(f"{SVG}rect") for link in links]
    edges = [(float(box.get("x", "")), float(box.get("width", ""))) for box in boxes if box is not None]
    for (left, width), (right, _) in pairwise(edges):
        assert left + width == pytest.approx(right, abs=0.2)


def test_a_long_match_has_links_that_can_be_hit() -> None:
    points = course(300, linked=True)
    drawn = chart(points, NAMES[:2], CHANCES, "Move")
    assert drawn.count("<a ") == MAX_COLUMNS
    kept = thin_out(points)
    assert (kept[0], kept[-1], len({*kept})) == (points[0], points[-1], MAX_COLUMNS)


def test_lines_differ_in_colour_dashes_and_shapes() -> None:
    drawn = chart(course(40, 4), NAMES, CHANCES, "Move")
    lines = re.findall(
        r'<path class="(\w+)"[^>]*stroke="currentColor"[^>]*?(?:stroke-dasharray="([^"]*)")? d="M[^"]*L', drawn
    )
    assert len({colour for colour, _dashes in lines}) == len({dashes for _colour, dashes in lines}) == 4
    assert {colour for colour, _dashes in lines} <= TONES.keys()
    shapes = {(colour, shape) for colour, shape in re.findall(r'<g class="(\w+)"[^>]*>(<.*?)</g>', drawn)}
    assert len(shapes) == len({shape for _colour, shape in shapes}) == 4


def test_the_reader_is_named_and_a_line_alone_is_not() -> None:
    drawn = [chart(course(3), NAMES[:2], CHANCES, "Move", you) for you in (None, 1)]
    assert drawn[0] != drawn[1]
    alone = chart([Point(move, (9.0,)) for move in range(3)], ("Ann",), CHANCES, "Move")
    assert alone == chart([Point(move, (9.0,)) for move in range(3)], ("Bob",), CHANCES, "Move")


@pytest.mark.parametrize("moves", [0, 1, 6, 7, 77, 1000])
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_all_of_it_is_on_the_sheet(moves: int, seats: int) -> None:
    drawn = ET.fromstring(chart(course(moves, seats, linked=True), NAMES[:seats], CHANCES, "Move"))  # noqa: S314 -- drawn by us
    width, height = (float(part) for part in drawn.get("viewBox", "").split()[2:])
    assert width == WIDTH
    for found in drawn.iter(f"{SVG}rect"):
        if "x" in found.attrib and "y" in found.attrib and "rx" in found.attrib:
            assert 0 <= float(found.attrib["x"]) <= width
            assert float(found.attrib["y"]) + float(found.attrib["height"]) <= height


@pytest.mark.parametrize(
    ("values", "marks"),
    [
        ((8.2, 11.9), (8, 9, 10, 11, 12)),
        ((-3.5, 40.0), (-20, 0, 20, 40)),
        ((7.0, 7.0), (7, 8)),
        ((0.0, 900.0), (0, 250, 500, 750, 1000)),
    ],
)
def test_points_have_a_scale_of_round_numbers(values: tuple[float, ...], marks: tuple[int, ...]) -> None:
    scale = points_scale([Point(0, values)])
    assert scale.marks == tuple(marks)
    assert (scale.least, scale.most) == (scale.marks[0], scale.marks[-1])


def test_a_mail_gets_it_as_a_small_picture_in_the_reader_s_colours() -> None:
    drawn = chart(course(300, 4), NAMES, CHANCES, "Move")
    assert parse_drawing(drawn) is not None
    picture = png(drawn)
    assert Image.open(io.BytesIO(picture)).width == 600
    assert len(picture) < 60_000
    assert png(with_distinct_colours(drawn)) != picture
