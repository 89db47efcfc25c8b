"""The door for mail while something behind it is out of order: the sender is asked to come again."""

from __future__ import annotations

import smtplib
from typing import TYPE_CHECKING, Any

import psycopg
from sqlalchemy import NullPool, create_engine, select

from pbem.db.models import ServiceMail
from tests.support.emails.inbound.smtp import SENDER, UNKNOWN, door, lmtp

if TYPE_CHECKING:
    from tests.support.house import House


def test_without_its_database_the_door_says_later(house: House) -> None:
    nobody = create_engine("postgresql+psycopg://nobody@127.0.0.1:1/nothing", connect_args={"connect_timeout": 1})
    with door(house, nobody) as (port, lmtp_port), smtplib.SMTP("127.0.0.1", port, timeout=60) as client:
        client.ehlo()
        client.mail(SENDER)
        assert client.rcpt(UNKNOWN)[0] == 451
        # This mailbox is known without the database, but its mail could not be kept.
        assert client.rcpt("postmaster@games.localhost")[0] == 250
        assert client.data(b"Subject: Hello\r\n\r\nHello")[0] == 451
        said = lmtp(
            lmtp_port,
            [b"LHLO x", b"MAIL FROM:<a@x.org>", b"RCPT TO:<abuse@games.localhost>", b"DATA", b"Hello\r\n."],
        )
        assert said[-1].startswith(b"451 ")


def test_a_mail_that_was_kept_for_one_of_two_only_is_to_be_sent_again(house: House) -> None:
    url = house.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    connections = iter([psycopg.connect(url)])

    def once() -> psycopg.Connection[Any]:
        try:
            return next(connections)
        except StopIteration:
            raise psycopg.OperationalError("the server has gone away") from None

    engine = create_engine("postgresql+psycopg://", creator=once, poolclass=NullPool)
    with door(house, engine) as (port, _), smtplib.SMTP("127.0.0.1", port, timeout=60) as client:
        client.ehlo()
        client.mail(SENDER)
        for name in ("postmaster", "abuse"):
            assert client.rcpt(f"{name}@games.localhost")[0] == 250
        assert client.data(b"Subject: Hello\r\n\r\nHello")[0] == 451
    assert house.all(select(ServiceMail.recipient)) == ["postmaster@games.localhost"]


def broken() -> Any:
    raise RuntimeError("a secret of ours")


def test_a_fault_of_the_service_is_temporary_and_tells_nothing_of_it(house: House) -> None:
    engine = create_engine("postgresql+psycopg://", creator=broken)
    with door(house, engine) as (port, _), smtplib.SMTP("127.0.0.1", port, timeout=60) as client:
        client.ehlo()
        client.mail(SENDER)
        client.rcpt("postmaster@games.localhost")
        code, said = client.data(b"Subject: Hello\r\n\r\nHello")
        assert code == 451
        assert b"secret" not in said
