"""How pages look for whoever reads them: as the player of a seat's page has chosen, or else who is signed in."""

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
    """What a reader has chosen of how boards look."""

    text_first: bool = False
    distinct_colours: bool = False


def look_as(player: Player) -> None:
    """Have boards look as a player wants them, until this request is answered."""
    g.looks = _of(player)


def looks() -> Looks:
    """Give how boards are to look."""
    found: Looks | None = g.get("looks")
    signed_in = visitor()
    return found or (_of(signed_in) if signed_in else Looks())


def _of(reader: Player | Visitor) -> Looks:
    return Looks(reader.text_first, reader.distinct_colours)
