"""A mail's HTML part: tables and inline styles, as mail programs want them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from emails.marker import MARKER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from emails.parts import Part

_environment = Environment(
    loader=PackageLoader("emails"),
    autoescape=select_autoescape(default=True),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_environment.filters["kind"] = lambda part: type(part).__name__
_template = _environment.get_template("mail.html")


def as_html(subject: str, parts: Sequence[Part], picture: str, marker: str = MARKER) -> str:
    """Write a mail's parts as HTML; `picture` is the content id of the board's picture."""
    return _template.render(subject=subject, parts=parts, picture=picture, marker=marker)
