"""The rules of each game."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from flask import Blueprint, abort, render_template, url_for
from markupsafe import Markup

from pbem.boards import drawing_for
from pbem.boards.rules import TEMPLATES, rules_for, split_runs, translated
from pbem.games import GAMES
from pbem.web.common import robot_levels
from pbem.web.common.board_images import inline_svg
from pbem.web.common.messages import UNKNOWN_GAME
from pbem.web.matches import social_cards

if TYPE_CHECKING:
    from pbem.boards.rules import Example

pages = Blueprint("rules", __name__, template_folder=str(TEMPLATES))

_MAX_LINE_LENGTH = 24
"""Maximum characters of typed text that fit on one line of a phone."""
_IDS = re.compile(r'( id="| href="#)')


@pages.get("/rules")
def every() -> str:
    """List the games, with a link to the rules of each."""
    written = {key: translated(rules_for(key)) for key in GAMES}
    taglines = {key: rules.tagline or rules.lead for key, rules in written.items()}
    return render_template("matches/rules_list.html", taglines=taglines)


@pages.get("/rules/<game>")
def rules(game: str) -> str:
    """Show the rules of a game."""
    if game not in GAMES:
        abort(404, description=UNKNOWN_GAME)
    text = translated(rules_for(game))
    pictures = {id(example): _picture(game, example, number) for number, example in enumerate(text.examples, 1)}
    return render_template(
        "matches/rules.html",
        game=GAMES[game],
        rules=text,
        crib=drawing_for(game).crib,
        card=social_cards.rules_card(game),
        robot=_robot_url(game),
        levels=[choice for choice in robot_levels.choices(game, GAMES[game].seats[0]) if choice.strength],
        mark_typed=_mark_typed,
        picture=lambda example: pictures[id(example)],
    )


def _robot_url(game: str) -> str:
    """Return the URL of the form of a match with robots at all other seats; empty for a game of one seat."""
    others: dict[str, Any] = {f"sits-{seat}": "robot" for seat in range(2, GAMES[game].seats[0] + 1)}
    return url_for("home.new", game=game, **others) if others else ""


def _picture(game: str, example: Example, number: int) -> Markup:
    """Render an example with ids of its own: a page may contain several pictures of one kind."""
    svg = drawing_for(game).svg(example.board, example.names, example.you)
    return inline_svg(_IDS.sub(rf"\g<1>e{number}-", svg))


def _mark_typed(text: str) -> Markup:
    """Mark up what a player might type, on one line if it is short."""
    short, long = Markup('<code class="whole">{}</code>'), Markup("<code>{}</code>")
    return Markup().join(
        (short if len(run) <= _MAX_LINE_LENGTH else long).format(run) if typed else run
        for run, typed in split_runs(text)
    )
