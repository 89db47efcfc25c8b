"""The plain app's door: each mail is a row before its 250, and a task after it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from aiosmtpd.controller import Controller
from sqlalchemy import select
from sqlalchemy.orm import Session

from benchmarks.systems.plain.app import DOMAIN, Mail, Player, engine, judge

if TYPE_CHECKING:
    from aiosmtpd.smtp import SMTP, Envelope
    from aiosmtpd.smtp import Session as Conversation


class Door:
    """What aiosmtpd asks."""

    async def handle_RCPT(  # noqa: N802 -- the name is aiosmtpd's
        self, _server: SMTP, _session: Conversation, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Accept the addresses of players."""
        if not await asyncio.to_thread(self._is_known, address):
            return "550 No such address"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: SMTP, _session: Conversation, envelope: Envelope) -> str:  # noqa: N802
        """Store a mail, and enqueue its judging."""
        judge.delay(await asyncio.to_thread(self._keep, envelope.original_content or b"", envelope.rcpt_tos[0]))
        return "250 OK"

    def _is_known(self, address: str) -> bool:
        name, _, domain = address.partition("@")
        token = name.partition("+")[2]
        with Session(engine) as session:
            return domain == DOMAIN and session.scalar(select(Player.id).where(Player.token == token)) is not None

    def _keep(self, raw: bytes, recipient: str) -> int:
        with Session(engine) as session, session.begin():
            mail = Mail(raw=raw, recipient=recipient)
            session.add(mail)
            session.flush()
            return mail.id


def serve(port: int) -> None:
    """Take mail until the process is ended."""
    Controller(Door(), hostname="127.0.0.1", port=port).start()
    asyncio.new_event_loop().run_forever()
