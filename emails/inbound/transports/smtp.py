"""Mail comes in by SMTP and LMTP.

Unknown mailboxes are refused at RCPT; 250 is said only once the mail is committed.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from socket import gaierror
from typing import TYPE_CHECKING, Any

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP

from emails.inbound.accept import accept_all, one_of, welcome_all
from emails.inbound.batching import Together
from emails.inbound.incoming_mail import Offered
from emails.inbound.mailboxes import whole
from emails.inbound.smtp_replies import LATER, OK
from emails.parsing.limits import SIZE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from aiosmtpd.smtp import Envelope, Session
    from sqlalchemy import Engine

    from pbem.config import Config

log = logging.getLogger(__name__)

PORTS = 65535
IDLE_SECONDS = 60
COMMANDS_AT_MOST = {"MAIL": 1000, "RCPT": 1000, "DATA": 1000, "RSET": 1000, "*": 100}
"""So often a command may be said over one connection; mail servers send many mails over one."""
TOO_MUCH = ("552 Error: Too much mail data", "500 Line too long (see RFC5321 4.5.3.1.6)")
"""What aiosmtpd says itself, once, of data that it threw away."""

_ATOMS = r"[a-z0-9_+=-]+(?:\.[a-z0-9_+=-]+)*"
_USUAL = re.compile(rf"<({_ATOMS}@{_ATOMS})>(?: +([a-z0-9=][a-z0-9= ]*))?", re.IGNORECASE | re.ASCII)
"""An address as nearly all mail has it, in what MAIL and RCPT are followed by."""


class DoorError(Exception):
    """A sentence about a port that cannot be listened on."""


class Door:
    """Answers the SMTP commands that decide: who a mail is for, and its data.

    What many connections ask for at the same time is looked up in one go, and committed in one.
    """

    def __init__(self, engine: Engine, config: Config) -> None:
        self._whole = partial(whole, config)
        self._asked = Together(partial(welcome_all, engine, config))
        self._offered = Together(partial(accept_all, engine, config))

    async def handle_RCPT(  # noqa: N802 (the name that aiosmtpd calls)
        self, server: SMTP, session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Refuse an unknown mailbox before any data is sent."""
        address = self._whole(address)
        answer = await self._asked.ask((address, _machine(server, session)))
        if answer.code == OK.code:
            envelope.rcpt_tos.append(address)
        return str(answer)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Keep the mail for every recipient; one answer each by LMTP, the worst of them by SMTP."""
        raw = envelope.original_content or b""
        # The null sender is written as <>, and aiosmtpd leaves it so.
        sender = (envelope.mail_from or "").strip("<>")
        peer = _machine(server, session)
        offered = (Offered(raw, to, sender, peer) for to in envelope.rcpt_tos)
        answers = await asyncio.gather(*(self._offered.ask(one) for one in offered))
        if isinstance(server, LMTP):
            return "\r\n".join(map(str, answers))
        return str(one_of(answers))

    async def handle_exception(self, fault: Exception) -> str:
        """Have the mail sent again after a fault of ours, which is no business of the sender's."""
        log.error("mail could not be taken", exc_info=fault)
        return str(LATER)


def _machine(server: SMTP, session: Session) -> str | None:
    """Give the address of the machine that sends; by LMTP it is always one of our own."""
    peer: object = session.peer
    return str(peer[0]) if isinstance(peer, tuple) and not isinstance(server, LMTP) else None


class SmtpDoor(SMTP):
    """Takes lines of any length, since old mail programs write a paragraph as one."""

    line_length_limit = SIZE

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """Read the address of MAIL or RCPT, and what stands behind it; the whole grammar is for unusual ones alone."""
        if usual := _USUAL.fullmatch(arg):
            return usual[1], usual[2] or ""
        return super()._getaddr(arg)


class LmtpDoor(SmtpDoor, LMTP):
    """Takes lines of any length, and answers once for each recipient also where a mail is too large."""

    async def push(self, status: Any) -> None:
        """Say an answer; the one to data that was thrown away is said for each recipient."""
        for _ in self.envelope.rcpt_tos if self.envelope and status in TOO_MUCH else [None]:
            await super().push(status)


async def serve(engine: Engine, config: Config, stop: asyncio.Event) -> None:
    """Take mail on the configured ports until told to stop."""
    async with _opened(config, Door(engine, config), listening=True):
        await stop.wait()


async def look(config: Config) -> None:
    """Check that the configured ports are free, without listening on them, or raise DoorError."""
    async with _opened(config, None, listening=False):
        pass


@asynccontextmanager
async def _opened(config: Config, door: Door | None, *, listening: bool) -> AsyncIterator[None]:
    doors: list[tuple[str, type[SMTP], str | None]] = [
        ("PBEM_SMTP_LISTEN", SmtpDoor, config.smtp_listen),
        ("PBEM_LMTP_LISTEN", LmtpDoor, config.lmtp_listen),
    ]
    servers: list[asyncio.Server] = []
    try:
        for name, kind, listen in doors:
            if listen:
                with _told(name, listen):
                    servers.append(await _listen(kind, listen, door, shared=config.doors > 1, listening=listening))
        yield
    finally:
        for server in servers:
            server.close()


@contextmanager
def _told(name: str, listen: str) -> Iterator[None]:
    """Raise DoorError for a port that cannot be listened on, with the setting that named it and what is wrong."""
    try:
        yield
    except gaierror as unknown:
        raise DoorError(f"No mail can be taken at {name}={listen}: {unknown.strerror}.") from unknown
    except OSError as refused:
        raise DoorError(f"No mail can be taken at {name}={listen}: {os.strerror(refused.errno or 0)}.") from refused
    except ValueError as wrong:
        raise DoorError(f"No mail can be taken at {name}={listen}: its port is no number from 0 to {PORTS}.") from wrong


def _place(listen: str) -> tuple[str, int]:
    host, _, port = listen.rpartition(":")
    if not 0 <= int(port) <= PORTS:
        # uvloop would listen on what is left of the number.
        raise ValueError(port)
    return host.strip("[]"), int(port)


async def _listen(kind: type[SMTP], listen: str, door: Door | None, *, shared: bool, listening: bool) -> asyncio.Server:
    host, port = _place(listen)
    make: Any = partial(
        kind,
        door,
        data_size_limit=SIZE,
        enable_SMTPUTF8=True,
        ident="pbem",
        timeout=IDLE_SECONDS,
        command_call_limit=COMMANDS_AT_MOST,
    )
    # Of a port that several processes share, the kernel gives each a part of the connections.
    create = asyncio.get_running_loop().create_server
    server = await create(make, host, port, reuse_port=shared, start_serving=listening)
    for each in server.sockets if listening else ():
        at, bound = each.getsockname()[:2]
        way = "LMTP" if issubclass(kind, LMTP) else "SMTP"
        log.info("listening on %s:%d for %s", f"[{at}]" if ":" in at else at, bound, way)
    return server
