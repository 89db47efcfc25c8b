"""The door for mail: a real server on a real port, spoken to as mail servers do."""

from __future__ import annotations

import smtplib
from collections import Counter
from dataclasses import replace
from email.policy import SMTP
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from emails.parsing.limits import MAX_MAIL_BYTES
from pbem.config import DEFAULT_RATE_LIMITS
from pbem.db.models import ServiceMail, Submission
from tests.support.emails.inbound.smtp import SENDER, UNKNOWN, door, lmtp
from tests.support.house import reply

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from email.message import EmailMessage

    from tests.support.house import House, Mail


@pytest.fixture
def ports(house: House) -> Iterator[tuple[int, int]]:
    with door(house) as ports:
        yield ports


@pytest.fixture
def smtp(ports: tuple[int, int]) -> Iterator[smtplib.SMTP]:
    with smtplib.SMTP("127.0.0.1", ports[0], timeout=60) as client:
        client.ehlo()
        yield client


def test_a_mail_is_kept_and_a_machine_may_send_several_over_one_connection(house: House, smtp: smtplib.SMTP) -> None:
    match_id = house.start_match("minimax", 1)
    mail = house.last("Ann")
    for text in ("help", house.legal(match_id, 1)[0]):
        assert smtp.sendmail(SENDER, [mail.reply_to], reply(mail, text).as_bytes(policy=SMTP)) == {}
    assert house.judge(match_id) == 2
    assert house.match(match_id).log_length == 1


@pytest.mark.parametrize(
    ("to", "code"),
    [
        ("postmaster@games.localhost", 250),
        ("Abuse@GAMES.localhost", 250),
        ("games@games.localhost", 250),
        (UNKNOWN, 550),
        ("nobody@games.localhost", 550),
        ("ann@example.org", 550),
    ],
)
def test_each_mailbox_is_answered_at_rcpt(smtp: smtplib.SMTP, to: str, code: int) -> None:
    smtp.mail(SENDER)
    assert smtp.rcpt(to)[0] == code


@pytest.mark.parametrize(
    ("own", "goes_to"), [("", "postmaster@games.localhost"), ("club", "club+postmaster@games.localhost")]
)
@pytest.mark.parametrize("written", ["Postmaster", "postmaster", "POSTMASTER", "pOSTmaster"])
def test_postmaster_needs_no_domain(house: House, own: str, goes_to: str, written: str) -> None:
    house = replace(house, config=replace(house.config, mailbox_local_part=own))
    with door(house) as ports:
        for way, port in zip((smtplib.SMTP, smtplib.LMTP), ports, strict=True):
            with way("127.0.0.1", port, local_hostname="x", timeout=60) as line:
                letter = f"Subject: Hello\r\n\r\n{way.__name__} for {written}\r\n".encode()
                assert line.sendmail(SENDER, [f"<{written}>"], letter) == {}
                # Nobody else has an address without one.
                assert [line.docmd(said)[0] for said in (f"MAIL FROM:<{SENDER}>", "RCPT TO:<games>")] == [250, 550]
    assert house.all(select(ServiceMail.recipient)) == [goes_to] * 2


def test_unknown_mailboxes_are_all_refused_in_the_same_words(house: House, smtp: smtplib.SMTP) -> None:
    house.start_match("minimax", 1)
    link = house.last("Ann").token
    smtp.mail(SENDER)
    refusals = {smtp.rcpt(f"play+{token}@games.localhost") for token in ("0" * 26, "short", link, "u" * 26)}
    assert len(refusals) == 1


def test_upper_case_and_confused_letters_are_taken(house: House, smtp: smtplib.SMTP) -> None:
    house.start_match("minimax", 1)
    name, _, domain = house.last("Ann").reply_to.partition("@")
    smtp.mail(SENDER)
    token = name.removeprefix("play+")
    for written in (token.upper(), token.replace("1", "l").replace("0", "o"), token.replace("1", "I")):
        assert smtp.rcpt(f"play+{written}@{domain}")[0] == 250


