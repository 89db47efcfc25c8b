"""The server reads commands and data exactly as aiosmtpd does, only at less cost."""

from __future__ import annotations

import asyncio
from itertools import product
from typing import TYPE_CHECKING

import pytest
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP

from emails.inbound.transports.smtp_protocol import LmtpServer, SmtpServer
from emails.parsing.limits import MAX_MAIL_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from aiosmtpd.smtp import Envelope, Session

OPENING = b"EHLO x\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.org>\r\n"
WHOLE, SINGLE = MAX_MAIL_BYTES, 1


class Keeping:
    """Keeps what it is handed."""

    def __init__(self) -> None:
        self.kept: list[bytes | str | None] = []

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        self.kept.append(envelope.content)
        return "250 kept"


async def _converse(kind: type[SMTP], sent: bytes, size: int) -> tuple[list[bytes | str | None], list[bytes]]:
    keeping, loop = Keeping(), asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: kind(keeping, data_size_limit=MAX_MAIL_BYTES, hostname="here", loop=loop), "127.0.0.1", 0
    )
    async with server:
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
        for start in range(0, len(sent), size):
            writer.write(sent[start : start + size])
            await asyncio.sleep(0)
        writer.write(b"QUIT\r\n")
        async with asyncio.timeout(60):
            answers = (await reader.read()).splitlines()
        writer.close()
        await writer.wait_closed()
    return keeping.kept, answers


def converse(kind: type[SMTP], sent: bytes, size: int = WHOLE) -> tuple[list[bytes | str | None], list[bytes]]:
    """Send bytes in pieces of a size; return the mails that were handed on, and all answers."""
    return asyncio.run(_converse(kind, sent, size))


def mailed(data: bytes) -> bytes:
    return OPENING + b"DATA\r\n" + data + b"\r\n.\r\n"


def all_short(of: Iterable[bytes], length: int) -> list[bytes]:
    return [b"".join(each) for count in range(length + 1) for each in product(of, repeat=count)]


@pytest.mark.parametrize("size", [WHOLE, SINGLE])
def test_data_ends_where_it_does_for_aiosmtpd(size: int) -> None:
    # Each is followed by a command, which must not become a part of the mail, nor the mail's rest a command.
    sent = b"".join(
        b"MAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.org>\r\nDATA\r\n" + data + b"\r\n.\r\nNOOP\r\n"
        for data in all_short((b"\r", b"\n", b".", b"a"), 4)
        if not (b"\r\n" + data + b"\r\n.\r\n").startswith(b"\r\n.\r\n")
        and (b"\r\n" + data + b"\r\n.\r\n").index(b"\r\n.\r\n") == len(data) + 2
    )
    assert converse(SmtpServer, b"EHLO x\r\n" + sent, size) == converse(SMTP, b"EHLO x\r\n" + sent, size)


def test_a_mail_of_nothing_is_a_mail() -> None:
    kept, _ = converse(SmtpServer, OPENING + b"DATA\r\n.\r\n")
    assert kept == [b""]


@pytest.mark.parametrize(
    "data",
    [
        b"x" * (MAX_MAIL_BYTES - 1),
        b"\r\n" * (MAX_MAIL_BYTES // 2),
        b"\r\n.\r" * (MAX_MAIL_BYTES // 4),
        (b"x" * 70 + b"\r\n") * (MAX_MAIL_BYTES // 20),
    ],
    ids=["one line", "empty lines", "nearly ended", "lines"],
)
@pytest.mark.parametrize(("kind", "hello", "times"), [(SmtpServer, b"EHLO", 1), (LmtpServer, b"LHLO", 2)])
def test_too_much_is_refused_and_the_next_mail_taken(kind: type[SMTP], hello: bytes, times: int, data: bytes) -> None:
    opening = OPENING.removeprefix(b"EHLO x\r\n") + b"RCPT TO:<c@example.org>\r\n" * (times - 1)
    sent = hello + b" x\r\n" + (opening + b"DATA\r\n" + data + b"\r\n.\r\n") + opening + b"DATA\r\nHello\r\n.\r\n"
    kept, answers = converse(kind, sent)
    assert kept == [b"Hello\r\n"]
    assert [answer[:4] for answer in answers].count(b"552 ") == times


def test_data_is_refused_before_its_time_as_by_aiosmtpd() -> None:
    sent = b"DATA\r\nEHLO x\r\nDATA\r\nMAIL FROM:<a@example.org>\r\nDATA\r\nRCPT TO:<b@example.org>\r\nDATA now\r\n"
    assert converse(SmtpServer, sent) == converse(SMTP, sent)
    assert converse(LmtpServer, sent) == converse(LMTP, sent)


@pytest.mark.parametrize(
    "path",
    [
        "<ann@example.org>",
        "<ann@example.org> SIZE=123",
        "<ann@example.org>  SIZE=123  BODY=8BITMIME SMTPUTF8",
        "<ann@example.org>SIZE=123",
        "<ann@example.org> (a comment) SIZE=123",
        "<ann@example.org> ",
        "<>",
        "<> SIZE=1",
        "ann@example.org",
        " <ann@example.org>",
        "<Ann+tag-1.2@Mail.Example.ORG>",
        "<o'hara_&co=1#x!y%z@example.org>",
        "<ann.@example.org>",
        "<.ann@example.org>",
        "<ann..b@example.org>",
        '<"ann b"@example.org>',
        "<ann@[192.0.2.1]>",
        "<@relay.example.org:ann@example.org>",
        "<ann@@example.org>",
        "<a@b@example.org>",
        "<ann@example.org",
        "<ann@exa mple.org>",
        "< ann@example.org >",
        "<postmaster>",
        "<änn@example.org>",
        "<ann@exämple.org>",
        "<ann\udcff@example.org>",
        "<(hidden)ann@example.org>",
        "<ann@example.org>> SIZE=1",
        "<ann@example.org> =",
    ],
)
def test_an_address_is_read_as_by_aiosmtpd(path: str) -> None:
    async def read(kind: type[SMTP]) -> tuple[str | None, str | None]:
        return kind(Keeping(), loop=asyncio.get_running_loop())._getaddr(path)

    assert asyncio.run(read(SmtpServer)) == asyncio.run(read(SMTP))
