"""Mails about delivery: failures, for the reader, a host or the operator, and the service's test mail to itself."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from emails.content.blocks import BulletList, Footnote
from emails.messages.kinds import MessageKind
from emails.messages.shared import current_position
from pbem.i18n import _, marked
from pbem.play.deliverability import loopback
from pbem.play.notifications import smtp_status
from pbem.time_format import format_moment

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _address_failing(reader: MessageContext) -> list[Block]:
    failed, why = reader.facts["failed"], smtp_status.reason_text(reader.facts["why"])
    lead = _("Mail to your address {address} does not arrive: {why}.", address=failed, why=why)
    how = _("We sent this mail to another address of yours. On any of your pages you can try the first one again.")
    return [lead, how, *current_position(reader)]


def _not_invited(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    how = _(
        "Is the address right? If not, reply with the right one, such as “replace {seat} with bob@example.org”, or "
        "“replace {seat} with anybody”.",
        seat=facts.get("guest_seat", 2),
    )
    why = smtp_status.reason_text(facts["why"])
    return [_("Your invitation did not reach {name}: {why}.", name=facts["guest"], why=why), how]


def _domains_refuse(reader: MessageContext) -> list[Block]:
    lines = tuple(
        _(
            "{domain}: since {since}, next attempt on {until}. It says: {text}",
            domain=one["domain"],
            since=format_moment(datetime.fromisoformat(one["since"]), "UTC"),
            until=format_moment(datetime.fromisoformat(one["until"]), "UTC"),
            text=" ".join(one["text"].split()) or _("nothing"),
        )
        for one in reader.facts["domains"]
    )
    how = _(
        "Mail to them waits, and goes out as soon as they accept it. Check whether this service is on a blocklist, and "
        "whether SPF, DKIM and DMARC of its domain are right. For all figures, run: pbem mail-rates"
    )
    return [_("Some mail servers refuse all mail from this service."), BulletList(lines), how]


def _loopback(reader: MessageContext) -> list[Block]:
    """Build the test mail, in English only: it is read only by operators who find it in a mailbox."""
    host = reader.config.host
    lead = f"This mail goes from {host} to {host}, to check that mail arrives."
    return [lead, Footnote(("You can ignore it.",))]


KINDS = (
    MessageKind("failing", _address_failing, subject=marked("Your address does not work")),
    MessageKind("not invited", _not_invited, subject=marked("Your invitation did not arrive")),
    MessageKind("refused us", _domains_refuse, subject=marked("Our mail is refused")),
    MessageKind(loopback.KIND, _loopback, subject="Does mail arrive?"),
)
