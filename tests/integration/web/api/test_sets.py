"""Shared deals by the API: the list of those of fields, and one with its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.web.api import deal_sets
from tests.support.play.events import fields
from tests.support.play.events.fields import DAY
from tests.support.web.site import visitor

if TYPE_CHECKING:
    import pytest

    from tests.support.house import House


def get(house: House, path: str) -> Any:
    answer = visitor(house).client.get(f"/api/{path}")
    assert answer.status_code == 200
    return answer.json


def test_the_list_has_the_deals_of_all_fields(house: House) -> None:
    event = fields.open_field(house)
    found = get(house, "sets")
    assert len(found["sets"]) == 2
    assert found["next"] is None
    assert get(house, "sets?game=minimax")["sets"] == []
    only = get(house, "sets?game=montauk")["sets"]
    assert {one["id"] for one in only} == set(fields.sets(house, event))
    assert {(one["kind"], one["event"], one["opened"]) for one in only} == {("field", event.id, None)}
    deal = fields.deal_set(house, only[0]["id"])
    assert only[0]["commitment"] == deal.commitment.hex()
    assert only[0]["url"] == f"http://127.0.0.1:8000/sets/{deal.id}"


def test_a_page_of_the_list_leads_to_the_next(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deal_sets, "PAGE_SIZE", 1)
    fields.open_field(house)
    first = get(house, "sets")
    second: Any = visitor(house).client.get("/api/sets", query_string={"after": first["next"]}).json
    assert len({one["id"] for one in first["sets"] + second["sets"]}) == 2
    assert second["next"] is None


def test_a_deal_shows_no_points_before_it_opens(house: House) -> None:
    event = fields.begin_field(house)
    first = fields.sets(house, event)[0]
    fields.play(house, fields.tables(house, first)[0], fields.start(event) + DAY)
    found = get(house, f"sets/{first}")
    assert not found["compared"]
    assert [one["match"] for one in found["matches"]] == fields.tables(house, first)
    assert [one["over"] for one in found["matches"]] == [True, False]
    seats = [seat for table in found["matches"] for seat in table["seats"]]
    assert {seat["name"] for seat in seats} == set(fields.PEOPLE["montauk"])
    assert {(seat["points"], seat["score"], seat["margin"], seat["percent"]) for seat in seats} == {(None,) * 4}


def test_an_open_deal_compares_its_tables_and_its_scores_add_up_to_0(house: House) -> None:
    event = fields.begin_field(house)
    first = fields.sets(house, event)[0]
    fields.play_deal(house, first, fields.start(event) + DAY)
    found = get(house, f"sets/{first}")
    assert found["compared"]
    assert found["opened"]
    seats = [seat for table in found["matches"] for seat in table["seats"]]
    assert sum(seat["score"] for seat in seats) == 0
    for one, other in (table["seats"] for table in found["matches"]):
        assert one["margin"] == one["points"] - other["points"] == -other["margin"]


def test_an_unknown_deal_is_not_found(house: House) -> None:
    assert visitor(house).client.get("/api/sets/unknown").status_code == 404
