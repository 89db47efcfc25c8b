"""Offers by the API: made, listed and answered by the keys of the players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.web.account.api_keys import client, closed
from tests.support.web.api.acting import ann, bob, match_id

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.web.api.acting import Caller

__all__ = ["ann", "bob", "client", "closed", "match_id"]


def test_a_draw_is_offered_and_agreed_by_keys(closed: House, ann: Caller, bob: Caller, match_id: str) -> None:
    path = f"me/matches/{match_id}/offers"
    status, reason = ann.verdict(path, {"ply": 1, "kind": "draw"})
    assert status == "played"
    assert "Bob has yet to agree" in (reason or "")
    (offer,) = bob.get(path)
    assert (offer["kind"], offer["seat"], offer["awaited"]) == ("draw", 1, [2])
    assert bob.verdict(path, {"ply": 1, "kind": "draw", "wish": "agree"})[0] == "played"
    match = closed.match(match_id)
    assert match.result is not None
    assert match.result["ending"] == "agreed"


def test_an_offer_is_refused_by_a_key(closed: House, ann: Caller, bob: Caller, match_id: str) -> None:
    path = f"me/matches/{match_id}/offers"
    ann.verdict(path, {"ply": 1, "kind": "abandon"})
    assert bob.verdict(path, {"ply": 1, "kind": "abandon", "wish": "refuse"})[0] == "played"
    assert ann.get(path) == []
    assert closed.match(match_id).state == "running"


def test_an_offer_about_an_earlier_position_changes_nothing(closed: House, ann: Caller, match_id: str) -> None:
    closed.reply(closed.last("Ann"), closed.legal(match_id, 1)[0])
    status, reason = ann.verdict(f"me/matches/{match_id}/offers", {"ply": 1, "kind": "draw"})
    assert (status, reason) == ("rejected", "The match has moved on, so nothing changed. Look at it again.")
