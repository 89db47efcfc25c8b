"""Par by the API: asked for by those who sat there, read by everybody who may see the match."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.config import DEFAULT_RATE_LIMITS
from pbem.db.models import Player
from pbem.play.accounts import api_keys
from pbem.play.analysis import par_history, requests
from pbem.play.matches import share_keys
from pbem.robots.analyses import PAR
from tests.support.play.analysis.asking import finished, make_all
from tests.support.web.site import visitor

if TYPE_CHECKING:
    import pytest
    from werkzeug.test import TestResponse

    from tests.support.house import House
    from tests.support.pages import Visitor


def key(house: House, name: str, *scopes: str) -> dict[str, str]:
    """Return the headers of a call by somebody."""
    with house.transaction() as ctx:
        player = ctx.session.scalars(select(Player).where(Player.name == name)).one()
        made = api_keys.create(ctx, player.id, "a program", scopes or (api_keys.READ, api_keys.PLAY))
        return {"Authorization": f"Bearer {made}"}


def ask(site: Visitor, match_id: str, headers: dict[str, str]) -> TestResponse:
    return site.client.post(f"/api/matches/{match_id}/par", json={}, headers=headers)


def test_a_player_asks_and_everybody_reads(site: Visitor, local: House) -> None:
    match_id = finished(local)
    path = f"/api/matches/{match_id}/par"
    assert site.client.get(path).status_code == 404
    asked = ask(site, match_id, key(local, "Ann"))
    assert (asked.status_code, asked.json and asked.json["state"]) == (202, "waiting")
    assert site.client.get(path).status_code == 202
    make_all(local)
    answer = site.client.get(path)
    assert answer.status_code == 200
    par = answer.json
    assert par
    (seat,) = par["seats"]
    assert (par["state"], par["level"], par["edition"]) == ("done", "strong", 1)
    assert par["plays"] == [[seat["mean"]]]
    assert seat["difference"] == seat["points"] - seat["mean"]
    assert ask(site, match_id, key(local, "Ann")).status_code == 200


def test_others_and_running_matches_are_refused(site: Visitor, local: House) -> None:
    match_id, running = finished(local), local.start_match("middle-card", 3)
    assert ask(site, match_id, {}).status_code == 401
    assert ask(site, match_id, key(local, "Bob")).status_code == 404
    refused = ask(site, running, key(local, "Ann"))
    assert refused.status_code == 409
    assert refused.json
    assert "still runs" in refused.json["reason"]
    assert site.client.get(f"/api/matches/{running}/par").status_code == 404


def test_at_a_limit_it_says_when(local: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(requests.MAX_PER_DAY, PAR, 0)
    match_id = finished(local)
    site = visitor(replace(local, config=replace(local.config, limits=DEFAULT_RATE_LIMITS)))
    refused = ask(site, match_id, key(local, "Ann"))
    assert refused.status_code == 429
    assert 86_000 < int(refused.headers["Retry-After"]) <= 86_401


def test_a_private_match_is_read_by_its_players_and_by_its_key(site: Visitor, local: House) -> None:
    match_id = finished(local, public=False)
    path, shared = f"/api/matches/{match_id}/par", share_keys.shared_key(local.match(match_id))
    ask(site, match_id, key(local, "Ann"))
    assert site.client.get(path).status_code == 404
    assert site.client.get(f"{path}?key={shared}").status_code == 202
    assert site.client.get(path, headers=key(local, "Ann")).status_code == 202


def test_the_caller_s_history_comes_in_pages(site: Visitor, local: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(par_history, "DEALS_PER_PAGE", 1)
    matches = [finished(local), finished(local)]
    headers = key(local, "Ann")
    for match_id in matches:
        ask(site, match_id, headers)
    make_all(local)
    first = site.client.get("/api/me/deals", headers=headers)
    assert first.json
    assert [one["match"] for one in first.json["deals"]] == [matches[1]]
    assert [(one["game"], one["matches"]) for one in first.json["totals"]] == [("minimax", 2)]
    rest = first.headers["Link"].partition("<")[2].partition(">")[0]
    last = site.client.get(rest.partition(local.config.base_url)[2], headers=headers)
    assert last.json
    assert [one["match"] for one in last.json["deals"]] == [matches[0]]
    assert "Link" not in last.headers
