"""The door for mail by LMTP, which answers once for each recipient."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlalchemy import select

from emails.inbound.transports.smtp import serve
from pbem.db.models import ServiceMail, Submission
from tests.support.emails.inbound.smtp import UNKNOWN, door, lmtp
from tests.support.live_service import free_port, until
from tests.support.mailservers import listens

if TYPE_CHECKING:
    from tests.support.house import House


def test_lmtp_answers_once_for_each_recipient(house: House) -> None:
    house.start_match("middle-card", 3)
    to = [house.last(name).reply_to.encode() for name in ("Ann", "Bob")]
    with door(house) as (_, port):
        said = lmtp(
            port,
            [
                b"LHLO relay.example.org",
                b"MAIL FROM:<ann@example.org>",
                *(b"RCPT TO:<%s>" % each for each in to),
                b"RCPT TO:<%s>" % UNKNOWN.encode(),
                b"RCPT TO:<abuse@games.localhost>",
                b"DATA",
                b"From: ann@example.org\r\n\r\nhelp\r\n.",
            ],
        )
    assert [answer[:3] for answer in said] == [b"250"] * 4 + [b"550", b"250", b"354"] + [b"250"] * 3
    assert len(house.all(select(Submission.id))) == 2
    assert len(house.all(select(ServiceMail.id))) == 1


def test_lmtp_refuses_a_large_mail_once_for_each_recipient(house: House) -> None:
    house.start_match("middle-card", 3)
    to = [house.last(name).reply_to.encode() for name in ("Ann", "Bob")]
    lines = b"\r\n".join([b"x" * 70] * 16000)
    with door(house) as (_, port):
        said = lmtp(
            port,
            [
                b"LHLO x",
                b"MAIL FROM:<ann@example.org>",
                *(b"RCPT TO:<%s>" % each for each in to),
                b"DATA",
                b"From: ann@example.org\r\n\r\n" + lines + b"\r\n.",
            ],
        )
    assert [answer[:3] for answer in said[-2:]] == [b"552", b"552"]


def test_a_door_with_one_port_alone_opens_that_one(house: House) -> None:
    port = free_port()
    config = replace(house.config, smtp_listen=f"127.0.0.1:{port}", lmtp_listen=None)

    async def open_and_close() -> None:
        stop = asyncio.Event()
        task = asyncio.create_task(serve(house.engine, config, stop))
        await asyncio.to_thread(until, lambda: listens(port))
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.close()
        stop.set()
        await task

    asyncio.run(open_and_close())
