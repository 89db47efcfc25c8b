"""Leagues played by mail: what people write to the service, and what it does as time goes on."""

from __future__ import annotations

from email.message import EmailMessage
from itertools import count
from typing import TYPE_CHECKING

from sqlalchemy import select

from emails.parsing.reader import parse_mail
from pbem.db.models import Event, ServiceMail
from pbem.play.inbox import service_mail
from pbem.play.upkeep import event_steps
from pbem.states import EventKind, ServiceMailStatus
from tests.support import clockwork
from tests.support.house import address
from tests.support.play.events.entering import person

if TYPE_CHECKING:
    from datetime import datetime

    from tests.support.house import House, Mail

_NUMBERS = count(1)
STEPS = [step for step in event_steps.STEPS if step.__module__.startswith("pbem.play.leagues.")]


def welcome(house: House, *names: str) -> None:
    """Confirm the addresses of some people, who never sleep and take no vacation by themselves."""
    with house.transaction() as ctx:
        for name in names:
            player = person(ctx, name)
            player.quiet_from = player.quiet_until = 0
            player.auto_vacation = False


def write(house: House, name: str, text: str, at: datetime) -> list[Mail]:
    """Write a mail to the service at a time; return what its author is mailed."""
    mail = EmailMessage()
    mail["From"], mail["To"] = address(name), house.config.service_address
    mail["Subject"], mail["Message-ID"] = "League", f"<league.{next(_NUMBERS)}@example.org>"
    mail.set_content(f"{text}\n")
    with clockwork.at(at):
        house.mails(name)
        assert house.send(mail.as_bytes(), house.config.service_address, address(name)).code == 250
        waiting = select(ServiceMail.id).where(ServiceMail.status == ServiceMailStatus.PENDING)
        for number in house.all(waiting):
            with house.transaction() as ctx:
                service_mail.process(ctx, number, parse_mail)
        return house.mails(name)


def run(house: House, at: datetime) -> None:
    """Do all that is due for leagues at a time, as the task does, and send the mails."""
    for step in STEPS:
        more = True
        while more:
            with house.transaction(at) as ctx:
                more = step(ctx)
    with clockwork.at(at):
        house.deliver()


def seasons(house: House, game: str = "montauk") -> list[Event]:
    """Return the seasons of a league, the first first."""
    of_league = Event.kind == EventKind.LEAGUE, Event.game == game
    return house.all(select(Event).where(*of_league).order_by(Event.season))
