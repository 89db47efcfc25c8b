"""Pyramids and their stacks in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.games import pyramids
from pbem.i18n import meaning, several

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CONTEXT = "in sentences"
"""Message context of the names of pyramids in catalogs; elsewhere they may be translated differently."""


def pyramid_name(pyramid: str) -> str:
    """Return a pyramid's name: "large red"."""
    return meaning(CONTEXT, pyramids.name(pyramid))


def colour(letter: str) -> str:
    """Return a colour's name on its own: "red"."""
    return meaning(CONTEXT, pyramids.COLOUR_NAMES[letter])


def size(digit: str) -> str:
    """Return a size's name on its own: "large"."""
    return meaning(CONTEXT, pyramids.SIZE_NAMES[digit])


def stack_name(stack: Sequence[str]) -> str:
    """Describe a stack from the top down, as it is seen: "small red over large green"."""
    top, *below = reversed(stack)
    return " ".join([pyramid_name(top), *(meaning(CONTEXT, _under(pyramid)) for pyramid in below)])


def stack_count(count: int, stack: Sequence[str]) -> str:
    """Format a number of stacks, or of single pyramids."""
    name = stack_name(stack)
    if len(stack) == 1:
        return several("one {pyramid}", "{number} {pyramid}s", count, pyramid=name)
    if [pyramid[1] for pyramid in stack] == [*reversed(pyramids.SIZES)]:
        return several("one tree of {stack}", "{number} trees of {stack}", count, stack=name)
    return several("one stack of {stack}", "{number} stacks of {stack}", count, stack=name)


def names() -> Iterator[str]:
    """Yield every name that catalogs need in the context of sentences."""
    yield from (*pyramids.COLOUR_NAMES.values(), *pyramids.SIZE_NAMES.values())
    for pyramid in pyramids.TREEHOUSE:
        yield from (pyramids.name(pyramid), _under(pyramid))


def _under(pyramid: str) -> str:
    return f"over {pyramids.name(pyramid)}"