def test_a_mail_of_more_than_a_mebibyte_is_refused_with_552(house: House, smtp: smtplib.SMTP) -> None:
    house.start_match("minimax", 1)
    to = house.last("Ann").reply_to
    assert smtp.mail(SENDER)[0] == 250
    assert smtp.rcpt(to)[0] == 250
    lines = b"\r\n".join([b"x" * 70] * 16000)
    assert smtp.data(b"From: ann@example.org\r\n\r\n" + lines)[0] == 552
    assert not house.all(select(Submission.id))
    # The connection is still good.
    assert smtp.sendmail(SENDER, [to], b"From: ann@example.org\r\n\r\nhelp\r\n") == {}


@pytest.mark.parametrize("way", [smtplib.SMTP, smtplib.LMTP])
def test_a_mebibyte_to_the_byte_is_the_largest_mail(
    house: House, ports: tuple[int, int], way: type[smtplib.SMTP]
) -> None:
    house.start_match("minimax", 1)
    to = house.last("Ann").reply_to
    head = f"From: {SENDER}\r\n\r\n".encode()
    for size, code in ((MAX_MAIL_BYTES, 250), (MAX_MAIL_BYTES + 1, 552)):
        with way("127.0.0.1", ports[way is smtplib.LMTP], local_hostname="x", timeout=60) as line:
            line.ehlo_or_helo_if_needed()
            line.mail(SENDER)
            line.rcpt(to)
            assert line.data(head + b"x" * (size - len(head) - 2) + b"\r\n")[0] == code
    assert [len(raw) for raw in house.all(select(Submission.raw))] == [
        MAX_MAIL_BYTES + len(f"Return-Path: <{SENDER}>\r\n")
    ]


def test_a_mail_has_twenty_recipients(house: House, smtp: smtplib.SMTP) -> None:
    to = []
    for _ in range(20):
        house.start_match("minimax", 1)
        to.append(house.last("Ann").reply_to)
    assert smtp.sendmail(SENDER, to, b"From: ann@example.org\r\n\r\nhelp\r\n") == {}
    assert len(house.all(select(Submission.id))) == 20


def test_a_mail_that_goes_in_circles_is_refused_for_good(house: House, smtp: smtplib.SMTP) -> None:
    house.start_match("minimax", 1)
    smtp.mail(SENDER)
    smtp.rcpt(house.last("Ann").reply_to)
    assert smtp.data(b"Received: from a by b\r\n" * 51 + b"From: ann@example.org\r\n\r\nhelp\r\n")[0] == 554


def test_a_reply_domain_has_a_mailbox_for_each_token_and_no_others(house: House) -> None:
    house = replace(house, config=replace(house.config, reply_domain="reply.example.org"))
    match_id = house.start_match("minimax", 1)
    mail = house.last("Ann")
    name, _, domain = mail.reply_to.partition("@")
    assert domain == "reply.example.org"
    with door(house) as (port, _), smtplib.SMTP("127.0.0.1", port, local_hostname="x", timeout=60) as line:
        line.ehlo()
        line.mail(SENDER)
        for to, code in (
            (f"{name.upper()}@Reply.Example.org", 250),
            (f"play+{name}@games.localhost", 250),
            (f"play-{name}@games.localhost", 250),
            ("postmaster@reply.example.org", 550),
            (f"{name}@games.localhost", 550),
        ):
            assert line.rcpt(to)[0] == code
        line.rset()
        assert (
            line.sendmail(SENDER, [mail.reply_to], reply(mail, house.legal(match_id, 1)[0]).as_bytes(policy=SMTP)) == {}
        )
    house.judge(match_id)
    assert house.match(match_id).log_length == 1


