"""Resigning and asking for a rematch by the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import Match
from tests.support.rematching import finals, the_rematch
from tests.support.web.account.api_keys import client, closed
from tests.support.web.api.acting import ann, caller
from tests.support.web.api.matches import got, refused

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from tests.support.house import House
    from tests.support.web.api.acting import Caller

__all__ = ["ann", "client", "closed"]


@pytest.mark.parametrize("name", ["Ann", "Bob"])
def test_a_key_resigns_whoever_is_to_move(closed: House, client: FlaskClient, name: str) -> None:
    match_id = closed.start_match("martian-whist", 2)
    assert caller(closed, client, name).verdict(f"me/matches/{match_id}/resign", {})[0] == "played"
    match = closed.match(match_id)
    assert match.result is not None
    assert (match.state, match.result["ending"]) == ("over", "resigned")
    assert match.result["winners"] == [1 if name == "Bob" else 2]


def test_the_newest_link_resigns_and_an_earlier_one_does_not(closed: House, client: FlaskClient) -> None:
    match_id = closed.start_match("martian-whist", 2)
    old = closed.last("Ann")
    closed.reply(old, closed.legal(match_id, 1)[0])
    newest = closed.last("Bob").token
    refused(client.post(f"/api/seats/{old.token}/resign", json={}), 404)
    assert closed.match(match_id).state == "running"
    got(client.post(f"/api/seats/{newest}/resign", json={}), 202)
    assert closed.match(match_id).state == "over"


@pytest.mark.parametrize("act", ["resign", "rematch", "decline"])
def test_a_form_of_another_site_does_nothing(closed: House, client: FlaskClient, act: str) -> None:
    match_id = closed.start_match("martian-whist", 2)
    token = closed.last("Ann").token
    refused(client.post(f"/api/seats/{token}/{act}", data="sure=yes", content_type="text/plain"), 415)
    refused(client.post(f"/api/seats/{token}/{act}", json={"sure": "yes"}), 422)
    assert closed.match(match_id).state == "running"


def test_only_a_running_match_is_resigned(closed: House, client: FlaskClient, ann: Caller) -> None:
    waiting = closed.make("martian-whist", 2)
    assert refused(ann.ask(f"me/matches/{waiting}/resign", {}), 409) == "The match has not begun."
    final = finals(closed, "martian-whist", 2)["Ann"]
    over = the_last(closed)
    assert refused(ann.ask(f"me/matches/{over}/resign", {}), 409) == "The match is over."
    assert refused(client.post(f"/api/seats/{final.token}/resign", json={}), 409) == "The match is over."


def the_last(house: House) -> str:
    (match_id,) = house.all(select(Match.id).where(Match.state == "over"))
    found: str = match_id
    return found


def test_the_second_who_asks_for_a_rematch_accepts_it(closed: House, client: FlaskClient, ann: Caller) -> None:
    mails = finals(closed, "martian-whist", 2)
    made = got(ann.ask(f"me/matches/{the_last(closed)}/rematch", {}), 201)
    assert (made["seat"], made["state"]) == (2, "inviting")
    again = got(client.post(f"/api/seats/{mails['Bob'].token}/rematch", json={}), 201)
    assert again == made | {"seat": 1, "state": "running"}
    assert the_rematch(closed).id == made["id"]


def test_a_rematch_that_is_asked_for_twice_is_one(closed: House, ann: Caller) -> None:
    finals(closed, "martian-whist", 2)
    old = the_last(closed)
    first = got(ann.ask(f"me/matches/{old}/rematch", {}), 201)
    assert got(ann.ask(f"me/matches/{old}/rematch", {}), 201) == first


def test_a_running_match_has_no_rematch(closed: House, ann: Caller) -> None:
    match_id = closed.start_match("martian-whist", 2)
    assert "when the match is over" in refused(ann.ask(f"me/matches/{match_id}/rematch", {}), 409, "not-over")


def test_nobody_else_asks_for_a_rematch(closed: House, client: FlaskClient) -> None:
    finals(closed, "martian-whist", 2)
    refused(caller(closed, client, "Zoe").ask(f"me/matches/{the_last(closed)}/rematch", {}), 404)
