"""API of the games that can be played here."""

from __future__ import annotations

from typing import Any

from pbem import robots
from pbem.games import GAMES
from pbem.play.lobby import lessons
from pbem.web.api import schemas
from pbem.web.common.urls import absolute_url
from pbem.web.request.request_bodies import APIBlueprint

api = APIBlueprint("api games", __name__, url_prefix="/api", description="Games")


@api.get("/games")
@api.response(200, schemas.Game(many=True))
def games() -> list[dict[str, Any]]:
    """List the games that can be played here."""
    taught = {*lessons.taught()}
    return [
        {
            "key": key,
            "name": game.name,
            "edition": game.edition,
            "seats": list(game.seats),
            "options": game.options,
            "levels": list(robots.levels(key)),
            "lesson": absolute_url("lessons.lesson", game=key) if key in taught else None,
        }
        for key, game in GAMES.items()
    ]
