"""What comes back: reports that a mail did not arrive, what they add up to, and how a player lifts it.

Only the token of a mail's own envelope tells which mail a report is about and whom it went to. Reports are scored on
the address; at the threshold it is not written to any more until its owner, or time, says otherwise.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import DateTime, LargeBinary, Text, any_, bindparam, delete, func, or_, select, update
from sqlalchemy.dialects.postgresql import ARRAY, insert

from pbem.addresses import domain_of
from pbem.db.models import Address, Domain, Failure, Match, Notice, Suppression
from pbem.db.session import once_committed
from pbem.play.clocks import clock_pauses
from pbem.play.core import tokens as core_tokens
from pbem.play.core.rate_limits import DAY, Allowed, spend
from pbem.play.deadlines import turn_deadlines
from pbem.play.deliverability import domain_backoff, domain_statistics
from pbem.play.lifecycle import create
from pbem.play.notifications import fresh_links, outbox, smtp_status
from pbem.play.notifications.smtp_status import COMPLAINT, HARD, POLICY, SOFT
from pbem.play.players import reachability, suppressions
from pbem.play.players.unsubscribes import UNSUBSCRIBED, key_of
from pbem.states import MatchState
from pbem.telemetry import logs

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from pbem.db.models import Holder
    from pbem.play.core.context import Context
    from pbem.play.notifications.smtp_status import Kind

log = logging.getLogger(__name__)

WEIGHTS: Mapping[str, float] = {POLICY: 0, SOFT: 1, HARD: 2, COMPLAINT: 4}
"""What each kind of report adds to the score of an address."""
THRESHOLD = 4
"""With this score an address is not written to."""
PER_MAIL = 0.1
"""What each mail that was taken takes off it again."""
FORGOTTEN = timedelta(days=30)
"""After so long without a report the score begins anew, and an address that bounced is tried again."""
ON_TRIAL = 2.5
"""The score of an address that is tried again: one report for good ends it, also after some mails that were taken."""
SEVERAL = 3
"""Reports for policy about so many addresses of a domain in a day tell what the domain thinks of us."""
TRIES_A_DAY = 3
"""So often a day a player may have their address tried again."""

BOUNCE = "bounce"
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of an address before it is written to.

    Until when its domain waits, whether it had failures, and why it is not written to at all, if so.
    """

    until: datetime | None
    troubled: bool
    suppressed: str | None = None


def notice_of(ctx: Context, token: str) -> Notice | None:
    """Find the notice whose mail was sent with this token in its envelope; None for one that no mail had."""
    tidied = core_tokens.tidy(token)
    return (
        ctx.session.scalar(select(Notice).where(Notice.return_path == core_tokens.hashed(tidied))) if tidied else None
    )


def notices_of(ctx: Context, tokens: Iterable[str], message_ids: Iterable[str]) -> list[Notice]:
    """Find the notices whose mails had these tokens or Message-IDs, which nobody knows but who had the mails."""
    derived = [core_tokens.return_path(ctx, each, name) for each in message_ids for name in core_tokens.key_names(ctx)]
    found = (notice_of(ctx, token) for token in [*tokens, *derived])
    return list(dict.fromkeys(notice for notice in found if notice is not None))


def failed(ctx: Context, notice: Notice, kind: Kind, status: str, text: str) -> bool:
    """Note that a mail did not arrive, or was complained about; False where that is known already."""
    said = "".join(letter if letter.isprintable() else " " for letter in text)[:_LONGEST]
    row = {
        "notice_id": notice.id, "email": notice.recipient, "kind": kind, "status": status, "text": said,
        "at": ctx.now,
    }  # fmt: skip
    # Locked before it is counted, so that two reports at once add up.
    address = ctx.session.get(Address, notice.recipient, with_for_update=True, populate_existing=True)
    weighed = max((WEIGHTS[one] for one in _known(ctx, notice)), default=0.0)
    last = reachability.last_failure(ctx, notice.recipient)
    new = ctx.session.scalar(insert(Failure).values(row).on_conflict_do_nothing().returning(Failure.id))
    if new is None:
        return False
    domain_statistics.note(ctx, notice.recipient, kind)
    with logs.about(notice=notice.id, match=notice.match_id):
        once_committed(ctx.session, log.info, "a mail did not arrive, or was complained about: %s", kind)
    if kind == POLICY:
        return True
    if address is None:
        # Such as the operator's: only a complaint counts at once.
        if kind == COMPLAINT:
            suppress(ctx, notice.recipient, COMPLAINT)
        return True
    if last is None or ctx.now - last > FORGOTTEN:
        address.score = 0
    address.score += max(0.0, WEIGHTS[kind] - weighed)
    address.scored_at = ctx.now
    first = address.failing_since is None
    address.failing_since = address.failing_since or ctx.now
    address.failure = smtp_status.reason_of(kind, status, said)
    if kind == COMPLAINT or address.score >= THRESHOLD:
        suppress(ctx, address.email, COMPLAINT if kind == COMPLAINT else BOUNCE)
    ctx.session.flush()
    if first and kind != SOFT:
        _tell_elsewhere(ctx, address, notice)
    return True


