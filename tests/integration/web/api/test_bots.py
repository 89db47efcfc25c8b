"""Bots by the API: declaring one, where it may sit, and how others see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.web.account.api_keys import client, closed
from tests.support.web.api.acting import Caller, ann, bob, caller
from tests.support.web.api.matches import got, refused

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from tests.support.house import House

__all__ = ["ann", "bob", "client", "closed"]


def table(host: Caller, **more: object) -> str:
    body = {"game": "martian-whist", "seats": [host.seat(), {"open": True}]}
    return str(got(host.ask("matches", body | more), 201)["id"])


def test_a_program_declares_its_account_once_and_for_all(bob: Caller) -> None:
    assert bob.get("me")["bot"] is None
    declared = got(bob.ask("me/bot", {}))
    assert declared["rated"] is False
    assert bob.get("me")["bot"] == declared
    assert got(bob.ask("me/bot", {"rated": True})) == declared | {"rated": True}
    assert bob.get("me")["bot"]["since"] == declared["since"]


def test_a_key_that_starts_nothing_declares_nothing(closed: House, client: FlaskClient) -> None:
    reader = caller(closed, client, "Bob", "read", "play")
    assert "start" in refused(reader.ask("me/bot", {}), 403)
    assert reader.get("me")["bot"] is None


def test_who_plays_with_people_is_refused(ann: Caller, bob: Caller) -> None:
    match_id = table(ann)
    got(bob.ask(f"lobby/{match_id}/join", {}), 201)
    assert "in a match with other people" in refused(bob.ask("me/bot", {}), 409, "busy")


def test_others_see_that_a_bot_sits_there(ann: Caller, bob: Caller) -> None:
    got(bob.ask("me/bot", {}))
    closed_table, match_id = table(ann), table(ann, bots="unrated")
    assert {one["match"]: one["bots"] for one in bob.get("lobby")["tables"]} == {
        closed_table: "none",
        match_id: "unrated",
    }
    assert "for people only" in refused(bob.ask(f"lobby/{closed_table}/join", {}), 409, "people-only")
    got(bob.ask(f"lobby/{match_id}/join", {}), 201)
    for view in (ann.get(f"matches/{match_id}"), ann.get(f"me/matches/{match_id}")):
        assert (view["bots"], view["rated"]) == ([2], "bot")
    mine = next(one for one in ann.get("me/matches") if one["match"] == match_id)
    assert (mine["bots"], mine["players"]) == ([2], {"1": "Ann", "2": "Bob (bot)"})


def test_a_match_with_a_bot_is_rated_if_both_want_it(ann: Caller, bob: Caller) -> None:
    got(bob.ask("me/bot", {"rated": True}))
    match_id = table(ann, bots="rated")
    got(bob.ask(f"lobby/{match_id}/join", {}), 201)
    assert ann.get(f"matches/{match_id}")["rated"] is True


def test_an_unknown_choice_about_bots_is_refused(ann: Caller) -> None:
    body = {"game": "martian-whist", "seats": [ann.seat(), {"open": True}], "bots": "some"}
    assert refused(ann.ask("matches", body), 422)
