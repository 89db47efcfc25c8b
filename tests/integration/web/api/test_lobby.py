"""The lobby by the API: open tables are listed for everybody, and joined by a key; so two programs meet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import update

from pbem.db.models import MatchSeat
from pbem.play.lobby import joining, open_tables
from pbem.web.api import lobby
from tests.support.web.account.api_keys import client, closed
from tests.support.web.api.acting import ann, bob, caller
from tests.support.web.api.matches import got, refused

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from tests.support.house import House
    from tests.support.web.api.acting import Caller

__all__ = ["ann", "bob", "client", "closed"]


def table(host: Caller, game: str = "martian-whist", **more: Any) -> str:
    """Create a match with a seat that is open to everybody."""
    made = got(host.ask("matches", {"game": game, "seats": [host.seat(), {"open": True}], **more}), 201)
    match_id: str = made["id"]
    return match_id


def test_two_programs_meet_without_a_mailbox(ann: Caller, bob: Caller) -> None:
    match_id = table(ann)
    (seen,) = bob.get("lobby")["tables"]
    seat = got(bob.ask(f"lobby/{seen['match']}/join", {"entropy": "mine"}), 201)
    assert (seat["match"], seat["seat"], seat["state"], seat["typed"]) == (match_id, 2, "running", "mine")
    movers = {1: ann, 2: bob}
    for _ in range(4):
        view = ann.get(f"matches/{match_id}")
        mover = movers[view["to_move"][0]]
        view = mover.get(f"me/matches/{match_id}")
        move = {"ply": view["ply"], "move": view["moves"][0]}
        assert mover.verdict(f"me/matches/{match_id}/moves", move) == ("played", None)
    assert [one["text"] for one in got(bob.ask(f"me/matches/{match_id}/chat", {"text": "Well played!"}), 201)]
    assert bob.verdict(f"me/matches/{match_id}/resign", {})[0] == "played"
    again = got(ann.ask(f"me/matches/{match_id}/rematch", {}), 201)
    assert got(bob.ask(f"me/matches/{match_id}/rematch", {}), 201)["id"] == again["id"]
    assert bob.get(f"me/matches/{again['id']}")["to_move"]


def test_a_table_is_shown_with_what_one_must_know_to_choose(client: FlaskClient, ann: Caller) -> None:
    match_id = table(ann, clock="3 days", reliable=75)
    (seen,) = got(client.get("/api/lobby"))["tables"]
    assert seen.pop("since").endswith("Z")
    assert seen.pop("url").endswith(f"/join/{match_id}")
    assert seen.pop("options") is not None
    assert seen == {
        "match": match_id,
        "game": "martian-whist",
        "seats": 2,
        "players": {"1": "Ann"},
        "robots": {},
        "clock": "3 days",
        "on_time": "substitute",
        "reliable": 75,
        "bots": "none",
        "rated": True,
    }


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("game=martian-whist", 1),
        ("game=montauk", 0),
        ("seats=2", 1),
        ("seats=3", 0),
        ("clock=3+days", 1),
        ("clock=1+day", 0),
        ("after=nonsense", 1),
    ],
)
def test_the_lobby_is_filtered(client: FlaskClient, ann: Caller, query: str, found: int) -> None:
    table(ann, clock="3 days")
    assert len(got(client.get(f"/api/lobby?{query}"))["tables"]) == found


@pytest.mark.parametrize("query", ["game=chess", "seats=1", "seats=x", "clock=never"])
def test_a_filter_that_is_none_is_refused(client: FlaskClient, query: str) -> None:
    refused(client.get(f"/api/lobby?{query}"), 422)


def test_a_long_lobby_has_pages(client: FlaskClient, ann: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    made = [table(ann) for _ in range(3)]
    monkeypatch.setattr(lobby, "PAGE_SIZE", 2)
    first = got(client.get("/api/lobby"))
    second = got(client.get("/api/lobby", query_string={"after": first["next"]}))
    assert [one["match"] for one in (*first["tables"], *second["tables"])] == made[::-1]
    assert second["next"] is None


def test_a_private_table_is_joined_by_its_code_alone(closed: House, ann: Caller, bob: Caller) -> None:
    match_id = table(ann, public=False)
    assert bob.get("lobby")["tables"] == []
    refused(bob.ask(f"lobby/{match_id}/join", {}), 404)
    code = open_tables.invitation_code(closed.config, match_id)
    assert got(bob.ask(f"lobby/{code}/join", {}), 201)["state"] == "running"


def test_a_table_that_is_full_or_ones_own_is_not_joined(
    closed: House, client: FlaskClient, ann: Caller, bob: Caller
) -> None:
    match_id = table(ann)
    assert "already have a seat" in refused(ann.ask(f"lobby/{match_id}/join", {}), 409, "already-seated")
    got(bob.ask(f"lobby/{match_id}/join", {}), 201)
    late = caller(closed, client, "Cyd")
    assert "This match has begun" in refused(late.ask(f"lobby/{match_id}/join", {}), 409, "already-begun")


def test_a_seat_that_was_joined_can_be_left_again(closed: House, ann: Caller, bob: Caller) -> None:
    match_id = table(ann)
    with closed.transaction() as ctx:
        # The host has yet to accept, so the match waits.
        ctx.session.execute(update(MatchSeat).where(MatchSeat.seat == 1).values(accepted_at=None))
    got(bob.ask(f"lobby/{match_id}/join", {}), 201)
    assert got(bob.ask(f"me/matches/{match_id}/decline", {})) == {
        "match": match_id,
        "state": "inviting",
        "reopened": False,
    }
    assert closed.match(match_id).open_seats == 1


def test_a_player_joins_so_many_tables_a_day(ann: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joining, "MAX_JOINS_PER_DAY", 1)
    first, second = table(ann), table(ann)
    got(bob.ask(f"lobby/{first}/join", {}), 201)
    assert "Try again tomorrow" in refused(bob.ask(f"lobby/{second}/join", {}), 409, "daily-limit")


def test_a_table_that_is_none_is_unknown(bob: Caller) -> None:
    refused(bob.ask("lobby/00000000000000000000/join", {}), 404)


def test_a_seat_at_any_table_is_taken_or_a_table_is_opened(ann: Caller, bob: Caller) -> None:
    made = got(ann.ask("lobby/seat", {"game": "martian-whist"}), 201)
    assert (made["seat"], made["state"], made["opened"]) == (1, "inviting", True)
    seat = got(bob.ask("lobby/seat", {"entropy": "mine"}), 201)
    assert (seat["match"], seat["state"], seat["typed"], seat["opened"]) == (made["match"], "running", "mine", False)
    assert "for one player" in refused(ann.ask("lobby/seat", {"game": "minimax"}), 409)
    refused(ann.ask("lobby/seat", {"game": "chess"}), 422)
