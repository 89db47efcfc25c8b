"""The rules of each game, told to players."""

from __future__ import annotations

from flask import Blueprint, abort, current_app, render_template
from jinja2 import TemplateNotFound

from pbem.boards import drawing_of
from pbem.games import GAMES
from pbem.web.start import UNKNOWN_GAME

pages = Blueprint("rules", __name__)

CREDITS = {
    "minimax": "Designed by Michael Fogus.",
    "martian-whist": "Designed by Michael Fogus.",
    "amazonian-buffet": "Designed by Michael Fogus.",
    "montauk": "Designed by Michael Fogus after Joli Quentin Kansil’s Marrakesh.",
    "martian-trickery": "Designed by Joss Ives.",
}


@pages.get("/rules/<game>")
def rules(game: str) -> str:
    """Tell how a game is played."""
    if game not in GAMES:
        abort(404, description=UNKNOWN_GAME)
    try:
        template = current_app.jinja_env.get_template(f"rules/{game}.html")
    except TemplateNotFound:
        template = current_app.jinja_env.get_template("rules/any.html")
    return render_template(template, game=GAMES[game], crib=drawing_of(game).crib, credit=CREDITS.get(game, ""))
