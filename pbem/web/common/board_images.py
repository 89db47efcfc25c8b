"""Boards and pieces in templates, in the appearance that their reader has chosen."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from flask import g
from markupsafe import Markup, escape

from pbem.boards import Turn, drawing_for, with_distinct_colours
from pbem.boards import sample as samples
from pbem.boards.pyramid_words import pyramid_name
from pbem.boards.stacks import icon
from pbem.i18n import _
from pbem.web.request.current_user import visitor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.db.models import Player

_STACK = r"[RYGBK][123](?:/[RYGBK][123])*"
_CARD = r"[2-9TJQKA][SHDC]"
_DRAWN_CODE = re.compile(rf"\b(?:(?P<stack>{_STACK})|(?P<card>{_CARD}))\b")
"""A stack or a card in the text of a move."""
_SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_RED_SUITS = "HD"
_PYRAMID = re.compile(r"^([RYGBK][123])(?: on ([RYGBK][123]))?$")


def use_appearance_of(player: Player) -> None:
    """Apply the appearance settings of a seat's player, instead of the visitor's, for the rest of this request."""
    g.text_first, g.distinct_colours = player.text_first, player.distinct_colours


def text_first() -> bool:
    """Return whether the text of a board comes before its picture."""
    user = visitor()
    return bool(g.get("text_first", user and user.text_first))


def picture(view: Mapping[str, Any], names: tuple[str, ...], you: int | None = None) -> Markup:
    """Render the board of a view."""
    return inline_svg(drawing_for(view["game"]).svg(view["board"], names, you, Turn.of_view(view)))


def inline_svg(svg: str) -> Markup:
    """Mark a drawing as safe HTML, in the colours that its reader has chosen. Drawings escape the names themselves."""
    user = visitor()
    distinct = g.get("distinct_colours", user and user.distinct_colours)
    return Markup(with_distinct_colours(svg) if distinct else svg)  # noqa: S704 -- drawn by us


def sample(*, distinct_colours: bool) -> Markup:
    """Render a sample of the usual or the distinct colours."""
    svg = samples.sample("d" if distinct_colours else "u")
    return Markup(with_distinct_colours(svg) if distinct_colours else svg)  # noqa: S704 -- drawn by us


def drawn(move: str, beside: tuple[str, ...] = ()) -> Markup:
    """Return a move, or a piece of it, with small pyramids before their codes, and cards as rank and suit.

    The pyramids `beside` stand before it.
    """
    parts, at = [inline_svg(icon((pyramid,))) for pyramid in beside], 0
    for code in _DRAWN_CODE.finditer(move):
        parts += [escape(move[at : code.start()]), _drawn_code(code)]
        at = code.end()
    return Markup("").join([*parts, escape(move[at:])])


def _drawn_code(code: re.Match[str]) -> Markup:
    if code["card"]:
        rank, suit = code["card"][0], code["card"][1]
        colour = "red" if suit in _RED_SUITS else "black"
        # The last letter asks for the plain sign instead of a coloured one.
        sign = f"{'10' if rank == 'T' else rank}{_SUIT_SIGNS[suit]}\ufe0e"
        return Markup('<span class="card {}" title="{}">{}</span>').format(colour, code["card"], sign)
    return inline_svg(icon(tuple(code["stack"].split("/")))) + escape(code["stack"])


def in_words(piece: str) -> str:
    """Return a piece of a move in words: `R1 on G2` is "small red on medium green"."""
    short = _PYRAMID.match(piece)
    if not short:
        return _("the move is complete") if piece == "." else ""
    piece, stack = short.groups()
    if stack is None:
        return pyramid_name(piece)
    return _("{pyramid} on {stack}", pyramid=pyramid_name(piece), stack=pyramid_name(stack))
