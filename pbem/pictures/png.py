"""A drawing as a small PNG with the same pixels on every machine."""

from __future__ import annotations

import re
import struct
from functools import lru_cache

from resvg_py import svg_to_bytes

from pbem.pictures.markup import parse_drawing
from pbem.pictures.png_palettes import palette
from pbem.pictures.sheets import draw_rows

try:
    from isal.isal_zlib import compress, crc32
except ImportError:  # There is no wheel of it for every platform.
    from zlib import compress, crc32

WIDTH = 600

_VIEW_BOX = re.compile(r'viewBox="0 0 (\S+) (\S+)"')
_COMPRESSION_LEVEL = 2
"""Compression level: the smallest files of isal, and files of zlib that are a tenth larger than at 4."""
_SIGNATURE, _END = b"\x89PNG\r\n\x1a\n", b"\0\0\0\0IEND\xaeB`\x82"
_DEPTH, _INDEXED = 8, 3
"""Bits of a pixel, and the kind of picture whose pixels are indices of a palette."""


@lru_cache(maxsize=64)
def png(svg: str, width: int = WIDTH) -> bytes:
    """Render a drawing; it needs no fonts, since drawings draw their letters themselves."""
    drawing = parse_drawing(svg)
    if drawing is None:
        return render_png(svg, width)
    colours = palette(drawing.colours)
    height, rows = draw_rows(drawing, width, colours)
    header = struct.pack(">2I5B", width, height, _DEPTH, _INDEXED, 0, 0, 0)
    chunks = _chunk(b"IHDR", header), _chunk(b"PLTE", colours), _chunk(b"IDAT", compress(rows, _COMPRESSION_LEVEL))
    return b"".join((_SIGNATURE, *chunks, _END))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc32(data, crc32(kind)))


def render_png(svg: str, width: int, background: str = "#ffffff") -> bytes:
    """Render a drawing of any kind as a full-colour PNG."""
    return bytes(svg_to_bytes(svg_string=svg, width=width, background=background, skip_system_fonts=True))


def size(svg: str) -> tuple[int, int]:
    """Return the width and height in pixels of a drawing as a PNG."""
    wide, high = (float(part) for part in _VIEW_BOX.findall(svg)[0])
    return WIDTH, round(WIDTH * high / wide)
