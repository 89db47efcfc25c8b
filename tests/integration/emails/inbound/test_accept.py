"""Taking mail: who is told what, and what is kept (the black-box contract: by mail)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import create_engine, select, update

from emails.inbound.accept import accept
from emails.inbound.smtp_replies import (
    MAIL_LOOP,
    OK,
    RATE_LIMITED,
    RECIPIENT_OK,
    RELAY_DENIED,
    TOO_LARGE,
    TRY_LATER,
    UNKNOWN_MAILBOX,
)
from emails.parsing.limits import MAX_MAIL_BYTES
from pbem.db.models import Match, SeatHolder, ServiceMail, Submission
from pbem.states import MatchState
from tests.support.emails.inbound.recipients import check_recipient
from tests.support.house import House, address, reply

if TYPE_CHECKING:
    from emails.inbound.smtp_replies import SmtpReply

NOBODY = create_engine("postgresql+psycopg://nobody@127.0.0.1:1/nothing", connect_args={"connect_timeout": 1})
"""A database that is not there."""


def asked(house: House, recipient: str) -> SmtpReply:
    return check_recipient(house.engine, house.config, recipient)


def address_of(house: House) -> str:
    house.start_match("minimax", 1)
    return house.last("Ann").reply_to


def test_answers_read_as_smtp_does() -> None:
    assert str(OK).startswith("250 2.0.0 ")
    assert (OK.is_accepted, UNKNOWN_MAILBOX.is_accepted) == (True, False)
    for answer in (OK, RECIPIENT_OK, UNKNOWN_MAILBOX, RELAY_DENIED, TOO_LARGE, RATE_LIMITED, MAIL_LOOP, TRY_LATER):
        assert str(answer).isascii()
        assert str(answer).startswith(f"{answer.code} {str(answer.code)[0]}.")


def test_a_reply_address_is_welcome_whatever_its_case_and_confused_letters(house: House) -> None:
    to = address_of(house)
    name, _, domain = to.partition("@")
    token = name.removeprefix("play+")
    for written in (
        to,
        to.upper(),
        f"play-{token}@{domain}",
        f"PLAY+{token.replace('1', 'l').replace('0', 'O')}@{domain.title()}",
        f"play+{token.upper().replace('1', 'I')}@{domain}",
    ):
        assert asked(house, written) == RECIPIENT_OK
        assert house.send(b"From: ann@example.org\n\nhelp", written, "ann@example.org") == OK


@pytest.mark.parametrize("name", ["games", "postmaster", "abuse", "Postmaster", "ABUSE"])
def test_the_services_own_mailboxes_are_always_taken_and_kept_as_letters(house: House, name: str) -> None:
    to = f"{name}@games.localhost"
    assert asked(house, to) == RECIPIENT_OK
    for _ in range(2):
        assert house.send(b"From: a@x.org\nMessage-ID: <1@x>\n\nHello", to, "a@x.org") == OK
    (letter,) = house.all(select(ServiceMail))
    assert (letter.recipient, letter.sender) == (f"{name.lower()}@games.localhost", "a@x.org")
    assert letter.raw == b"Return-Path: <a@x.org>\r\nFrom: a@x.org\nMessage-ID: <1@x>\n\nHello"


def test_a_letter_is_brought_to_the_operator_once_and_as_it_came(house: House) -> None:
    house = replace(house, config=replace(house.config, operator_email=address("Operator")))
    raw = b"From: ann@example.org\nMessage-ID: <1@x>\n\nPlease help, \xff\n"
    for _ in range(2):
        assert house.send(raw, "postmaster@games.localhost", "ann@example.org") == OK
    forwarded = house.only("Operator")
    assert forwarded.message["Subject"] == "Mail to postmaster@games.localhost"
    assert forwarded.message["Auto-Submitted"] == "auto-generated"
    (attached,) = forwarded.message.iter_attachments()
    assert attached.get_content() == b"Return-Path: <ann@example.org>\r\n" + raw


@pytest.mark.parametrize(("header", "sender"), [(b"Auto-Submitted: auto-replied", "ann@example.org"), (b"X-A: b", "")])
def test_a_letter_that_no_person_wrote_is_kept_and_goes_no_further(house: House, header: bytes, sender: str) -> None:
    house = replace(house, config=replace(house.config, operator_email=address("Operator")))
    raw = b"From: ann@example.org\n" + header + b"\n\nI am away.\n"
    assert house.send(raw, "games@games.localhost", sender) == OK
    house.deliver()
    assert len(house.all(select(ServiceMail))) == 1
    assert house.mails("Operator") == []


@pytest.mark.parametrize("to", ["ann@example.org", "play+x@example.org", "games@sub.games.localhost", "games", "", "@"])
def test_a_foreign_domain_is_not_ours(house: House, to: str) -> None:
    assert asked(house, to) == RELAY_DENIED
    assert house.send(b"From: a@x.org\n\nHello", to, "a@x.org") == RELAY_DENIED


@pytest.mark.parametrize("name", ["nobody", "play", "play+", "play+short", f"play+{'0' * 26}", f"pray+{'0' * 26}"])
def test_an_unknown_mailbox_is_refused_before_and_after_its_data(house: House, name: str) -> None:
    assert asked(house, f"{name}@games.localhost") == UNKNOWN_MAILBOX
    assert house.send(b"From: a@x.org\n\nHello", f"{name}@games.localhost", "a@x.org") == UNKNOWN_MAILBOX


def test_never_issued_renewed_former_and_old_addresses_are_refused_in_the_same_words(house: House) -> None:
    to = address_of(house)
    never = asked(house, f"play+{'0' * 26}@games.localhost")
    (holder,) = house.all(select(SeatHolder))
    for change in (
        update(SeatHolder).values(generation=2),
        update(SeatHolder).values(left_at=datetime.now(UTC)),
        update(Match).values(ended_at=datetime.now(UTC) - timedelta(days=91), state=MatchState.OVER),
    ):
        assert asked(house, to) == RECIPIENT_OK
        with house.transaction() as ctx:
            ctx.session.execute(change)
        assert str(asked(house, to)) == str(never)
        assert str(house.send(b"From: ann@example.org\n\nhelp", to, "ann@example.org")) == str(never)
        with house.transaction() as ctx:
            ctx.session.execute(update(SeatHolder).values(generation=1, left_at=None))
            ctx.session.execute(update(Match).values(ended_at=None, state=MatchState.RUNNING))
    assert holder.generation == 1


def test_more_than_a_mebibyte_is_refused_and_a_mebibyte_is_kept(house: House) -> None:
    to = address_of(house)
    head = b"From: ann@example.org\n\nhelp\n"
    largest = head + b"x" * (MAX_MAIL_BYTES - len(head))
    assert len(largest) == 1 << 20
    assert house.send(largest + b"x", to, "ann@example.org") == TOO_LARGE
    assert house.send(largest, to, "ann@example.org") == OK


def test_the_sender_hears_later_while_the_database_is_away(house: House) -> None:
    to = address_of(house)
    for recipient in (to, "games@games.localhost"):
        assert accept(NOBODY, house.config, b"From: a@x.org\n\nHello", recipient, "a@x.org") == TRY_LATER
    assert check_recipient(NOBODY, house.config, to) == TRY_LATER
    # What needs no database is known without one.
    assert check_recipient(NOBODY, house.config, "postmaster@games.localhost") == RECIPIENT_OK
    assert check_recipient(NOBODY, house.config, "a@example.org") == RELAY_DENIED


def test_what_is_acknowledged_is_committed(house: House) -> None:
    to = address_of(house)
    assert house.send(b"From: ann@example.org\n\nhelp", to, "ann@example.org") == OK
    # Another connection sees it, so it was committed before the answer.
    assert house.all(select(Submission.status)) == ["pending"]


@pytest.mark.parametrize("sender", ["\udcffann@x.org", "a\0b@x.org", "é@x.org", "a@x.org\r\nSubject: x", "x" * 5000])
def test_an_odd_envelope_sender_harms_nothing(house: House, sender: str) -> None:
    to = address_of(house)
    for recipient in (to, "games@games.localhost"):
        assert house.send(b"From: ann@example.org\n\nhelp", recipient, sender) == OK
    (raw,) = house.all(select(Submission.raw))
    assert raw.count(b"\n") == 3
    assert len(house.all(select(ServiceMail.sender))) == 1


@pytest.mark.parametrize("recipient", ["play+\udcff@games.localhost", "pla\0y+x@games.localhost", "é@games.localhost"])
def test_an_odd_recipient_is_unknown(house: House, recipient: str) -> None:
    assert asked(house, recipient) == UNKNOWN_MAILBOX
    assert house.send(b"From: ann@example.org\n\nhelp", recipient, "a@x.org") == UNKNOWN_MAILBOX


def test_the_domain_is_the_configured_one(house: House) -> None:
    to = address_of(house)
    other = replace(house.config, mail_domain="other.example")
    assert check_recipient(house.engine, other, to) == RELAY_DENIED


def test_the_mail_is_kept_as_it_came_below_its_return_path(house: House) -> None:
    house.start_match("minimax", 1)
    mail = house.last("Ann")
    raw = reply(mail, "help").as_bytes()
    house.send(raw, mail.reply_to, "ann+x@example.org")
    assert house.all(select(Submission.raw)) == [b"Return-Path: <ann+x@example.org>\r\n" + raw]
