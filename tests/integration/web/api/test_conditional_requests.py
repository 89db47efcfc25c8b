"""Programs that ask again and again: a 304 as long as nothing has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.web.api.acting import key_headers
from tests.support.web.api.matches import client, got, move, refused

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from tests.support.house import House

__all__ = ["client"]


@pytest.mark.parametrize("path", ["/api/matches/{match}", "/api/me/matches", "/api/me/matches/{match}"])
def test_an_answer_that_the_caller_has_is_not_sent_again_until_it_changes(
    house: House, client: FlaskClient, path: str
) -> None:
    path = path.format(match=house.start_match("martian-whist", 2))
    key = key_headers(house, "Ann")
    first = client.get(path, headers=key)
    known = key | {"If-None-Match": first.headers["ETag"]}
    assert got(first)
    same = client.get(path, headers=known)
    assert (same.status_code, same.data) == (304, b"")
    assert same.headers["ETag"] == first.headers["ETag"]
    assert same.headers["Cache-Control"] == "no-store"
    house.reply(house.last("Ann"), "take 3")
    changed = client.get(path, headers=known)
    assert got(changed) != got(first)
    assert changed.headers["ETag"] != first.headers["ETag"]


def test_what_each_seat_sees_has_its_own_name(house: House, client: FlaskClient) -> None:
    match = house.start_match("montauk", 2)
    tags = {
        client.get(f"/api/me/matches/{match}", headers=key_headers(house, who)).headers["ETag"]
        for who in ("Ann", "Bob")
    }
    assert len(tags | {client.get(f"/api/matches/{match}").headers["ETag"]}) == 3


@pytest.mark.parametrize("path", ["/api/games", "/api/lobby", "/api/openapi.json", "/api/sets", "/api/events"])
def test_lists_that_are_polled_have_a_name_too(client: FlaskClient, path: str) -> None:
    tag = client.get(path).headers["ETag"]
    assert client.get(path, headers={"If-None-Match": f'"other", {tag}'}).status_code == 304
    assert client.head(path).headers["ETag"] == tag


def test_a_record_has_a_name(house: House, client: FlaskClient) -> None:
    match = house.start_match("martian-whist", 2)
    house.reply(house.last("Ann"), "resign yes")
    path = f"/api/matches/{match}/record"
    assert client.get(path, headers={"If-None-Match": client.get(path).headers["ETag"]}).status_code == 304


def test_acts_and_errors_are_answered_in_full(house: House, client: FlaskClient) -> None:
    house.start_match("martian-whist", 2)
    every = {"If-None-Match": "*"}
    missing = client.get("/api/matches/nothing", headers=every)
    refused(missing, 404)
    assert "ETag" not in missing.headers
    assert "ETag" not in move(client, house.last("Ann").token, 1, "take 3").headers
    assert client.get("/lobby", headers=every).status_code == 200
