"""Bounces: reports that a mail did not arrive, the score that they add up to, and how a player resets it.

Only the token in a mail's own envelope identifies the mail of a report and its recipient. Reports are scored per
address; at the threshold the address gets no more mail until its owner resets it or time passes.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import DateTime, bindparam, delete, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert

from pbem.addresses import domain_of
from pbem.db import conditions
from pbem.db.models import Address, BounceReport, DomainBackoff, Match, OutboxMessage, Suppression
from pbem.db.session import call_after_commit
from pbem.play.clocks import clock_pauses
from pbem.play.core import tokens as core_tokens
from pbem.play.core.rate_limits import SECONDS_PER_DAY, Limit, hit
from pbem.play.deadlines import turn_deadlines
from pbem.play.deliverability import domain_backoff, domain_statistics
from pbem.play.matches.seats import holders
from pbem.play.notifications import fresh_links, outbox, smtp_status
from pbem.play.notifications.smtp_status import COMPLAINT, HARD, POLICY, SOFT
from pbem.play.players import reachability, suppressions
from pbem.play.players.unsubscribes import UNSUBSCRIBED, address_hash
from pbem.states import MatchState
from pbem.telemetry import logs

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from pbem.db.models import SeatHolder
    from pbem.play.core.context import Context
    from pbem.play.notifications.smtp_status import Kind

log = logging.getLogger(__name__)

WEIGHTS: Mapping[str, float] = {POLICY: 0, SOFT: 1, HARD: 2, COMPLAINT: 4}
"""Score of each kind of report."""
SUPPRESS_SCORE = 4
"""Score from which on an address gets no mail."""
SCORE_PER_SUCCESS = 0.1
"""How much each accepted mail lowers the score."""
RESET_AFTER = timedelta(days=30)
"""Time without a report after which the score starts anew, and an address that bounced is tried again."""
TRIAL_SCORE = 2.5
"""Score of an address that is tried again: one hard bounce stops it, also after some accepted mails."""
MIN_POLICY_ADDRESSES = 3
"""Addresses of a domain with policy reports in a day from which on the whole domain is considered to refuse us."""
MAX_RETRIES_PER_DAY = 3
"""Maximum times per day that a player may have their address tried again."""

BOUNCE = "bounce"
_MAX_TEXT_CHARS = 400


@dataclass(frozen=True, slots=True)
class AddressStatus:
    """Status of an address before a mail is sent to it; `suppressed` is why it gets no mail, if so."""

    backoff_until: datetime | None
    has_failures: bool
    suppressed: str | None = None


def find_message(ctx: Context, token: str) -> OutboxMessage | None:
    """Return the outbox message that was sent with this token in its envelope, or None."""
    hashed = core_tokens.hash_token(core_tokens.normalise(token) or "")
    return ctx.session.scalar(select(OutboxMessage).where(OutboxMessage.return_path_hash == hashed))


def find_messages(ctx: Context, tokens: Iterable[str], message_ids: Iterable[str]) -> list[OutboxMessage]:
    """Return the outbox messages with these tokens or Message-IDs, which only recipients of the mails know."""
    derived = [core_tokens.bounce_token(ctx, each, name) for each in message_ids for name in core_tokens.key_ids(ctx)]
    found = (find_message(ctx, token) for token in [*tokens, *derived])
    return list(dict.fromkeys(message for message in found if message is not None))


def record_failure(ctx: Context, message: OutboxMessage, kind: Kind, status: str, text: str) -> bool:
    """Record a failed delivery or a complaint; return False if it is known already."""
    text = "".join(letter if letter.isprintable() else " " for letter in text)[:_MAX_TEXT_CHARS]
    row = {
        "outbox_message_id": message.id, "email": message.recipient, "kind": kind, "status": status, "text": text,
        "reported_at": ctx.now,
    }  # fmt: skip
    # Locked before the score is computed, so that concurrent reports add up.
    address = ctx.session.get(Address, message.recipient, with_for_update=True, populate_existing=True)
    reported = ctx.session.scalars(select(BounceReport.kind).where(BounceReport.outbox_message_id == message.id))
    counted = max((WEIGHTS[one] for one in reported), default=0.0)
    last = reachability.last_failure_at(ctx, message.recipient)
    new = ctx.session.scalar(insert(BounceReport).values(row).on_conflict_do_nothing().returning(BounceReport.id))
    if new is None:
        return False
    domain_statistics.count_result(ctx, message.recipient, kind)
    with logs.bound_fields(notice=message.id, match=message.match_id):
        call_after_commit(ctx.session, log.info, "bounce or complaint recorded: %s", kind)
    if kind == POLICY:
        return True
    if address is None:
        # Not an address of a player, such as the operator's: only a complaint has an effect.
        if kind == COMPLAINT:
            suppress(ctx, message.recipient, COMPLAINT)
        return True
    if last is None or ctx.now - last > RESET_AFTER:
        address.bounce_score = 0
    address.bounce_score += max(0.0, WEIGHTS[kind] - counted)
    address.bounce_score_at = ctx.now
    first = address.failing_since is None
    address.failing_since = address.failing_since or ctx.now
    address.failure_reason = smtp_status.reason_key(kind, status, text)
    if kind == COMPLAINT or address.bounce_score >= SUPPRESS_SCORE:
        suppress(ctx, address.email, COMPLAINT if kind == COMPLAINT else BOUNCE)
    ctx.session.flush()
    if first and kind != SOFT:
        _notify_elsewhere(ctx, address, message)
    return True


def record_bounce(
    ctx: Context, message: OutboxMessage, kind: Kind, status: str, text: str, *, lost: bool = True
) -> bool:
    """Record a report about a mail that a server had accepted; return False if it is known already.

    `lost` is whether the mail will never arrive.
    """
    if not record_failure(ctx, message, kind, status, text):
        return False
    if kind == POLICY:
        if _is_domain_wide(ctx, message.recipient):
            domain_backoff.record_refusal(ctx, message.recipient, text or status)
        if lost:
            _enqueue_again(ctx, message)
    return True


def address_status(ctx: Context, email: str) -> AddressStatus:
    """Return the status of an address before a mail is sent to it."""
    return address_statuses(ctx, [email])[email]


_NOW = bindparam("now", type_=DateTime(timezone=True))
_STATUSES = select(
    select(func.jsonb_object_agg(DomainBackoff.domain, DomainBackoff.retry_at))
    .where(conditions.is_any_of(DomainBackoff.domain, "domains"), DomainBackoff.retry_at > _NOW)
    .scalar_subquery(),
    select(func.array_agg(Address.email))
    .where(
        conditions.is_any_of(Address.email, "emails"),
        or_(Address.bounce_score > 0, Address.failing_since.is_not(None)),
    )
    .scalar_subquery(),
    select(func.jsonb_object_agg(func.encode(Suppression.hash, "hex"), Suppression.reason))
    .where(conditions.is_any_of(Suppression.hash, "hashes"), suppressions.is_active(_NOW))
    .scalar_subquery(),
)


def address_statuses(ctx: Context, emails: Iterable[str]) -> dict[str, AddressStatus]:
    """Return the status of each of some addresses, with a single query."""
    keys = {email: (domain_of(email), address_hash(email)) for email in emails}
    domains, hashes = [domain for domain, _ in keys.values()], [hashed for _, hashed in keys.values()]
    named = {"now": ctx.now, "emails": [*keys], "domains": domains, "hashes": hashes}
    row = ctx.session.execute(_STATUSES, named).one()
    failing: Collection[str] = row[1] or ()
    reasons: Mapping[str, str] = row[2] or {}
    backoffs = {domain: datetime.fromisoformat(moment) for domain, moment in (row[0] or {}).items()}
    return {
        email: AddressStatus(backoffs.get(domain), email in failing, reasons.get(hashed.hex()))
        for email, (domain, hashed) in keys.items()
    }


def record_delivery(ctx: Context, message: OutboxMessage, before: AddressStatus) -> None:
    """Record that a mail was accepted, and lower the score of its address.

    A mail that had been refused before has arrived now; for any other, time must pass, because a report may follow.
    """
    was_refused = message.error is not None
    if was_refused:
        domain_backoff.clear(ctx, message.recipient)
    if not before.has_failures:
        return
    address = ctx.session.get_one(Address, message.recipient, with_for_update=True, populate_existing=True)
    if was_refused or (address.failing_since and reachability.delivery_failure(ctx, address.email) is None):
        mark_reachable(ctx, address, ctx.now if was_refused else clock_pauses.reachable_again_at(ctx, address.email))
    address.bounce_score = max(0.0, address.bounce_score - SCORE_PER_SUCCESS)
    address.bounce_score_at = ctx.now


def suppress(ctx: Context, email: str, reason: str) -> None:
    """Send no more mail to an address: after a complaint for ever, after bounces for a while."""
    until = None if reason == COMPLAINT else ctx.now + RESET_AFTER
    row = {"hash": address_hash(email), "reason": reason, "suppressed_at": ctx.now, "expires_at": until}
    # An unsubscription must remain when a bounce is lifted.
    milder = Suppression.reason.in_((BOUNCE, UNSUBSCRIBED) if reason == COMPLAINT else (BOUNCE,))
    ctx.session.execute(
        insert(Suppression).values(row).on_conflict_do_update(index_elements=["hash"], set_=row, where=milder)
    )


def retry_address(ctx: Context, match: Match, holder: SeatHolder) -> bool:
    """Lift a suppression for bounces and mail a fresh link to the address; return False beyond the daily limit.

    A single hard bounce suppresses it again.
    """
    if hit(ctx, Limit("try again", holder.email, MAX_RETRIES_PER_DAY, SECONDS_PER_DAY)):
        return False
    bounced = Suppression.hash == address_hash(holder.email), Suppression.reason == BOUNCE
    ctx.session.execute(delete(Suppression).where(*bounced))
    address = ctx.session.get(Address, holder.email, with_for_update=True, populate_existing=True)
    if address is not None:
        address.bounce_score = min(address.bounce_score, TRIAL_SCORE)
    fresh_links.enqueue(ctx, match, holder)
    return True


def confirm_arrival(ctx: Context, email: str) -> None:
    """Record that the owner of an address confirms that a mail sent since the last report has arrived."""
    failure = reachability.delivery_failure(ctx, email)
    if failure is None or failure.retried_at is None or failure.suppressed:
        return
    address = ctx.session.get_one(Address, email, with_for_update=True, populate_existing=True)
    address.bounce_score = 0
    mark_reachable(ctx, address, ctx.now)


def mark_reachable(ctx: Context, address: Address, until: datetime) -> None:
    """Record that mail reaches an address again, and give its player back the time for which it did not."""
    since, address.failing_since, address.failure_reason = address.failing_since, None, None
    if since is not None:
        clock_pauses.record_unreachable(ctx, since, until, player_id=address.player_id)
        turn_deadlines.recompute_soon(ctx, turn_deadlines.belongs_to_player(address.player_id))


def _is_domain_wide(ctx: Context, email: str) -> bool:
    """Return whether policy reports concern a whole domain: any recipient of our mail can forge a report about it."""
    reported = select(func.count(BounceReport.email.distinct())).where(
        BounceReport.kind == POLICY,
        BounceReport.reported_at > ctx.now - domain_backoff.RESET_AFTER,
        func.split_part(BounceReport.email, "@", 2) == domain_of(email),
    )
    return (ctx.session.scalar(reported) or 0) >= MIN_POLICY_ADDRESSES


def _enqueue_again(ctx: Context, message: OutboxMessage) -> None:
    """Enqueue a mail that was refused for policy again, with a delay."""
    match = ctx.session.get(Match, message.match_id) if message.match_id else None
    if match is None or message.holder is None or message.holder.left_at is not None:
        return
    if match.state != MatchState.OVER or message.kind == "final":
        once = f"again {message.id}"
        fresh_links.enqueue(ctx, match, message.holder, once=once)
        policy = BounceReport.email == message.recipient, BounceReport.kind == POLICY
        recent = select(func.count()).where(*policy, BounceReport.reported_at > ctx.now - RESET_AFTER)
        refusals = ctx.session.scalar(recent) or 1
        due_at = ctx.now + domain_backoff.BACKOFF[min(refusals, len(domain_backoff.BACKOFF)) - 1]
        ctx.session.execute(update(OutboxMessage).where(OutboxMessage.idempotency_key == once).values(due_at=due_at))


def _notify_elsewhere(ctx: Context, address: Address, message: OutboxMessage) -> None:
    """Mail the player at another address, and the creator of the match if their invitation did not arrive."""
    match = ctx.session.get(Match, message.match_id) if message.match_id else None
    holder = message.holder
    if match is None or holder is None or holder.left_at is not None:
        return
    other = _other_address(ctx, address)
    if other is not None:
        facts = outbox.match_facts(ctx, match, holder) | {"failed": smtp_status.redact(address.email)}
        facts |= {"why": address.failure_reason, "failed_at": ctx.now.isoformat()}
        once, ply = f"failing {address.email} {ctx.now.date()}", 0 if match.state == MatchState.INVITING else None
        outbox.enqueue(ctx, "failing", holder, match, facts, once=once, ply=ply, recipient=other)
    if match.state == MatchState.INVITING and match.creator_seat and match.creator_seat != holder.seat:
        creator = next(one for one in holders(ctx, match) if one.seat == match.creator_seat)
        facts = outbox.match_facts(ctx, match, creator) | {"guest": holder.name, "guest_seat": holder.seat}
        facts["why"] = address.failure_reason
        once = f"not invited {match.id} {holder.id}"
        outbox.enqueue(ctx, "not invited", creator, match, facts, once=once, ply=0)


def _other_address(ctx: Context, address: Address) -> str | None:
    """Return another verified address of a player that mail reaches."""
    others = select(Address.email).where(
        Address.player_id == address.player_id,
        Address.email != address.email,
        Address.verified_at.is_not(None),
        Address.failing_since.is_(None),
    )
    found = ctx.session.scalars(others.order_by(Address.created_at, Address.email))
    return next((email for email in found if suppressions.suppression_reason(ctx, email) is None), None)
