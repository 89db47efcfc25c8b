"""What tests of openings share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select, update

from emails.parsing.reader import parse_mail as read_mail
from pbem.db.models import Address, Match, ServiceMail
from pbem.play.inbox import service_mail
from pbem.states import ServiceMailStatus
from tests.support.house import NUMBERS

if TYPE_CHECKING:
    from tests.support.house import House
TO = "games@games.localhost"


# -- by a letter ---------------------------------------------------------------------------------------


def write(house: House, typed: str, sender: str = "ann@example.org", to: str = TO, **headers: str) -> str:
    """Write to the service itself, and have the letter read; gives its Message-ID."""
    name = f"<{next(NUMBERS)}.letter@example.org>"
    more = "".join(f"{header.replace('_', '-')}: {value}\n" for header, value in headers.items())
    raw = f"From: {sender}\nTo: {to}\nSubject: hello\nMessage-ID: {name}\n{more}\n{typed}\n".encode()
    assert house.send(raw, to, sender).code == 250
    for number in house.all(select(ServiceMail.id).where(ServiceMail.status == ServiceMailStatus.PENDING)):
        with house.transaction() as ctx:
            service_mail.process(ctx, number, read_mail)
    return name


def verified(house: House, *names: str) -> None:
    """Verify the addresses of some people."""
    house.make("middle-card", 3)
    for name in ("Ann", "Bob", "Cyd"):
        house.mails(name)
    with house.transaction() as ctx:
        emails = [f"{name.lower()}@example.org" for name in names]
        ctx.session.execute(update(Address).where(Address.email.in_(emails)).values(verified_at=ctx.now))


def made(house: House, game: str) -> list[Match]:
    return house.all(select(Match).where(Match.game == game))


def statuses(house: House) -> list[str]:
    return house.all(select(ServiceMail.status).order_by(ServiceMail.id))
