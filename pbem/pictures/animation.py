"""A match as an animated PNG: its positions one after the other, as small as they can be told apart."""

from __future__ import annotations

import io
from itertools import pairwise
from typing import TYPE_CHECKING

from PIL import Image

from pbem.pictures.colours import palette, paletted
from pbem.pictures.markup import read
from pbem.pictures.png import rendered
from pbem.pictures.sheets import drawn

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH = 480
FRAMES = 60
"""A match of more positions skips some: half a minute is long for somebody who looks."""
BYTES = 1_500_000
"""More than this is too much for a page that shows it; every second position is left out then."""

_LASTS = 800
"""Milliseconds that a position is shown."""
_LAST = 4000
"""The same of the last one."""
_ALL_COLOURS = 256
_SAMPLE = 64
"""So many pixels wide and high is each drawing looked at, for the colours of all."""


def shown(count: int) -> tuple[int, ...]:
    """Choose which of so many positions to show: every n-th, counted from the last."""
    every = -(-count // FRAMES)
    return tuple(reversed(range(count - 1, -1, -every)))


def animation(svgs: Sequence[str], most: int = BYTES) -> bytes:
    """Show some drawings one after the other; whatever cannot play it shows the last of them."""
    frames = _frames([svg for before, svg in pairwise(("", *svgs)) if svg != before])
    while len(file := _written(frames)) > most and len(frames) > 1:
        frames = frames[::-2][::-1]
    return file


def _frames(svgs: Sequence[str]) -> list[Image.Image]:
    drawings = [drawing for svg in svgs if (drawing := read(svg))]
    if len(drawings) == len(svgs):
        colours = palette(tuple(dict.fromkeys(colour for drawing in drawings for colour in drawing.colours)))
        frames = [drawn(drawing, WIDTH, colours) for drawing in drawings]
    else:
        colours = _adapted(svgs)
        # Paletted at once: whole colours of all frames are too much to hold.
        frames = [paletted(_sheet(svg), colours) for svg in svgs]
    height = max(frame.height for frame in frames)
    return [_padded(frame, height) for frame in frames]


def _sheet(svg: str) -> Image.Image:
    return Image.open(io.BytesIO(rendered(svg, WIDTH))).convert("RGB")


def _adapted(svgs: Sequence[str]) -> bytes:
    """Choose the colours of drawings that have too many of them."""
    sample = Image.new("RGB", (_SAMPLE, _SAMPLE * len(svgs)))
    for at, svg in enumerate(svgs):
        small = _sheet(svg).resize((_SAMPLE, _SAMPLE), Image.Resampling.NEAREST)
        sample.paste(small, (0, _SAMPLE * at))
    return bytes(sample.quantize(_ALL_COLOURS).getpalette() or [])


def _padded(frame: Image.Image, height: int) -> Image.Image:
    """Add to a frame below what others are higher."""
    if frame.height == height:
        return frame
    white = Image.new("RGB", (1, 1), "#ffffff").quantize(palette=frame).getpixel((0, 0))
    sheet = Image.new("P", (WIDTH, height), white)
    sheet.putpalette(frame.getpalette() or [])
    sheet.paste(frame, (0, 0))
    return sheet


def _written(frames: Sequence[Image.Image]) -> bytes:
    file = io.BytesIO()
    lasts = [_LASTS] * (len(frames) - 1) + [_LAST]
    frames[-1].save(
        file, "PNG", save_all=True, append_images=frames, default_image=True, duration=lasts, loop=0, compress_level=6
    )
    return file.getvalue()
