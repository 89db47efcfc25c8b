"""Posters: a board beside words, all of it on the sheet."""

from __future__ import annotations

import io
import re

import pytest
from PIL import Image

from pbem.boards import drawing_for
from pbem.boards.poster import HEIGHT, WIDTH, poster
from pbem.games import GAMES, Chance, Eye
from pbem.pictures.png import png

LONG = "Wolfeschlegelsteinhausenbergerdorff " * 20


@pytest.mark.parametrize("key", GAMES)
def test_all_of_a_board_is_on_it(key: str) -> None:
    game = GAMES[key]
    position = game.setup(game.seats[-1], {}, Chance(bytes(32)))
    names = ("Ann", "Bob", "Cyd", "Dee")[: game.seats[-1]]
    svg = drawing_for(key).svg(game.board(position, Eye.PUBLIC), names)
    found = poster(svg, game.name, ["Ann & Bob.", "It is Ann’s turn."])
    place = re.search(r'<svg x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)"', found)
    assert place
    x, y, width, height = map(float, place.groups())
    assert x > WIDTH / 4
    assert y >= 0
    assert x + width <= WIDTH
    assert y + height <= HEIGHT
    assert Image.open(io.BytesIO(png(found, WIDTH))).size == (WIDTH, HEIGHT)


def test_words_that_are_too_many_are_broken_off() -> None:
    svg = '<svg viewBox="0 0 720 720"></svg>'
    once = len(poster(svg, "A", [LONG[:90]]))
    assert "<title>A &lt; B</title>" in poster(svg, "A < B", [])
    assert len(poster(svg, "A", [LONG])) < 6 * once
    assert len(poster(svg, "A", [LONG * 9])) == len(poster(svg, "A", [LONG]))


def test_a_long_heading_is_written_smaller() -> None:
    svg = '<svg viewBox="0 0 720 720"></svg>'
    sizes = [re.findall(r"scale\((\S+)\)", poster(svg, heading, []))[0] for heading in ("Whist", LONG)]
    assert float(sizes[0]) > float(sizes[1])
