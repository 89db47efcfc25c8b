"""Looking back by the API: asked for with a key of somebody who sat there, read by all who may see the replay."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import update

from pbem import robots
from pbem.config import DEFAULT_RATE_LIMITS
from pbem.db.models import Match
from pbem.play.analysis.requests import MAX_PER_DAY
from pbem.play.matches import share_keys
from pbem.robots.analyses import LOOKING_BACK
from tests.support.play.analysis.facts import facts
from tests.support.play.analysis.looking_back import editions, finish, looked_back, progress, robot_looks_back
from tests.support.play.core.rate_limits import counting
from tests.support.web.account.api_keys import client, closed
from tests.support.web.api.acting import ann, caller
from tests.support.web.api.matches import app_of, got, refused
from tests.support.web.matches.replay import finished, play

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from tests.support.house import House
    from tests.support.web.api.acting import Caller

__all__ = ["ann", "client", "closed", "counting", "robot_looks_back"]

pytestmark = pytest.mark.usefixtures("robot_looks_back")


def test_a_player_asks_and_everybody_reads(closed: House, client: FlaskClient, ann: Caller) -> None:
    match_id = finished(closed)
    path = f"matches/{match_id}/lookback"
    assert "a player of it must ask first" in refused(client.get(f"/api/{path}"), 404)
    waiting = {"edition": robots.edition("montauk"), "state": "waiting", "steps_done": 0, "steps": 0, "found": None}
    assert got(ann.ask(path, {}), 202) == waiting
    progress(closed, match_id, 12, 40)
    assert got(client.get(f"/api/{path}"), 202) == waiting | {"steps_done": 12, "steps": 40}
    finish(closed, match_id, facts())
    found = got(client.get(f"/api/{path}"))
    assert (found["state"], found["steps_done"]) == ("done", 40)
    assert found["found"]["chart"][3] == {"ply": 3, "step": 3, "values": [87.5, 12.5]}
    assert found["found"]["turning_points"][0]["step"] == 2
    assert found["found"]["account"] == facts()["account"]
    assert got(ann.ask(path, {})) == found
    assert len(editions(closed, match_id)) == 1


def test_only_those_who_sat_there_ask(closed: House, client: FlaskClient) -> None:
    match_id = finished(closed)
    path = f"matches/{match_id}/lookback"
    refused(client.post(f"/api/{path}", json={}), 401)
    assert "Only the players of a match" in refused(caller(closed, client, "Cyd").ask(path, {}), 409)
    refused(caller(closed, client, "Bob", "read").ask(path, {}), 403)
    assert editions(closed, match_id) == []


def test_a_match_that_runs_is_not_looked_back_at(closed: House, client: FlaskClient, ann: Caller) -> None:
    match_id = closed.start_match("montauk", 2, {"rounds": 1})
    play(closed, match_id, 1)
    looked_back(closed, match_id)
    path = f"matches/{match_id}/lookback"
    assert "This one still runs." in refused(ann.ask(path, {}), 409)
    assert "This one still runs." in refused(client.get(f"/api/{path}"), 404)


def test_what_has_failed_says_so(closed: House, client: FlaskClient, ann: Caller) -> None:
    match_id = finished(closed)
    path = f"matches/{match_id}/lookback"
    ann.ask(path, {})
    finish(closed, match_id, None)
    assert got(client.get(f"/api/{path}"))["state"] == "failed"
    assert got(ann.ask(path, {}), 202)["state"] == "waiting"


def test_what_an_earlier_robot_found_stands_until_the_newer_one_is_done(
    closed: House, client: FlaskClient, ann: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = finished(closed)
    looked_back(closed, match_id)
    path = f"matches/{match_id}/lookback"
    monkeypatch.setattr(robots, "edition", lambda _game: 77)
    assert got(ann.ask(path, {}), 202)["edition"] == 77
    assert got(client.get(f"/api/{path}"))["edition"] == editions(closed, match_id)[0]


def test_a_private_match_is_open_to_its_players_and_to_its_key(closed: House, client: FlaskClient, ann: Caller) -> None:
    match_id = finished(closed)
    looked_back(closed, match_id)
    with closed.transaction() as ctx:
        ctx.session.execute(update(Match).where(Match.id == match_id).values(public=False))
    path = f"matches/{match_id}/lookback"
    refused(client.get(f"/api/{path}"), 404)
    refused(caller(closed, client, "Cyd").ask(path, {}), 404)
    refused(client.get("/api/matches/nothing/lookback"), 404)
    assert ann.get(path)["state"] == "done"
    assert got(client.get(f"/api/{path}?key={share_keys.shared_key(closed.match(match_id))}"))["state"] == "done"


def test_a_limit_says_when_to_ask_again(closed: House, counting: House) -> None:
    house = replace(
        closed, config=replace(counting.config, limits=DEFAULT_RATE_LIMITS, base_url=closed.config.base_url)
    )
    matches = [finished(closed) for _ in range(MAX_PER_DAY[LOOKING_BACK] + 1)]
    asking = caller(house, app_of(house).test_client(), "Ann")
    *before, last = (asking.ask(f"matches/{match_id}/lookback", {}) for match_id in matches)
    assert [answer.status_code for answer in before] == [202] * MAX_PER_DAY[LOOKING_BACK]
    assert "Please ask again later." in refused(last, 429)
    assert 0 < int(last.headers["Retry-After"]) <= 24 * 3600 + 1
