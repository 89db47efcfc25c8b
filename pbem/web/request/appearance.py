"""Appearance of boards: as chosen by the player of a seat's page, else by the signed-in player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flask import g

from pbem.web.request.current_user import visitor

if TYPE_CHECKING:
    from pbem.db.models import Player
    from pbem.play.accounts.login_sessions import CurrentUser


@dataclass(frozen=True, slots=True)
class Appearance:
    """Appearance settings of a reader."""

    text_first: bool = False
    distinct_colours: bool = False


def use_appearance_of(player: Player) -> None:
    """Apply a player's appearance settings for the rest of this request."""
    g.appearance = _appearance_of(player)


def current_appearance() -> Appearance:
    """Return the appearance settings in effect."""
    found: Appearance | None = g.get("appearance")
    signed_in = visitor()
    return found or (_appearance_of(signed_in) if signed_in else Appearance())


def _appearance_of(reader: Player | CurrentUser) -> Appearance:
    return Appearance(reader.text_first, reader.distinct_colours)
