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
    game = GAMES[event.game].name
    if event.kind == EventKind.LEAGUE:
        return _("League of {game}, season {number}", game=game, number=event.season)
    if event.kind == EventKind.LADDER:
        return _("Ladder of {game}", game=game)
    return _("Field of {game}, number {number}", game=game, number=event.season)


def place_title(event: Event, group: int | None) -> str:
    """Return the name of an event and a group of it: "League of Montauk, season 2, group 1"."""
    title = event_title(event)
    return _("{event}, group {number}", event=title, number=group) if group else title


def for_match(ctx: Context, match: Match) -> EventOfMatch | None:
    """Return the event that a match is part of, or None; only a match that has one costs a statement."""
    if match.event_id is None:
        return None
    place = EventMatch.match_id == match.id
    row = ctx.session.execute(
        select(Event, EventMatch.grp).outerjoin(EventMatch, place).where(Event.id == match.event_id)
    ).one()
    return EventOfMatch(row.Event, row.grp)
