"""Kept lines by the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.play.lifecycle import seat_changes
from tests.support.play.matches.kept_lines import play, sitter
from tests.support.web.account.api_keys import client, closed
from tests.support.web.api.acting import ann, bob, match_id
from tests.support.web.api.matches import got, refused

if TYPE_CHECKING:
    from werkzeug.test import TestResponse

    from tests.support.house import House
    from tests.support.web.api.acting import Caller

__all__ = ["ann", "bob", "client", "closed", "match_id"]


def remove(caller: Caller, match_id: str, line: object) -> TestResponse:
    headers = {"Authorization": f"Bearer {caller.key}"}
    return caller.client.delete(f"/api/me/matches/{match_id}/lines/{line}", headers=headers)


def test_lines_are_kept_listed_and_removed_by_their_player_alone(
    closed: House, ann: Caller, bob: Caller, match_id: str
) -> None:
    path = f"me/matches/{match_id}/lines"
    (line,) = got(ann.ask(path, {"moves": ["Take 7", "take 2", "take 9"]}), 201)
    assert line["moves"] == ["take 7", "take 2", "take 9"]
    assert (line["step"], line["played"], line["is_open"], line["instead"]) == (0, 0, True, None)
    play(closed, match_id, 1, "take 7")
    play(closed, match_id, 2, "take 3")
    (line,) = ann.get(path)
    assert (line["played"], line["is_open"], line["instead"]) == (1, False, {"seat": 2, "move": "take 3"})
    assert line["progress"] == "1 move came true so far. No longer possible: Bob played take 3."
    assert bob.get(path) == []
    for wrong in (line["id"], "x", 10**30):
        assert refused(remove(bob, match_id, wrong), 404) == "There is no such line."
    assert got(remove(ann, match_id, line["id"])) == []


def test_what_is_no_line_is_refused(closed: House, ann: Caller, match_id: str) -> None:
    path = f"me/matches/{match_id}/lines"
    assert "at least one move" in refused(ann.ask(path, {"moves": []}), 422)
    assert "21" in refused(ann.ask(path, {"moves": ["take 7", "take 21"]}), 422)
    assert ann.get(path) == []
    waiting = closed.make("martian-whist", 2)
    assert ann.get(f"me/matches/{waiting}/lines") == []
    refused(ann.ask(f"me/matches/{waiting}/lines", {"moves": ["take 7"]}), 409)


def test_who_has_left_the_seat_sees_and_keeps_nothing_more(closed: House, ann: Caller, match_id: str) -> None:
    path = f"me/matches/{match_id}/lines"
    got(ann.ask(path, {"moves": ["take 7"]}), 201)
    with closed.course(match_id) as (ctx, course):
        seat_changes.seat_robot(ctx, course.match, sitter(ctx, match_id, 1), by="clock")
    refused(ann.ask(path), 404)
    refused(ann.ask(path, {"moves": ["take 7"]}), 404)
