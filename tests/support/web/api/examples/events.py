"""Leagues, ladders, fields and weeks, as programs take part in them: examples of the calls for that."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from tests.support.clockwork import at
from tests.support.play.events import fields
from tests.support.play.events.entering import BEGUN, DRAWN, OPENED
from tests.support.play.ladders.climbing import climb
from tests.support.play.leagues import by_mail
from tests.support.play.leagues.drawn import FIVE, entered, matches_of, opened, resign
from tests.support.play.weekly.weeks import MONDAY, NEXT_MONDAY, NUMBER, begin_week, play, robot_match, run

if TYPE_CHECKING:
    from tests.support.web.api.examples.recorder import Recorder

DAY = timedelta(days=1)
LADDER: dict[str, Any] = {"game": "martian-whist"}


def record(recorder: Recorder) -> None:
    """Record all calls about events."""
    _leagues(recorder)
    _fields(recorder)
    with at(OPENED + DAY):
        _ladders(recorder)
    _weeks(recorder)


def _leagues(recorder: Recorder) -> None:
    house, entries = recorder.house, "/api/events/{event_id}/entries"
    season = opened(house)
    with at(OPENED + DAY):
        body = {"name": "Ann", "entropy": "the second line of a poem", "stays": True}
        recorder.call("Ann", "post", entries, body, event_id=str(season))
        recorder.call("Ann", "get", "/api/me/events")
        recorder.call("", "get", "/api/events", query={"kind": "league", "game": "montauk", "state": "open"})
        recorder.call("Ann", "delete", entries, event_id=str(season))
    entered(house, season, FIVE)
    for moment in (DRAWN, BEGUN):
        by_mail.run(house, moment)
    with at(BEGUN + DAY):
        (match_id,) = (one for one in matches_of(house, "Ann", "Bob") if house.match(one).event_id == season)
        resign(house, match_id, "Bob", BEGUN + DAY)
        recorder.call("", "get", "/api/events/{event_id}", event_id=str(season))


def _fields(recorder: Recorder) -> None:
    house = recorder.house
    field = fields.begin_field(house)
    set_id = fields.sets(house, field)[0]
    fields.play_deal(house, set_id, fields.start(field) + DAY)
    with at(fields.start(field) + 2 * DAY):
        recorder.call("", "get", "/api/sets", query={"game": "montauk"})
        recorder.call("", "get", "/api/sets/{set_id}", set_id=set_id)


def _ladders(recorder: Recorder) -> None:
    climb(recorder.house)
    ladder = "/api/ladders/{game}"
    recorder.call("Zoe", "post", f"{ladder}/entries", {"name": "Zoe"}, **LADDER)
    recorder.call("Dan", "post", f"{ladder}/challenges", {"name": "Bob"}, **LADDER)
    recorder.call("Bob", "get", "/api/ladders")
    found = recorder.call("Bob", "get", ladder, **LADDER)
    number = str(found["challenges"][0]["id"])
    recorder.call("Bob", "post", f"{ladder}/challenges/{{number}}/{{what}}", number=number, what="accept", **LADDER)
    recorder.call("Zoe", "delete", f"{ladder}/entries", **LADDER)


def _weeks(recorder: Recorder) -> None:
    house, week = recorder.house, "/api/weekly"
    begin_week(house)
    with at(MONDAY):
        entry = recorder.call("Ann", "post", f"{week}/entries", {"week": "this"})
        recorder.call("", "get", week)
    play(house, entry["match"], MONDAY + DAY)
    play(house, robot_match(house), MONDAY + DAY)
    run(house, NEXT_MONDAY)
    with at(NEXT_MONDAY):
        recorder.call("", "get", f"{week}/{{week}}", week=NUMBER)
