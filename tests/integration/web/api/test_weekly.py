"""The weeks by the API: listed for everybody, with their tables once they are over; a key takes part."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from pbem.play.weekly import calendar, results
from tests.support.clockwork import at
from tests.support.play.weekly.weeks import (
    MONDAY,
    NEXT_MONDAY,
    NUMBER,
    begin_week,
    deal_set,
    enter,
    play,
    robot_match,
    run,
)
from tests.support.web.account.api_keys import client, closed
from tests.support.web.api.acting import ann
from tests.support.web.api.matches import got, refused

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from tests.support.house import House
    from tests.support.web.api.acting import Caller

__all__ = ["ann", "client", "closed"]

DAY = timedelta(days=1)


def test_a_program_takes_part_once_and_plays(closed: House, ann: Caller) -> None:
    begin_week(closed)
    with at(MONDAY):
        entry = got(ann.ask("weekly/entries", {}), 201)
        assert entry == {"week": NUMBER, "match": entry["match"], "state": "running", "points": None}
        assert got(ann.ask("weekly/entries", {"week": "this"}), 201) == entry
        view = ann.get(f"me/matches/{entry['match']}")
        move = {"ply": view["ply"], "move": view["moves"][0]}
        assert ann.verdict(f"me/matches/{entry['match']}/moves", move) == ("played", None)


def test_a_program_adds_a_text_to_the_deal_of_the_next_week(closed: House, ann: Caller) -> None:
    begin_week(closed)
    with at(MONDAY):
        entry = got(ann.ask("weekly/entries", {"week": "next", "entropy": "a text"}), 201)
    assert (entry["week"], entry["state"]) == (NUMBER + 1, "waiting")
    assert closed.match_seats(entry["match"])[0].entropy


def test_who_cannot_take_part_hears_why(closed: House, ann: Caller) -> None:
    begin_week(closed)
    enter(closed, "Ann two", email="ann+two@example.org")
    with at(MONDAY):
        assert "with another account" in refused(ann.ask("weekly/entries", {}), 409, "other-account")
        refused(ann.ask("weekly/entries", {"week": "last"}), 422)


def test_a_week_has_its_table_once_it_is_over(closed: House, client: FlaskClient) -> None:
    begin_week(closed)
    match = enter(closed, "Ann")
    points = play(closed, match, MONDAY + DAY)
    par = play(closed, robot_match(closed), MONDAY + DAY)
    run(closed, MONDAY + DAY)
    with at(MONDAY + 2 * DAY):
        before = got(client.get(f"/api/weekly/{NUMBER}"))
    run(closed, NEXT_MONDAY)
    with at(NEXT_MONDAY):
        after = got(client.get(f"/api/weekly/{NUMBER}"))
    assert (before["state"], before["people"], before["finished"]) == ("running", 1, 1)
    assert before["commitment"] == deal_set(closed).commitment.hex()
    assert (before["table"], before["par"], before["best"]) == (None, None, None)
    assert after["table"] == [{"place": 1, "name": "Ann", "points": points, "match": match}]
    assert (after["state"], after["par"], after["best"]) == ("over", par, match)
    refused(client.get("/api/weekly/9999"), 404)


def test_the_table_is_read_page_by_page(closed: House, client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "ROWS_PER_PAGE", 2)
    begin_week(closed)
    for name in ("Ann", "Bob", "Cyd"):
        play(closed, enter(closed, name), MONDAY + DAY)
    run(closed, NEXT_MONDAY)
    with at(NEXT_MONDAY):
        first = got(client.get(f"/api/weekly/{NUMBER}"))
        second = got(client.get(f"/api/weekly/{NUMBER}?after={first['next']}"))
        refused(client.get(f"/api/weekly/{NUMBER}?after=-1"), 422)
    assert ([row["name"] for row in first["table"]], first["next"]) == (["Ann", "Bob"], 2)
    assert ([row["name"] for row in second["table"]], second["next"]) == (["Cyd"], None)


def test_the_weeks_are_listed_page_by_page(closed: House, client: FlaskClient) -> None:
    for number in range(NUMBER - 21, NUMBER + 1):
        run(closed, calendar.begin_of(number))
    with at(MONDAY):
        first = got(client.get("/api/weekly"))
        second = got(client.get(f"/api/weekly?before={first['next']}"))
    assert [(one["week"], one["state"]) for one in first["weeks"][:3]] == [
        (NUMBER + 1, "coming"),
        (NUMBER, "running"),
        (NUMBER - 1, "over"),
    ]
    assert first["next"] == NUMBER - 20
    assert [one["week"] for one in second["weeks"]] == [NUMBER - 21]
    assert second["next"] is None


@pytest.mark.parametrize("query", ["before=x", "before=-1", "before=100000"])
def test_a_page_that_is_none_is_refused(client: FlaskClient, query: str) -> None:
    refused(client.get(f"/api/weekly?{query}"), 422)
