"""The form of a new match: its seats, its terms, and who may make how many."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import unquote

from sqlalchemy import select

from pbem.config import DEFAULT_RATE_LIMITS
from pbem.db.models import Match, OutboxMessage, Player, SeatHolder
from pbem.play.accounts import login_sessions
from pbem.play.lobby import request_parser
from pbem.play.players import registry
from tests.support.web.lobby.new_match import matches, shut
from tests.support.web.site import visitor

if TYPE_CHECKING:
    import pytest

    from tests.support.house import House
    from tests.support.pages import Visitor

OPEN_SEAT = {"sits-2": "open", "name-2": "", "email-2": ""}


def signed_in(house: House, name: str = "Ann", *, verified: bool = True) -> Visitor:
    """Somebody who is signed in, at the pages of a house."""
    browser = visitor(house, keeps=True)
    with house.transaction() as ctx:
        email = f"{name.lower()}@example.org"
        player = registry.get_or_create(ctx, {email: name})[email]
        if verified:
            registry.mark_verified(ctx, email)
        browser.client.set_cookie("pbem", login_sessions.start(ctx, player, "a browser"), domain="127.0.0.1")
    return browser


def only(house: House) -> Match:
    match: Match = house.all(select(Match))[0]
    assert matches(house) == 1
    return match


def test_the_short_form_is_offered_first_with_turns_and_weeks(site: Visitor, local: House) -> None:
    page = site.open("/new/montauk")
    assert page.form("Start the match").fields["option-rounds"] == "3"
    answers = (">1 – about", ">2 – about", ">3 – about", ">11 – about", ">12, the full match – about")
    assert sorted(answers, key=page.html.index) == [*answers]
    assert "This takes about 30 turns each, about 3 weeks." in page.words
    assert "Details: three days a move · public" in page.words
    page.press("Start the match")
    match = only(local)
    assert (match.options["rounds"], match.time_control, match.rated, match.public) == (3, "3 days", True, True)


def test_how_long_it_takes_is_reckoned_anew_and_all_that_was_typed_stays(site: Visitor, local: House) -> None:
    typed = {"option-rounds": "0", "clock": "1 day", "watched": "private", "sits-2": "open", "words": "Hi, <you>"}
    page = site.open("/new/montauk").press("Start the match", reckon="1", **typed, **{"name-1": "Zoe"})
    assert page.status == 200
    assert "This takes about 115 turns each, about 4 weeks." in page.words
    assert "Details: a day a move · private" in page.words
    kept = page.form("Start the match").fields
    assert {name: kept[name] for name in typed} == typed
    assert kept["name-1"] == "Zoe"
    assert matches(local) == 0


def test_a_seat_may_be_open_to_anybody(site: Visitor, local: House) -> None:
    typed = {**OPEN_SEAT, "clock": "7 days", "words": "Come\nin", "watched": "public"}
    page = site.open("/new/martian-whist").press("Start the match", **typed)
    match = only(local)
    assert (match.open_seats, match.time_control, match.invitation_text, match.public) == (1, "7 days", "Come in", True)
    assert "as soon as all seats are taken" in page.words
    assert f"/join/{match.id}-" in page.html
    assert "The table is in the lobby." in page.words


def test_of_a_private_table_only_who_made_it_is_told(site: Visitor, local: House) -> None:
    typed = {**OPEN_SEAT, "watched": "private"}
    page = site.open("/new/martian-whist").press("Start the match", **typed)
    match = only(local)
    assert (match.public, match.rated) == (False, False)
    assert "The table is not listed." in page.words
    assert site.open(f"/made/{match.id}").status == 404
    assert site.open(f"/made/{match.id}?own=else").status == 404


def test_a_public_match_may_be_left_unrated(site: Visitor, local: House) -> None:
    page = site.open("/new/martian-whist")
    assert "three days a move · public, rated" in page.words
    page.press("Start the match", **OPEN_SEAT, watched="friendly")
    assert (only(local).public, only(local).rated) == (True, False)


def test_only_who_made_a_match_sees_where_its_players_are_mailed(site: Visitor, local: House) -> None:
    typed = {"name-2": "Zed", "email-2": "zed@example.org", "watched": "public"}
    own = site.open("/new/martian-whist").press("Start the match", **typed)
    match = only(local)
    assert "zed@example.org" in unquote(own.html)
    for link in (f"/made/{match.id}", f"/made/{match.id}?own=else", own.url.replace("own=", "own=x")):
        page = site.open(link)
        assert page.url == f"/matches/{match.id}"
        assert "example.org" not in unquote(page.html)


def test_who_made_a_match_and_is_signed_in_is_told_again(site: Visitor, local: House) -> None:
    browser = signed_in(local)
    browser.open("/new/martian-whist").press("Start the match", **{"name-2": "Zed", "email-2": "zed@example.org"})
    page = browser.open(f"/made/{only(local).id}")
    assert "Invitations sent" in page.words
    assert "zed@example.org" in unquote(page.html)
    assert "zed@example.org" not in unquote(site.open(f"/made/{only(local).id}").html)


def test_a_seat_is_for_somebody_or_for_anybody(site: Visitor) -> None:
    page = site.open("/new/martian-whist").press("Start the match", **{"name-2": "", "email-2": ""})
    assert page.status == 422
    assert "Enter their mail address, or leave the seat open to anybody." in page.words
    assert 'id="wrong-2"' in page.html


def test_whoever_is_named_at_an_open_seat_is_not_written_to(site: Visitor, local: House) -> None:
    site.open("/new/martian-whist").press("Start the match", **{"sits-2": "open", "email-2": "zed@example.org"})
    assert only(local).open_seats == 1
    assert {notice.recipient for notice in local.all(select(OutboxMessage))} == {"you@example.org"}


def test_a_guest_without_a_name_is_called_by_their_address(site: Visitor, local: House) -> None:
    site.open("/new/martian-whist").press(
        "Start the match", **{"name-1": "Bob", "name-2": "", "email-2": "bob@example.org"}
    )
    assert [holder.name for holder in local.all(select(SeatHolder).order_by(SeatHolder.seat))] == ["Bob", "Bob 2"]


def test_two_addresses_are_enough(site: Visitor, local: House) -> None:
    page = site.open("/new/martian-whist")
    assert page.html.index('name="email-1"') < page.html.index('name="email-2"') < page.html.index("<details")
    assert page.html.index("<details") < page.html.index('name="name-1"')
    page.press("Start the match", **{"name-1": "", "name-2": "", "email-1": "ann.lee@x.org", "email-2": "bob@x.org"})
    assert [holder.name for holder in local.all(select(SeatHolder).order_by(SeatHolder.seat))] == ["Ann", "Bob"]


def test_details_are_folded_until_one_of_them_is_wrong_or_a_further_seat_is_taken(site: Visitor) -> None:
    page = site.open("/new/martian-trickery")
    assert "<details>" in page.html
    wrong = page.press("Start the match", **{"option-prizes": "1", "option-out": "2"})
    assert "<details open>" in wrong.html
    more = page.press("Start the match", reckon="1", **{"sits-4": "robot"})
    assert "<details open>" in more.html


def test_a_seat_that_need_not_be_taken_is_nobody_s_until_somebody_is_named(site: Visitor, local: House) -> None:
    page = site.open("/new/martian-trickery")
    assert page.form("Start the match").fields["sits-4"] == "nobody"
    page.press("Start the match", **{"name-4": "Zed", "email-4": "zed@example.org"})
    assert len(local.match_seats(only(local).id)) == 4


def test_what_no_form_of_ours_sends_is_as_if_it_were_not_there(site: Visitor, local: House) -> None:
    site.open("/new/martian-whist").press(
        "Start the match", clock="1 hour", watched="all", **{"sits-2": "x", "sits-1": "open"}
    )
    match = only(local)
    assert (match.time_control, match.rated, match.open_seats) == ("3 days", True, 0)


def test_who_is_signed_in_is_not_asked_who_they_are(local: House, judged: None) -> None:  # noqa: ARG001
    ann = signed_in(shut(local))
    form = ann.open("/new/martian-whist")
    assert "You play as Ann." in form.words
    assert "name-1" not in form.form("Start the match").fields
    page = form.press("Start the match", **{"name-2": "Bob", "email-2": "bob@example.org"})
    assert "begins as soon as Bob has accepted" in page.words
    match = only(local)
    assert [seat.accepted_at is not None for seat in local.match_seats(match.id)] == [True, False]
    assert {notice.recipient for notice in local.all(select(OutboxMessage))} == {"ann@example.org", "bob@example.org"}
    assert local.all(select(Player.name).where(Player.id == match.host_id)) == ["Ann"]


def test_who_is_signed_in_begins_a_solo_match_at_once(local: House, judged: None) -> None:  # noqa: ARG001
    page = signed_in(shut(local)).open("/new/minimax").press("Begin", watched="private")
    assert page.url.startswith("/m/")
    assert (only(local).state, only(local).public) == ("running", False)


def test_a_host_sees_their_private_table_again(local: House) -> None:
    ann = signed_in(local)
    ann.open("/new/martian-whist").press("Start the match", **OPEN_SEAT, watched="private")
    assert "The table is not listed." in ann.open(f"/made/{only(local).id}").words
    assert signed_in(local, "Bob").open(f"/made/{only(local).id}").status == 404


def test_an_address_that_nobody_has_shown_to_be_theirs_makes_no_match(local: House) -> None:
    page = signed_in(local, verified=False).open("/new/minimax").press("Begin")
    assert page.status == 422
    assert "Sign in by mail first" in page.words


def test_so_many_matches_are_made_in_a_day(local: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_parser, "MAX_MATCHES_PER_DAY", 1)
    ann = signed_in(local)
    for _ in range(2):
        page = ann.open("/new/martian-whist").press("Start the match", **OPEN_SEAT)
    assert page.status == 422
    assert "You created 1 matches today. Try again tomorrow." in page.words
    assert matches(local) == 1


def test_one_network_makes_thirty_matches_an_hour_and_nothing_is_made_or_mailed_above_that(
    local: House,
    judged: None,  # noqa: ARG001
) -> None:
    limited = replace(local, config=replace(local.config, limits=DEFAULT_RATE_LIMITS))
    page = visitor(limited).open("/new/minimax")
    statuses = [
        page.press("Begin", **{"name-1": "Ann", "email-1": f"ann{number}@example.org"}).status for number in range(32)
    ]
    assert statuses == [200] * 30 + [429] * 2
    assert matches(local) == 30
