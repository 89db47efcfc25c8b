"""Animated pictures: every position in its turn, a bounded size, and something to see where they do not move."""

from __future__ import annotations

import io
from functools import lru_cache
from itertools import pairwise

import pytest
from PIL import Image, ImageChops, ImageStat

from pbem.boards import drawing_for
from pbem.games import GAMES, Eye
from pbem.pictures.animation import MAX_FRAMES, WIDTH, animation, positions_to_show
from pbem.pictures.png import png, size
from tests.support.games.random_play import Match, walk

NAMES = ("Ann", "Bob", "Cyd", "Dee")
HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {}">'


@lru_cache
def drawings(key: str, most: int = 8) -> tuple[str, ...]:
    match = Match(GAMES[key], GAMES[key].seats[0], {}, bytes(range(32)))
    turns = [turn.after for turn in walk(match)]
    drawing = drawing_for(key)
    return tuple(drawing.svg(match.game.board(after, Eye.OPEN), NAMES[: match.seats]) for after in turns[-most:])


def sheet(fill: str, height: int = 360) -> str:
    return f'{HEAD.format(height)}<rect fill="{fill}" x="0" y="0" width="720" height="{height}"/></svg>'


def frames(file: bytes) -> list[Image.Image]:
    """Return all pictures of a file: first the one that stands for all, then those that move."""
    image = Image.open(io.BytesIO(file))
    found = []
    for number in range(getattr(image, "n_frames", 1)):
        image.seek(number)
        found.append(image.convert("RGB"))
    return found


@pytest.mark.parametrize("key", ["minimax", "martian-whist", "martian-trickery", "montauk", "amazonian-buffet"])
def test_it_shows_one_position_after_the_other(key: str) -> None:
    svgs = drawings(key)
    still, *moving = frames(animation(svgs))
    different = [svg for at, svg in enumerate(svgs) if not at or svg != svgs[at - 1]]
    assert len(moving) == len(different)
    assert ImageChops.difference(still, moving[-1]).getbbox() is None
    for svg, frame in zip(different, moving, strict=True):
        alone = Image.open(io.BytesIO(png(svg, WIDTH))).convert("RGB")
        off = ImageChops.difference(alone, frame.crop((0, 0, *alone.size)))
        # The colours of all positions are shared out among them.
        assert ImageStat.Stat(off.convert("L")).mean[0] < 2


def test_what_is_lower_than_others_stands_on_white() -> None:
    _still, low, high = frames(animation([sheet("#204c8f"), sheet("#c9302c", 720)]))
    assert low.size == high.size == (WIDTH, WIDTH)
    assert low.getpixel((9, 9)) == (0x20, 0x4C, 0x8F)
    assert low.getpixel((9, WIDTH - 9)) == (255, 255, 255)
    assert high.getpixel((9, WIDTH - 9)) == (0xC9, 0x30, 0x2C)


def test_the_last_position_stays_longest_and_it_begins_anew() -> None:
    image = Image.open(io.BytesIO(animation([sheet("#204c8f"), sheet("#c9302c")])))
    lasts = []
    for number in (1, 2):
        image.seek(number)
        image.load()
        lasts.append(image.info["duration"])
    assert lasts[1] > lasts[0] > 0
    assert image.info["loop"] == 0


def test_drawings_of_other_kinds_are_animated_too() -> None:
    svgs = [sheet("red"), sheet("blue"), sheet("red")]
    assert [frame.getpixel((9, 9))[0] > 200 for frame in frames(animation(svgs))[1:]] == [True, False, True]  # type: ignore[index]


def test_a_match_that_stands_still_is_a_picture() -> None:
    assert len(frames(animation([sheet("#204c8f")] * 3))) <= 2


def test_too_large_a_file_leaves_positions_out_but_never_the_last() -> None:
    svgs = drawings("martian-whist")
    whole = animation(svgs)
    smaller = animation(svgs, len(whole) - 1)
    assert len(smaller) < len(whole)
    assert 2 < len(frames(smaller)) < len(frames(whole))
    assert ImageChops.difference(frames(smaller)[-1], frames(whole)[-1]).getbbox() is None
    assert len(frames(animation(svgs, 1))) <= 2


@pytest.mark.parametrize("count", [1, 2, MAX_FRAMES, MAX_FRAMES + 1, 301, 5000])
def test_of_many_positions_every_nth_is_shown(count: int) -> None:
    numbers = positions_to_show(count)
    assert len(numbers) <= MAX_FRAMES
    assert numbers[-1] == count - 1
    assert len({b - a for a, b in pairwise(numbers)}) <= 1
    if count <= MAX_FRAMES:
        assert numbers == tuple(range(count))


def test_a_size_is_known_before_it_is_drawn() -> None:
    for key in ("minimax", "martian-trickery"):
        (svg,) = drawings(key, 1)
        assert Image.open(io.BytesIO(png(svg))).size == size(svg)
