"""A mail's HTML part: tables and inline styles, as mail programs want them, and what dark mode needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from css_inline import CSSInliner
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from emails.parsing.reply_marker import MARKER
from pbem.i18n import _, spoken

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from emails.content.blocks import Part

_loader = PackageLoader("emails")
_environment = Environment(
    loader=_loader,
    autoescape=select_autoescape(default=True),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_environment.filters["kind"] = lambda part: type(part).__name__
_environment.globals["_"] = _
_environment.globals["style"] = Markup(_loader.get_source(_environment, "mail.css")[0])  # noqa: S704 -- our own file
_template = _environment.get_template("mail.html")
_inliner = CSSInliner(keep_at_rules=True, load_remote_stylesheets=False, preallocate_node_capacity=256)


def as_html(
    subject: str,
    parts: Sequence[Part],
    pictures: Mapping[int, str] | None = None,
    marker: str = MARKER,
    preheader: str | None = None,
    *,
    text_first: bool = False,
) -> str:
    """Write a mail's parts as HTML; `pictures` are the content ids of the boards', by their places among the parts.

    What inboxes show beside the subject is the preheader or else the first part's text, and nothing after it.
    With the text first, a board that is pictured stands there as text too, before its picture.
    """
    pictures = {at: (pictures or {}).get(at, "") for at in range(len(parts))}
    preheader = getattr(parts[0], "text", "") if preheader is None else preheader
    return _inliner.inline(
        _template.render(
            subject=subject,
            parts=parts,
            pictures=pictures,
            marker=marker,
            preheader=preheader,
            language=spoken(),
            text_first=text_first,
        )
    )
