"""Appearance of boards: as chosen by the player of a seat's page, else by the signed-in player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flask import g

from pbem.web.common.current_user import visitor

if TYPE_CHECKING:
    from pbem.db.models import Player
    from pbem.play.accounts.login_sessions import Visitor


@dataclass(frozen=True, slots=True)
class Looks:
    """Appearance settings of a reader."""

    text_first: bool = False
    distinct_colours: bool = False


def look_as(player: Player) -> None:
    """Apply a player's appearance settings for the rest of this request."""
    g.looks = _of(player)


def looks() -> Looks:
    """Return the appearance settings in effect."""
    found: Looks | None = g.get("looks")
    signed_in = visitor()
    return found or (_of(signed_in) if signed_in else Looks())


def _of(reader: Player | Visitor) -> Looks:
    return Looks(reader.text_first, reader.distinct_colours)
