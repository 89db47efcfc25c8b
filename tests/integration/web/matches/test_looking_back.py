"""Looking back under a replay: asked for by those who sat there, seen by all who may see the replay."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import update

from pbem import robots
from pbem.boards.value_chart import MAX_COLUMNS
from pbem.db.models import Analysis, Match, SeatHolder
from pbem.games import Seat
from pbem.play.analysis import requests
from pbem.play.analysis.requests import MAX_PER_DAY
from pbem.play.lifecycle import endings
from pbem.play.matches import share_keys
from pbem.play.matches.match_state import load_match, lock_match, play_move
from pbem.play.matches.seats import holders
from pbem.play.offers import takebacks
from pbem.robots.analyses import LOOKING_BACK
from tests.support.play.analysis.facts import facts, facts_in_points, turning_point
from tests.support.play.analysis.looking_back import editions, finish, looked_back, progress, robot_looks_back
from tests.support.play.core.rate_limits import counting
from tests.support.rematching import signed_in
from tests.support.web.matches.replay import finished, play

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Page, Visitor

__all__ = ["counting", "robot_looks_back"]

pytestmark = pytest.mark.usefixtures("robot_looks_back")

ASK = "Look back"


def replay(visitor: Visitor, match_id: str, more: str = "") -> Page:
    return visitor.open(f"/matches/{match_id}/replay{more}")


def buttons(page: Page) -> list[str]:
    return [form.button for form in page.forms]


def waits(page: Page) -> bool:
    return page.url.endswith("/replay/look-back")


# -- asking --------------------------------------------------------------------------------------------


def test_a_player_asks_and_watches_how_far_it_has_got(local: House) -> None:
    match_id = finished(local)
    ann = signed_in(local, "Ann")
    page = replay(ann, match_id).press(ASK)
    assert waits(page)
    assert "It begins soon." in page.words
    assert "reload.js" in page.html
    progress(local, match_id, 12, 40)
    assert "12 of 40 steps" in ann.open(page.url).words
    below = replay(ann, match_id)
    assert "12 of 40 steps" in below.words
    assert ASK not in buttons(below)
    assert waits(below.follow("Watch it"))
    finish(local, match_id, facts())
    assert "Luck and play" in ann.open(page.url).words


def test_a_seat_asks_by_its_link(site: Visitor, local: House) -> None:
    finished(local)
    page = site.open(f"/m/{local.last('Ann').token}").follow(ASK).press(ASK)
    assert waits(page)
    assert "/m/" in page.follow("Back to the replay").url


def test_a_player_who_was_replaced_asks_and_a_stranger_does_not(site: Visitor, local: House) -> None:
    match_id = finished(local)
    with local.transaction() as ctx:
        leaving = update(SeatHolder).where(SeatHolder.match_id == match_id, SeatHolder.seat == 2)
        ctx.session.execute(leaving.values(left_at=ctx.now))
    for visitor in (site, signed_in(local, "Cyd")):
        assert "Looking back" not in replay(visitor, match_id).words
        answer = visitor.client.post(f"/matches/{match_id}/replay/look-back", data={})
        assert answer.status_code == 303
    assert editions(local, match_id) == []
    bob = signed_in(local, "Bob")
    assert waits(replay(bob, match_id).press(ASK))
    assert "A robot will look back at this match soon." in replay(site, match_id).words
    finish(local, match_id, facts())
    assert "You began with" not in replay(bob, match_id).words


def test_an_old_form_asks_for_nothing(local: House) -> None:
    match_id = finished(local)
    page = replay(signed_in(local, "Ann"), match_id)
    form = page.form(ASK)
    refused = page.visitor.send(form, {**form.fields, "nonce": "x"})
    assert refused.status == 400
    assert editions(local, match_id) == []
    assert refused.follow("Back to the replay").status == 200


def test_a_limit_says_when_to_ask_again(local: House, counting: House) -> None:
    house = replace(local, config=replace(counting.config, limits={}, base_url=local.config.base_url))
    first, *others = [finished(local) for _ in range(MAX_PER_DAY[LOOKING_BACK] + 1)]
    for match_id in others:
        with house.transaction() as ctx:
            match = ctx.session.get_one(Match, match_id)
            requests.ask(ctx, match, LOOKING_BACK, holders(ctx, match)[0].player_id)
    refused = replay(signed_in(house, "Ann"), first).press(ASK)
    assert refused.status == 429
    assert "From " in refused.words
    assert "on you can ask again." in refused.words


def test_what_has_no_moves_is_not_looked_back_at(local: House) -> None:
    match_id = finished(local, moves=0)
    ann = signed_in(local, "Ann")
    assert "Looking back" not in replay(ann, match_id).words
    other = finished(local)
    form = replay(ann, other).form(ASK)
    with local.transaction() as ctx:
        ctx.session.execute(update(Match).where(Match.id == other).values(edition=77))
    assert ann.send(form, form.fields).status == 422


def test_failing_says_so_and_may_be_tried_again(local: House) -> None:
    match_id = finished(local)
    ann = signed_in(local, "Ann")
    replay(ann, match_id).press(ASK)
    finish(local, match_id, None)
    page = replay(ann, match_id)
    assert "The robot could not look back at this match." in page.words
    assert waits(page.press("Try again"))
    assert "12 of 40" not in replay(ann, match_id).words


def test_a_newer_robot_looks_back_anew_while_what_was_found_stands(
    local: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = finished(local)
    looked_back(local, match_id)
    ann = signed_in(local, "Ann")
    assert buttons(replay(ann, match_id)).count("Look back anew with the newer robot") == 0
    monkeypatch.setattr(robots, "edition", lambda _game: 77)
    assert waits(replay(ann, match_id).press("Look back anew with the newer robot"))
    assert editions(local, match_id)[-1] == 77
    page = replay(ann, match_id)
    assert "Luck and play" in page.words
    assert "A robot will look back at this match soon." in page.words


# -- what is shown -------------------------------------------------------------------------------------


def test_everybody_who_sees_the_replay_sees_what_was_found(site: Visitor, local: House) -> None:
    match_id = finished(local)
    looked_back(local, match_id)
    page = replay(site, match_id)
    assert "Ann began with 50 of 100." in page.words
    assert "Move 2: 7♥" in page.words
    assert ASK not in buttons(page)
    own = replay(signed_in(local, "Bob"), match_id).words
    assert own.index("You began with") < own.index("Ann began with")
    assert own.index("No move lost more than chance could explain.") < own.index("Move 2: 7♥")


def test_each_move_of_the_chart_links_to_its_step(site: Visitor, local: House) -> None:
    match_id = finished(local)
    looked_back(local, match_id)
    page = replay(site, match_id)
    for move in range(5):
        assert f'<a href="/matches/{match_id}/replay?step={move}#replay" tabindex="-1">' in page.html
    told = re.search(r'<li><a href="([^"]*)">Move 3: Ann 87.5, Bob 12.5<', page.html)
    assert told
    assert "Step 3 of 5" in site.open(told[1]).words
    assert "/fork?step=1" in page.links["Play on from here"]


def test_plies_that_were_taken_back_do_not_move_the_links(site: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2, {"sets": 2})
    play(local, match_id, 2)
    with local.transaction() as ctx:
        takebacks.apply(ctx, lock_match(ctx, match_id), 2, "table")
    with local.transaction() as ctx:
        match = lock_match(ctx, match_id)
        course = load_match(ctx, match)
        # The takeback is a ply too: this is the fourth.
        course = play_move(ctx, course, Seat(2), next(course.game.moves(course.position, Seat(2))), ctx.now)
        endings.resign(ctx, course, holders(ctx, match)[0])
    played = facts(2)
    played["chart"][2]["ply"] = 4
    looked_back(local, match_id, played | {"turning_points": [turning_point(4, 2)]})
    page = replay(site, match_id)
    assert 'step=4#replay" tabindex="-1"><title>Move 4: Ann 100, Bob 0<' in page.html
    assert "/fork?step=3" in page.links["Play on from here"]


def test_a_long_match_is_a_small_page_with_its_chart(site: Visitor, local: House) -> None:
    match_id = finished(local)
    before = len(replay(site, match_id).html)
    looked_back(local, match_id, facts(300))
    page = re.sub(r"<svg.*?</svg>", "", replay(site, match_id).html, flags=re.DOTALL)
    assert len(re.findall(r"<li><a [^>]*>(?:Move|The deal)", page)) == MAX_COLUMNS
    assert len(page) < before + 15_000


def test_points_are_shown_as_points(site: Visitor, local: House) -> None:
    match_id = finished(local)
    looked_back(local, match_id, facts(turning_points=[]))
    page = replay(site, match_id)
    assert page.words.count("No move lost more than chance could explain.") == 1
    assert "Ask me first" not in page.links
    alone = local.start_match("minimax", 1)
    with local.transaction() as ctx:
        match = ctx.session.get_one(Match, alone)
        endings.resign(ctx, load_match(ctx, match), holders(ctx, match)[0])
    looked_back(local, alone, facts_in_points())
    words = replay(site, alone).words
    assert "kept 8 points" in words
    assert "measured against the best line that the robot finds." in words


# -- asking first --------------------------------------------------------------------------------------


def test_a_turning_point_is_asked_about_before_it_is_answered(site: Visitor, local: House) -> None:
    match_id = finished(local)
    looked_back(local, match_id)
    asked = replay(site, match_id).follow("Ask me first")
    assert "Turning point 1 of 1" in asked.words
    assert "What would you play in that seat?" in asked.words
    assert "78" not in asked.words
    offered = [link for link, url in asked.links.items() if "choice=" in url]
    assert offered == ["7♥\ufe0e", "J♠\ufe0e", "Q♦\ufe0e"]
    chosen = asked.follow("Q♦\ufe0e")
    assert "Q♦\ufe0e: 70 of 100 · your choice" in chosen.words
    assert "J♠\ufe0e: 78 of 100 · the best for what could be known" in chosen.words
    assert "7♥\ufe0e: 62 of 100 · played in the match" in chosen.words
    assert "/fork?step=1" in chosen.links["Play on from here"]
    assert editions(local, match_id) == [1]


def test_own_turning_points_are_asked_about_first(local: House) -> None:
    match_id = finished(local)
    looked_back(local, match_id, facts(turning_points=[turning_point(1, 1), turning_point(2, 2)]))
    asked = replay(signed_in(local, "Bob"), match_id).follow("Ask me first")
    assert "Move 2 was yours. What would you play now?" in asked.words
    following = asked.follow("J♠\ufe0e").follow("Next turning point")
    assert "Move 1 was that of Ann." in following.words
    assert following.follow("Back to the replay").status == 200


def test_moves_that_were_no_turning_points_are_not_asked_about(site: Visitor, local: House) -> None:
    match_id = finished(local)
    assert site.open(f"/matches/{match_id}/replay/look-back/2").status == 404
    looked_back(local, match_id)
    assert site.open(f"/matches/{match_id}/replay/look-back/3").status == 404
    token = local.last("Bob").token
    assert site.open(f"/m/{token}/replay/look-back/2").status == 200
    assert "Luck and play" in site.open(f"/m/{token}/replay/look-back").words


# -- secrecy -------------------------------------------------------------------------------------------


def test_nobody_looks_back_at_a_match_that_runs(site: Visitor, local: House) -> None:
    match_id = local.start_match("montauk", 2, {"rounds": 1})
    play(local, match_id, 2)
    # A row that should not be there shows nothing.
    looked_back(local, match_id)
    token = local.last("Ann").token
    ann = signed_in(local, "Ann")
    for visitor, place in ((ann, f"/matches/{match_id}"), (site, f"/m/{token}")):
        page = visitor.open(f"{place}/replay")
        assert "Looking back" not in page.words
        assert ASK not in buttons(page)
        assert visitor.open(f"{place}/replay/look-back/2").status == 404
        assert "Luck and play" not in visitor.open(f"{place}/replay/look-back").words
        visitor.client.post(f"{place}/replay/look-back", data={})
    with local.transaction() as ctx:
        assert ctx.session.query(Analysis).count() == 1


def test_a_private_match_is_looked_back_at_with_its_key(site: Visitor, local: House) -> None:
    match_id = finished(local)
    looked_back(local, match_id)
    with local.transaction() as ctx:
        ctx.session.execute(update(Match).where(Match.id == match_id).values(public=False))
    for end in ("", "/look-back", "/look-back/2"):
        assert site.open(f"/matches/{match_id}/replay{end}").status == 404
    key = share_keys.shared_key(local.match(match_id))
    page = replay(site, match_id, f"?key={key}")
    assert f"key={key}" in page.links["Play on from here"]
    assert page.follow("Ask me first").follow("J♠\ufe0e").follow("Back to the replay").status == 200
    with local.transaction() as ctx:
        ctx.session.query(Analysis).delete()
    own = replay(signed_in(local, "Ann"), match_id, f"?key={key}").press(ASK)
    assert own.status == 200
    assert "It begins soon." in own.words
