"""A browser that has acted for a seat holds it: its old links lead on, until the links are renewed or it signs out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import update

from pbem.db.models import Match, SeatHolder
from pbem.play.accounts.dashboard import link_token
from pbem.web.request import held_seats
from tests.support.snapshots import COUNTED, snapshot
from tests.support.web.account.sign_in import sign_in
from tests.support.web.seat.turn import log, present, turn
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from werkzeug.test import Cookie

    from tests.support.house import House
    from tests.support.pages import Visitor

COOKIE, HOST = "pbem-seats", "127.0.0.1"


def cookie_of(returning: Visitor) -> Cookie | None:
    return returning.client.get_cookie(COOKIE, domain=HOST)


def played_both(returning: Visitor, local: House) -> str:
    """Play a move by Ann in a browser and one by Bob elsewhere; return Ann’s link, which is an earlier one now."""
    local.start_match("martian-whist", 2)
    old = turn(returning, local)
    old.follow("take 7").press("Play this move")
    turn(visitor(local), local, "Bob").follow("take 8").press("Play this move")
    return old.url


def test_an_old_link_leads_to_the_turn_where_it_was_played(returning: Visitor, local: House) -> None:
    old = played_both(returning, local)
    page = returning.open(old)
    assert "Your turn in Martian Whist" in page.words
    page.press("Preview", move="take 1").press("Play this move")
    assert "It is Bob’s turn" in returning.open(old).words


def test_an_old_link_leads_nobody_else_on(returning: Visitor, local: House) -> None:
    old = played_both(returning, local)
    for other in (visitor(local), visitor(local, keeps=True)):
        page = other.open(old)
        assert "This turn has been played" in page.words
        assert page.html.count("/m/") == page.html.count(old)


def test_opening_links_sets_no_cookie(returning: Visitor, local: House) -> None:
    local.start_match("martian-whist", 2)
    page = turn(returning, local)
    for path in ("", "?move=take+1", "?sent=x", "/agreements", "/talk", "/plan", "/resign"):
        returning.open(page.url + path)
    page.follow("take 7").press("Play this move", nonce="x")
    assert cookie_of(returning) is None


@pytest.mark.parametrize(
    ("path", "button", "typed"),
    [
        ("/agreements", "Offer a draw", {}),
        ("/talk", "Send", {"words": "Hello"}),
        ("/plan", "Save plan", {"plan": "when I can: take 9"}),
        ("/resign", "Yes, resign", {}),
    ],
)
def test_an_act_for_a_seat_lets_the_browser_hold_it(
    returning: Visitor, local: House, path: str, button: str, typed: dict[str, str]
) -> None:
    local.start_match("martian-whist", 2)
    page = returning.open(turn(returning, local).url + path)
    page.press(button, **typed)
    assert cookie_of(returning) is not None


def test_the_cookie_is_hidden_from_scripts_and_other_sites_and_changed_by_nobody(
    returning: Visitor, local: House
) -> None:
    old = played_both(returning, local)
    cookie = cookie_of(returning)
    assert cookie is not None
    assert cookie.http_only
    assert cookie.same_site == "Lax"
    assert cookie.max_age == held_seats.VALID_DAYS * 24 * 3600
    # The last letter of a signature has bits that mean nothing.
    changed = cookie.value[:-9] + ("A" if cookie.value[-9] != "A" else "B") + cookie.value[-8:]
    returning.client.set_cookie(COOKIE, changed, domain=HOST)
    assert "This turn has been played" in returning.open(old).words


def test_no_other_site_acts_by_it(returning: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    old = turn(returning, local)
    old.press("Preview", move="take 7").press("Play this move")
    present(visitor(local), local, match_id, "Bob").press("Preview", move="take 8").press("Play this move")
    form = returning.open(old.url).press("Preview", move="take 1").form("Play this move")
    elsewhere = {"Sec-Fetch-Site": "cross-site"}
    assert returning.client.post(form.action, data=form.fields, headers=elsewhere).status_code == 400
    assert log(local, match_id) == ["take 7", "take 8"]


def test_renewed_links_end_it(returning: Visitor, local: House) -> None:
    old = played_both(returning, local)
    with local.transaction() as ctx:
        ctx.session.execute(update(SeatHolder).values(generation=SeatHolder.generation + 1))
        holder = ctx.session.get_one(SeatHolder, 1)
        token = link_token(ctx, ctx.session.get_one(Match, holder.match_id), holder)
    assert returning.open(old).status == 404
    with local.transaction() as ctx:
        ctx.session.execute(update(Match).values(ply=Match.ply + 2, next_ply=Match.next_ply + 2))
    assert "This turn has been played" in returning.open(f"/m/{token}").words


def test_it_ends_after_thirty_days(returning: Visitor, local: House) -> None:
    played_both(returning, local)
    cookie = cookie_of(returning)
    assert cookie is not None
    with local.transaction() as ctx:
        holder = ctx.session.get_one(SeatHolder, 1)
        for days, held in ((0, True), (held_seats.VALID_DAYS - 1, True), (held_seats.VALID_DAYS + 1, False)):
            with returning.client.application.test_request_context(headers={"Cookie": f"{COOKIE}={cookie.value}"}):
                assert held_seats.contains(holder, ctx.now + timedelta(days=days)) is held


def test_the_seat_acted_for_longest_ago_makes_room(local: House) -> None:
    app, now, kept = visitor(local).client.application, datetime.now(UTC), ""
    holders = [SeatHolder(id=number, generation=1) for number in range(held_seats.MAX_SEATS + 1)]
    for one in holders:
        with app.test_request_context(headers={"Cookie": f"{COOKIE}={kept}"}):
            held_seats.add(one, now)
            kept = app.process_response(app.make_response("done")).headers["Set-Cookie"].partition("=")[2]
    with app.test_request_context(headers={"Cookie": f"{COOKIE}={kept}"}):
        assert [held_seats.contains(one, now) for one in holders] == [False, *[True] * held_seats.MAX_SEATS]


def test_signing_in_or_out_ends_it(returning: Visitor, local: House) -> None:
    old = played_both(returning, local)
    sign_in(local, returning, "Bob")
    assert "This turn has been played" in returning.open(old).words
    assert cookie_of(returning) is None


def test_a_player_who_is_signed_in_needs_none(returning: Visitor, local: House) -> None:
    local.start_match("martian-whist", 2)
    page = turn(returning, local)
    sign_in(local, returning, "Ann")
    returning.open(page.url).press("Preview", move="take 7").press("Play this move")
    assert cookie_of(returning) is None


def test_a_form_sent_again_by_who_holds_the_seat_plays_once_and_shows_the_turn(
    returning: Visitor, local: House
) -> None:
    match_id = local.start_match("minimax", 1)
    preview = turn(returning, local).follow("Preview")
    for _ in range(3):
        page = preview.press("Play this move")
        assert "Your turn in Minimax" in page.words
        assert "came too late" not in page.words
    assert len(log(local, match_id)) == 1


def test_another_move_in_a_second_tab_has_come_too_late_and_the_turn_is_there(returning: Visitor, local: House) -> None:
    match_id = local.start_match("minimax", 1)
    moves = local.legal(match_id, 1)
    page = turn(returning, local)
    first, second = (page.press("Preview", move=move) for move in moves[:2])
    first.press("Play this move")
    page = second.press("Play this move")
    assert "Your turn in Minimax" in page.words
    assert f"your move {moves[1]} came too late and was not played" in page.words
    assert log(local, match_id) == [moves[0]]


def test_looking_as_who_holds_a_seat_changes_nothing(returning: Visitor, local: House) -> None:
    old = played_both(returning, local)
    before = snapshot(local, COUNTED)
    for path in ("", "?follow=1", "?reload=1", "/live", "/agreements", "/talk", "/plan", "/why"):
        assert returning.open(old + path).status == 200
    assert snapshot(local, COUNTED) == before
