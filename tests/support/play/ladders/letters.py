"""Mails about ladders to the service, and their answers."""

from __future__ import annotations

from email.message import EmailMessage
from typing import TYPE_CHECKING

from sqlalchemy import select

from emails.parsing.reader import parse_mail
from pbem.db.models import ServiceMail
from pbem.play.inbox import service_mail
from pbem.states import ServiceMailStatus
from tests.support.clockwork import at
from tests.support.house import NUMBERS, address

if TYPE_CHECKING:
    from datetime import datetime

    from tests.support.house import House, Mail


def write(house: House, moment: datetime, name: str, text: str) -> Mail | None:
    """Write to the service itself, and return the last new mail."""
    mail = EmailMessage()
    mail["From"], mail["To"] = address(name), house.config.service_address
    mail["Message-ID"] = f"<{next(NUMBERS)}.letter@example.org>"
    mail.set_content(f"{text}\n")
    return _send(house, moment, name, mail)


def answer(house: House, moment: datetime, mail: Mail, text: str) -> Mail | None:
    """Reply to a mail of the service, and return the last new mail."""
    written = EmailMessage()
    written["From"], written["To"] = address(mail.name), house.config.service_address
    written["Message-ID"] = f"<{next(NUMBERS)}.letter@example.org>"
    written["In-Reply-To"] = mail.headers["Message-ID"]
    written.set_content(f"{text}\n")
    return _send(house, moment, mail.name, written)


def mailed(house: House, moment: datetime, name: str) -> Mail:
    """Return the last new mail of somebody about a ladder."""
    with at(moment):
        return [one for one in house.mails(name) if "/ladders/" in one.text or "/challenges/" in one.text][-1]


def _send(house: House, moment: datetime, name: str, mail: EmailMessage) -> Mail | None:
    with at(moment):
        house.mails(name)
        assert house.send(mail.as_bytes(), house.config.service_address, address(name)).code == 250
        for number in house.all(select(ServiceMail.id).where(ServiceMail.status == ServiceMailStatus.PENDING)):
            with house.transaction() as ctx:
                service_mail.process(ctx, number, parse_mail)
        new = house.mails(name)
    return new[-1] if new else None
