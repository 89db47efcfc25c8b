"""Forwarding letters to whoever runs the service: none goes round, and what did not arrive is told."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import select, update

from emails.inbound.smtp_replies import OK
from emails.parsing.reader import parse_mail
from pbem.db.models import OutboxMessage, ServiceMail
from pbem.play.core.actors import ActionError, Actor
from pbem.play.deliverability import bounces
from pbem.play.inbox import service_mail
from pbem.play.notifications import operator_mail
from pbem.play.operators import inbound_actions
from pbem.play.operators.search import alerts, inbound
from tests.support.house import House, address

SHELL = Actor("shell", "root")
HERE = "pbem.play.notifications.operator_mail"


@pytest.fixture
def house(house: House) -> House:
    return replace(house, config=replace(house.config, operator_email=address("Operator")))


def wrote(house: House, text: str = "Please help", author: str = "ann@example.org", to: str = "postmaster") -> int:
    """Write to the service by hand; gives the number of the letter."""
    raw = f"From: {author}\r\nSubject: Re: A letter\r\n\r\n{text}\r\n".encode()
    assert house.send(raw, f"{to}@games.localhost", author) == OK
    number: int = house.all(select(ServiceMail.id).order_by(ServiceMail.id.desc()))[0]
    with house.transaction() as ctx:
        service_mail.process(ctx, number, parse_mail)
    return number


def story(house: House, number: int) -> str:
    with house.transaction() as ctx:
        return inbound.explain_forwarding(ctx, ctx.session.get_one(ServiceMail, number))


def lost(house: House) -> tuple[int, bool]:
    with house.transaction() as ctx:
        (found,) = (need for need in alerts.collect(ctx) if need.what == "unforwarded")
    return found.count, found.wrong


def forward(house: House, number: int) -> str:
    with house.transaction() as ctx:
        return str(inbound_actions.forward(ctx, SHELL, number, "").message)


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        (None, None),
        ("op@example.org", "op@example.org"),
        (" Op@Example.ORG ", "op@example.org"),
        ("op@sub.games.localhost", "op@sub.games.localhost"),
        ("not-an-address", None),
        ("a@b@example.org", None),
        ("op@games.localhost", None),
        ("Postmaster@GAMES.localhost", None),
        ("op@reply.localhost", None),
    ],
)
def test_mail_to_the_operator_goes_to_an_address_outside(house: House, typed: str | None, found: str | None) -> None:
    assert (
        operator_mail.operator_address(replace(house.config, operator_email=typed, reply_domain="reply.localhost"))
        == found
    )


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("op@games.localhost", "op@games.localhost"),
        ("club@games.localhost", None),
        ("club+postmaster@games.localhost", None),
        ("op@example.org", "op@example.org"),
    ],
)
def test_others_have_mailboxes_beside_one_that_takes_all(house: House, typed: str, found: str | None) -> None:
    assert (
        operator_mail.operator_address(replace(house.config, operator_email=typed, mailbox_local_part="club")) == found
    )


@pytest.mark.parametrize("to", ["games", "postmaster"])
@pytest.mark.parametrize("typed", ["not-an-address", "op@games.localhost", "postmaster@games.localhost"])
def test_what_cannot_be_forwarded_is_kept_and_said_to_be(
    house: House, typed: str, to: str, caplog: pytest.LogCaptureFixture
) -> None:
    house = replace(house, config=replace(house.config, operator_email=typed))
    number = wrote(house, to=to)
    assert house.all(select(OutboxMessage.id)) == []
    assert [line.levelname for line in caplog.records if line.name == HERE] == ["ERROR"]
    assert "Not forwarded: set PBEM_OPERATOR_EMAIL to an address outside" in story(house, number)
    with pytest.raises(ActionError, match="Set PBEM_OPERATOR_EMAIL to an address outside"):
        forward(house, number)
    assert lost(house) == (0, False)


@pytest.mark.parametrize("to", ["games", "postmaster"])
def test_a_robot_of_the_operators_that_says_nothing_of_itself_hears_once(house: House, to: str) -> None:
    wrote(house, to=to)
    house.only("Operator")
    number = wrote(house, "I am away until Monday.", address("Operator"), to)
    assert house.mails("Operator") == []
    assert "Not forwarded: mail from programs, this service or its operator never is." in story(house, number)


def test_a_letter_says_how_far_it_got(house: House) -> None:
    number = wrote(house)
    assert "It is on its way to the operator." in story(house, number)
    with house.transaction() as ctx:
        ctx.session.execute(update(OutboxMessage).values(error="450 later"))
    assert story(house, number).endswith("It is on its way to the operator. The last try failed: 450 later")
    house.only("Operator")
    assert story(house, number).endswith("It was forwarded to the operator.")
    assert lost(house) == (0, False)
    assert "was already forwarded" in forward(house, number)


@pytest.mark.parametrize(
    ("state", "error", "said"),
    [
        ("failed", "550 no such user", "It could not be forwarded to the operator: 550 no such user."),
        ("dropped", None, "It could not be forwarded to the operator: it was no longer needed."),
    ],
)
def test_one_that_was_given_up_is_among_what_needs_the_operator_until_it_arrives(
    house: House, state: str, error: str | None, said: str
) -> None:
    number = wrote(house)
    with house.transaction() as ctx:
        ctx.session.execute(update(OutboxMessage).values(state=state, error=error))
    assert story(house, number).endswith(said)
    assert lost(house) == (1, True)
    assert "is forwarded" in forward(house, number)
    house.only("Operator")
    assert lost(house) == (0, False)


def test_one_that_came_back_is_told_and_may_go_again(house: House) -> None:
    number = wrote(house)
    for time in range(1, operator_mail.MAX_FORWARDS + 1):
        house.only("Operator")
        with house.transaction() as ctx:
            notice = ctx.session.scalars(select(OutboxMessage).order_by(OutboxMessage.id.desc()).limit(1)).one()
            bounces.record_bounce(ctx, notice, "hard", "5.1.1", f"550 no such user {time}")
        assert story(house, number).endswith(
            f"It was forwarded to the operator, and came back: 550 no such user {time}"
        )
        assert lost(house) == (1, True)
        if time < operator_mail.MAX_FORWARDS:
            assert "is forwarded" in forward(house, number)
    with pytest.raises(ActionError, match="fix that address first"):
        forward(house, number)
