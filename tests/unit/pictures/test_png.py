"""Pictures: quickly pasted from pieces, and still what the renderer draws."""

from __future__ import annotations

import io
import runpy
import sys
import zlib
from itertools import islice
from typing import TYPE_CHECKING

import pytest
from PIL import Image, ImageChops, ImageStat
from resvg_py import svg_to_bytes

from pbem.boards import drawing_for
from pbem.games import GAMES
from pbem.pictures import markup, png_palettes, sheets, sprites
from pbem.pictures import png as png_module
from pbem.pictures.png import WIDTH, png
from tests.support.examples import examples
from tests.support.games.random_play import Match, walk
from tests.support.pictures.png import HEAD

if TYPE_CHECKING:
    from collections.abc import Iterable

NAMES = ("Ann", "Zoë <Löwe> & Söhne", "Cyd", "Dee", "Eve")
SQUARE = 20
STRIDE = {"montauk": 9, "martian-whist": 9, "martian-trickery": 9, "amazonian-buffet": 5}


def rendered(svg: str) -> Image.Image:
    raw = svg_to_bytes(svg_string=svg, width=WIDTH, background="#ffffff", skip_system_fonts=True)
    return Image.open(io.BytesIO(bytes(raw))).convert("RGB")


def shown(svg: str) -> Image.Image:
    return Image.open(io.BytesIO(png(svg))).convert("RGB")


