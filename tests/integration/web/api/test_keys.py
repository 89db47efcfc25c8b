"""Keys for programs: used within their scopes; and what else may speak for somebody."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select, update

from pbem.config import DEFAULT_RATE_LIMITS
from pbem.db.models import Address, ApiKey, LogEntry, LoginSession, Match, Player
from pbem.play.accounts import api_keys, dashboard
from pbem.web.api import auth
from tests.support.house import House, address
from tests.support.places import ROOT
from tests.support.web.account.api_keys import call, client, closed, key_for, make_key
from tests.support.web.account.sign_in import browser, sign_in
from tests.support.web.api.matches import VIEW, app_of, got, refused
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from tests.support.pages import Visitor

__all__ = ["browser", "client", "closed"]

DOCS = ROOT / "docs" / "reference" / "api.md"
ANN = {"name": "Ann", "email": address("Ann")}
BOB = {"name": "Bob", "email": address("Bob")}
ALONE = {"game": "minimax", "seats": [ANN]}
TWO = {"game": "martian-whist", "seats": [BOB, ANN]}


# -- calls -----------------------------------------------------------------------------------------


def test_a_program_makes_a_match_looks_and_moves(closed: House, client: FlaskClient) -> None:
    secret = key_for(closed, "Ann", "read", "play", "start")
    me = got(call(client, secret, "/api/me"))
    assert me == {
        "name": "Ann",
        "language": "en",
        "zone": "UTC",
        "addresses": [address("Ann")],
        "scopes": ["read", "play", "start"],
        "bot": None,
    }
    match_id = got(call(client, secret, "/api/matches", ALONE), 201)["id"]
    (row,) = closed.all(select(Match))
    assert (row.creator_seat, row.state) == (1, "running")
    assert row.host_id == closed.all(select(Player.id))[0]
    (mine,) = got(call(client, secret, "/api/me/matches"))
    assert (mine["match"], mine["state"], mine["your_turn"], mine["to_move"]) == (match_id, "running", True, [1])
    assert mine["players"] == {"1": "Ann"}
    assert mine["deadline"] is None
    view = got(call(client, secret, f"/api/me/matches/{match_id}"))
    assert set(view) == VIEW
    assert view["seat"] == 1
    move = {"ply": view["ply"], "move": view["moves"][0]}
    taken = got(call(client, secret, f"/api/me/matches/{match_id}/moves", move), 202)["submission"]
    assert got(client.get(f"/api/submissions/{taken}"))["status"] == "played"
    again = got(call(client, secret, f"/api/me/matches/{match_id}/moves", move), 202)["submission"]
    assert got(client.get(f"/api/submissions/{again}"))["status"] == "already_played"
    assert closed.all(select(LogEntry.move).where(LogEntry.ply.is_not(None))) == [move["move"]]


def test_whoever_makes_a_match_has_accepted_and_the_others_are_invited(closed: House, client: FlaskClient) -> None:
    secret = key_for(closed, "Ann", "start", "read")
    match_id = got(call(client, secret, "/api/matches", TWO), 201)["id"]
    assert closed.match(match_id).creator_seat == 2
    assert [seat.accepted_at is not None for seat in closed.match_seats(match_id)] == [False, True]
    assert closed.only("Bob").message["Subject"] == "Ann invites you to Martian Whist"
    (mine,) = got(call(client, secret, "/api/me/matches"))
    assert (mine["state"], mine["your_turn"], mine["to_move"]) == ("inviting", False, [])
    assert "not everybody has accepted" in got(call(client, secret, f"/api/me/matches/{match_id}"))["text"]


def test_one_of_the_seats_is_the_callers(closed: House, client: FlaskClient) -> None:
    secret = key_for(closed, "Ann", "start")
    wanted = {"game": "minimax", "seats": [BOB]}
    assert "One of the seats must be yours" in refused(call(client, secret, "/api/matches", wanted), 422)
    with closed.transaction() as ctx:
        ctx.session.execute(update(Player).values(name="Ann"))
    assert not closed.all(select(Match))
    assert closed.mails("Bob") == []


def test_an_address_that_is_not_shown_to_be_the_callers_makes_no_seat_theirs(
    closed: House, client: FlaskClient
) -> None:
    secret = key_for(closed, "Ann", "start")
    with closed.transaction() as ctx:
        owner = ctx.session.scalars(select(Player)).one()
        ctx.session.add(Address(email=address("Bob"), player_id=owner.id, created_at=ctx.now))
    refused(call(client, secret, "/api/matches", {"game": "minimax", "seats": [BOB]}), 422)


CALLS: tuple[tuple[str, Any, str], ...] = (
    ("/api/me", None, "read"),
    ("/api/me/matches", None, "read"),
    ("/api/me/ratings", None, "read"),
    ("/api/me/ratings/montauk", None, "read"),
    ("/api/me/stream/poll", None, "read"),
    ("/api/me/matches/x", None, "read"),
    ("/api/me/matches/x/moves", {"ply": 1, "move": "x"}, "play"),
    ("/api/matches", ALONE, "start"),
    ("/api/lobby/x/join", {}, "start"),
    ("/api/events/x/entries", {}, "start"),
    ("/api/me/events", None, "read"),
    ("/api/ladders/x/entries", {}, "start"),
    ("/api/ladders/x/challenges", {"name": "Ann"}, "start"),
    ("/api/ladders/x/challenges/1/accept", {}, "start"),
    ("/api/me/matches/x/accept", {}, "play"),
    ("/api/me/matches/x/decline", {}, "play"),
    ("/api/me/matches/x/resign", {}, "play"),
    ("/api/me/matches/x/rematch", {}, "start"),
    ("/api/me/matches/x/offers", None, "read"),
    ("/api/me/matches/x/offers", {"ply": 1, "kind": "draw"}, "play"),
    ("/api/me/matches/x/chat", None, "read"),
    ("/api/me/matches/x/chat", {"text": "x"}, "play"),
)


@pytest.mark.parametrize(("path", "body", "scope"), CALLS)
def test_a_call_needs_its_scope(closed: House, client: FlaskClient, path: str, body: Any, scope: str) -> None:
    others = [each for each in api_keys.SCOPES if each != scope]
    assert f"“{scope}”" in refused(call(client, key_for(closed, "Ann", *others), path, body), 403)
    assert call(client, key_for(closed, "Bob", scope), path, body).status_code not in {401, 403}


@pytest.mark.parametrize("key", ["", "x", "pbem_", "pbem_" + "0" * 32, "\udce9", "é", "x" * 5000])
@pytest.mark.parametrize(("path", "body", "scope"), CALLS)
def test_a_wrong_key_is_refused(closed: House, client: FlaskClient, key: str, path: str, body: Any, scope: str) -> None:
    key_for(closed, "Ann", scope)
    headers = {"Authorization": f"Bearer {key}".encode("utf-8", "surrogateescape").decode("latin-1")}
    answer = client.open(path, method="GET" if body is None else "POST", json=body, headers=headers)
    refused(answer, 401)
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="Slow games", error=invalid_token'
    assert not closed.all(select(Match))


@pytest.mark.parametrize(("path", "body", "scope"), CALLS)
def test_nobody_is_asked_for_a_key(client: FlaskClient, path: str, body: Any, scope: str) -> None:
    for headers in ({}, {"Authorization": "Basic eDp5"}, {"Cookie": f"pbem={scope}"}):
        answer = client.open(path, method="GET" if body is None else "POST", json=body, headers=headers)
        refused(answer, 401)
        assert answer.headers["WWW-Authenticate"] == 'Bearer realm="Slow games"'


def test_a_key_opens_no_match_of_others(closed: House, client: FlaskClient) -> None:
    match_id = closed.start_match("martian-whist", 2)
    closed.mails("Ann")
    secret = key_for(closed, "Cyd", "read", "play")
    for path, body in (
        (f"/api/me/matches/{match_id}", None),
        (f"/api/me/matches/{match_id}/moves", {"ply": 1, "move": "x"}),
        (f"/api/me/matches/{match_id}/chat", None),
        (f"/api/me/matches/{match_id}/notes", None),
        (f"/api/me/matches/{match_id}/lines", None),
        (f"/api/me/matches/{match_id}/chat", {"text": "x"}),
        (f"/api/me/matches/{match_id}/offers", None),
        (f"/api/me/matches/{match_id}/offers", {"ply": 1, "kind": "draw"}),
        (f"/api/me/matches/{match_id}/accept", {}),
        (f"/api/me/matches/{match_id}/decline", {}),
        (f"/api/me/matches/{match_id}/resign", {}),
    ):
        refused(call(client, secret, path, body), 404)
    assert got(call(client, secret, "/api/me/matches")) == []
    assert got(call(client, key_for(closed, "Bob", "read"), f"/api/me/matches/{match_id}"))["seat"] == 2


def test_looking_by_a_key_writes_down_when_it_was_used_and_nothing_else(closed: House, client: FlaskClient) -> None:
    secret = key_for(closed, "Ann", "read")
    call(client, secret, "/api/me")
    (used,) = closed.all(select(ApiKey.used_at))
    call(client, secret, "/api/me")
    assert closed.all(select(ApiKey.used_at)) == [used]


def test_whoever_has_left_has_no_key(closed: House, client: FlaskClient) -> None:
    secret = key_for(closed, "Ann", "read")
    with closed.transaction() as ctx:
        ctx.session.execute(update(Player).values(deleted_at=ctx.now))
    refused(call(client, secret, "/api/me"), 401)


def test_answers_are_in_the_language_of_the_keys_player(closed: House, client: FlaskClient) -> None:
    secret = key_for(closed, "Ann", "read")
    with closed.transaction() as ctx:
        ctx.session.execute(update(Player).values(language="de"))
    assert call(client, secret, "/api/me").headers["Content-Language"] == "de"


def test_a_key_that_calls_too_often_waits(closed: House, client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = key_for(closed, "Ann", "read")
    monkeypatch.setattr(auth, "MAX_CALLS_PER_HOUR", 2)
    limited = app_of(replace(closed, config=replace(closed.config, limits=DEFAULT_RATE_LIMITS))).test_client()
    assert [call(limited, secret, "/api/me").status_code for _ in range(3)] == [200, 200, 429]
    answer = call(limited, secret, "/api/me")
    assert "Try again in 60 minutes" in refused(answer, 429)
    assert int(answer.headers["Retry-After"]) > 0
    assert call(client, secret, "/api/me").status_code == 200


def test_earlier_matches_are_on_further_pages(
    closed: House, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dashboard, "FINISHED_PER_PAGE", 2)
    over = []
    for _ in range(3):
        over.append(closed.start_match("minimax", 1))
        closed.reply(closed.last("Ann"), "resign yes")
    running = closed.start_match("minimax", 1)
    secret = key_for(closed, "Ann", "read")
    first = call(client, secret, "/api/me/matches")
    assert [one["match"] for one in got(first)] == [running, *over[:0:-1]]
    further = re.fullmatch(r'<http://127\.0\.0\.1:8000(/api/me/matches\?before=.+)>; rel="next"', first.headers["Link"])
    assert further
    second = call(client, secret, further[1])
    assert [(one["match"], one["ended"] is not None) for one in got(second)] == [(over[0], True)]
    assert "Link" not in second.headers


# -- cookies ---------------------------------------------------------------------------------------


def test_a_signed_in_browser_may_call_with_its_cookie(closed: House, browser: Visitor) -> None:
    site = visitor(closed, keeps=True)
    sign_in(closed, site, "Ann")
    assert got(site.client.get("/api/me"))["scopes"] == ["read", "play", "start"]
    assert got(site.client.post("/api/matches", json=ALONE), 201)
    (only,) = got(site.client.get("/api/me/matches"))
    assert only["your_turn"]
    site.open("/").press("Sign out")
    refused(site.client.get("/api/me"), 401)
    refused(browser.client.get("/api/me"), 401)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_what_another_site_could_have_a_browser_send_makes_nothing(closed: House, kind: str) -> None:
    site = visitor(closed, keeps=True)
    sign_in(closed, site, "Ann")
    answer = site.client.post("/api/matches", data=json.dumps(ALONE), content_type=kind)
    assert answer.status_code in {415, 422}
    assert not closed.all(select(Match))
    preflight = site.client.options("/api/matches", headers={"Origin": "https://evil.example"})
    assert not [name for name, _value in preflight.headers if name.startswith("Access-Control")]


def test_an_open_house_makes_matches_for_nobody_and_for_whoever_calls(local: House, judged: None) -> None:  # noqa: ARG001
    secret = key_for(local, "Ann", "start")
    client = app_of(local).test_client(use_cookies=False)
    assert got(client.post("/api/matches", json=ALONE), 201)
    for body in (ALONE, {"game": "minimax", "seats": [BOB]}):
        assert got(call(client, secret, "/api/matches", body), 201)
    made = local.rows(select(Match.creator_seat, Match.state).order_by(Match.created_at))
    assert [tuple(row) for row in made] == [(None, "inviting"), (1, "running"), (None, "inviting")]
    refused(call(client, "pbem_x", "/api/matches", ALONE), 401)


# -- what is written about it ------------------------------------------------------------------------


def test_the_openapi_document_says_which_calls_need_which_scope(client: FlaskClient) -> None:
    said = got(client.get("/api/openapi.json"))
    assert said["components"]["securitySchemes"]["key"]["scheme"] == "bearer"
    needs = {
        (path, method): operation["security"]
        for path, methods in said["paths"].items()
        for method, operation in methods.items()
        if "security" in operation
    }
    assert needs == {
        ("/api/me", "get"): [{"key": ["read"]}],
        ("/api/me/events", "get"): [{"key": ["read"]}],
        ("/api/events/{event_id}/entries", "post"): [{"key": ["start"]}],
        ("/api/events/{event_id}/entries", "delete"): [{"key": ["play"]}],
        ("/api/ladders/{game}/challenges", "post"): [{"key": ["start"]}],
        ("/api/ladders/{game}/challenges/{number}/{what}", "post"): [{"key": ["start"]}],
        ("/api/ladders/{game}/entries", "delete"): [{"key": ["play"]}],
        ("/api/ladders/{game}/entries", "post"): [{"key": ["start"]}],
        ("/api/matches/{match_id}/lookback", "post"): [{"key": ["play"]}],
        ("/api/matches/{match_id}/par", "post"): [{"key": ["play"]}],
        ("/api/lobby/seat", "post"): [{"key": ["start"]}],
        ("/api/me/deals", "get"): [{"key": ["read"]}],
        ("/api/me/plays", "get"): [{"key": ["read"]}],
        ("/api/me/matches", "get"): [{"key": ["read"]}],
        ("/api/me/stream", "get"): [{"key": ["read"]}],
        ("/api/me/stream/poll", "get"): [{"key": ["read"]}],
        ("/api/me/ratings", "get"): [{"key": ["read"]}],
        ("/api/me/ratings/{game}", "get"): [{"key": ["read"]}],
        ("/api/me/matches/{match_id}", "get"): [{"key": ["read"]}],
        ("/api/me/matches/{match_id}/accept", "post"): [{"key": ["play"]}],
        ("/api/me/matches/{match_id}/chat", "get"): [{"key": ["read"]}],
        ("/api/me/matches/{match_id}/chat", "post"): [{"key": ["play"]}],
        ("/api/me/matches/{match_id}/decline", "post"): [{"key": ["play"]}],
        ("/api/me/matches/{match_id}/moves", "post"): [{"key": ["play"]}],
        ("/api/me/matches/{match_id}/offers", "get"): [{"key": ["read"]}],
        ("/api/me/matches/{match_id}/offers", "post"): [{"key": ["play"]}],
        ("/api/me/matches/{match_id}/notes", "get"): [{"key": ["read"]}],
        ("/api/me/matches/{match_id}/notes", "put"): [{"key": ["play"]}],
        ("/api/me/matches/{match_id}/lines", "get"): [{"key": ["read"]}],
        ("/api/me/matches/{match_id}/lines", "post"): [{"key": ["play"]}],
        ("/api/me/matches/{match_id}/lines/{line}", "delete"): [{"key": ["play"]}],
        ("/api/me/matches/{match_id}/plan", "get"): [{"key": ["read"]}],
        ("/api/me/matches/{match_id}/plan", "put"): [{"key": ["play"]}],
        ("/api/me/matches/{match_id}/plan", "delete"): [{"key": ["play"]}],
        ("/api/me/matches/{match_id}/votes", "get"): [{"key": ["read"]}],
        ("/api/me/matches/{match_id}/votes", "put"): [{"key": ["play"]}],
        ("/api/me/matches/{match_id}/rematch", "post"): [{"key": ["start"]}],
        ("/api/me/matches/{match_id}/resign", "post"): [{"key": ["play"]}],
        ("/api/lobby/{table}/join", "post"): [{"key": ["start"]}],
        ("/api/weekly/entries", "post"): [{"key": ["start"]}],
        ("/api/me/matches/{match_id}/back", "post"): [{"key": ["play"]}],
        ("/api/me/bot", "post"): [{"key": ["start"]}],
        ("/api/me/absences", "get"): [{"key": ["read"]}],
        ("/api/me/absences", "post"): [{"key": ["play"]}],
        ("/api/me/absences/{absence}", "delete"): [{"key": ["play"]}],
        ("/api/matches", "post"): [{"key": ["start"]}],
        ("/api/matches/{match_id}/seats/{seat}", "post"): [{"key": ["start"]}],
        ("/api/matches/{match_id}/fork", "post"): [{"key": ["start"]}],
    }


def test_visits_and_keys_are_apart(closed: House, client: FlaskClient) -> None:
    """A key is no cookie, and a cookie no key."""
    site = visitor(closed, keeps=True)
    sign_in(closed, site, "Ann")
    secret = make_key(site, "read")
    cookie = site.client.get_cookie("pbem", "127.0.0.1")
    assert cookie
    refused(call(client, cookie.value, "/api/me"), 401)
    refused(client.get("/api/me", headers={"Cookie": f"pbem={secret}"}), 401)
    assert len(closed.all(select(LoginSession))) == 1
