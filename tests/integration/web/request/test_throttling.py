"""Too much from one network is refused at each door, with when to come again, before anything of it is looked at."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pbem.config import DEFAULT_RATE_LIMITS
from pbem.web import create_app
from pbem.web.api import auth
from pbem.web.request import throttling
from tests.support.house import address
from tests.support.web.api.acting import key_headers
from tests.support.web.api.matches import refused

if TYPE_CHECKING:
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from tests.support.house import House

KEY = {"Authorization": "Bearer pbem_wrong"}
ELSEWHERE = {"X-Forwarded-For": "192.0.2.7"}


@pytest.fixture
def few(local: House, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    """The pages of a house that takes two of everything."""
    for door in throttling.REQUESTS_PER_HOUR:
        monkeypatch.setitem(throttling.REQUESTS_PER_HOUR, door, 2)
    return create_app(replace(local.config, limits=DEFAULT_RATE_LIMITS), local.engine).test_client()


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [
        ("GET", "/api/games", {}),
        ("GET", "/api/seats/nothing", {}),
        ("POST", "/api/seats/nothing/moves", {}),
        ("GET", "/api/me", KEY),
        ("GET", "/api/games", KEY),
    ],
)
def test_calls_of_one_network_are_counted(few: FlaskClient, method: str, path: str, headers: dict[str, str]) -> None:
    for _ in range(2):
        assert few.open(path, method=method, headers=headers).status_code != 429
    last = few.open(path, method=method, headers=headers)
    assert "Too many requests" in refused(last, 429)
    assert 0 < int(last.headers["Retry-After"]) <= 3600
    assert few.open(path, method=method, headers=headers | ELSEWHERE).status_code != 429
    # Pages, and what is only looked at, have other limits.
    assert few.get("/").status_code == 200


@pytest.mark.parametrize("path", ["/m/nothing", "/sign-in/nothing", "/invitation/nothing", "/unsubscribe/nothing"])
def test_forms_of_one_network_are_counted(few: FlaskClient, path: str) -> None:
    assert [few.post(path).status_code == 429 for _ in range(3)] == [False, False, True]
    last = few.post(path)
    assert "Too many requests" in last.get_data(as_text=True)
    assert last.headers["Retry-After"]
    assert few.post(path, headers=ELSEWHERE).status_code != 429


def test_mail_services_are_counted_by_mail_and_not_by_call(local: House, few: FlaskClient) -> None:
    config = replace(local.config, limits=DEFAULT_RATE_LIMITS, incoming_key="k" * 40)
    service = create_app(config, local.engine).test_client()
    assert {service.post("/incoming/raw").status_code for _ in range(4)} == {401}
    assert few.post("/sign-out").status_code != 429


def left(answer: TestResponse) -> dict[str, tuple[int, int]]:
    """Return what an answer says is left of each limit, and for how many seconds."""
    found = re.findall(r'"(\w+)";r=(\d+);t=(\d+)', answer.headers["RateLimit"])
    return {name: (int(rest), int(seconds)) for name, rest, seconds in found}


def test_calls_say_what_is_left_until_nothing_is(few: FlaskClient) -> None:
    answers = [few.get("/api/games") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert [left(answer)["network"][0] for answer in answers] == [1, 0, 0]
    assert {answer.headers["RateLimit-Policy"] for answer in answers} == {'"network";q=2;w=3600'}
    for answer in answers:
        assert 0 < left(answer)["network"][1] <= 3600
    assert int(answers[-1].headers["Retry-After"]) >= left(answers[-1])["network"][1]
    assert answers[-1].get_json()["code"] == "rate-limited"


def test_a_call_with_a_key_says_what_is_left_of_all_that_it_counts_for(
    local: House, few: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(throttling.REQUESTS_PER_HOUR, "api with a key", 9)
    monkeypatch.setattr(auth, "MAX_CALLS_PER_HOUR", 3)
    monkeypatch.setattr(auth, "MAX_MATCHES_PER_DAY", 2)
    key = key_headers(local, "Ann")
    seen = few.get("/api/me", headers=key)
    assert {name: rest for name, (rest, _) in left(seen).items()} == {"network": 8, "key": 2}
    made = few.post(
        "/api/matches", json={"game": "minimax", "seats": [{"name": "Ann", "email": address("Ann")}]}, headers=key
    )
    assert made.headers["RateLimit-Policy"] == '"network";q=9;w=3600, "key";q=3;w=3600, "matches";q=2;w=86400'
    assert {name: rest for name, (rest, _) in left(made).items()} == {"network": 7, "key": 1, "matches": 1}


def test_pages_and_a_service_without_limits_say_nothing_of_them(local: House, few: FlaskClient) -> None:
    unlimited = create_app(replace(local.config, limits=None), local.engine).test_client()
    for answer in (few.get("/"), few.post("/m/nothing"), unlimited.get("/api/games")):
        assert not {"RateLimit", "RateLimit-Policy"} & {*answer.headers.keys()}
