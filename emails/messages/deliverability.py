"""Mails about failed delivery: to another address of the reader, to the host, to the operator."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from emails.content.blocks import BulletList
from emails.messages.kinds import MessageKind
from emails.messages.shared import position, your_turn
from pbem.i18n import _, marked
from pbem.play.notifications import smtp_status
from pbem.time_format import format_moment

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _address_failing(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    lead = _(
        "Mail to your address {address} does not arrive: {why}.", address=facts["failed"], why=_failure_text(reader)
    )
    how = _("You get this at another address of yours. On any page of yours you can have the first one tried again.")
    return [lead, how, *(your_turn(reader) if reader.their_turn else position(reader))]


def _not_invited(reader: MessageContext) -> list[Block]:
    guest = reader.facts["guest"]
    lead = _("Your invitation did not reach {name}: {why}.", name=guest, why=_failure_text(reader))
    how = _(
        "Is the address right? If not, reply with the right one, such as “replace {seat} with bob@example.org”, or "
        "“replace {seat} with anybody”.",
        seat=reader.facts.get("guest_seat", 2),
    )
    return [lead, how]


def _failure_text(reader: MessageContext) -> str:
    return smtp_status.reason_text(reader.facts["why"])


def _domains_refuse(reader: MessageContext) -> list[Block]:
    lead = _("Some mail servers refuse what we send, for what we are and not for whom we write to.")
    lines = tuple(
        _(
            "{domain} since {since}; tried again on {until}. It says: {text}",
            domain=one["domain"],
            since=_moment(one["since"]),
            until=_moment(one["until"]),
            text=" ".join(one["text"].split()) or _("nothing"),
        )
        for one in reader.facts["domains"]
    )
    how = _(
        "Their mails wait and go out by themselves once they are taken. Look whether this service stands on a block "
        "list, and whether SPF, DKIM and DMARC of its domain are right. All figures: pbem mail-rates"
    )
    return [lead, BulletList(lines), how]


def _moment(written: str) -> str:
    return format_moment(datetime.fromisoformat(written), "UTC")


KINDS = (
    MessageKind("failing", _address_failing),
    MessageKind("not invited", _not_invited),
    MessageKind("refused us", _domains_refuse, subject=marked("Mail of ours is refused")),
)
