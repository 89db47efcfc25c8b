"""One's finished matches in the form of BG Stats: its fields, one's own alone, page by page."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from sqlalchemy import select, update

from pbem.db.models import Match, Player
from pbem.play.accounts import api_keys
from pbem.play.archive import plays
from tests.support.play.analysis.asking import finished
from tests.support.web.account.dashboard import signed_in
from tests.support.web.api.matches import got
from tests.support.web.matches.replay import finished as resigned

if TYPE_CHECKING:
    import pytest

    from tests.support.house import House
    from tests.support.pages import Visitor

DOCUMENTED: dict[str, Any] = {
    "board": str,
    "comments": str,
    "durationMin": int,
    "game": {"bggId": int, "highestWins": bool, "name": str, "noPoints": bool, "sourceGameId": str},
    "location": str,
    "playDate": str,
    "players": {
        "name": str, "rank": int, "role": str, "score": (int, float), "sourcePlayerId": str, "startPlayer": bool,
        "winner": bool,
    },
    "sourceName": str,
    "sourcePlayId": str,
}  # fmt: skip
"""The fields that bgstatsapp.com documents for a play that another website hands to the app, with their types."""


def check(data: Any, documented: dict[str, Any]) -> None:
    """Check that data has documented fields only, each of its type."""
    assert data.keys() <= documented.keys()
    for name, value in data.items():
        if isinstance(documented[name], dict):
            for one in value if isinstance(value, list) else [value]:
                check(one, documented[name])
        else:
            assert isinstance(value, documented[name]), name


def listed(house: House, site: Visitor, name: str) -> list[Any]:
    """Return what the API lists for somebody."""
    with house.transaction() as ctx:
        player = ctx.session.scalars(select(Player.id).where(Player.name == name)).one()
        key = api_keys.create(ctx, player, "a program", (api_keys.READ,))
    answer: list[Any] = got(site.client.get("/api/me/plays", headers={"Authorization": f"Bearer {key}"}))
    return answer


def test_a_play_has_the_documented_fields_and_the_result_of_the_record(site: Visitor, local: House) -> None:
    match_id = finished(local, "martian-whist", 2)
    (one,) = listed(local, site, "Bob")
    play, result = one["play"], local.match(match_id).result
    assert result
    check(play, DOCUMENTED)
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", play["playDate"])
    assert (play["sourcePlayId"], play["game"]["name"], play["game"]["noPoints"]) == (match_id, "Martian Whist", False)
    assert [(seat["name"], seat["score"], seat["winner"]) for seat in play["players"]] == [
        (name, result["scores"][str(number)], number in result["winners"])
        for number, name in enumerate(("Ann", "Bob"), 1)
    ]
    assert [seat["startPlayer"] for seat in play["players"]].count(True) == 1
    assert one["url"].startswith("https://app.bgstatsapp.com/createPlay.html?data=")
    assert json.loads(unquote(one["url"].partition("=")[2])) == play


def test_a_resigned_match_has_no_points(site: Visitor, local: House) -> None:
    resigned(local)
    (one,) = listed(local, site, "Ann")
    check(one["play"], DOCUMENTED)
    assert one["play"]["game"]["noPoints"]
    assert [(seat["winner"], "score" in seat) for seat in one["play"]["players"]] == [(False, False), (True, False)]


def test_where_the_fewest_points_win_it_is_said() -> None:
    result = {"ending": "finished", "scores": {"1": 3, "2": 5}, "winners": [1]}
    play = plays.play_data("a-game", "m", result, {1: "Ann", 2: "Bob"}, began=None, played="2026-01-01 10:00:00")
    assert (play["game"]["name"], play["game"]["highestWins"]) == ("a-game", False)


def test_the_page_lists_ones_own_matches_alone_page_by_page(local: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plays, "_PLAYS", plays._PLAYS.limit(2))
    monkeypatch.setattr(plays, "_PLAYS_BEFORE", plays._PLAYS_BEFORE.limit(2))
    monkeypatch.setattr(plays, "PLAYS_PER_PAGE", 1)
    finished(local, "martian-whist", 2)
    finished(local, "montauk", 2)
    local.start_match("minimax", 1)
    ann = signed_in(local, "Ann")
    page = ann.open("/mine").follow("For BG Stats")
    assert "Montauk Ann and Bob" in page.words
    assert "Martian Whist" not in page.words
    assert page.links["Add to BG Stats"].startswith(plays.LINK)
    page = page.follow("Older matches")
    assert "Martian Whist Ann and Bob" in page.words
    assert "Older matches" not in page.links


def test_who_has_finished_nothing_is_told_so(local: House) -> None:
    local.start_match("martian-whist", 2)
    assert "No match of yours is over yet." in signed_in(local, "Ann").open("/me/plays").words


def test_no_closed_table_and_no_imported_record_is_listed(site: Visitor, local: House) -> None:
    match_id = finished(local, "martian-whist", 2)
    for values, shown in (({"withheld": "table"}, 0), ({"withheld": None}, 1), ({"imported_at": Match.ended_at}, 0)):
        with local.transaction() as ctx:
            ctx.session.execute(update(Match).where(Match.id == match_id).values(values))
        assert len(listed(local, site, "Bob")) == shown


def test_a_page_is_for_those_who_are_signed_in(site: Visitor) -> None:
    assert site.client.get("/api/me/plays").status_code == 401
    assert "Sign in" in site.open("/me/plays").words
