"""There and back by the API: both matches and their set, and what came of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from pbem.db.models import DealSet, Match
from tests.support.house import House, address
from tests.support.play.deal_sets.pairs import begin, finish, open_due
from tests.support.web.api.matches import client, got, refused

if TYPE_CHECKING:
    from flask.testing import FlaskClient

__all__ = ["client"]
SEATS = [{"name": name, "email": address(name)} for name in ("Ann", "Bob")]


def wanted(**more: Any) -> dict[str, Any]:
    return {"game": "martian-whist", "seats": SEATS, "there_and_back": True} | more


def test_both_matches_and_their_set_are_answered(client: FlaskClient, house: House) -> None:
    made = got(client.post("/api/matches", json=wanted()), 201)
    assert made["set"]["id"] == house.all(select(DealSet.id))[0]
    assert made["set"]["url"].endswith(f"/sets/{made['set']['id']}")
    assert made["set"]["matches"][0] == made["id"]
    for name in ("Ann", "Bob"):
        house.reply(house.last(name), "accept")
    assert made["set"]["matches"] == house.all(select(Match.id).order_by(Match.set_place))
    plain = got(client.post("/api/matches", json=wanted(there_and_back=False)), 201)
    assert "set" not in plain


def test_what_cannot_be_played_so_is_refused_at_its_field(client: FlaskClient) -> None:
    montauk = client.post("/api/matches", json=wanted(game="montauk"))
    assert refused(montauk, 422).startswith("Montauk cannot be played there and back.")
    for answer in (montauk, client.post("/api/matches", json=wanted(seats=[SEATS[0], {"open": True}]))):
        assert set(answer.get_json()["errors"]["json"]) == {"there_and_back"}


def test_a_pair_shows_its_points_its_sum_and_its_winner(client: FlaskClient, house: House) -> None:
    first, back = begin(house)
    (set_id,) = house.all(select(DealSet.id))
    before = got(client.get(f"/api/sets/{set_id}"))
    assert (before["kind"], before["sum"], before["winner"], before["compared"]) == (
        "there_and_back",
        None,
        None,
        False,
    )
    assert [one["match"] for one in before["matches"]] == [first, back]
    there, again = finish(house, first, way=1), finish(house, back, way=2)
    open_due(house)
    after = got(client.get(f"/api/sets/{set_id}"))
    ann, bob = there["1"] + again["2"], there["2"] + again["1"]
    assert after["sum"] == [ann, bob]
    assert after["winner"] == (None if ann == bob else "Ann" if ann > bob else "Bob")
    assert [[seat["name"] for seat in one["seats"]] for one in after["matches"]] == [["Ann", "Bob"], ["Bob", "Ann"]]
    assert [seat["points"] for seat in after["matches"][1]["seats"]] == [again["1"], again["2"]]
    assert after["matches"][1]["seats"][0]["margin"] == again["1"] - again["2"]
    assert after["opened"]


def test_a_private_pair_is_no_deal_to_others(client: FlaskClient, house: House) -> None:
    begin(house, public=False)
    (set_id,) = house.all(select(DealSet.id))
    assert client.get(f"/api/sets/{set_id}").status_code == 404