def test_what_is_over_a_limit_waits_for_each_recipient_by_itself(house: House) -> None:
    house.start_match("middle-card", 3)
    to = [house.last(name).reply_to for name in ("Ann", "Bob")]
    house = replace(house, config=replace(house.config, limits=DEFAULT_RATE_LIMITS | {"token": 1}))
    raw = b"From: ann@example.org\r\n\r\nhelp\r\n"
    with door(house) as ports:
        with smtplib.SMTP("127.0.0.1", ports[0], local_hostname="x", timeout=60) as line:
            assert line.sendmail(SENDER, to[:1], raw) == {}
            line.mail(SENDER)
            line.rcpt(to[0])
            assert line.data(raw + b"again\r\n")[0] == 450
        recipients = [b"RCPT TO:<%s>" % each.encode() for each in to]
        said = lmtp(ports[1], [b"LHLO x", b"MAIL FROM:<ann@example.org>", *recipients, b"DATA", raw + b"again\r\n."])
    assert [answer[:3] for answer in said[-2:]] == [b"450", b"250"]
    assert len(house.all(select(Submission.id))) == 2


def away(mail: Mail, number: int) -> EmailMessage:
    return reply(mail, f"I am away until Monday. {number}", Auto_Submitted="auto-replied")


def again(mail: Mail, number: int) -> EmailMessage:
    """Write the same answer as it comes through one more relay, which adds a line below it."""
    message = reply(mail, f"nothing that is played\n\nscanned by relay {number}")
    message.replace_header("Message-ID", "<the.same@example.org>")
    return message


@pytest.mark.parametrize("program", [away, again])
def test_what_programs_send_makes_no_move_wait(house: House, program: Callable[[Mail, int], EmailMessage]) -> None:
    match_id = house.start_match("minimax", 1)
    mail, move = house.last("Ann"), house.legal(match_id, 1)[0]
    # The machine is counted too, and the player's address, each to the last mail that it may send.
    config = replace(house.config, limits=DEFAULT_RATE_LIMITS | {"from": 10, "address": 10}, trusted_relays=())
    house = replace(house, config=config)
    with door(house) as (port, _), smtplib.SMTP("127.0.0.1", port, local_hostname="x", timeout=60) as line:

        def sent(message: EmailMessage) -> int:
            line.ehlo_or_helo_if_needed()
            line.mail(SENDER)
            line.rcpt(mail.reply_to)
            return line.data(message.as_bytes(policy=SMTP))[0]

        # The first of those that are the same was a person's.
        people = int(program is again)
        assert [sent(program(mail, number)) for number in range(12 + people)] == [250] * (10 + people) + [450] * 2
        assert [sent(reply(mail, f"nothing {number}")) for number in range(people, 9)] == [250] * (9 - people)
        assert sent(reply(mail, move)) == 250
        # Now they have sent as much as a person may.
        assert sent(reply(mail, "help")) == 450
    house.judge(match_id)
    assert house.match(match_id).log_length == 1
    assert Counter(house.all(select(Submission.status)))["ignored"] == 10


def test_a_flood_of_programs_is_bounded_for_all_seats_of_a_player(house: House) -> None:
    to = []
    for _ in range(4):
        house.start_match("minimax", 1)
        to.append(house.last("Ann"))
    house = replace(house, config=replace(house.config, limits=DEFAULT_RATE_LIMITS | {"from": 12}))
    with door(house) as (port, _), smtplib.SMTP("127.0.0.1", port, local_hostname="x", timeout=60) as line:
        line.ehlo()
        answers = []
        for number in range(16):
            line.mail("")
            line.rcpt(to[number % 4].reply_to)
            raw = f"From: robot{number}@robots{number}.example\r\n\r\nI am away. {number}\r\n"
            answers.append(line.data(raw.encode())[0])
        assert answers == [250] * 12 + [450] * 4
        assert line.sendmail(SENDER, to[0].reply_to, reply(to[0], "help").as_bytes(policy=SMTP)) == {}
    assert len(house.all(select(Submission.id))) == 13


