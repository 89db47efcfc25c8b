"""Operators' acts on outbound mail: to retry a mail, suppress an address, or lift a suppression."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from pbem.db.models import Address, Letter, Match, Notice, Suppression
from pbem.db.session import after_commit
from pbem.play.core.actors import ADDRESS, NOTICE, ActError, Actor, Done
from pbem.play.deliverability import bounces
from pbem.play.notifications import fresh_links, given_up
from pbem.play.notifications.outbox import RELAY, not_to_send
from pbem.play.notifications.smtp_status import redacted
from pbem.play.operators import audit, lookup
from pbem.play.operators.inbound_actions import forwarded
from pbem.play.operators.perform import act
from pbem.play.players import registry, suppressions
from pbem.play.players.unsubscribes import UNSUBSCRIBED, key_of

if TYPE_CHECKING:
    from pbem.play.core.context import Context

MANUAL = "manual"
"""Reason of a suppression by an operator."""


@act("retry notice", NOTICE, needs_reason=False)
def retry(ctx: Context, _actor: Actor, number: int, _reason: str, /) -> Done:
    """Retry a pending mail at once, or send one that was given up; a sent mail is never sent again.

    One that is no longer true, or whose facts were deleted, is replaced by a mail with the match as it is now.
    """
    notice = lookup.locked(ctx, Notice, number, "mail")
    if notice.state == "sent":
        raise ActError(f"Mail {number} was sent; whether it arrived only its recipient knows.")
    if reason := suppressions.suppressed(ctx, notice.recipient):
        raise ActError(f"Its address is not to be written to ({reason}): lift that first.")
    if notice.state == "owed":
        notice.due_at = ctx.now
        after_commit(ctx.session, RELAY, notice.shard)
        return Done(f"Mail {number} is tried now.")
    if notice.kind == "letter":
        return _letter(ctx, notice)
    if given_up.kept_until(notice) and not_to_send(ctx, notice) is None:
        given_up.take_up(ctx, notice)
        return Done(f"Mail {number} is sent after all.")
    once = f"retry {number}"
    known = ctx.session.scalar(select(Notice.id).where(Notice.once == once))
    if known is not None:
        return Done(f"Mail {number} was written anew already, as mail {known}.", changed=False)
    match = ctx.session.get(Match, notice.match_id) if notice.match_id else None
    if match is None or notice.holder is None:
        raise ActError("What it was made of is kept no more: whoever it was for may ask for it again.")
    if notice.holder.until is not None:
        raise ActError("Somebody else sits at that seat now.")
    fresh_links.owe_fresh_link(ctx, match, notice.holder, once=once)
    if ctx.session.scalar(select(Notice.id).where(Notice.once == once)) is None:
        raise ActError("The match was called off before it began, so there is nothing to tell.")
    given_up.replaced(notice)
    return Done(f"Instead of mail {number} a new one goes to its seat, with the match as it stands.")


@act("suppress", ADDRESS)
def suppress(ctx: Context, _actor: Actor, email: str, _reason: str, /) -> Done:
    """Suppress all mail to an address."""
    email = _tidy(email)
    known = ctx.session.get(Suppression, key_of(email), with_for_update=True)
    before = known.reason if known else None
    if before == MANUAL:
        return Done(f"Nothing is mailed to {email} already.", changed=False, detail=_shown(email))
    row = {"hash": key_of(email), "reason": MANUAL, "since": ctx.now, "until": None}
    written = insert(Suppression).values(row)
    values = {name: written.excluded[name] for name in ("reason", "since", "until")}
    ctx.session.execute(written.on_conflict_do_update(index_elements=["hash"], set_=values))
    ctx.session.expire_all()
    detail = _shown(email) | ({"before": before} if before else {})
    return Done(f"Nothing is mailed to {email} from now on.", detail=detail)


@act("lift", ADDRESS)
def lift(ctx: Context, _actor: Actor, email: str, _reason: str, /) -> Done:
    """Lift the suppression of an address; a single report that it does not exist suppresses it again."""
    email = _tidy(email)
    row = ctx.session.get(Suppression, key_of(email), with_for_update=True)
    if row is None:
        return Done(f"Nothing speaks against writing to {email}.", changed=False, detail=_shown(email))
    if row.reason == UNSUBSCRIBED:
        raise ActError("Its owner has asked for no mail; only they can undo that, on any page about their mail.")
    reason = row.reason
    ctx.session.execute(delete(Suppression).where(Suppression.hash == key_of(email)))
    if reason == MANUAL and _wanted_none(ctx, email):
        own = {"hash": key_of(email), "reason": UNSUBSCRIBED, "since": ctx.now}
        ctx.session.execute(insert(Suppression).values(own))
        said = f"What was said of {email} is lifted; its owner had asked for no mail before, and that stands again."
        return Done(said, detail=_shown(email) | {"lifted": reason})
    address = ctx.session.get(Address, email, with_for_update=True, populate_existing=True)
    if address is not None:
        address.score = min(address.score, bounces.ON_TRIAL)
    return Done(f"Mail goes to {email} again.", detail=_shown(email) | {"lifted": reason})


def _letter(ctx: Context, notice: Notice) -> Done:
    number = int(notice.once.split()[1])
    if ctx.session.get(Letter, number) is None:
        raise ActError("That letter is kept no more.")
    return forwarded(ctx, number)


def _wanted_none(ctx: Context, email: str) -> bool:
    """Return whether the owner of an address had unsubscribed before an operator suppressed it."""
    said = audit.newest(ctx, subject=(ADDRESS, key_of(email).hex()), act="suppress")
    last = next((line.detail for line in said if line.detail["changed"]), {})
    return last.get("before") == UNSUBSCRIBED


def _shown(email: str) -> dict[str, str]:
    """Return the address for the audit log, so that its owner recognises it and nobody else learns it."""
    return {"address": redacted(email)}


def _tidy(email: str) -> str:
    try:
        return registry.tidy_email(email)
    except registry.PersonError as refused:
        raise ActError(str(refused)) from None
