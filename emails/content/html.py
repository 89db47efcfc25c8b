"""The HTML part of a mail: tables and inline styles, as mail programs need them, and support for dark mode."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from css_inline import CSSInliner
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from emails.parsing.reply_marker import MARKER
from pbem.i18n import _, current_locale

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from emails.content.blocks import Block

_TAG = re.compile(r"<(?P<name>\w+)(?:[^<>\"]|\"[^\"]*\")*(?=>)")
_CLASSES, _STYLE = re.compile(r'class="([^"]*)"'), re.compile(r'id="it"( style="[^"]*")')


class _StyledTemplates(PackageLoader):
    """The templates of mails, with the rules of `mail.css` in their elements: so no mail needs css-inline."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool] | None]:
        """Return a template with its styles."""
        source, path, is_current = super().get_source(environment, template)
        return _TAG.sub(_with_style, source), path, is_current


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


_environment = Environment(
    loader=_StyledTemplates("emails"),
    autoescape=select_autoescape(default=True),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_environment.filters["kind"] = lambda part: type(part).__name__
_environment.globals["_"] = _
_rules, _at, _media = PackageLoader("emails").get_source(_environment, "mail.css")[0].partition("@media")
_environment.globals["media"] = Markup(_at + _media)  # noqa: S704 -- our own file
_template = _environment.get_template("mail.html")


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
    return _template.render(
        subject=subject,
        parts=parts,
        pictures=pictures,
        marker=marker,
        preheader=preheader,
        language=current_locale(),
        text_first=text_first,
    )
