"""One ordinary mailbox with plus addresses, in a domain that is not ours: matches by mail, and nobody else's mail."""

from __future__ import annotations

from dataclasses import replace
from email.message import EmailMessage

import pytest
from sqlalchemy import select

from emails.inbound.accept import accept_delivered
from emails.inbound.mailboxes import find_mailbox
from emails.inbound.smtp_replies import OK, RELAY_DENIED, UNKNOWN_MAILBOX
from emails.outbound.relay import deliver_shard
from pbem.config import from_environment
from pbem.db.models import BounceReport, OutboxMessage, ServiceMail, Submission
from pbem.play.deliverability import loopback
from tests.support.emails.inbound.servers import Neighbour, listening
from tests.support.emails.parsing.bounces import report
from tests.support.house import House, address, reply, settings


@pytest.fixture
def club(house: House) -> House:
    return replace(house, config=replace(house.config, mail_domain="provider.example", mailbox_local_part="club"))


def fetched(house: House, mail: EmailMessage) -> object:
    """Bring a mail as an IMAP mailbox holds it, without an envelope."""
    return accept_delivered(house.engine, house.config, mail.as_bytes())


def letter(sender: str, to: str) -> EmailMessage:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Message-ID"] = sender, to, "<1@example.org>"
    mail.set_content("hello")
    return mail


def test_a_match_is_played_through_one_mailbox(club: House) -> None:
    match_id = club.start_match("middle-card", 3)
    turn = next(mail for name in ("Ann", "Bob", "Cyd") for mail in club.mails(name) if "It is your turn" in mail.text)
    assert turn.message["From"].addresses[0].addr_spec == "club@provider.example"
    local, _, domain = turn.reply_to.partition("@")
    assert (local[:10], domain) == ("club+play-", "provider.example")
    assert turn.message["Return-Path"].startswith("<club+bounce-")
    assert "<mailto:club+unsub-" in turn.message["List-Unsubscribe"]
    assert fetched(club, reply(turn, "resign")) == OK
    assert [row.status for row in club.all(select(Submission))] == ["pending"]
    assert club.judge(match_id) == 1


def test_what_is_written_to_the_mailbox_itself_is_a_letter(club: House) -> None:
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Message-ID"] = (
        address("Eve"),
        "Club <CLUB@provider.example>",
        "<1@example.org>",
    )
    letter.set_content("hello")
    assert fetched(club, letter) == OK
    assert [row.recipient for row in club.all(select(ServiceMail))] == ["club@provider.example"]


def test_a_report_comes_back_to_its_mail(club: House) -> None:
    club.make("middle-card", 3)
    club.deliver()
    mail = club.mails("Bob")[0]
    to = str(mail.message["Return-Path"]).strip("<>")
    assert club.send(report("failed", "5.1.1", "smtp; 550 5.1.1 no such user"), to, "") == OK
    assert [row.email for row in club.all(select(BounceReport))] == [address("Bob")]


@pytest.mark.parametrize(
    "to", ["games@provider.example", "abuse@provider.example", "eve@provider.example", "club-games@provider.example",
           "club+games-x@provider.example", "club+eve@provider.example", "clubs+play-x@provider.example"],
)  # fmt: skip
def test_other_mailboxes_of_the_provider_are_none_of_ours(club: House, to: str) -> None:
    assert find_mailbox(club.config, to) is None
    assert club.send(b"From: eve@example.org\r\n\r\nhello\r\n", to, "eve@example.org") == UNKNOWN_MAILBOX
    assert club.send(b"\r\n", to.replace("provider", "elsewhere"), "eve@example.org") == RELAY_DENIED


def test_a_neighbour_at_the_same_provider_is_a_person(club: House) -> None:
    """Only what comes from our own mailbox is ours; at this provider other people have theirs."""
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Message-ID"] = (
        "games@provider.example",
        "club@provider.example",
        "<1@x.example>",
    )
    letter.set_content("hello")
    assert fetched(club, letter) == OK
    assert [row.status for row in club.all(select(ServiceMail))] == ["pending"]


def test_a_probe_goes_there_and_back(club: House) -> None:
    with club.transaction() as ctx:
        token = loopback.send(ctx)
    neighbour = Neighbour()
    with listening(neighbour) as where:
        config = replace(club.config, smtp_url=f"smtp://{where}")
        for notice in club.all(select(OutboxMessage)):
            assert deliver_shard(club.engine, config, notice.shard) == 1
    ((to, raw),) = neighbour.taken
    assert to == f"club+probe-{token}@provider.example"
    assert accept_delivered(club.engine, config, raw) == OK
    with club.transaction() as ctx:
        assert raw in (loopback.status(ctx, token).raw or b"")


def test_the_address_is_read(club: House) -> None:
    url = club.engine.url.render_as_string(hide_password=False)
    more = {"PBEM_MAIL_DOMAIN": "Provider.example", "PBEM_MAIL_ADDRESS": "Club@provider.example"}
    config = from_environment(settings(url, club.folder, **more))
    assert config.service_address == "club@provider.example"
    assert config.reply_address("x") == "club+play-x@provider.example"
    assert replace(config, reply_domain="r.example").reply_address("x") == "x@r.example"
