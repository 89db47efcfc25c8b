"""The mailbox for delivery reports: `bounce+<token>@`, one for each mail that was sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.inbound.mailboxes.base import Mailbox, ReceivedMail, StoreResult
from emails.parsing import bounces as parsing_bounces
from pbem.play.deliverability import bounces as deliverability_bounces

if TYPE_CHECKING:
    from collections.abc import Collection

    from pbem.play.core.context import Context


def _issued_tokens(ctx: Context, tokens: Collection[str]) -> Collection[str]:
    return {token for token in tokens if deliverability_bounces.find_message(ctx, token)}


def _store(ctx: Context, incoming: ReceivedMail) -> StoreResult:
    """Record a delivery report; anything else, such as an out-of-office reply, is accepted and discarded."""
    notice = deliverability_bounces.find_message(ctx, incoming.token)
    if notice is None:
        return StoreResult.UNKNOWN
    found = parsing_bounces.parse_bounce(incoming.raw)
    if found is None or incoming.own:
        return StoreResult.NEW
    new = deliverability_bounces.record_bounce(ctx, notice, found.kind, found.status, found.text, lost=found.lost)
    return StoreResult.NEW if new else StoreResult.COPY


MAILBOXES = (Mailbox("bounce", _store, issued_tokens=_issued_tokens, by_hand=False),)
