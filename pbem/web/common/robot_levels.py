"""Levels of a game's robots, as forms offer them; the browser remembers the one that was last chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from flask import request

from pbem import robots
from pbem.play.matches import descriptions, robot_strengths
from pbem.robots import Level
from pbem.web.request import current_user
from pbem.web.request.context import is_https

if TYPE_CHECKING:
    from collections.abc import Sequence

    from werkzeug import Response

COOKIE = "pbem-robot"
COOKIE_SECONDS = 365 * 24 * 3600


class LevelChoice(NamedTuple):
    """A level, its name, and a sentence about its strength, if that was measured."""

    level: Level
    name: str
    strength: str


def choices(game: str, seats: int) -> list[LevelChoice]:
    """Return the levels of a game, the weakest first, with their strengths in a match of some seats."""
    return [
        LevelChoice(level, descriptions.level_name(level).capitalize(), robot_strengths.describe(game, level, seats))
        for level in robots.levels(game)
    ]


def parse(game: str, typed: str | None, usual: Level) -> Level:
    """Parse the level of a form; anything that is not a level of the game is the usual one."""
    return next((level for level in robots.levels(game) if level == typed), usual)


def preferred(game: str) -> Level:
    """Return the level to offer first: the last one chosen in this browser; else easy, or fair to a known player."""
    visitor = current_user.visitor()
    usual = Level.FAIR if visitor and not visitor.guest else Level.EASY
    return parse(game, request.cookies.get(COOKIE), usual)


def remember(response: Response, levels: Sequence[Level]) -> None:
    """Set the cookie of the level that was chosen for the first of some robots; unchanged without any."""
    for level in levels[:1]:
        response.set_cookie(
            COOKIE, level, max_age=COOKIE_SECONDS, secure=is_https(), httponly=True, samesite="Lax", path="/"
        )
