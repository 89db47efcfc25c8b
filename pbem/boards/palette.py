"""Colours of the pictures, light and dark, each under its CSS class.

A picture has its light colours as presentation attributes, next to a class: alone, or as a PNG, it is light. A page's
stylesheet that includes DARK_CSS turns the same picture dark if the reader prefers that.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import product

TONES: dict[str, tuple[str, str, str]] = {
    "paper": ("fill", "#fbf8f1", "#191c1b"),
    "felt": ("fill", "#e3ebdf", "#22302a"),
    "card": ("fill", "#ffffff", "#2d3230"),
    "vault": ("fill", "#e6e1f1", "#332d45"),
    "glow": ("fill", "#fff1cc", "#4b3c1a"),
    "ink": ("stroke", "#2a2a27", "#eeeae1"),
    "faint": ("stroke", "#66645c", "#b3b0a6"),
    "line": ("stroke", "#cfc8b8", "#565d59"),
    "accent": ("stroke", "#a85b06", "#f2b350"),
    "arrow": ("stroke", "#8d8673", "#8f9792"),
    "last": ("stroke", "#6a3fb0", "#c9a8ff"),
    "red": ("fill", "#cb362d", "#cf4238"),
    "red-side": ("fill", "#a02620", "#9f2c25"),
    "red-edge": ("stroke", "#6f1712", "#f0a49d"),
    "red-mark": ("stroke", "#ffffff", "#ffffff"),
    "yellow": ("fill", "#f5c838", "#ecc13a"),
    "yellow-side": ("fill", "#dba91b", "#cf9f1c"),
    "yellow-edge": ("stroke", "#7c5b06", "#fbe7a6"),
    "yellow-mark": ("stroke", "#332600", "#332600"),
    "green": ("fill", "#23824a", "#2a8a51"),
    "green-side": ("fill", "#186336", "#1d683b"),
    "green-edge": ("stroke", "#0d4021", "#9ad6b1"),
    "green-mark": ("stroke", "#ffffff", "#ffffff"),
    "blue": ("fill", "#2d66ba", "#3a72c4"),
    "blue-side": ("fill", "#204c8f", "#29579c"),
    "blue-edge": ("stroke", "#122f5d", "#a9c8f2"),
    "blue-mark": ("stroke", "#ffffff", "#ffffff"),
    "black": ("fill", "#3d3d42", "#3a3a40"),
    "black-side": ("fill", "#232327", "#232327"),
    "black-edge": ("stroke", "#08080a", "#c9c9d1"),
    "black-mark": ("stroke", "#ffffff", "#ffffff"),
    "white": ("fill", "#ffffff", "#f6f3ea"),
    "white-side": ("fill", "#e4dfd2", "#d9d4c6"),
    "white-edge": ("stroke", "#33322e", "#14140f"),
    "white-mark": ("stroke", "#33322e", "#14140f"),
    "spade": ("color", "#17171c", "#f2efe6"),
    "heart": ("color", "#b0102c", "#ff7a80"),
    "club": ("color", "#238a52", "#5fd08f"),
    "diamond": ("color", "#2f7fe0", "#8cc4ff"),
    "card-edge": ("stroke", "#a9a393", "#767d78"),
    "claimed": ("fill", "#e6e0d1", "#222725"),
    "back": ("fill", "#47608f", "#42567c"),
    "back-line": ("stroke", "#c9d3e6", "#93a4c4"),
    "plain": ("fill", "#f3efe5", "#3c423f"),
    "plain-side": ("fill", "#dcd6c7", "#323836"),
    "plain-edge": ("stroke", "#8d8673", "#8f9792"),
    "plain-mark": ("stroke", "#55534c", "#d5d2c8"),
}
"""Every class: the property it colours, the light colour, the dark one."""

DISTINCT_TONES: dict[str, tuple[str, str]] = {
    "red": ("#c44601", "#c94a06"),
    "red-side": ("#983600", "#a13c05"),
    "red-edge": ("#5f2200", "#f4b994"),
    "yellow": ("#f8e04c", "#f3da45"),
    "yellow-side": ("#dcc02c", "#d4b82a"),
    "yellow-edge": ("#6f5d00", "#fdf0a8"),
    "green": ("#5bc0a0", "#62c8a8"),
    "green-side": ("#46a587", "#4aab8d"),
    "green-edge": ("#0f4a38", "#c2eedf"),
    "green-mark": ("#06251b", "#06251b"),
    "blue": ("#1457a8", "#1b59aa"),
    "blue-side": ("#0e4080", "#154684"),
    "blue-edge": ("#062448", "#a9cdf6"),
    "black": ("#1a1a1d", "#232327"),
    "black-side": ("#0a0a0c", "#111114"),
    "spade": ("#17171c", "#f2efe6"),
    "heart": ("#b03a05", "#ff7a33"),
    "club": ("#169a70", "#4ddf8f"),
    "diamond": ("#2233d6", "#4398e6"),
}
"""Light and dark colours of the colour-blind palette, where it differs: those of pyramids and suits.

