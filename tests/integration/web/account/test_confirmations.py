"""Saying that a mail, or an address, is one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import Address, LogEntry
from tests.support.house import address

if TYPE_CHECKING:
    from tests.support.house import House, Mail
    from tests.support.pages import Visitor

PLAY, MINE = "Yes, it was me", "Yes, this is my address"
PHONE = "phone@example.org"
"""An address that the house's people have a mailbox of, called Phone."""


def page_of(mail: Mail) -> str:
    line = next(line for line in mail.text.splitlines() if "/confirm/" in line or "/address/" in line)
    return line.partition(":8000")[2]


def moves(house: House) -> int:
    return len(house.all(select(LogEntry.ply).where(LogEntry.ply.is_not(None))))


def known(house: House, email: str) -> bool:
    with house.transaction() as ctx:
        found = ctx.session.get(Address, email)
        return found is not None and found.verified_at is not None


@pytest.fixture
def asked(local: House) -> Mail:
    """What a player is sent when a mail to their reply address came from elsewhere."""
    local.start_match("minimax", 1)
    local.reply(local.last("Ann"), move(local), sender=PHONE)
    return local.only("Ann")


def move(house: House) -> str:
    (match_id,) = house.match_ids()
    return house.legal(match_id, 1)[0]


def test_a_mail_from_elsewhere_acts_when_its_player_says_so(local: House, site: Visitor, asked: Mail) -> None:
    assert "phone at example.org" in asked.flat
    page = site.open(page_of(asked))
    assert move(local) in page.words
    assert moves(local) == 0
    wanted = move(local)
    assert "We did what your mail says." in page.press(PLAY).words
    assert moves(local) == 1
    (entry,) = local.all(select(LogEntry.move).where(LogEntry.ply == 1))
    assert entry == wanted


def test_it_acts_once_however_often_the_page_is_sent(local: House, site: Visitor, asked: Mail) -> None:
    page = site.open(page_of(asked))
    for _ in range(5):
        page.press(PLAY)
    assert moves(local) == 1


def test_whoever_sent_it_is_told_nothing(local: House, asked: Mail) -> None:
    assert asked.message["To"].addresses[0].addr_spec == address("Ann")
    assert local.mails("Phone") == []


def test_nothing_more_is_accepted_from_there_unless_the_box_is_ticked(local: House, site: Visitor, asked: Mail) -> None:
    site.open(page_of(asked)).press(PLAY)
    assert local.mails("Phone") == []
    assert not known(local, PHONE)


def test_the_box_has_the_address_shown_first(local: House, site: Visitor, asked: Mail) -> None:
    done = site.open(page_of(asked)).press(PLAY, always="1").words
    assert f"We sent a confirmation to {PHONE}." in done
    assert not known(local, PHONE)
    turn = local.last("Ann")
    local.reply(turn, move(local), sender=PHONE)
    assert moves(local) == 1
    mail = local.only("Phone")
    assert "Ann plays at 127.0.0.1" in mail.flat
    page = site.open(page_of(mail))
    assert not known(local, PHONE)
    assert "You can now send moves from phone@example.org." in page.press(MINE).words
    assert known(local, PHONE)
    local.reply(turn, move(local), sender=PHONE)
    assert moves(local) == 2


def test_an_address_of_somebody_else_stays_theirs(local: House, site: Visitor) -> None:
    local.start_match("martian-whist", 2)
    turn = local.last("Ann")
    local.reply(turn, "take 1", sender=address("Bob"))
    site.open(page_of(local.only("Ann"))).press(PLAY, always="1")
    assert not [mail for mail in local.mails("Bob") if "/address/" in mail.text]
    with local.transaction() as ctx:
        assert ctx.session.get_one(Address, address("Bob")).player.name == "Bob"


def test_a_seat_is_asked_three_times_a_day(local: House) -> None:
    local.start_match("minimax", 1)
    turn = local.last("Ann")
    for number in range(5):
        local.reply(turn, f"{move(local)}\n{number}", sender=PHONE)
    assert len(local.mails("Ann")) == 3


def test_an_old_form_asks_again(site: Visitor, asked: Mail, local: House) -> None:
    page = site.open(page_of(asked))
    answer = page.press(PLAY, nonce="forged")
    assert answer.status == 400
    assert moves(local) == 0


def test_an_old_form_does_not_show_whose_an_address_is(local: House, site: Visitor, asked: Mail) -> None:
    site.open(page_of(asked)).press(PLAY, always="1")
    page = site.open(page_of(local.only("Phone")))
    answer = page.press(MINE, nonce="forged")
    assert answer.status == 400
    assert not known(local, PHONE)
    assert "You can now send moves from phone@example.org" in page.press(MINE).words


def test_a_mail_of_nobody_in_particular_can_be_confirmed_and_makes_no_address_known(
    local: House, site: Visitor
) -> None:
    local.start_match("minimax", 1)
    turn = local.last("Ann")
    local.reply(turn, move(local), sender="A phone <nowhere>")
    page = site.open(page_of(local.only("Ann")))
    assert "from an unknown sender" in page.words
    assert "Always accept" not in page.words
    before = local.all(select(Address.email))
    done = page.press(PLAY, always="1").words
    assert "We did what your mail says." in done
    assert "We sent a confirmation to" not in done
    assert local.all(select(Address.email)) == before


@pytest.mark.parametrize("path", ["/confirm/nothing", "/address/nothing"])
def test_a_link_that_is_not_ours_is_unknown(site: Visitor, path: str) -> None:
    assert site.open(path).status == 404
