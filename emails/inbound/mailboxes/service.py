"""The service's own mailboxes: its address, and those that every mail domain has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.inbound.mailboxes.base import Mailbox, ReceivedMail, StoreResult
from emails.parsing import bounces as parsing_bounces
from emails.parsing.reader import parse_mail
from pbem.play.deliverability import bounces as deliverability_bounces
from pbem.play.inbox import service_mail
from pbem.play.notifications import smtp_status

if TYPE_CHECKING:
    from pbem.play.core.context import Context


def _store(ctx: Context, incoming: ReceivedMail) -> StoreResult:
    stored = incoming.stored
    # Automatic mail is stored but not forwarded: another robot could answer it, in an endless loop.
    reading = parse_mail(stored)
    by_hand = not incoming.own and reading.kind == "reply"
    if not by_hand and not incoming.own:
        _record_complaint(ctx, incoming)
    to, once = incoming.recipient.lower(), incoming.fingerprint
    new = service_mail.store(ctx, to, incoming.sender, stored, once, author=reading.sender, forward=by_hand)
    return StoreResult.NEW if new else StoreResult.COPY


def _record_complaint(ctx: Context, incoming: ReceivedMail) -> None:
    """Record a complaint that a provider sent here, if it names one of our mails.

    Other reports that arrive here have no effect, since anybody can forge them.
    """
    found = parsing_bounces.parse_bounce(incoming.raw)
    if found is None or found.kind != smtp_status.COMPLAINT:
        return
    for notice in deliverability_bounces.find_messages(ctx, *parsing_bounces.find_references(ctx.config, incoming.raw)):
        deliverability_bounces.record_bounce(ctx, notice, found.kind, found.status, found.text)


MAILBOXES = tuple(Mailbox(name, _store) for name in ("games", "postmaster", "abuse"))
