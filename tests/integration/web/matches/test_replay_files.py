"""A finished match as a file from its page, and the file that opens any record."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pbem.config import DEFAULT_RATE_LIMITS
from pbem.play.lifecycle import acceptance
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.play.matches.share_keys import shared_key
from pbem.records.page import content_security_policy
from pbem.web.matches import replay_files
from tests.support.creating import create_match
from tests.support.house import NAMES, address
from tests.support.records.page.files import record_in
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Visitor


def over(house: House, *, public: bool = True) -> str:
    guests = [Invitee(name, address(name)) for name in NAMES[:3]]
    with house.transaction() as ctx:
        match_id = create_match(ctx, "middle-card", {}, guests, public=public).id
        match = lock_match(ctx, match_id)
        for holder in holders(ctx, match):
            acceptance.accept(ctx, match, holder, "")
    house.mails("Bob")
    house.reply(house.every_mail[-1], "resign yes")
    return match_id


def test_a_finished_match_is_a_file_to_keep(local: House, site: Visitor) -> None:
    match_id = over(local)
    answer = site.client.get(f"/matches/{match_id}/replay.html")
    assert answer.status_code == 200
    assert record_in(answer.text)["match"] == match_id
    assert answer.headers["Content-Disposition"] == f'attachment; filename="middle-card-{match_id}.html"'
    assert answer.headers["Content-Security-Policy"] == content_security_policy(answer.text)
    for place in (f"/matches/{match_id}", f"/matches/{match_id}/replay"):
        assert f'href="/matches/{match_id}/replay.html"' in site.open(place).html


def test_a_private_match_needs_its_key(local: House, site: Visitor) -> None:
    match_id = over(local, public=False)
    assert site.open(f"/matches/{match_id}/replay.html").status == 404
    key = shared_key(local.match(match_id))
    assert site.client.get(f"/matches/{match_id}/replay.html?key={key}").status_code == 200
    assert f"/matches/{match_id}/replay.html?key={key}" in site.open(f"/matches/{match_id}?key={key}").html


@pytest.mark.parametrize("game", ["middle-card"])
def test_a_match_that_runs_or_is_unknown_has_no_file(local: House, site: Visitor, game: str) -> None:
    match_id = local.start_match(game, 3)
    page = site.open(f"/matches/{match_id}/replay.html")
    assert page.status == 404
    assert "The record is available when the match is over" in page.shown
    assert "replay.html" not in site.open(f"/matches/{match_id}").html
    assert site.open("/matches/none/replay.html").status == 404


def test_a_network_asks_for_so_many_files_an_hour(local: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_files, "MAX_FILES_PER_HOUR", 1)
    match_id = over(local)
    limited = visitor(replace(local, config=replace(local.config, limits=DEFAULT_RATE_LIMITS)))
    answers = [limited.client.get(f"/matches/{match_id}/replay.html") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 429]


def test_the_viewer_is_a_file_too(site: Visitor) -> None:
    answer = site.client.get("/viewer.html")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="viewer.html"'
    assert "Open a record" in answer.text
