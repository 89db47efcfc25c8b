"""RCPT for one address, as a mail server asks it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.inbound.accept import check_recipients

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from emails.inbound.smtp_replies import SmtpReply
    from pbem.config import Config


def check_recipient(engine: Engine, config: Config, recipient: str, peer: str | None = None) -> SmtpReply:
    """Return the reply to RCPT for one address."""
    return check_recipients(engine, config, [(recipient, peer)])[0]
