"""The colours that everybody can tell apart: as far apart for eyes that miss a kind of cone as for others."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from math import dist

import pytest

from pbem.boards import DARK_CSS, with_distinct_colours
from pbem.boards.palette import DISTINCT_TONES, TONES, tone
from pbem.boards.sample import sample
from pbem.games.pyramids import COLOUR_NAMES

EYES = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "without red": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "without green": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "without blue": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}
"""What is left of linear red, green and blue to whom (Machado, Oliveira and Fernandes, 2009)."""
SUITS = ("spade", "heart", "club", "diamond")
FAR = 20
"""Two colours so far apart in CIE Lab are seen to differ at a glance; 2 can just be told."""


def linear(colour: str) -> list[float]:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def seen(colour: str, eyes: str) -> list[float]:
    light = linear(colour)
    return [min(1.0, max(0.0, sum(a * b for a, b in zip(row, light, strict=True)))) for row in EYES[eyes]]


def lab(light: list[float]) -> tuple[float, float, float]:
    red, green, blue = light
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.0888
    x, y, z = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def contrast(one: str, other: str) -> float:
    bright, dark = sorted(
        (0.2126 * red + 0.7152 * green + 0.0722 * blue for red, green, blue in map(linear, (one, other))), reverse=True
    )
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize(
    "kinds", [tuple(COLOUR_NAMES.values()), tuple(f"{name}-side" for name in COLOUR_NAMES.values()), SUITS]
)
def test_any_two_are_far_apart_to_all_eyes(kinds: tuple[str, ...], eyes: str, *, dark: bool) -> None:
    colours = {kind: lab(seen(DISTINCT_TONES[kind][dark], eyes)) for kind in kinds}
    near = {pair: dist(colours[pair[0]], colours[pair[1]]) for pair in combinations(kinds, 2)}
    assert min(near.values()) > FAR, min(near, key=lambda pair: near[pair])


def test_the_usual_colours_would_not_do() -> None:
    red, green = (lab(seen(TONES[name][1], "without red")) for name in ("red", "green"))
    assert dist(red, green) < FAR


@pytest.mark.parametrize("dark", [False, True])
def test_pyramids_differ_even_without_any_colour(*, dark: bool) -> None:
    light = sorted(lab(linear(DISTINCT_TONES[name][dark]))[0] for name in COLOUR_NAMES.values())
    assert all(lighter - darker > 8 for darker, lighter in pairwise(light))


@pytest.mark.parametrize("dark", [False, True])
def test_letters_and_pips_can_be_read(*, dark: bool) -> None:
    at = 1 if dark else 0
    for name in COLOUR_NAMES.values():
        mark = DISTINCT_TONES[f"{name}-mark"][at] if f"{name}-mark" in DISTINCT_TONES else TONES[f"{name}-mark"][at + 1]
        assert contrast(mark, DISTINCT_TONES[name][at]) > 4.5
        assert contrast(mark, DISTINCT_TONES[f"{name}-side"][at]) > 4.5
    for suit in SUITS:
        assert contrast(DISTINCT_TONES[suit][at], TONES["card"][at + 1]) > 3


def test_only_pyramids_and_suits_change_and_all_of_them_do() -> None:
    plain = sample("s")
    changed = with_distinct_colours(plain)
    assert changed != plain
    assert with_distinct_colours(changed) == changed
    left = set(re.findall(r'class="([\w-]+)"', changed))
    assert not left & set(DISTINCT_TONES)
    assert {"paper", "card", "card-edge"} <= left
    shapes = [re.sub(r'class="[^"]*" \w+="#[0-9a-f]{6}"', "", svg) for svg in (plain, changed)]
    assert shapes[0] == shapes[1]


def test_they_have_a_dark_side_too() -> None:
    for name, (light, dark) in DISTINCT_TONES.items():
        assert with_distinct_colours(f"<path {tone(name)}/>") == f'<path class="{name}-d" {TONES[name][0]}="{light}"/>'
        assert f".{name}-d {{ {TONES[name][0]}: {dark} }}" in DARK_CSS.splitlines()