def unlike(svg: str) -> tuple[float, int]:
    """Compare a picture with the renderer's: how far it is off on the whole, and in its worst small square."""
    ours, theirs = shown(svg), rendered(svg)
    assert abs(ours.height - theirs.height) <= 1
    box = (0, 0, WIDTH, min(ours.height, theirs.height))
    off = ImageChops.difference(ours.crop(box), theirs.crop(box)).convert("L")
    squares = off.resize((off.width // SQUARE, off.height // SQUARE), Image.Resampling.BOX)
    (worst,) = [squares.getextrema()[1]]
    return ImageStat.Stat(off).mean[0], int(worst)  # type: ignore[arg-type]


def drawings(key: str, count: int) -> list[str]:
    """Draw positions of a match that is played at random, as every seat and nobody sees them."""
    game = GAMES[key]
    match = Match(game, max(game.seats), {}, key.encode().ljust(32, b"."))
    drawing = drawing_for(key)
    every = max(1, STRIDE.get(key, 1))
    turns = islice(walk(match), 0, every * count, every)
    return [drawing.svg(game.board(turn.before, turn.seat), NAMES[: match.seats], turn.seat) for turn in turns]


@pytest.mark.parametrize("key", [*GAMES])
def test_a_picture_is_what_the_renderer_draws(key: str) -> None:
    # Pieces lie on whole pixels here, and anywhere there; what is missing or elsewhere would be off by far more.
    for svg in drawings(key, examples(6)):
        assert markup.parse_drawing(svg) is not None
        mean, worst = unlike(svg)
        assert mean < 8
        assert worst < 60
        assert len(png(svg)) < 96 * 1024


@pytest.mark.parametrize("key", [*GAMES])
def test_a_file_holds_the_pixels_that_were_drawn_with_isal_and_without(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "isal.isal_zlib", None)
    without = runpy.run_path(png_module.__file__)
    assert without["compress"] is zlib.compress
    for svg in drawings(key, 3):
        drawing = markup.parse_drawing(svg)
        assert drawing
        drawn = sheets.draw_picture(drawing, WIDTH, png_palettes.palette(drawing.colours))
        for file in (png(svg), without["png"](svg)):
            image = Image.open(io.BytesIO(file))
            image.load()
            assert (image.mode, image.size) == ("P", drawn.size)
            assert image.tobytes() == drawn.tobytes()
            assert image.convert("RGB").tobytes() == drawn.convert("RGB").tobytes()


def test_a_piece_that_begins_left_of_the_picture_is_cut_off() -> None:
    picture = shown(f'{HEAD}<circle fill="#204c8f" cx="0" cy="100" r="60"/></svg>')
    assert picture.getpixel((0, 83)) == (0x20, 0x4C, 0x8F)
    assert picture.getpixel((WIDTH - 1, 83)) == (255, 255, 255)


def test_it_is_the_same_bytes_whatever_was_drawn_before() -> None:
    first, *others = drawings("martian-whist", 5)
    before = png(first)
    for svg in others:
        png(svg)
    for kept in (
        png,
        markup.parse_element,
        sprites._render_sprite,
        sprites.sprite_parts,
        sheets.place_element,
        sheets._draw_ground,
        sheets._draw_on_ground,
        sheets._combine_parts,
        png_palettes._palette_image,
    ):
        kept.cache_clear()
    assert png(first) == before


LINES = (
    "<defs>",
    '<g id="a"><circle fill="#204c8f" cx="40" cy="90" r="30"/></g>',
    '<g id="b"><use href="#a" x="60"/></g>',
    "</defs>",
    '<rect fill="#c9302c" x="0" y="0" width="300" height="200"/>',
    '<g data-place="c">',
    '<use href="#b" x="200"/>',
    '<rect fill="#ffffff" x="20" y="20" width="90" height="60"/>',
    "</g>",
    '<rect data-place="d" fill="none" pointer-events="all" x="0" y="0" width="300" height="200"/>',
    '<g transform="translate(300 0)">',
    '<use href="#a"/>',
    "</g>",
)


@pytest.mark.parametrize(
    "breaks", [(), (2,), (5,), (2, 4, 5, 10), (6, 9), (2, 6, 7, 8, 9), (11, 12), range(1, 11), range(1, 13)]
)
def test_it_is_the_same_picture_however_it_is_broken_into_lines(breaks: Iterable[int]) -> None:
    broken = "".join("\n" * (at in breaks) + line for at, line in enumerate(LINES))
    assert unlike(f"{HEAD}{broken}</svg>")[1] < 60
    assert png(f"{HEAD}{broken}</svg>") == png(f"{HEAD}{''.join(LINES)}</svg>")


@pytest.mark.parametrize(
    "pieces",
    [
        '<rect fill="red" x="0" y="0" width="300" height="200"/>',
        '<rect fill="url(#a)" x="0" y="0" width="300" height="200"/>',
        (
            '<defs><mask id="m"><rect fill="#ffffff" x="0" y="0" width="50" height="50"/></mask></defs>'
            '<rect mask="url(#m)" fill="#000000" x="0" y="0" width="300" height="200"/>'
        ),
        '<style>rect{fill:#00ff00}</style><rect x="0" y="0" width="300" height="200"/>',
        '<rect style="fill:#00ff00" x="0" y="0" width="300" height="200"/>',
        "".join(f'<rect fill="#{n:06x}" x="{n}" y="0" width="9" height="9"/>' for n in range(100)),
        '<svg x="5"><rect fill="#123456" x="0" y="0" width="300" height="200"/></svg>',
        '<!-- <rect fill="#123456"/> --><rect fill="#123456" x="0" y="0" width="300" height="200"/>',
        '<defs><!-- <g id="a"/> --></defs><rect fill="#123456" x="0" y="0" width="300" height="200"/>',
    ],
)
def test_a_drawing_of_more_than_flat_pieces_is_left_to_the_renderer(pieces: str) -> None:
    svg = f"{HEAD}{pieces}</svg>"
    assert unlike(svg) == (0, 0)


def test_what_is_nothing_is_nothing_and_what_is_nested_is_found() -> None:
    defs = (
        '<defs><g id="a"><use href="#b" y="20"/></g><g id="b"><circle fill="#204c8f" cx="0" cy="0" r="30"/></g></defs>'
    )
    pieces = '<use href="#none"/><path d=""/><g transform="translate(200 100)"><use href="#a"/></g><g></g>'
    svg = f'{HEAD}{defs}{pieces}<rect fill="#c9302c" x="-40" y="300" width="80" height="90"/></svg>'
    picture = shown(svg)
    assert picture.getpixel((167, 100)) == (0x20, 0x4C, 0x8F)
    assert picture.getpixel((5, 290)) == (0xC9, 0x30, 0x2C)
    assert unlike(svg)[1] < 60


def test_what_groups_say_for_their_pieces_holds_for_each_of_them() -> None:
    pieces = (
        '<g color="#204c8f" fill-opacity="0.5"><g transform="scale(2)">\n<use href="#a" x="50" y="50"/></g>'
        '<g transform="translate(300 100)scale(2)"><use href="#a" x="0"/><use href="#a" x="40"/></g></g>'
    )
    defs = '<defs><g id="a"><circle fill="currentColor" cx="0" cy="0" r="12"/></g></defs>'
    svg = f"{HEAD}{defs}{pieces}</svg>"
    picture = shown(svg)
    for at in ((83, 83), (250, 83), (317, 83)):
        assert ImageStat.Stat(picture.crop((at[0], at[1], at[0] + 1, at[1] + 1))).mean == [143, 165, 199]
    assert unlike(svg)[1] < 60


def test_a_large_piece_is_drawn_whole() -> None:
    pieces = '<path fill="none" stroke="#204c8f" stroke-width="9" d="M20 20L700 340M20 340L700 20"/>'
    mean, worst = unlike(f"{HEAD}{pieces}</svg>")
    assert mean < 1
    assert worst < 20


@pytest.mark.parametrize("width", [WIDTH, 2 * WIDTH])
def test_what_lies_on_another_element_is_drawn_on_it(width: int) -> None:
    low = '<circle fill="#204c8f" cx="650" cy="300" r="50"/>'
    high = '<path fill="#c9302c" fill-opacity="0.5" d="M630 280h40v40h-40z"/>'
    scale = width / WIDTH
    image = Image.open(io.BytesIO(png(f"{HEAD}\n{low}\n{high}</svg>", width))).convert("RGB")
    assert image.getpixel((round(520 * scale), round(250 * scale))) == (0x20, 0x4C, 0x8F)
    over = image.getpixel((round(541 * scale), round(250 * scale)))
    assert max(abs(a - b) for a, b in zip(over, (0x74, 0x3E, 0x5E), strict=True)) < 9  # type: ignore[arg-type]


def test_a_drawing_that_begins_elsewhere_is_left_to_the_renderer() -> None:
    svg = f'{HEAD}<rect fill="#123456" width="99" height="99"/></svg>'.replace('"0 0 ', '"9 9 ')
    assert unlike(svg) == (0, 0)
