"""Schemas of events in the API."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from pbem.games import GAMES
from pbem.play.events import entries
from pbem.states import EntrantState, EventKind, EventState, MatchState
from pbem.web.api import schemas
from pbem.web.api.invitations import MAX_ENTROPY_CHARS

MAX_NAME_CHARS, MAX_ADDRESS_CHARS = 200, 300


class EventsPage(Schema):
    """Filters of the list of events; one that is left out matches every event."""

    kind = fields.String(load_default=None, validate=validate.OneOf([*EventKind]))
    game = fields.String(load_default="", validate=validate.OneOf([*GAMES]))
    state = fields.String(load_default=None, validate=validate.OneOf([*EventState]))
    after = fields.String(load_default="", metadata={"description": "`next` of the page before"})


class EventData(Schema):
    """An event: a season of a league, a ladder, or a field that plays the same deals."""

    id = fields.Integer(required=True)
    kind = fields.String(required=True, metadata={"description": f"one of {', '.join(EventKind)}"})
    game = fields.String(required=True)
    title = fields.String(required=True)
    season = fields.Integer(required=True)
    state = fields.String(required=True, metadata={"description": f"one of {', '.join(EventState)}"})
    options = fields.Dict(required=True)
    clock = fields.String(required=True)
    opens = schemas.moment("since when people can enter")
    draws = schemas.moment("when the groups are drawn", allow_none=True)
    begins = schemas.moment("when the matches begin", allow_none=True)
    ends = schemas.moment("when all matches are over at the latest", allow_none=True)
    ended = schemas.moment("when all matches were over", allow_none=True)
    entrants = fields.Integer(required=True, metadata={"description": "how many take part"})


class EventList(Schema):
    """A page of the events, those that opened last first."""

    events = fields.List(fields.Nested(EventData), required=True)
    next = fields.String(
        required=True, allow_none=True, metadata={"description": "`after` of the next page; null on the last"}
    )


class Standing(Schema):
    """A row of the table of a group."""

    place = fields.Integer(
        required=True, allow_none=True, metadata={"description": "null for somebody whose results left the table"}
    )
    name = fields.String(required=True)
    points = fields.Float(required=True)
    decided = fields.Integer(required=True, metadata={"description": "meetings that are decided"})
    direct = fields.Float(required=True, metadata={"description": "points against those with equal points"})
    tie_break = fields.Float(
        required=True, metadata={"description": "Sonneborn-Berger’s score, or the sum of margins at larger tables"}
    )
    won = fields.Integer(required=True)
    left = fields.Boolean(required=True, metadata={"description": "whether they left the season"})
    leads_to = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "the group of the next season to which the place leads"},
    )


class GroupMatch(Schema):
    """A match of a group."""

    match = fields.String(required=True)
    state = fields.String(required=True, metadata={"description": f"one of {', '.join(MatchState)}"})
    players = fields.List(
        fields.String(allow_none=True), required=True, metadata={"description": "names by seat; null for a robot"}
    )
    counts = fields.Boolean(
        required=True, metadata={"description": "false for a friendly match with a robot, and for an annulled one"}
    )
    ended = schemas.moment(allow_none=True)


class Group(Schema):
    """A group of a season as it stands."""

    number = fields.Integer(required=True)
    standings = fields.List(fields.Nested(Standing), required=True)
    matches = fields.List(fields.Nested(GroupMatch), required=True)


class GroupsPage(Schema):
    """Which groups of a season to show."""

    after = fields.Integer(
        load_default=0,
        validate=validate.Range(min=0, max=2**15 - 1),
        metadata={"description": "`next` of the page before"},
    )


class EventDetails(EventData):
    """An event with its groups, if it has any."""

    groups = fields.List(fields.Nested(Group), required=True)
    next = fields.Integer(
        required=True, allow_none=True, metadata={"description": "`after` of the next groups; null at the last"}
    )
    undrawn = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "names of entrants without a group: all before the draw, then the waiting list"},
    )


class NewEntry(Schema):
    """An entry into a season."""

    name = fields.String(
        load_default="",
        validate=[validate.Length(max=MAX_NAME_CHARS), schemas.check_storable],
        metadata={"description": "the name in the tables, which everybody sees; default: the player’s"},
    )
    entropy = fields.String(
        load_default="",
        validate=[validate.Length(max=MAX_ENTROPY_CHARS), schemas.check_storable],
        metadata={"description": "a text of the player’s own, of which the deals of their matches are made too"},
    )
    household = fields.List(
        fields.String(validate=[validate.Length(max=MAX_ADDRESS_CHARS), schemas.check_storable]),
        load_default=list,
        validate=validate.Length(max=entries.MAX_HOUSEHOLD),
        metadata={"description": "addresses of others at home, who are drawn into other groups"},
    )
    stays = fields.Boolean(load_default=True, metadata={"description": "whether they enter the next seasons too"})


class EntryData(Schema):
    """The caller's entry into an event."""

    event = fields.Integer(required=True)
    name = fields.String(required=True)
    state = fields.String(required=True, metadata={"description": f"one of {', '.join(EntrantState)}"})
    group = fields.Integer(required=True, allow_none=True)
    place = fields.Integer(required=True, allow_none=True, metadata={"description": "on a ladder, or once it is over"})
    stays = fields.Boolean(required=True)


class OwnEvent(EventData):
    """An event that the caller takes part in."""

    entry = fields.Nested(EntryData, required=True)
