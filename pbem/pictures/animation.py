"""A match as an animated PNG: its positions one after the other, as small as they stay legible."""

from __future__ import annotations

import io
from itertools import pairwise
from typing import TYPE_CHECKING

from PIL import Image

from pbem.pictures.markup import parse_drawing
from pbem.pictures.png import render_png
from pbem.pictures.png_palettes import apply_palette, palette
from pbem.pictures.sheets import draw_picture

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH = 480
MAX_FRAMES = 60
"""Maximum number of positions; a longer match skips some, since half a minute is long to watch."""
MAX_BYTES = 1_500_000
"""Maximum bytes of an animation on a page; above it, every second position is left out."""

_FRAME_MILLISECONDS = 800
"""Milliseconds that a position is shown."""
_LAST_FRAME_MILLISECONDS = 4000
"""Milliseconds that the last position is shown."""
_MAX_COLOURS = 256
_SAMPLE_PIXELS = 64
"""Width and height in pixels at which each drawing is sampled for the colours of all."""


def positions_to_show(count: int) -> tuple[int, ...]:
    """Return which of a number of positions to show: every n-th, counted from the last."""
    every = -(-count // MAX_FRAMES)
    return tuple(reversed(range(count - 1, -1, -every)))


def animation(svgs: Sequence[str], most: int = MAX_BYTES) -> bytes:
    """Render drawings as an animation; software that cannot play it shows the last of them."""
    frames = _frames([svg for before, svg in pairwise(("", *svgs)) if svg != before])
    while len(file := _encode(frames)) > most and len(frames) > 1:
        frames = frames[::-2][::-1]
    return file


def _frames(svgs: Sequence[str]) -> list[Image.Image]:
    drawings = [drawing for svg in svgs if (drawing := parse_drawing(svg))]
    if len(drawings) == len(svgs):
        colours = palette(tuple(dict.fromkeys(colour for drawing in drawings for colour in drawing.colours)))
        frames = [draw_picture(drawing, WIDTH, colours) for drawing in drawings]
    else:
        colours = _adaptive_palette(svgs)
        # Paletted at once: full-colour images of all frames take too much memory.
        frames = [apply_palette(_render_frame(svg), colours) for svg in svgs]
    height = max(frame.height for frame in frames)
    return [_pad(frame, height) for frame in frames]


def _render_frame(svg: str) -> Image.Image:
    return Image.open(io.BytesIO(render_png(svg, WIDTH))).convert("RGB")


def _adaptive_palette(svgs: Sequence[str]) -> bytes:
    """Return a palette for drawings that have too many colours."""
    sample = Image.new("RGB", (_SAMPLE_PIXELS, _SAMPLE_PIXELS * len(svgs)))
    for at, svg in enumerate(svgs):
        small = _render_frame(svg).resize((_SAMPLE_PIXELS, _SAMPLE_PIXELS), Image.Resampling.NEAREST)
        sample.paste(small, (0, _SAMPLE_PIXELS * at))
    return bytes(sample.quantize(_MAX_COLOURS).getpalette() or [])


def _pad(frame: Image.Image, height: int) -> Image.Image:
    """Extend a frame at the bottom to a height."""
    if frame.height == height:
        return frame
    white = Image.new("RGB", (1, 1), "#ffffff").quantize(palette=frame).getpixel((0, 0))
    sheet = Image.new("P", (WIDTH, height), white)
    sheet.putpalette(frame.getpalette() or [])
    sheet.paste(frame, (0, 0))
    return sheet


def _encode(frames: Sequence[Image.Image]) -> bytes:
    file = io.BytesIO()
    lasts = [_FRAME_MILLISECONDS] * (len(frames) - 1) + [_LAST_FRAME_MILLISECONDS]
    frames[-1].save(
        file, "PNG", save_all=True, append_images=frames, default_image=True, duration=lasts, loop=0, compress_level=6
    )
    return file.getvalue()
