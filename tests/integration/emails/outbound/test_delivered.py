"""Mail without an envelope: a Maildir is read, and headers tell for whom a mail is and whose."""

from __future__ import annotations

import mailbox
from email.message import EmailMessage
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import create_engine, select, update

from emails.inbound.accept import accept_delivered
from emails.inbound.smtp_replies import OK, TOO_LARGE, TRY_LATER, UNKNOWN_MAILBOX
from emails.inbound.transports.maildir import poll
from emails.parsing.limits import MAX_MAIL_BYTES
from pbem.db.models import SeatHolder, ServiceMail, Submission
from tests.support.house import House, Mail, reply

if TYPE_CHECKING:
    from pathlib import Path

    from emails.inbound.smtp_replies import SmtpReply

NOBODY = create_engine("postgresql+psycopg://nobody@127.0.0.1:1/nothing", connect_args={"connect_timeout": 1})


def taken(house: House, raw: bytes | str) -> SmtpReply:
    return accept_delivered(house.engine, house.config, raw.encode() if isinstance(raw, str) else raw)


def turn(house: House) -> Mail:
    house.start_match("minimax", 1)
    return house.last("Ann")


def kept(house: House) -> list[bytes]:
    return house.all(select(Submission.raw))


@pytest.mark.parametrize("header", ["X-Original-To", "Delivered-To", "Envelope-To", "To", "Cc"])
def test_a_header_tells_for_which_seat_it_is(house: House, header: str) -> None:
    to = turn(house).reply_to
    assert taken(house, f"From: ann@example.org\n{header}: Slow games <{to.upper()}>\n\nhelp") == OK
    assert len(kept(house)) == 1


def test_what_the_machine_wrote_counts_before_what_the_sender_did(house: House) -> None:
    house.start_match("middle-card", 3)
    ann, bob = house.last("Ann").reply_to, house.last("Bob").reply_to
    assert taken(house, f"X-Original-To: {bob}\nTo: {ann}\nFrom: bob@example.org\n\nhelp") == OK
    (holder,) = house.all(select(SeatHolder.name).join(Submission, Submission.holder_id == SeatHolder.id))
    assert holder == "Bob"


def test_a_seat_counts_before_the_mailbox_that_all_mail_is_delivered_to(house: House) -> None:
    to = turn(house).reply_to
    assert taken(house, f"Delivered-To: games@games.localhost\nTo: {to}\nFrom: ann@example.org\n\nhelp") == OK
    assert (len(kept(house)), house.all(select(ServiceMail.id))) == (1, [])


def test_a_mail_for_two_seats_is_kept_for_both(house: House) -> None:
    house.start_match("middle-card", 3)
    both = ", ".join(house.last(name).reply_to for name in ("Ann", "Bob"))
    assert taken(house, f"From: ann@example.org\nTo: {both}, someone@example.org\n\nhelp") == OK
    assert len(kept(house)) == 2


def test_a_letter_is_a_letter_and_others_mail_is_nobodys(house: House) -> None:
    assert taken(house, "From: a@x.org\nTo: postmaster@games.localhost, abuse@games.localhost\n\nHello") == OK
    assert house.all(select(ServiceMail.recipient)) == ["postmaster@games.localhost"]
    assert taken(house, "From: a@x.org\nTo: ann@example.org\n\nHello") == UNKNOWN_MAILBOX
    assert taken(house, b"") == UNKNOWN_MAILBOX
    assert taken(house, b"x" * (MAX_MAIL_BYTES + 1)) == TOO_LARGE


