"""What makes the pages installable as an app: manifest, icons, service worker, and the page for when it is offline."""

from __future__ import annotations

import base64
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, abort, jsonify, render_template, url_for
from markupsafe import Markup

from pbem.i18n import _
from pbem.pictures.png import render_png

pages = Blueprint("installable", __name__)

ICON_WIDTHS = (180, 192, 512)
"""Widths of the icons in pixels: of Apple's devices, and two that a manifest needs."""
LIGHT, DARK = "#fbf8f1", "#191c1b"
"""Colours of the window around the pages: the paper of style.css."""

_STATIC = Path(__file__).parents[1] / "static"
_DRAWING_WIDTH, _MARGIN, _MASKABLE_MARGIN = 32, 3, 9
"""Units of the drawing, and the space around it; devices cut a maskable icon to a shape of their own."""


@pages.app_context_processor
def on_every_page() -> dict[str, Any]:
    """Add the colours of the window to all templates."""
    return {"window_colours": {"light": LIGHT, "dark": DARK}}


@pages.get("/manifest.webmanifest")
def manifest() -> Response:
    """Return the manifest of the app, in the language of the browser."""
    icons = [
        {
            "src": url_for("installable.icon", name=f"{purpose}{width}"),
            "sizes": f"{width}x{width}",
            "type": "image/png",
            "purpose": "maskable" if purpose else "any",
        }
        for width in ICON_WIDTHS[1:]
        for purpose in ("", "maskable-")
    ]
    response = jsonify(
        id="/",
        name=_("Slow games by mail"),
        short_name=_("Slow games"),
        start_url=url_for("dashboard.mine"),
        scope="/",
        display="standalone",
        theme_color=LIGHT,
        background_color=LIGHT,
        icons=icons,
    )
    response.mimetype = "application/manifest+json"
    response.headers["Cache-Control"] = "no-cache"
    return response


@pages.get("/app-icon-<name>.png")
def icon(name: str) -> Response:
    """Return the icon of the app in one of its widths."""
    purpose, _dash, width = name.rpartition("-")
    if purpose not in {"", "maskable"} or width not in map(str, ICON_WIDTHS):
        abort(404)
    margin = _MASKABLE_MARGIN if purpose else _MARGIN
    return Response(_draw_icon(int(width), margin), mimetype="image/png", headers={"Cache-Control": "max-age=86400"})


@pages.get("/service-worker.js")
def service_worker() -> Response:
    """Return the service worker, at a path from which it serves all pages."""
    script = _static_text("service-worker.js")
    return Response(script, mimetype="text/javascript", headers={"Cache-Control": "no-cache"})


@pages.get("/offline")
def offline() -> Response:
    """Return the page that a browser shows when the service cannot be reached; it loads nothing else."""
    style = _static_text("offline.css")
    page = render_template("system/offline.html", style=_trusted(style), icon=_trusted(_static_text("icon.svg")))
    digest = base64.b64encode(sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return Response(page, headers={"Content-Security-Policy": policy, "Cache-Control": "no-cache"})


@cache
def _draw_icon(width: int, margin: int) -> bytes:
    """Render the drawing of the pages' icon on paper."""
    side = _DRAWING_WIDTH + 2 * margin
    box = f'viewBox="{-margin} {-margin} {side} {side}"'
    svg = _static_text("icon.svg").replace(f'viewBox="0 0 {_DRAWING_WIDTH} {_DRAWING_WIDTH}"', box)
    return render_png(svg, width, LIGHT)


@cache
def _static_text(name: str) -> str:
    return (_STATIC / name).read_text("utf-8")


def _trusted(text: str) -> Markup:
    """Mark a text of our own as safe to insert unescaped."""
    return Markup(text)  # noqa: S704 -- no user input
