"""Renewing the links of all of one's seats: earlier ones act no more, and unfinished matches are mailed again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.config import DEFAULT_RATE_LIMITS
from pbem.db.models import SeatHolder
from pbem.web.account.settings import MAX_RENEWALS_PER_DAY
from tests.support.house import address, reply
from tests.support.web.account.settings import signed_in
from tests.support.web.seat.turn import log, turn
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House, Mail
    from tests.support.pages import Page, Visitor

RENEW = "Renew my links"


@pytest.fixture
def ann(local: House) -> Visitor:
    return signed_in(local)


def renew(ann: Visitor) -> Page:
    return ann.open("/me").press(RENEW)


def acts(house: House, mail: Mail) -> tuple[int, int]:
    """Return how the link of a mail and its reply address are answered."""
    answer = house.send(reply(mail, "board").as_bytes(), mail.reply_to, address("Ann"))
    return visitor(house).open(f"/m/{mail.token}").status, answer.code


def test_links_and_reply_addresses_of_all_earlier_mails_are_unknown(local: House, ann: Visitor) -> None:
    local.start_match("martian-whist", 2)
    running = local.last("Ann")
    local.make("martian-whist", 2)
    waiting = local.last("Ann")
    local.start_match("minimax", 1)
    local.reply(local.last("Ann"), "resign yes")
    over = local.last("Ann")
    assert [acts(local, mail) for mail in (running, waiting, over)] == [(200, 250)] * 3
    assert "Your old links no longer work." in renew(ann).words
    assert [acts(local, mail) for mail in (running, waiting, over)] == [(404, 550)] * 3


def test_each_unfinished_match_is_mailed_again_with_what_acts(local: House, ann: Visitor) -> None:
    match_id = local.start_match("martian-whist", 2)
    local.make("martian-whist", 2)
    local.start_match("minimax", 1)
    local.reply(local.last("Ann"), "resign yes")
    local.mails("Ann")
    renew(ann)
    mails = local.mails("Ann")
    assert len(mails) == 2
    assert {acts(local, mail) for mail in mails} == {(200, 250)}
    (turned,) = [mail for mail in mails if "it is your turn" in mail.flat]
    local.reply(turned, "take 7")
    assert log(local, match_id) == ["take 7"]


def test_mails_that_are_still_to_be_sent_get_the_new_links(local: House, ann: Visitor) -> None:
    local.start_match("minimax", 1)
    local.reply(local.last("Ann"), "resign yes")
    renew(ann)
    assert visitor(local).open(f"/m/{local.only('Ann').token}").status == 200


def test_a_browser_that_held_the_seat_holds_it_no_more(returning: Visitor, local: House, ann: Visitor) -> None:
    match_id = local.start_match("martian-whist", 2)
    turn(returning, local).press("Preview", move="take 7").press("Play this move")
    assert "Your page of this match" in returning.open(f"/matches/{match_id}").links
    renew(ann)
    assert "Your page of this match" not in returning.open(f"/matches/{match_id}").links
    assert "Your page of this match" in ann.open(f"/matches/{match_id}").links


def test_the_seats_of_others_keep_their_links(local: House, ann: Visitor) -> None:
    local.start_match("martian-whist", 2)
    local.reply(local.last("Ann"), "take 7")
    theirs = local.last("Bob")
    renew(ann)
    assert visitor(local).open(f"/m/{theirs.token}").status == 200
    assert not local.mails("Bob")


def test_a_form_from_elsewhere_renews_nothing(local: House, ann: Visitor) -> None:
    local.start_match("martian-whist", 2)
    answer = ann.client.post("/me/links", data={"nonce": "made up"})
    assert answer.status_code == 400
    assert "nothing has been done yet" in answer.get_data(as_text=True)
    assert visitor(local).client.post("/me/links").status_code == 303
    assert local.all(select(SeatHolder.generation)) == [1, 1]


def test_links_are_renewed_a_few_times_a_day(local: House) -> None:
    limited = replace(local, config=replace(local.config, limits=DEFAULT_RATE_LIMITS))
    ann = signed_in(limited)
    assert [renew(ann).status for _time in range(MAX_RENEWALS_PER_DAY + 1)] == [200] * MAX_RENEWALS_PER_DAY + [429]
