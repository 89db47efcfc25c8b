"""The mailbox for delivery reports: `bounce+<token>@`, one for each mail that was sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.inbound.mailboxes.base import Incoming, Kept, Mailbox
from emails.parsing import bounces as parsing_bounces
from pbem.play.deliverability import bounces as deliverability_bounces

if TYPE_CHECKING:
    from collections.abc import Collection

    from pbem.play.core.context import Context


def _known(ctx: Context, tokens: Collection[str]) -> Collection[str]:
    return {token for token in tokens if deliverability_bounces.notice_of(ctx, token)}


def _keep(ctx: Context, incoming: Incoming) -> Kept:
    """Record a delivery report; anything else, such as an out-of-office reply, is accepted and discarded."""
    notice = deliverability_bounces.notice_of(ctx, incoming.token)
    if notice is None:
        return Kept.UNKNOWN
    found = parsing_bounces.told(incoming.raw)
    if found is None or incoming.own:
        return Kept.NEW
    new = deliverability_bounces.returned(ctx, notice, found.kind, found.status, found.text, lost=found.lost)
    return Kept.NEW if new else Kept.COPY


MAILBOXES = (Mailbox("bounce", _keep, known=_known, by_hand=False),)
