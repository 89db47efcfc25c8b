"""What events are called, on pages and in mails."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import select

from pbem.db.models import Event, EventMatch
from pbem.games import GAMES
from pbem.i18n import _
from pbem.states import EventKind

if TYPE_CHECKING:
    from pbem.db.models import Match
    from pbem.play.core.context import Context


class EventOfMatch(NamedTuple):
    """The event that a match is part of, and the number of its group there, if it has any."""

    event: Event
    group: int | None

    @property
    def title(self) -> str:
        """The name of the event and the group."""
        return place_title(self.event, self.group)


def event_title(event: Event) -> str:
    """Return the name of an event: "League of Montauk, season 2"."""
    return title(event.kind, event.game, event.season)


def title(kind: str, game: str, season: int) -> str:
    """Return the name of an event by the values of its row."""
    name = GAMES[game].name
    if kind == EventKind.LEAGUE:
        return _("League of {game}, season {number}", game=name, number=season)
    if kind == EventKind.LADDER:
        return _("Ladder of {game}", game=name)
    return _("Field of {game}, number {number}", game=name, number=season)


def place_title(event: Event, group: int | None) -> str:
    """Return the name of an event and a group of it: "League of Montauk, season 2, group 1"."""
    return place(event_title(event), group)


def place(event: str, group: int | None) -> str:
    """Return the name of a group of an event, or that of the event if it has none."""
    return _("{event}, group {number}", event=event, number=group) if group else event


def for_match(ctx: Context, match: Match) -> EventOfMatch | None:
    """Return the event that a match is part of, or None; only a match that has one costs a statement."""
    if match.event_id is None:
        return None
    place = EventMatch.match_id == match.id
    row = ctx.session.execute(
        select(Event, EventMatch.grp).outerjoin(EventMatch, place).where(Event.id == match.event_id)
    ).one()
    return EventOfMatch(row.Event, row.grp)