def returned(ctx: Context, notice: Notice, kind: Kind, status: str, text: str, *, lost: bool = True) -> bool:
    """Note what a report says of a mail that had been handed on; False where that is known already.

    `lost` is whether that mail will not arrive any more.
    """
    if not failed(ctx, notice, kind, status, text):
        return False
    if kind == POLICY:
        if _is_of_the_domain(ctx, notice.recipient):
            domain_backoff.refused(ctx, notice.recipient, text or status)
        if lost:
            _owe_again(ctx, notice)
    return True


def standing(ctx: Context, email: str) -> Standing:
    """Tell, before an address is written to, whether anything is known against it."""
    return standings(ctx, [email])[email]


_NOW = bindparam("now", type_=DateTime(timezone=True))
_KNOWN_AGAINST = select(
    select(func.jsonb_object_agg(Domain.domain, Domain.until))
    .where(Domain.domain == any_(bindparam("domains", type_=ARRAY(Text))), Domain.until > _NOW)
    .scalar_subquery(),
    select(func.array_agg(Address.email))
    .where(
        Address.email == any_(bindparam("emails", type_=ARRAY(Text))),
        or_(Address.score > 0, Address.failing_since.is_not(None)),
    )
    .scalar_subquery(),
    select(func.jsonb_object_agg(func.encode(Suppression.hash, "hex"), Suppression.reason))
    .where(Suppression.hash == any_(bindparam("hashes", type_=ARRAY(LargeBinary))), suppressions.stands(_NOW))
    .scalar_subquery(),
)


def standings(ctx: Context, emails: Iterable[str]) -> dict[str, Standing]:
    """Tell, before some addresses are written to, what is known against each, in one question to the database."""
    asked = {email: (domain_of(email), key_of(email)) for email in emails}
    named = {
        "now": ctx.now,
        "emails": [*asked],
        "domains": [domain for domain, _ in asked.values()],
        "hashes": [hashed for _, hashed in asked.values()],
    }
    row = ctx.session.execute(_KNOWN_AGAINST, named).one()
    until: Mapping[str, str] = row[0] or {}
    troubled: Collection[str] = row[1] or ()
    reasons: Mapping[str, str] = row[2] or {}
    held = {domain: datetime.fromisoformat(moment) for domain, moment in until.items()}
    return {
        email: Standing(held.get(domain), email in troubled, reasons.get(hashed.hex()))
        for email, (domain, hashed) in asked.items()
    }


def delivered(ctx: Context, notice: Notice, before: Standing) -> None:
    """Count a mail that was taken in favour of its address.

    One that had been refused before has arrived now; else only time tells, for a report may still come back.
    """
    was_refused = notice.error is not None
    if was_refused:
        domain_backoff.resumed(ctx, notice.recipient)
    if not before.troubled:
        return
    address = ctx.session.get_one(Address, notice.recipient, with_for_update=True, populate_existing=True)
    if was_refused or (address.failing_since and reachability.failing(ctx, address.email) is None):
        reached(ctx, address, ctx.now if was_refused else clock_pauses.arrived_by(ctx, address.email))
    address.score = max(0.0, address.score - PER_MAIL)
    address.scored_at = ctx.now


def suppress(ctx: Context, email: str, reason: str) -> None:
    """Write to an address no more: after a complaint for good, after bounces for a while."""
    until = None if reason == COMPLAINT else ctx.now + FORGOTTEN
    row = {"hash": key_of(email), "reason": reason, "since": ctx.now, "until": until}
    # What its owner has stopped stays stopped when a bounce is lifted.
    graver = Suppression.reason.in_((BOUNCE, UNSUBSCRIBED) if reason == COMPLAINT else (BOUNCE,))
    written = insert(Suppression).values(row)
    ctx.session.execute(
        written.on_conflict_do_update(
            index_elements=["hash"],
            set_={name: written.excluded[name] for name in ("reason", "since", "until")},
            where=graver,
        )
    )


