"""Tables of people who avoid each other: each page and each answer is, byte for byte, that of a table which is gone."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pbem.play.lobby import open_tables
from tests.support.clockwork import at
from tests.support.house import NAMES
from tests.support.play.lobby.request_parser import verified, write
from tests.support.play.moderation.avoidance import avoids
from tests.support.play.timeouts.lapses import late, running
from tests.support.web.account.api_keys import client, closed
from tests.support.web.api.acting import ann, bob, caller
from tests.support.web.lobby.open_tables import opened, signed_in
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from tests.support.house import House
    from tests.support.pages import Page
    from tests.support.web.api.acting import Caller

__all__ = ["ann", "bob", "client", "closed"]

BOTH_WAYS = pytest.mark.parametrize(("who", "whom"), [("Ann", "Bob"), ("Bob", "Ann")])
UNKNOWN = "z" * 20
"""The id of no match."""


def rename(text: str, *ids: str) -> str:
    """Return a text in which every id of a match is the same."""
    for one in ids:
        text = text.replace(one, UNKNOWN)
    return text


def answer(page: Page, *ids: str) -> tuple[int, str]:
    """Return all that a page tells, whatever match it was asked for."""
    return page.status, rename(page.shown, *ids)


def told(house: House, name: str) -> str:
    """Return what the one new mail of somebody says, without the mark of its own."""
    return re.sub(r"#\w{6}", "", house.only(name).flat)


@BOTH_WAYS
def test_the_pages_of_a_table_are_those_of_a_table_that_does_not_exist(local: House, who: str, whom: str) -> None:
    match_id = opened(local)
    code = open_tables.invitation_code(local.config, match_id)
    someone = signed_in(local, "Bob")
    form = someone.open(f"/join/{match_id}").form("Join as Bob")
    avoids(local, who, whom)
    for path, gone in (
        (f"/join/{match_id}", f"/join/{UNKNOWN}"),
        (f"/join/{code}", f"/join/{UNKNOWN}-{'0' * 26}"),
        (f"/matches/{match_id}", f"/matches/{UNKNOWN}"),
    ):
        assert answer(someone.open(path), code, match_id) == answer(someone.open(gone), f"{UNKNOWN}-{'0' * 26}")
    sent = someone.send(form, {**form.fields})
    form.action = f"/join/{UNKNOWN}"
    assert answer(sent, match_id) == answer(someone.send(form, {**form.fields}))
    assert local.match(match_id).open_seats == 1
    # Others and those who are not signed in see it.
    for other in (signed_in(local, "Cyd"), visitor(local)):
        assert other.open(f"/join/{match_id}").status == other.open(f"/matches/{match_id}").status == 200


@BOTH_WAYS
def test_the_lobby_is_that_of_a_service_without_the_table(local: House, who: str, whom: str) -> None:
    someone = signed_in(local, "Bob")
    other = opened(local, "middle-card", "Cyd", 2)
    without = {path: answer(someone.open(path)) for path in ("/lobby", "/lobby?game=martian-whist", f"/join/{other}")}
    opened(local)
    assert "Ann waits." in someone.open("/lobby").words
    avoids(local, who, whom)
    assert {path: answer(someone.open(path)) for path in without} == without
    # A browser may call the API by its cookie.
    assert [one["match"] for one in someone.client.get("/api/lobby").json["tables"]] == [other]  # type: ignore[index]


def test_a_table_that_began_is_shown_to_everybody(local: House) -> None:
    match_id = opened(local)
    avoids(local, "Ann", "Bob")
    signed_in(local, "Cyd").open(f"/join/{match_id}").press("Join as Cyd", entropy="")
    assert "Ann" in signed_in(local, "Bob").open(f"/matches/{match_id}").words


@BOTH_WAYS
def test_the_api_answers_as_if_the_table_did_not_exist(
    closed: House, client: FlaskClient, ann: Caller, bob: Caller, who: str, whom: str
) -> None:
    empty = bob.ask("lobby").data
    match_id = opened(closed, name=ann.name)
    avoids(closed, who, whom)
    assert bob.ask("lobby").data == empty
    assert caller(closed, client, "Bob", "start").ask("lobby").data == empty
    for path, body in (("lobby/{}/join", {}), ("matches/{}", None)):
        refused = bob.ask(path.format(match_id), body)
        unknown = bob.ask(path.format(UNKNOWN), body)
        assert refused.status_code == unknown.status_code == 404
        assert rename(refused.text, match_id) == unknown.text
    assert len(client.get("/api/lobby").json["tables"]) == 1  # type: ignore[index]
    assert client.get("/api/lobby", headers={"Authorization": "Bearer pbem_wrong"}).status_code == 200


@BOTH_WAYS
def test_the_answers_by_mail_are_those_of_a_table_that_does_not_exist(house: House, who: str, whom: str) -> None:
    verified(house, "Bob")
    match_id = opened(house)
    avoids(house, who, whom)
    write(house, "lobby", "bob@example.org")
    assert "No table is open right now." in house.only("Bob").flat
    texts = []
    for code in (match_id, UNKNOWN, open_tables.invitation_code(house.config, match_id), f"{UNKNOWN}-{'0' * 26}"):
        write(house, f"join {code}", "bob@example.org")
        texts.append(rename(told(house, "Bob"), match_id))
    assert len(set(texts)) == 1
    assert "There is no table called" in texts[0]
    assert house.match(match_id).open_seats == 1


def test_a_mail_that_proves_nothing_is_answered_alike_to_the_owner_of_its_address(house: House) -> None:
    verified(house, "Bob")
    match_id = opened(house)
    avoids(house, "Ann", "Bob")
    closed_house = replace(house, config=replace(house.config, allow_anonymous=False))
    write(closed_house, f"join {match_id[:6]}", "bob@example.org")
    assert "There is no table called" in house.only("Bob").flat
    write(closed_house, "lobby", "bob@example.org")
    assert "No table is open right now." in house.only("Bob").flat


# -- seats that are left ------------------------------------------------------------------------------


def test_the_pages_of_a_seat_are_those_of_a_seat_that_needs_no_substitute(local: House) -> None:
    match_id = running(local, "substitute")
    seat, ends = late(local)
    gone, stays = NAMES[seat - 1], NAMES[2 - seat]
    avoids(local, stays, "Zoe")
    with at(ends):
        zoe, dee = signed_in(local, "Zoe"), signed_in(local, "Dee")
        assert "Take the seat as Dee" in dee.open(f"/matches/{match_id}/seats/{seat}").html
        form = dee.open(f"/matches/{match_id}/seats/{seat}").form("Take the seat as Dee")
        assert f"{gone} ran out of time" in dee.open(f"/matches/{match_id}").words
        # A seat whose player is there has the same page.
        page = zoe.open(f"/matches/{match_id}/seats/{seat}")
        assert "This seat is taken" in page.words
        assert page.status == zoe.open(f"/matches/{match_id}/seats/{3 - seat}").status
        assert answer(page)[1].replace(gone, stays) == answer(zoe.open(f"/matches/{match_id}/seats/{3 - seat}"))[
            1
        ].replace(gone, stays)
        assert "Take" not in zoe.open(f"/matches/{match_id}").words
        assert "No seat needs a substitute right now." in zoe.open("/seats").words
        assert "Seats to take over" not in zoe.open("/lobby").words
        sent = zoe.send(form, {**form.fields})
        assert "This seat no longer needs a substitute." in sent.words
        assert "Take the seat as Dee" in dee.open(f"/matches/{match_id}/seats/{seat}").html


def test_the_api_lists_no_such_seat_and_refuses_it_like_one_that_is_taken(closed: House, client: FlaskClient) -> None:
    match_id = running(closed, "substitute")
    seat, ends = late(closed)
    avoids(closed, NAMES[2 - seat], "Zoe")
    with at(ends):
        zoe, dee = caller(closed, client, "Zoe"), caller(closed, client, "Dee")
        assert zoe.get("sought") == []
        assert len(dee.get("sought")) == 1
        refused = zoe.ask(f"matches/{match_id}/seats/{seat}", {})
        taken = zoe.ask(f"matches/{match_id}/seats/{3 - seat}", {})
        assert (refused.status_code, refused.text) == (taken.status_code, taken.text)
        assert refused.status_code == 409


def test_a_seat_is_refused_by_mail_in_the_same_words(house: House) -> None:
    match_id = running(house, "substitute")
    seat, ends = late(house)
    avoids(house, NAMES[2 - seat], "Cyd")
    with at(ends):
        texts = []
        for line in (f"take over {match_id}", f"take over {match_id} {seat}", f"take over {match_id} {3 - seat}"):
            write(house, line, "cyd@example.org")
            texts.append(told(house, "Cyd"))
    assert len(set(texts)) == 1
    assert "This seat no longer needs a substitute." in texts[0]
