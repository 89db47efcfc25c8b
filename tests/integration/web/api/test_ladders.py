"""Ladders for programs: the places, entering and leaving, challenging and answering."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from pbem.play.core.context import system_time
from tests.support.play.ladders.climbing import (
    SIX,
    accept,
    challenge,
    climb,
    end_match,
    ladder_matches,
    order,
    run_steps,
)
from tests.support.web.account.api_keys import call, client, closed, key_for
from tests.support.web.api.matches import got, refused

if TYPE_CHECKING:
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from tests.support.house import House

__all__ = ["client", "closed"]

DAY = timedelta(days=1)
LADDER = "/api/ladders/martian-whist"


def test_the_ladders_are_listed_with_the_first_and_the_callers_place(closed: House, client: FlaskClient) -> None:
    climb(closed, at=system_time() - DAY)
    found = {one["game"]: one for one in got(client.get("/api/ladders"))}
    assert sorted(found) == ["amazonian-buffet", "martian-whist", "montauk"]
    assert found["martian-whist"] == {"game": "martian-whist", "players": 6, "first": "Ann", "own": None}
    assert found["montauk"]["first"] is None
    own = got(ask(client, "/api/ladders", key_for(closed, "Bob", "read")))
    assert [one["own"] for one in own] == [None, 2, None]


def test_a_ladder_has_its_places_and_challenges(closed: House, client: FlaskClient) -> None:
    now = system_time()
    climb(closed, at=now - DAY)
    match = accept(closed, challenge(closed, "Dan", "Bob", now), "Bob", now)
    waiting = challenge(closed, "Eve", "Cleo", now)
    answer = got(client.get(LADDER))
    assert [one["name"] for one in answer["places"]] == [*SIX]
    assert [one["place"] for one in answer["places"]] == [1, 2, 3, 4, 5, 6]
    assert (answer["options"], answer["clock"], answer["own"], answer["past"]) == ({"sets": 2}, "3 days", None, [])
    assert [(one["challenger"], one["state"], one["match"]) for one in answer["challenges"]] == [
        ("Dan", "accepted", match),
        ("Eve", "offered", None),
    ]
    assert answer["challenges"][1]["id"] == waiting
    end_match(closed, match, now, loser="Bob")
    run_steps(closed, now)
    (past,) = got(client.get(LADDER))["past"]
    assert (past["state"], past["won"], past["places"]) == ("over", True, [4, 2])


def test_what_the_caller_can_do_is_marked(closed: House, client: FlaskClient) -> None:
    climb(closed, at=system_time() - DAY)
    answer = got(ask(client, LADDER, key_for(closed, "Cleo", "read")))
    assert answer["own"] == 3
    assert [one["name"] for one in answer["places"] if one["challengeable"]] == ["Ann", "Bob"]


def test_a_game_without_a_ladder_is_not_found(closed: House, client: FlaskClient) -> None:
    run_steps(closed, system_time())
    is_refused(client.get("/api/ladders/martian-trickery"), 404, "a challenge is between two players")
    is_refused(client.get("/api/ladders/chess"), 404, "There is no such game")


def test_the_caller_enters_and_leaves(closed: House, client: FlaskClient) -> None:
    climb(closed, at=system_time() - DAY)
    key = key_for(closed, "Zoe", "start", "play")
    place = got(ask(client, f"{LADDER}/entries", key, {"name": "Zoë"}), 201)
    assert place == {"game": "martian-whist", "place": 7}
    assert order(closed)[-1] == "Zoë"
    is_refused(ask(client, f"{LADDER}/entries", key, {}), 409, "already entered", "already-entered")
    assert got(delete(client, f"{LADDER}/entries", key)) == {"game": "martian-whist", "place": None}
    is_refused(delete(client, f"{LADDER}/entries", key), 409, "not on this ladder", "not-entered")


def test_a_challenge_is_made_and_answered(closed: House, client: FlaskClient) -> None:
    climb(closed, at=system_time() - DAY)
    dan, bob = key_for(closed, "Dan", "start"), key_for(closed, "Bob", "start")
    made = got(ask(client, f"{LADDER}/challenges", dan, {"name": "2"}), 201)
    assert (made["challenged"], made["places"], made["state"]) == ("Bob", [4, 2], "offered")
    is_refused(ask(client, f"{LADDER}/challenges", dan, {"name": "Ann"}), 409, "one challenge out", "has-challenged")
    answers = f"{LADDER}/challenges/{made['id']}"
    is_refused(ask(client, f"{answers}/accept", dan, {}), 409, "Only the one who is challenged", "not-yours")
    is_refused(ask(client, f"{answers}/eat", bob, {}), 404, "no such challenge")
    is_refused(ask(client, f"{answers}/accept", key_for(closed, "Ann", "start"), {}), 404, "no such challenge")
    is_refused(ask(client, f"{LADDER}/challenges/x/accept", bob, {}), 404, "no such challenge")
    accepted = got(ask(client, f"{answers}/accept", bob, {}))
    assert [one.id for one in ladder_matches(closed)] == [accepted["match"]]
    is_refused(ask(client, f"{answers}/decline", bob, {}), 409, "no longer waits", "already-answered")


def test_a_challenge_is_declined_and_taken_back(closed: House, client: FlaskClient) -> None:
    climb(closed, at=system_time() - DAY)
    dan, bob = key_for(closed, "Dan", "start"), key_for(closed, "Bob", "start")
    first = got(ask(client, f"{LADDER}/challenges", dan, {"name": "Bob"}), 201)["id"]
    assert got(ask(client, f"{LADDER}/challenges/{first}/decline", bob, {}))["state"] == "declined"
    second = got(ask(client, f"{LADDER}/challenges", dan, {"name": "Cleo"}), 201)["id"]
    assert got(ask(client, f"{LADDER}/challenges/{second}/take-back", dan, {}))["state"] == "taken_back"


def ask(client: FlaskClient, path: str, key: str, body: Any = None) -> TestResponse:
    return call(client, key, path, body)


def delete(client: FlaskClient, path: str, key: str) -> TestResponse:
    return client.delete(path, headers={"Authorization": f"Bearer {key}"})


def is_refused(answer: TestResponse, status: int, why: str, code: str = "") -> None:
    assert why in refused(answer, status, code)