def test_the_mail_it_answers_tells_the_seat_where_no_address_does(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    mail = house.last("Ann")
    answer = reply(mail, house.legal(match_id, 1)[0])
    answer.replace_header("To", "Slow games <games@games.localhost>")
    assert taken(house, answer.as_bytes()) == OK
    house.judge(match_id)
    assert house.match(match_id).log_length == 1
    assert house.all(select(ServiceMail.id)) == []


def test_a_mail_further_up_the_thread_tells_it_too(house: House) -> None:
    mail = turn(house)
    ours = str(mail.message["Message-ID"])
    raw = f"From: ann@example.org\nTo: x@example.org\nReferences: {ours} <other@example.org>\n\nhelp"
    assert taken(house, raw) == OK
    assert len(kept(house)) == 1


def test_no_mail_is_answered_with_links_that_were_renewed_since(house: House) -> None:
    mail = turn(house)
    raw = f"From: ann@example.org\nIn-Reply-To: {mail.message['Message-ID']}\n\nhelp"
    with house.transaction() as ctx:
        ctx.session.execute(update(SeatHolder).values(generation=2))
    assert taken(house, raw) == UNKNOWN_MAILBOX


@pytest.mark.parametrize("keys", [("1" * 40,), ("1" * 40, "0" * 40), ("0" * 40, "1" * 40)])
def test_a_thread_is_known_for_as_long_as_its_key_is(house: House, keys: tuple[str, ...]) -> None:
    mail = turn(house)
    raw = f"From: ann@example.org\nIn-Reply-To: {mail.message['Message-ID']}\n\nhelp"
    assert taken(house.with_keys(*keys), raw) == (OK if "0" * 40 in keys else UNKNOWN_MAILBOX)


def test_who_would_get_it_back_is_read_from_the_mail(house: House) -> None:
    to = turn(house).reply_to
    for path in ("", "Return-Path: <>\n", "Return-Path: <bo@x.org>\n"):
        assert taken(house, f"{path}From: Ann <ann@example.org>\nTo: {to}\nSubject: {path}\n\nhelp {len(path)}") == OK
    paths = [raw.partition(b"\r\n")[0] for raw in house.all(select(Submission.raw).order_by(Submission.received_at))]
    assert paths == [b"Return-Path: <ann@example.org>", b"Return-Path: <>", b"Return-Path: <bo@x.org>"]


def test_without_its_database_it_waits(house: House) -> None:
    to = turn(house).reply_to
    for recipient in (to, "games@games.localhost"):
        assert accept_delivered(NOBODY, house.config, f"To: {recipient}\n\nhelp".encode()) == TRY_LATER


# -- a Maildir -------------------------------------------------------------------------------------------


@pytest.fixture
def box(tmp_path: Path) -> mailbox.Maildir:
    return mailbox.Maildir(tmp_path / "in", factory=None, create=True)


def flags(box: mailbox.Maildir) -> list[tuple[str, str]]:
    """Return each mail's folder and flags."""
    return sorted((message.get_subdir(), message.get_flags()) for message in mailbox.Maildir(box._path, factory=None))


def test_a_maildir_is_emptied_into_the_service(house: House, box: mailbox.Maildir) -> None:
    mail = turn(house)
    box.add(reply(mail, "help"))
    box.add(b"From: a@x.org\nTo: nobody@example.org\n\nHello")
    large = EmailMessage()
    large["To"] = mail.reply_to
    large.set_content("x\n" * (MAX_MAIL_BYTES // 2 + 1))
    box.add(large)
    assert poll(house.engine, house.config, str(box._path)) == 3
    assert flags(box) == [("cur", ""), ("cur", ""), ("cur", "S")]
    assert len(kept(house)) == 1
    assert poll(house.engine, house.config, str(box._path)) == 0


def test_a_mail_that_must_wait_stays_where_it_is(house: House, box: mailbox.Maildir) -> None:
    box.add(reply(turn(house), "help"))
    assert poll(NOBODY, house.config, str(box._path)) == 0
    assert flags(box) == [("new", "")]
    assert poll(house.engine, house.config, str(box._path)) == 1
    assert flags(box) == [("cur", "S")]


@pytest.mark.usefixtures("box")
def test_a_mail_that_another_has_moved_is_no_harm(house: House, tmp_path: Path) -> None:
    (tmp_path / "in" / "new" / "1.gone").symlink_to(tmp_path / "nothing")
    (tmp_path / "in" / "new" / ".half").write_bytes(b"To: games@games.localhost\n\nhal")
    assert poll(house.engine, house.config, str(tmp_path / "in")) == 0
    assert house.all(select(ServiceMail.id)) == []
