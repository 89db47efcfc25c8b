"""The HTML part of a mail: tables and inline styles, as mail programs need them, and support for dark mode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from css_inline import CSSInliner
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from emails.parsing.reply_marker import MARKER
from pbem.i18n import _, current_locale

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from emails.content.blocks import Block

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


def render_html(
    subject: str,
    parts: Sequence[Block],
    pictures: Mapping[int, str] | None = None,
    marker: str = MARKER,
    preheader: str | None = None,
    *,
    text_first: bool = False,
) -> str:
    """Render the blocks of a mail as HTML; `pictures` maps the index of a block to the content id of its picture.

    Inboxes show the preheader beside the subject, or else the text of the first block, and nothing after it. With
    `text_first`, a board that has a picture is also rendered as text, above the picture.
    """
    pictures = {at: (pictures or {}).get(at, "") for at in range(len(parts))}
    lead = parts[0]
    preheader = (lead if isinstance(lead, str) else "") if preheader is None else preheader
    return _inliner.inline(
        _template.render(
            subject=subject,
            parts=parts,
            pictures=pictures,
            marker=marker,
            preheader=preheader,
            language=current_locale(),
            text_first=text_first,
        )
    )
