"""How events are written for programs: what is sent, and where a program goes on."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from pbem.play.accounts import event_feed
from pbem.play.accounts.event_feed import Cursor, FeedEvent
from pbem.play.core.errors import Refused
from pbem.web.api import stream

AT = datetime(2026, 11, 28, 12, tzinfo=UTC)
CURSOR = Cursor(AT, 740, 12)


def test_an_id_leads_back_to_the_place_that_it_was_made_from() -> None:
    assert event_feed.parse(str(CURSOR)) == CURSOR
    assert event_feed.parse(f" {CURSOR} ") == CURSOR


FAR = "1-2-9223372036854775807"


@pytest.mark.parametrize(
    "typed", ["x", "1-2", "1-2-3-4", "-1-2-3", "1--2-3", "²-2-3", FAR, "999999999999-1-1", "1.5-2-3"]
)
def test_an_id_that_was_made_nowhere_is_refused(typed: str) -> None:
    with pytest.raises(Refused, match="not the id of an event"):
        event_feed.parse(typed)


def test_an_event_is_a_line_for_each_field_and_an_empty_one() -> None:
    event = FeedEvent("turn", AT, {"match": "m", "name": "two\nlines"}, CURSOR)
    number, kind, data, *end = stream.format_event(event).decode().split("\n")
    assert (number, kind, end) == (f"id: {CURSOR}", "event: turn", ["", ""])
    assert json.loads(data.removeprefix("data: ")) == {
        "kind": "turn", "at": "2026-11-28T12:00:00.000Z", "match": "m", "name": "two\nlines",
    }  # fmt: skip


def test_what_waits_now_has_no_id() -> None:
    assert not stream.format_event(FeedEvent("turn", AT, {})).startswith(b"id:")


def test_a_heartbeat_is_no_event_but_has_the_place_to_go_on_from() -> None:
    assert stream.format_cursor(CURSOR).decode().split("\n") == [": waiting", f"id: {CURSOR}", "", ""]
