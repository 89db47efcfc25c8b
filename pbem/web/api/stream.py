"""API of events: one stream for all matches of a key's player, and open tables on wish, and the same by polling."""

from __future__ import annotations

import json
import logging
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from flask import Response, current_app, request
from marshmallow import Schema, fields, validate
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.exceptions import ServiceUnavailable

from pbem.i18n import _
from pbem.ops.up import long_responses
from pbem.play.accounts import api_keys, event_feed
from pbem.play.core import context, player_events
from pbem.play.core.errors import Refused
from pbem.telemetry import metrics
from pbem.web.api import auth, schemas
from pbem.web.request.context import service, transaction
from pbem.web.request.errors import refuse
from pbem.web.request.request_bodies import APIBlueprint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.db.models import ApiKey
    from pbem.play.accounts.event_feed import Batch, Cursor, FeedEvent
    from pbem.web.api.stream_slots import Slot, Slots
    from pbem.web.request.context import Service

log = logging.getLogger(__name__)

api = APIBlueprint("api stream", __name__, url_prefix="/api", description="Events of your matches")

EXTENSION = "pbem.stream_slots"
MAX_STREAM_SECONDS = 600
"""Maximum seconds of a stream; the program goes on by the next one."""
HEARTBEAT_SECONDS = 15
"""Seconds without an event after which a stream shows that it is alive, and its key is checked again."""
MAX_WAIT_SECONDS = 30
"""Maximum seconds of a poll."""
RECONNECT_MILLISECONDS = 3000
"""Milliseconds after which a program should connect again, as the stream tells it."""
FULL_RETRY_SECONDS = 60
STREAM_HEADERS = {"Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no"}
"""Headers of a stream: a web server in front of us must not wait for its end."""

AFTER = "the `id` of the last event that was read, or `next` of the last poll; without it, what waits now comes first"


def looks_for_tables() -> fields.Boolean:
    """Make the field with which a program asks for open tables."""
    return fields.Boolean(load_default=False, metadata={"description": "whether to read of open tables as well"})


class StreamStart(Schema):
    """The place where a stream begins, and how long it lasts."""

    after = fields.String(load_default="", metadata={"description": f"{AFTER}. The header `Last-Event-ID` comes first"})
    tables = looks_for_tables()
    seconds = fields.Integer(load_default=MAX_STREAM_SECONDS, validate=validate.Range(min=1, max=MAX_STREAM_SECONDS))


class PollStart(Schema):
    """The place where a poll begins, and how long it waits for an event."""

    after = fields.String(load_default="", metadata={"description": AFTER})
    tables = looks_for_tables()
    wait = fields.Integer(load_default=0, validate=validate.Range(min=0, max=MAX_WAIT_SECONDS))


class FeedEventData(Schema):
    """An event of a match, or an open table; further fields depend on its kind."""

    kind = fields.String(required=True, validate=validate.OneOf([*player_events.KINDS, event_feed.RESET]))
    at = schemas.moment()
    id = fields.String(metadata={"description": "missing in what waits now"})
    match = fields.String(metadata={"description": "missing in `reset`"})
    game = fields.String()
    seat = fields.Integer(metadata={"description": "your own; missing in `table`"})
    url = fields.String()
    ply = fields.Integer()
    deadline = fields.String(allow_none=True, metadata={"format": "date-time"})
    by = fields.Integer(metadata={"description": "the seat that moved or wrote"})
    whose = fields.Integer(metadata={"description": "the seat whose deadline it is"})
    passed = fields.Boolean(metadata={"description": "whether its time has run out"})
    offer = fields.String(metadata={"description": "the kind of the offer"})
    wish = fields.String(validate=validate.OneOf(["ask", "refuse"]))


class Events(Schema):
    """The events since the last poll."""

    events = fields.List(fields.Nested(FeedEventData), required=True)
    next = fields.String(required=True, metadata={"description": "`after` of the next poll"})


EVENT_FIELDS = {
    "type": "object",
    "description": "each of the events",
    "properties": {
        "id": {"type": "string", "description": "missing in what waits now"},
        "event": {"type": "string", "enum": [*player_events.KINDS, event_feed.RESET]},
        "data": {"type": "string", "contentMediaType": "application/json", "description": "an event as in a poll"},
        "retry": {"type": "integer", "description": "milliseconds after which to connect again"},
    },
}


@api.get("/me/stream")
@api.arguments(StreamStart, location="query")
@api.response(200, EVENT_FIELDS, content_type="text/event-stream", description="server-sent events")
@api.doc(security=[{"key": [api_keys.READ]}])
def stream(wanted: dict[str, Any]) -> Response:
    """Follow the events of the caller's matches as server-sent events."""
    after = _parse(request.headers.get("Last-Event-ID") or wanted["after"])
    with transaction() as ctx:
        key = auth.require_key(ctx, api_keys.READ)
    slot, held = _open_slot(key, tables=wanted["tables"])
    with held:
        with transaction() as ctx:
            first, cursor = event_feed.begin(ctx, slot.player, after, tables=slot.tables)
        lines = follow(service(), slot, first, cursor, wanted["seconds"])
        response = Response(lines, content_type="text/event-stream", headers=STREAM_HEADERS)
        response.call_on_close(held.pop_all().close)
    return response