def test_a_machine_on_its_own_is_counted_and_a_relay_is_not(house: House) -> None:
    for trusted, code in (((), 450), (house.config.trusted_relays, 250)):
        limited = replace(house.config, limits=DEFAULT_RATE_LIMITS | {"address": 1}, trusted_relays=trusted)
        with (
            door(replace(house, config=limited)) as (port, _),
            smtplib.SMTP("127.0.0.1", port, local_hostname="x", timeout=60) as line,
        ):
            for number, answer in enumerate((250, code)):
                line.ehlo_or_helo_if_needed()
                line.mail(SENDER)
                line.rcpt("games@games.localhost")
                assert line.data(f"From: {SENDER}\r\n\r\n{code} {number}\r\n".encode())[0] == answer


def test_a_size_that_is_told_before_is_refused_before(smtp: smtplib.SMTP) -> None:
    assert smtp.mail(SENDER, [f"SIZE={(1 << 20) + 1}"])[0] == 552


def test_a_mail_with_a_line_of_many_thousand_characters_is_kept(house: House, smtp: smtplib.SMTP) -> None:
    match_id = house.start_match("minimax", 1)
    mail = house.last("Ann")
    move = house.legal(match_id, 1)[0]
    raw = f"From: {SENDER}\r\n\r\n{move}\r\n\r\n> {'x' * 100_000}\r\n".encode()
    assert smtp.sendmail(SENDER, [mail.reply_to], raw) == {}
    house.judge(match_id)
    assert house.match(match_id).log_length == 1


def test_the_null_sender_is_taken_and_is_neither_move_nor_answered(house: House, smtp: smtplib.SMTP) -> None:
    match_id = house.start_match("minimax", 1)
    mail = house.last("Ann")
    raw = reply(mail, house.legal(match_id, 1)[0]).as_bytes(policy=SMTP)
    assert smtp.sendmail("", [mail.reply_to], raw) == {}
    house.judge(match_id)
    assert house.match(match_id).log_length == 0
    assert house.all(select(Submission.status)) == ["ignored"]
    assert not house.mails("Ann")


def test_a_letter_to_the_service_keeps_who_sent_it(house: House, smtp: smtplib.SMTP) -> None:
    smtp.sendmail(SENDER, ["postmaster@games.localhost"], b"Subject: Hello\r\n\r\nHello")
    smtp.sendmail("", ["postmaster@games.localhost"], b"Subject: Bounce\r\n\r\nReturned")
    assert house.all(select(ServiceMail.sender).order_by(ServiceMail.id)) == [SENDER, ""]


def test_a_sender_beyond_ascii_is_taken(house: House, ports: tuple[int, int]) -> None:
    sender = "MAIL FROM:<grüße@example.org> SMTPUTF8".encode()
    letter = [b"RCPT TO:<abuse@games.localhost>", b"DATA", b"Subject: Hi\r\n\r\nHello\r\n."]
    assert lmtp(ports[1], [b"LHLO x", sender, *letter])[-1].startswith(b"250 ")
    broken = b"MAIL FROM:<gr\xfc\xdfe@example.org> SMTPUTF8"
    assert lmtp(ports[1], [b"LHLO x", broken, *letter])[-1].startswith(b"250 ")
    assert house.all(select(ServiceMail.sender)) == ["grüße@example.org"]


def test_a_mail_for_several_seats_is_kept_for_each(house: House, smtp: smtplib.SMTP) -> None:
    house.start_match("middle-card", 3)
    to = [house.last("Ann").reply_to, house.last("Bob").reply_to]
    refused = smtp.sendmail(SENDER, [*to, UNKNOWN], b"From: ann@example.org\r\n\r\nhelp\r\n")
    assert list(refused) == [UNKNOWN]
    assert len(house.all(select(Submission.id))) == 2