def try_again(ctx: Context, match: Match, holder: Holder) -> bool:
    """Lift what bounces have added up to and mail a fresh link to the address; False if that was done too often.

    A single report for good stops it again.
    """
    if spend(ctx, Allowed("try again", holder.email, TRIES_A_DAY, DAY)):
        return False
    _lift(ctx, holder.email)
    address = ctx.session.get(Address, holder.email, with_for_update=True, populate_existing=True)
    if address is not None:
        address.score = min(address.score, ON_TRIAL)
    fresh_links.owe_fresh_link(ctx, match, holder)
    return True


def arrived(ctx: Context, email: str) -> None:
    """Note that its owner says that a mail sent since the last report has arrived."""
    known = reachability.failing(ctx, email)
    if known is None or known.tried is None or known.suppressed:
        return
    address = ctx.session.get_one(Address, email, with_for_update=True, populate_existing=True)
    address.score = 0
    reached(ctx, address, ctx.now)


def reached(ctx: Context, address: Address, until: datetime) -> None:
    """Note that mail reaches an address again, and give its player back the time for which it did not."""
    since, address.failing_since, address.failure = address.failing_since, None, None
    if since is not None:
        clock_pauses.reached(ctx, since, until, player_id=address.player_id)
        turn_deadlines.look_again(ctx, turn_deadlines.of_player(address.player_id))


def _lift(ctx: Context, email: str) -> None:
    bounced = Suppression.hash == key_of(email), Suppression.reason == BOUNCE
    ctx.session.execute(delete(Suppression).where(*bounced))


def _known(ctx: Context, notice: Notice) -> list[str]:
    return list(ctx.session.scalars(select(Failure.kind).where(Failure.notice_id == notice.id)))


def _is_of_the_domain(ctx: Context, email: str) -> bool:
    """Tell whether reports for policy tell of a whole domain: whoever has a mail of ours can forge the one about it."""
    reported = select(func.count(Failure.email.distinct())).where(
        Failure.kind == POLICY,
        Failure.at > ctx.now - domain_backoff.LULL,
        func.split_part(Failure.email, "@", 2) == domain_of(email),
    )
    return (ctx.session.scalar(reported) or 0) >= SEVERAL


def _owe_again(ctx: Context, notice: Notice) -> None:
    """Owe a mail like one that was refused for what we are; it waits by itself, or with its domain."""
    match = ctx.session.get(Match, notice.match_id) if notice.match_id else None
    if match is None or notice.holder is None or notice.holder.until is not None:
        return
    if match.state != MatchState.OVER or notice.kind == "final":
        once = f"again {notice.id}"
        fresh_links.owe_fresh_link(ctx, match, notice.holder, once=once)
        policy = Failure.email == notice.recipient, Failure.kind == POLICY, Failure.at > ctx.now - FORGOTTEN
        refusals = ctx.session.scalar(select(func.count()).where(*policy)) or 1
        pause = domain_backoff.PAUSES[min(refusals, len(domain_backoff.PAUSES)) - 1]
        ctx.session.execute(update(Notice).where(Notice.once == once).values(due_at=ctx.now + pause))


def _tell_elsewhere(ctx: Context, address: Address, notice: Notice) -> None:
    """Tell the player at another address of theirs, and whoever made the match of an invitation that did not arrive."""
    match = ctx.session.get(Match, notice.match_id) if notice.match_id else None
    holder = notice.holder
    if match is None or holder is None or holder.until is not None:
        return
    facts = {"failed": smtp_status.redacted(address.email), "why": address.failure, "failed_at": ctx.now.isoformat()}
    other = _other_address(ctx, address)
    if other is not None:
        about = outbox.facts_of(ctx, match, holder) | facts
        once = f"failing {address.email} {ctx.now.date()}"
        outbox.owe(ctx, "failing", holder, match, about, once=once, ply=_stage(match), recipient=other)
    if match.state == MatchState.INVITING and match.creator and match.creator != holder.seat:
        creator = next(one for one in create.holders(ctx, match) if one.seat == match.creator)
        about = outbox.facts_of(ctx, match, creator) | {
            "guest": holder.name,
            "guest_seat": holder.seat,
            "why": address.failure,
        }
        once = f"not invited {match.id} {holder.id}"
        outbox.owe(ctx, "not invited", creator, match, about, once=once, ply=0)


def _stage(match: Match) -> int | None:
    return 0 if match.state == MatchState.INVITING else None


def _other_address(ctx: Context, address: Address) -> str | None:
    """Find another address that a player has shown to be theirs, and that mail reaches."""
    others = select(Address.email).where(
        Address.player_id == address.player_id,
        Address.email != address.email,
        Address.verified_at.is_not(None),
        Address.failing_since.is_(None),
    )
    found = ctx.session.scalars(others.order_by(Address.created_at, Address.email))
    return next((email for email in found if suppressions.suppressed(ctx, email) is None), None)
