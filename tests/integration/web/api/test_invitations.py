"""Invitations by the API: accepted and declined by the key of whoever is invited, or by the link of the mail."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.db.models import Match, Player
from pbem.games.chain import typed_entropy
from tests.support.house import address
from tests.support.web.account.api_keys import client, closed
from tests.support.web.api.acting import ann, bob, caller
from tests.support.web.api.matches import got, refused

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from tests.support.house import House
    from tests.support.web.api.acting import Caller

__all__ = ["ann", "bob", "client", "closed"]


@pytest.fixture
def match_id(ann: Caller, bob: Caller) -> str:
    """A match of Ann's, to which Bob is invited."""
    made: str = got(ann.ask("matches", {"game": "martian-whist", "seats": [ann.seat(), bob.seat()]}), 201)["id"]
    return made


def test_one_who_is_invited_accepts_by_their_key(closed: House, bob: Caller, match_id: str) -> None:
    (mine,) = bob.get("me/matches")
    assert (mine["state"], mine["your_turn"]) == ("inviting", True)
    seat = got(bob.ask(f"me/matches/{match_id}/accept", {}))
    assert (seat["match"], seat["seat"], seat["state"]) == (match_id, 2, "running")
    assert (seat["entropy_by"], seat["typed"]) == ("server", None)
    assert seat["entropy"] == closed.match_seats(match_id)[1].default_entropy


def test_a_text_of_ones_own_is_part_of_the_deal(bob: Caller, match_id: str) -> None:
    seat = got(bob.ask(f"me/matches/{match_id}/accept", {"entropy": " My dice: 3, 5. "}))
    assert (seat["entropy_by"], seat["typed"]) == ("player", "My dice: 3, 5.")
    assert seat["entropy"] == typed_entropy("My dice: 3, 5.")


def test_only_the_first_acceptance_counts(bob: Caller, match_id: str) -> None:
    first = got(bob.ask(f"me/matches/{match_id}/accept", {"entropy": "one"}))
    again = got(bob.ask(f"me/matches/{match_id}/accept", {"entropy": "two"}))
    assert again == first | {"typed": None}


def test_a_call_without_a_body_accepts_too(client: FlaskClient, bob: Caller, match_id: str) -> None:
    answer = client.post(f"/api/me/matches/{match_id}/accept", headers={"Authorization": f"Bearer {bob.key}"})
    assert got(answer)["state"] == "running"


def test_one_who_is_invited_declines_by_their_key(closed: House, bob: Caller, match_id: str) -> None:
    assert got(bob.ask(f"me/matches/{match_id}/decline", {})) == {
        "match": match_id,
        "state": "over",
        "reopened": False,
    }
    assert "Bob" in closed.last("Ann").flat
    for act in ("accept", "decline"):
        assert "called off" in refused(bob.ask(f"me/matches/{match_id}/{act}", {}), 409)


def test_the_seat_of_one_who_declines_is_open_if_the_host_wants_that(closed: House, ann: Caller, bob: Caller) -> None:
    body = {"game": "martian-whist", "seats": [ann.seat(), bob.seat()], "open_if_declined": True}
    match_id = got(ann.ask("matches", body), 201)["id"]
    declined = got(bob.ask(f"me/matches/{match_id}/decline", {}))
    assert declined == {"match": match_id, "state": "over", "reopened": True}
    (table,) = ann.get("lobby")["tables"]
    assert (table["players"], table["match"]) == ({"1": "Ann"}, closed.match_ids()[1])
    assert "called off" in refused(bob.ask(f"me/matches/{match_id}/decline", {}), 409)
    assert len(closed.match_ids()) == 2


@pytest.mark.parametrize("wish", ["perhaps", None, 2])
def test_a_wish_that_is_neither_yes_nor_no_is_refused_by_its_field(ann: Caller, bob: Caller, wish: object) -> None:
    body = {"game": "martian-whist", "seats": [ann.seat(), bob.seat()], "open_if_declined": wish}
    assert set(ann.ask("matches", body).get_json()["errors"]["json"]) == {"open_if_declined"}


def test_a_match_that_runs_is_not_declined(closed: House, bob: Caller, match_id: str) -> None:
    got(bob.ask(f"me/matches/{match_id}/accept", {}))
    assert "already begun" in refused(bob.ask(f"me/matches/{match_id}/decline", {}), 409)
    assert closed.match(match_id).state == "running"


def test_the_link_of_the_mail_is_enough(closed: House, client: FlaskClient, match_id: str) -> None:
    token = closed.last("Bob").token
    seat = got(client.post(f"/api/seats/{token}/accept", json={"entropy": "mine"}))
    assert (seat["seat"], seat["state"], seat["typed"]) == (2, "running", "mine")
    assert closed.match(match_id).state == "running"
    # The invitation's link is an earlier one now, which others may have seen.
    refused(client.post(f"/api/seats/{token}/accept", json={}), 404)
    refused(client.post(f"/api/seats/{token}/decline", json={}), 404)


def test_the_link_of_the_mail_declines(closed: House, client: FlaskClient, match_id: str) -> None:
    answer = client.post(f"/api/seats/{closed.last('Bob').token}/decline", json={})
    assert got(answer) == {"match": match_id, "state": "over", "reopened": False}


def test_a_banned_player_accepts_by_no_link(closed: House, client: FlaskClient, match_id: str) -> None:
    token = closed.last("Bob").token
    with closed.transaction() as ctx:
        ctx.session.execute(update(Player).where(Player.name == "Bob").values(banned_at=ctx.now))
    assert client.post(f"/api/seats/{token}/accept", json={}).status_code == 409
    assert closed.match(match_id).state == "inviting"


@pytest.mark.parametrize("entropy", ["\0", "\ud800", "x" * 1001, 7, None])
def test_what_is_no_text_is_refused_by_its_field(closed: House, bob: Caller, match_id: str, entropy: object) -> None:
    refused(bob.ask(f"me/matches/{match_id}/accept", {"entropy": entropy}), 422)
    assert closed.match(match_id).state == "inviting"


def test_nobody_else_accepts(closed: House, client: FlaskClient, match_id: str) -> None:
    stranger = caller(closed, client, "Zoe")
    refused(stranger.ask(f"me/matches/{match_id}/accept", {}), 404)
    assert closed.all(select(Match.state)) == ["inviting"]
    assert closed.mails("Zoe") == []
    assert address("Zoe") not in closed.last("Bob").text
