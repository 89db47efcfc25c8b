"""Inbound mail by SMTP and LMTP.

Unknown mailboxes are refused at RCPT; the 250 follows only after the mail is committed.
"""

from __future__ import annotations

import asyncio
import logging
import os
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from socket import gaierror
from typing import TYPE_CHECKING, Any

from aiosmtpd.lmtp import LMTP

from emails.inbound.accept import accept_all, check_recipients, combined_reply
from emails.inbound.batching import Batcher
from emails.inbound.incoming_mail import IncomingMail
from emails.inbound.mailboxes import qualify_postmaster
from emails.inbound.smtp_replies import OK, TRY_LATER
from emails.inbound.transports.smtp_protocol import LmtpServer, SmtpServer
from emails.parsing.limits import MAX_MAIL_BYTES

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from aiosmtpd.smtp import SMTP, Envelope, Session
    from sqlalchemy import Engine

    from pbem.config import Config

log = logging.getLogger(__name__)

MAX_PORT = 65535
IDLE_SECONDS = 60
MAX_COMMANDS_PER_CONNECTION = {"MAIL": 1000, "RCPT": 1000, "DATA": 1000, "RSET": 1000, "*": 100}
"""Maximum uses of each command per connection; mail servers send many mails over one connection."""


class ListenError(Exception):
    """A port cannot be listened on; the message is a sentence for the operator."""


class SmtpHandler:
    """Handles the SMTP commands that decide about a mail: RCPT and DATA.

    Concurrent requests of many connections are looked up in one batch, and committed in one.
    """

    def __init__(self, engine: Engine, config: Config) -> None:
        self._qualify = partial(qualify_postmaster, config)
        self._recipients = Batcher(partial(check_recipients, engine, config))
        self._mails = Batcher(partial(accept_all, engine, config))

    async def handle_RCPT(  # noqa: N802 (aiosmtpd calls it by this name)
        self, server: SMTP, session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Refuse an unknown mailbox before any data is sent."""
        address = self._qualify(address)
        answer = await self._recipients.submit((address, _peer_address(server, session)))
        if answer.code == OK.code:
            envelope.rcpt_tos.append(address)
        return str(answer)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Accept the mail for every recipient; one reply each by LMTP, a combined one by SMTP."""
        raw = envelope.original_content or b""
        # aiosmtpd passes the null sender on as <>.
        sender = (envelope.mail_from or "").strip("<>")
        peer = _peer_address(server, session)
        mails = (IncomingMail(raw, to, sender, peer) for to in envelope.rcpt_tos)
        answers = await asyncio.gather(*(self._mails.submit(mail) for mail in mails))
        if isinstance(server, LMTP):
            return "\r\n".join(map(str, answers))
        return str(combined_reply(answers))

    async def handle_exception(self, fault: Exception) -> str:
        """Return a temporary error after a fault of ours, without details."""
        log.error("mail could not be accepted", exc_info=fault)
        return str(TRY_LATER)


def _peer_address(server: SMTP, session: Session) -> str | None:
    """Return the address of the sending machine; None for LMTP, where it is always one of our own."""
    peer: object = session.peer
    return str(peer[0]) if isinstance(peer, tuple) and not isinstance(server, LMTP) else None


async def serve(engine: Engine, config: Config, stop: asyncio.Event) -> None:
    """Accept mail on the configured ports until stopped."""
    async with _listeners(config, SmtpHandler(engine, config), listening=True):
        await stop.wait()


async def check_ports(config: Config) -> None:
    """Check that the configured ports are free, without listening on them, or raise ListenError."""
    async with _listeners(config, None, listening=False):
        pass


@asynccontextmanager
async def _listeners(config: Config, handler: SmtpHandler | None, *, listening: bool) -> AsyncIterator[None]:
    listeners: list[tuple[str, type[SMTP], str | None]] = [
        ("PBEM_SMTP_LISTEN", SmtpServer, config.smtp_listen),
        ("PBEM_LMTP_LISTEN", LmtpServer, config.lmtp_listen),
    ]
    servers: list[asyncio.Server] = []
    try:
        for name, kind, listen in listeners:
            if listen:
                with _listen_errors(name, listen):
                    servers.append(
                        await _listen(kind, listen, handler, shared=config.smtp_processes > 1, listening=listening)
                    )
        yield
    finally:
        for server in servers:
            server.close()


@contextmanager
def _listen_errors(name: str, listen: str) -> Iterator[None]:
    """Raise ListenError for a port that cannot be listened on, with its setting and the reason."""
    try:
        yield
    except gaierror as unknown:
        raise ListenError(f"Cannot accept mail at {name}={listen}: {unknown.strerror}.") from unknown
    except OSError as refused:
        raise ListenError(f"Cannot accept mail at {name}={listen}: {os.strerror(refused.errno or 0)}.") from refused
    except ValueError as wrong:
        raise ListenError(
            f"Cannot accept mail at {name}={listen}: its port is not a number from 0 to {MAX_PORT}."
        ) from wrong


def _parse_address(listen: str) -> tuple[str, int]:
    host, _, port = listen.rpartition(":")
    if not 0 <= int(port) <= MAX_PORT:
        # uvloop would truncate the number and listen on another port.
        raise ValueError(port)
    return host.strip("[]"), int(port)


async def _listen(
    kind: type[SMTP], listen: str, handler: SmtpHandler | None, *, shared: bool, listening: bool
) -> asyncio.Server:
    host, port = _parse_address(listen)
    make: Any = partial(
        kind,
        handler,
        data_size_limit=MAX_MAIL_BYTES,
        enable_SMTPUTF8=True,
        ident="pbem",
        timeout=IDLE_SECONDS,
        command_call_limit=MAX_COMMANDS_PER_CONNECTION,
    )
    # If several processes share a port, the kernel distributes its connections among them.
    create = asyncio.get_running_loop().create_server
    server = await create(make, host, port, reuse_port=shared, start_serving=listening)
    for each in server.sockets if listening else ():
        at, bound = each.getsockname()[:2]
        protocol = "LMTP" if issubclass(kind, LMTP) else "SMTP"
        log.info("listening on %s:%d for %s", f"[{at}]" if ":" in at else at, bound, protocol)
    return server