@api.get("/me/stream/poll")
@api.arguments(PollStart, location="query")
@api.response(200, Events)
@api.doc(security=[{"key": [api_keys.READ]}])
def poll(wanted: dict[str, Any]) -> dict[str, Any]:
    """List the events of the caller's matches; wait for one if there is none."""
    after = _parse(wanted["after"])
    with transaction() as ctx:
        key = auth.require_key(ctx, api_keys.READ)
        found, cursor = event_feed.begin(ctx, key.player_id, after, tables=wanted["tables"])
        if not found:
            found, cursor, _more = event_feed.read(ctx, key.player_id, cursor, tables=wanted["tables"])
    if after and not found and wanted["wait"]:
        found, cursor = _wait(key, cursor, wanted["wait"], tables=wanted["tables"])
    return {"events": [_event_data(one) for one in found], "next": str(cursor)}


def format_event(event: FeedEvent) -> bytes:
    """Format an event for a stream."""
    place = f"id: {event.cursor}\n" if event.cursor else ""
    return f"{place}event: {event.kind}\ndata: {json.dumps(event.fields())}\n\n".encode()


def format_cursor(cursor: Cursor) -> bytes:
    """Format a comment that shows that a stream is alive, and the id to go on from: no event comes of it."""
    return f": waiting\nid: {cursor}\n\n".encode()


def _parse(typed: str) -> Cursor | None:
    try:
        return event_feed.parse(typed) if typed else None
    except Refused as refused:
        refuse(400, str(refused))


def _slots() -> Slots:
    found: Slots = current_app.extensions[EXTENSION]
    return found


def _open_slot(key: ApiKey, *, tables: bool) -> tuple[Slot, ExitStack]:
    """Open a slot and a long response; return also what ends both."""
    slots = _slots()
    slot = slots.open(key.id, key.player_id, tables=tables)
    metrics.count(metrics.STREAMS, "opened" if slot else "refused")
    if slot is None:
        sentence = _("Too many programs wait for events right now. Try again in a minute.")
        raise ServiceUnavailable(sentence, retry_after=FULL_RETRY_SECONDS)
    held = ExitStack()
    held.callback(slots.close, slot)
    held.callback(long_responses.begin(request.environ, slot.end))
    return slot, held


def _event_data(event: FeedEvent) -> dict[str, Any]:
    return event.fields() | ({"id": str(event.cursor)} if event.cursor else {})


def follow(used: Service, slot: Slot, first: list[FeedEvent], cursor: Cursor, seconds: int) -> Iterator[bytes]:
    """Yield a stream: it ends in time, if its process stops, if its key is revoked, or without a database."""
    yield f"retry: {RECONNECT_MILLISECONDS}\n\n".encode() + b"".join(map(format_event, first)) + format_cursor(cursor)
    ends, wrote = time.monotonic() + seconds, time.monotonic()
    while not slot.is_ended and time.monotonic() < ends:
        news = _read(used, slot, cursor)
        if news is None:
            return
        found, cursor, has_more = news
        if found or time.monotonic() - wrote >= HEARTBEAT_SECONDS:
            yield b"".join(map(format_event, found)) or format_cursor(cursor)
            wrote = time.monotonic()
        if not has_more:
            slot.wait(min(wrote + HEARTBEAT_SECONDS, ends) - time.monotonic())


def _wait(key: ApiKey, cursor: Cursor, seconds: int, *, tables: bool) -> tuple[list[FeedEvent], Cursor]:
    """Wait for events behind a cursor; return them, or none when the time is over, and the cursor behind them."""
    used, ends = service(), time.monotonic() + seconds
    slot, held = _open_slot(key, tables=tables)
    with held:
        while True:
            news = _read(used, slot, cursor)
            if news is None:
                return [], cursor
            if news.events or slot.is_ended or time.monotonic() >= ends:
                return news.events, news.cursor
            cursor = news.cursor
            if not news.has_more:
                slot.wait(ends - time.monotonic())


def _read(used: Service, slot: Slot, cursor: Cursor) -> Batch | None:
    """Read the events behind a cursor; None if the key or the database has gone."""
    try:
        with context.transaction(used.engine, used.config) as ctx:
            if not api_keys.is_active(ctx, slot.key):
                return None
            return event_feed.read(ctx, slot.player, cursor, tables=slot.tables)
    except SQLAlchemyError:
        log.warning("a stream of events ends: the database could not be read", exc_info=True)
        return None
