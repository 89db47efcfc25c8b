"""The names by which a ladder lists its players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Entrant
from pbem.i18n import _
from pbem.play.core.errors import Code, Refused
from pbem.play.ladders import places
from pbem.play.players.registry import MAX_NAME_LENGTH

if TYPE_CHECKING:
    from collections.abc import Collection

    from pbem.db.models import Event
    from pbem.play.core.context import Context

_MARKS = "<>,.;:#“”„\"'"
"""Marks that may stand around a name or a place."""


def load(ctx: Context, event: Event, players: Collection[int]) -> dict[int, str]:
    """Return the names of some players who are or were on a ladder."""
    listed = select(Entrant.player_id, Entrant.name).where(Entrant.event_id == event.id)
    return {row.player_id: row.name for row in ctx.session.execute(listed.where(Entrant.player_id.in_(players)))}


def find(ctx: Context, event: Event, typed: str) -> Entrant:
    """Find the entrant of a ladder whom a place or a name means; raises Refused if that is nobody."""
    wanted = " ".join(typed.strip().strip(_MARKS).split())
    listed = places.entrants(ctx, event)
    named = [one for one in listed if one.name.casefold() == wanted.casefold()]
    if not named and wanted.isascii() and wanted.isdigit():
        named = [one for one in listed if str(one.place) == wanted.lstrip("0")]
    if not named:
        sentence = _(
            "Nobody on this ladder is called “{name}”, and it is no place there.", name=wanted[:MAX_NAME_LENGTH]
        )
        raise Refused(sentence, "name", code=Code.UNKNOWN_NAME)
    return named[0]
