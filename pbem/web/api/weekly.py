"""API of the deal of the week: the weeks, the table of one that is over, and taking part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marshmallow import Schema, fields, validate

from pbem.i18n import _
from pbem.play.accounts import api_keys
from pbem.play.core.context import timestamp
from pbem.play.core.errors import Refused
from pbem.play.weekly import calendar, entries, results, standing, weeks
from pbem.play.weekly.standing import Standing
from pbem.web.api import auth, schemas
from pbem.web.request.context import service, transaction
from pbem.web.request.errors import refuse, refuse_with
from pbem.web.request.read_replica import may_use_replica
from pbem.web.request.request_bodies import APIBlueprint

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.db.models import Match
    from pbem.play.weekly.results import Row
    from pbem.play.weekly.weeks import Week

api = APIBlueprint("api weekly", __name__, url_prefix="/api", description="The Minimax of the week")

UNKNOWN_WEEK = "There is no such week."
MAX_WEEK, MAX_ROWS = 99_999, 10_000_000
THIS, NEXT = "this", "next"
"""The weeks that somebody can enter."""


class WeekFilter(Schema):
    """Where a page of the weeks begins."""

    before = fields.Integer(
        load_default=None,
        validate=validate.Range(min=0, max=MAX_WEEK),
        metadata={"description": "`next` of the page before"},
    )


class WeekSummary(Schema):
    """A week, with how many people take part in it."""

    week = fields.Integer(required=True)
    game = fields.String(required=True)
    options = fields.Dict(required=True)
    begins = schemas.moment()
    ends = schemas.moment()
    state = fields.String(required=True, validate=validate.OneOf(["coming", "running", "over"]))
    commitment = fields.String(required=True, metadata={"description": "SHA-256 of the secret of its deal, in hex"})
    people = fields.Integer(required=True)
    finished = fields.Integer(required=True)
    url = fields.String(required=True)


class WeekList(Schema):
    """The coming and the running week, if this is the first page, and those that are over, newest first."""

    weeks = fields.List(fields.Nested(WeekSummary), required=True)
    next = fields.Integer(
        required=True, allow_none=True, metadata={"description": "`before` of the next page; null on the last"}
    )


class WeekRow(Schema):
    """A row of the table; who did not finish in time has neither place nor points."""

    place = fields.Integer(required=True, allow_none=True, metadata={"description": "equal points share a place"})
    name = fields.String(required=True)
    points = fields.Integer(required=True, allow_none=True)
    match = fields.String(required=True)


class TablePage(Schema):
    """Where a page of the table begins."""

    after = fields.Integer(
        load_default=0,
        validate=validate.Range(min=0, max=MAX_ROWS),
        metadata={"description": "`next` of the page before"},
    )


class WeekTable(WeekSummary):
    """A week; its table, par and best line are there once it is over."""

    table = fields.List(fields.Nested(WeekRow), required=True, allow_none=True)
    next = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "`after` of the next page of the table; null on the last"},
    )
    par = fields.Integer(required=True, allow_none=True, metadata={"description": "points of the strong robot"})
    best = fields.String(required=True, allow_none=True, metadata={"description": "the match of the best line"})


class NewWeekEntry(Schema):
    """Which week to take part in."""

    week = fields.String(load_default=THIS, validate=validate.OneOf([THIS, NEXT]))
    entropy = fields.String(
        load_default="",
        validate=validate.Length(max=2000),
        metadata={"description": "a text that adds to the deal of the next week"},
    )


class WeekEntry(Schema):
    """The caller's part in a week."""

    week = fields.Integer(required=True)
    match = fields.String(required=True)
    state = fields.String(required=True, validate=validate.OneOf([*Standing]))
    points = fields.Integer(required=True, allow_none=True)


@api.get("/weekly")
@api.arguments(WeekFilter, location="query")
@api.response(200, WeekList)
@may_use_replica
def list_weeks(wanted: dict[str, Any]) -> dict[str, Any]:
    """List the weeks, newest first."""
    before = wanted["before"]
    with transaction() as ctx:
        now = ctx.now
        number = calendar.number_at(now)
        unfinished = [weeks.summary(ctx, one) for one in (number + 1, number)] if before is None else []
        found = weeks.list_opened(ctx, before)
    shown = found[: weeks.WEEKS_PER_PAGE]
    listed = [one for one in unfinished if one and one.deal_set.opened_at is None]
    return {
        "weeks": [_week_data(one, now) for one in (*listed, *shown)],
        "next": shown[-1].number if len(found) > len(shown) else None,
    }


@api.get(f"/weekly/<int(max={MAX_WEEK}):week>")
@api.arguments(TablePage, location="query")
@api.response(200, WeekTable)
@api.alt_response(404, schema=schemas.Problem, description="no such week")
@may_use_replica
def show_week(wanted: dict[str, Any], week: int) -> dict[str, Any]:
    """Return a week, with its table once it is over."""
    after = wanted["after"]
    with transaction() as ctx:
        found = weeks.summary(ctx, week)
        if found is None:
            refuse(404, _(UNKNOWN_WEEK))
        data = _week_data(found, ctx.now) | {"table": None, "next": None, "par": None, "best": None}
        if found.deal_set.opened_at is not None:
            table = results.table(ctx, found.deal_set)
            data |= {"table": [*map(_row_data, table.page(after))], "next": table.next(after), "par": table.par}
            data |= {"best": table.best.match if table.best else None}
    return data


@api.post("/weekly/entries")
@api.arguments(NewWeekEntry, required=False)
@api.response(201, WeekEntry)
@api.alt_response(409, schema=schemas.Problem, description="the caller cannot take part")
@api.doc(security=[{"key": [api_keys.START]}])
def enter(wanted: dict[str, Any]) -> dict[str, Any]:
    """Take part in a week, once; the match of this week begins at once."""
    with transaction() as ctx:
        player = auth.require(ctx, api_keys.START).player
        number = calendar.number_at(ctx.now) + (wanted["week"] == NEXT)
        try:
            with ctx.session.begin_nested():
                match = entries.enter(ctx, number, player, text=wanted["entropy"])
        except Refused as refused:
            refuse_with(refused)
        return _entry_data(number, match)


def _week_data(one: Week, now: datetime) -> dict[str, Any]:
    deal_set = one.deal_set
    begins, ends = calendar.begin_of(one.number), calendar.end_of(one.number)
    state = "over" if deal_set.opened_at else "running" if begins <= now else "coming"
    return {
        "week": one.number,
        "game": deal_set.game,
        "options": deal_set.options,
        "begins": timestamp(begins),
        "ends": timestamp(ends),
        "state": state,
        "commitment": deal_set.commitment.hex(),
        "people": one.people,
        "finished": one.finished,
        "url": f"{service().config.base_url}/weekly{f'/{one.number}' if deal_set.opened_at else ''}",
    }


def _row_data(row: Row) -> dict[str, Any]:
    return {"place": row.place, "name": row.name, "points": row.points, "match": row.match}


def _entry_data(number: int, match: Match) -> dict[str, Any]:
    return {"week": number, "match": match.id, "state": standing.of_match(match), "points": standing.points(match)}
