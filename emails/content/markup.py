"""Pieces of a mail's HTML with the rules of `mail.css` in their elements: so no mail needs css-inline."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from css_inline import CSSInliner
from markupsafe import Markup, escape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_TAG = re.compile(r"<(?P<name>\w+)(?:[^<>\"]|\"[^\"]*\")*(?=>)")
_CLASSES, _STYLE = re.compile(r'class="([^"]*)"'), re.compile(r'id="it"( style="[^"]*")')

SHEET = files("emails").joinpath("templates", "mail.css").read_text("utf-8")
"""The style sheet of mails."""
_rules, _at, _media = SHEET.partition("@media")
MEDIA = Markup(_at + _media)  # noqa: S704 -- our own file
"""The rules that cannot be in an element: those of dark mode and of small screens."""


def piece(markup: str) -> Callable[..., Markup]:
    """Return a function that fills the `{}` of a piece of HTML; it escapes every value that is not markup itself."""
    # `%` takes half as long as `format`.
    pattern = _TAG.sub(_with_style, markup).replace("%", "%%").replace("{}", "%s")

    def fill(*values: str) -> Markup:
        # `escape` takes three times as long to return markup as it is.
        escaped = tuple([one if isinstance(one, Markup) else escape(one) for one in values])
        return Markup(pattern % escaped)  # noqa: S704 -- what is filled in is escaped

    return fill


def join(between: str, pieces: Iterable[Markup]) -> Markup:
    """Join pieces; what is between them is our own markup."""
    return Markup(between.join(pieces))  # noqa: S704 -- the pieces are markup


def _with_style(tag: re.Match[str]) -> str:
    classes = _CLASSES.search(tag[0])
    return tag[0] + _style_attribute(tag["name"], classes[1] if classes else "")


@cache
def _style_attribute(element: str, classes: str) -> str:
    """Return the style of an element as an attribute, "" if no rule is about it."""
    # Outside a table, cells are ignored.
    around = {"body": "", "td": "<table><tr>"}.get(element, "<body>")
    page = f'<html><head><style>{_rules}</style></head>{around}<{element} class="{classes}" id="it">'
    found = _STYLE.search(CSSInliner(keep_style_tags=False, load_remote_stylesheets=False).inline(page))
    return found[1] if found else ""
