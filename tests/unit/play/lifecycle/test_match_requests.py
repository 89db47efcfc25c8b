"""Requests for new matches: the terms of a match that another continues."""

from __future__ import annotations

from typing import Any

from pbem.db.models import Match
from pbem.play.lifecycle.match_requests import MatchRequest, Terms


def test_the_terms_of_a_match_are_those_it_was_made_with() -> None:
    chosen: dict[str, Any] = {"rated": False, "public": True, "bots": "rated", "open_if_declined": True}
    match = Match(time_control="3 days", timeout_policy="vote", min_reliability=75, **chosen)
    assert Terms.of_match(match) == Terms("3 days", "vote", 75, **chosen)


def test_a_request_has_no_deadlines_and_is_public_unless_it_says_so() -> None:
    assert MatchRequest("minimax", {}, []).terms == Terms("none", None, None, rated=None, public=True, bots="none")