They differ in lightness as much as in hue, so that they stay distinct for people who lack a kind of cone.
"""
LIGHT_COLOURS = {name: light for name, (_, light, _) in TONES.items()}
"""Light colour of every class."""
PNG_COLOUR_SETS = (LIGHT_COLOURS, LIGHT_COLOURS | {name: light for name, (light, _) in DISTINCT_TONES.items()})
"""Sets of colours that a PNG may be painted in; a picture uses one of them, whatever it shows."""
_GROUNDS = ("paper", "card", "felt", "vault", "glow", "claimed")
_LINES = ("ink", "faint", "line", "accent", "arrow", "last", "card-edge", "spade", "heart", "club", "diamond")
_PYRAMIDS = ("red", "yellow", "green", "blue", "black", "white", "plain")
TOUCHING_CLASSES = (
    *product(_LINES, _GROUNDS),
    ("back", "back-line"),
    ("back", "card"),
    *((name, f"{name}-{part}") for name in _PYRAMIDS for part in ("edge", "mark")),
    *((f"{name}-side", f"{name}-{part}") for name in _PYRAMIDS for part in ("edge", "mark")),
    *product((f"{name}-edge" for name in _PYRAMIDS), _GROUNDS),
    *product(_PYRAMIDS, ("paper", "card", "felt")),
)
"""Pairs of classes that touch in pictures; edges between them are smoothed by mixtures of the two."""
_DISTINCT_SUFFIX = "-d"
_TONE_ATTRIBUTES = re.compile(
    rf'class="({"|".join(sorted(DISTINCT_TONES, key=len, reverse=True))})" (\w+)="#[0-9a-f]{{6}}"'
)


@cache
def tone(name: str) -> str:
    """Return the attributes that give an element a tone: its class and the light colour."""
    what, light, _ = TONES[name]
    return f'class="{name}" {what}="{light}"'


def with_distinct_colours(svg: str) -> str:
    """Return a picture in the colour-blind palette; its letters and shapes stay."""
    return _TONE_ATTRIBUTES.sub(
        lambda found: f'class="{found[1]}{_DISTINCT_SUFFIX}" {found[2]}="{DISTINCT_TONES[found[1]][0]}"', svg
    )


# A selector may only name the class: to a stylesheet, what a `use` element shows has no ancestors.
DARK_RULES = "\n".join(
    [
        *(f".{name} {{ {what}: {dark} }}" for name, (what, _, dark) in TONES.items()),
        *(f".{name}{_DISTINCT_SUFFIX} {{ {TONES[name][0]}: {dark} }}" for name, (_, dark) in DISTINCT_TONES.items()),
    ]
)
"""Dark colours as bare rules, for a page with its own switch."""

DARK_CSS = f"@media (prefers-color-scheme: dark) {{\n{DARK_RULES}\n}}\n"
"""Dark colours for a page's stylesheet, in force if the reader's device prefers dark."""
