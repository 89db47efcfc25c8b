"""The pages of par: asked for by those who sat there, and seen by everybody who may see the replay."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sqlalchemy import update

from pbem.config import DEFAULT_RATE_LIMITS
from pbem.db.models import Analysis
from pbem.play.analysis import requests
from pbem.play.matches import share_keys
from pbem.robots.analyses import PAR
from tests.support.play.analysis.asking import analyses, ask, finished, make_all, player
from tests.support.rematching import signed_in
from tests.support.web.site import visitor

if TYPE_CHECKING:
    import pytest

    from tests.support.house import House
    from tests.support.pages import Visitor

QUESTION = "How would the robot have done?"


def test_by_the_link_of_a_seat_one_asks_waits_and_reads(site: Visitor, local: House) -> None:
    match_id = finished(local)
    page = site.open(f"/m/{local.last('Ann').token}").press(QUESTION)
    assert "The robot is playing with the same cards." in page.words
    assert "<progress" in page.html
    assert "http-equiv" in page.html
    make_all(local)
    page = site.open(page.url)
    assert "The strong robot, with the same deal, made " in page.words
    assert "; you made " in page.words
    assert "http-equiv" not in page.html
    page = page.follow("Back to the match")
    assert "The strong robot, with the same deal, made " in page.words
    assert page.follow("How the robot did").url.endswith("/par")
    assert [one.match_id for one in analyses(local)] == [match_id]


def test_a_signed_in_player_asks_on_the_page_of_the_match(local: House) -> None:
    match_id = finished(local, "middle-card", 3)
    bob = signed_in(local, "Bob")
    page = bob.open(f"/matches/{match_id}").press(QUESTION)
    assert "The robot is playing" in page.words
    assert "The robot is playing" in bob.open(f"/matches/{match_id}").follow(QUESTION).words
    make_all(local)
    page = bob.open(f"/matches/{match_id}/par")
    assert page.words.index("The fair robot in your seat, with the same cards, made ") < page.words.index(
        "The fair robot in the seat of Ann, with the same cards, made "
    )
    assert "Fair robots played the seats of people." in page.words


def test_everybody_sees_what_came_of_it_and_only_players_ask(site: Visitor, local: House) -> None:
    match_id = finished(local, "middle-card", 3)
    assert QUESTION not in site.open(f"/matches/{match_id}").words
    page = site.open(f"/matches/{match_id}/replay").follow(QUESTION)
    assert "The players of this match can ask for it." in page.words
    ask(local, match_id, player(local, match_id))
    make_all(local)
    page = site.open(f"/matches/{match_id}/replay").follow(QUESTION)
    assert "in the seat of Cyd" in page.words
    assert "your seat" not in page.words


def test_a_private_match_opens_by_its_key_alone(site: Visitor, local: House) -> None:
    match_id = finished(local, public=False)
    key = share_keys.shared_key(local.match(match_id))
    assert site.open(f"/matches/{match_id}/par").status == 404
    assert QUESTION in site.open(f"/matches/{match_id}/par?key={key}").words


def test_what_cannot_be_done_is_said(site: Visitor, local: House) -> None:
    running = local.start_match("middle-card", 3)
    assert "This one still runs." in site.open(f"/matches/{running}/par").words
    match_id = finished(local)
    ask(local, match_id, player(local, match_id))
    with local.transaction() as ctx:
        ctx.session.execute(update(Analysis).values(done_at=ctx.now))
    assert "The robot could not finish" in site.open(f"/matches/{match_id}/par").words


def test_a_limit_is_said_with_its_end(local: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(requests.MAX_PER_DAY, PAR, 0)
    finished(local)
    there = visitor(replace(local, config=replace(local.config, limits=DEFAULT_RATE_LIMITS)))
    page = there.open(f"/m/{local.last('Ann').token}").press(QUESTION)
    assert page.status == 429
    assert "You have asked the robot often today." in page.words
    assert "You can ask again" in page.words


def test_nobody_asks_by_an_old_form_or_without_a_seat(site: Visitor, local: House) -> None:
    match_id = finished(local)
    token = local.last("Ann").token
    assert site.client.post(f"/m/{token}/par", data={"nonce": "x"}).status_code == 400
    form = site.open(f"/m/{token}").form(QUESTION)
    assert site.client.post(f"/matches/{match_id}/par", data=form.fields).status_code == 422
    assert analyses(local) == []
