"""Boards and pieces in templates."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from pbem.boards import drawing_for, with_distinct_colours
from pbem.boards import sample as samples
from pbem.boards.pyramid_words import pyramid_name
from pbem.i18n import _
from pbem.web.request.appearance import current_appearance

if TYPE_CHECKING:
    from collections.abc import Mapping

_PYRAMID = re.compile(r"^([RYGBK][123])(?: on ([RYGBK][123]))?$")


def picture(view: Mapping[str, Any], names: tuple[str, ...], you: int | None = None) -> Markup:
    """Render the board of a view."""
    return inline_svg(drawing_for(view["game"]).svg(view["board"], names, you))


def inline_svg(svg: str) -> Markup:
    """Mark a drawing as safe HTML, in the colours that its reader has chosen. Drawings escape the names themselves."""
    return Markup(with_distinct_colours(svg) if current_appearance().distinct_colours else svg)  # noqa: S704 -- drawn by us


def text_first() -> bool:
    """Return whether the text of a board comes before its picture."""
    return current_appearance().text_first


def sample(*, distinct_colours: bool) -> Markup:
    """Render a sample of the usual or the distinct colours."""
    svg = samples.sample("d" if distinct_colours else "u")
    return Markup(with_distinct_colours(svg) if distinct_colours else svg)  # noqa: S704 -- drawn by us


def in_words(piece: str) -> str:
    """Return a piece of a move in words: `R1 on G2` is "small red on medium green"."""
    short = _PYRAMID.match(piece)
    if not short:
        return _("the move is complete") if piece == "." else ""
    piece, stack = short.groups()
    if stack is None:
        return pyramid_name(piece)
    return _("{pyramid} on {stack}", pyramid=pyramid_name(piece), stack=pyramid_name(stack))
