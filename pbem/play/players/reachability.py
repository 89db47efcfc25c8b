"""Reachability of players by mail: what a player sees about their own address, and a match about its seats."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, bindparam, func, or_, select

from pbem import time_format
from pbem.db.models import Address, BounceReport, DomainBackoff, SeatHolder
from pbem.i18n import _
from pbem.play.core import match_features
from pbem.play.players import suppressions
from pbem.play.players.unsubscribes import UNSUBSCRIBED

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from pbem.db.models import Match
    from pbem.play.core.context import Context

BOUNCE_WINDOW = timedelta(days=1)
"""How long after a mail was sent it counts as delivered, if no bounce was received."""
MIN_REFUSAL_TIME = match_features.REFUSAL_WINDOW
"""How long a domain must have refused our mail before its players' matches are notified."""

_REFUSING_DOMAIN = and_(
    DomainBackoff.domain == func.split_part(SeatHolder.email, "@", 2), DomainBackoff.retry_at > bindparam("now")
)
_UNREACHABLE_HOLDERS = (
    select(SeatHolder.seat, SeatHolder.email, Address.failing_since, DomainBackoff.started_at)
    .outerjoin(Address, Address.email == SeatHolder.email)
    .outerjoin(DomainBackoff, _REFUSING_DOMAIN)
    .where(
        SeatHolder.match_id == bindparam("match"),
        SeatHolder.left_at.is_(None),
        or_(Address.failing_since.is_not(None), DomainBackoff.domain.is_not(None)),
    )
    .order_by(SeatHolder.seat)
)


@dataclass(frozen=True, slots=True)
class DeliveryFailure:
    """Why mail to an address fails, and since when.

    `suppressed` is why none is sent at all, if so; `retried_at` is when mail was sent after the last bounce.
    """

    since: datetime
    reason: str | None
    suppressed: str | None
    retried_at: datetime | None


def delivery_failure(ctx: Context, email: str) -> DeliveryFailure | None:
    """Return why mail to an address fails, or None if it is not known to."""
    address = ctx.session.get(Address, email)
    if address is None or address.failing_since is None:
        return None
    suppressed = suppressions.suppression_reason(ctx, email)
    # An unsubscription by the owner is no failure.
    reason = None if suppressed == UNSUBSCRIBED else suppressed
    last = last_failure_at(ctx, email)
    tried = address.bounce_score_at if last and address.bounce_score_at and address.bounce_score_at > last else None
    if not reason and tried and last and ctx.now - last > BOUNCE_WINDOW:
        return None
    return DeliveryFailure(address.failing_since, address.failure_reason, reason, tried)


def last_failure_at(ctx: Context, email: str) -> datetime | None:
    """Return when a mail to an address was last reported as failed."""
    reports = select(func.max(BounceReport.reported_at)).where(BounceReport.email == email)
    last: datetime | None = ctx.session.scalar(reports)
    return last


def unreachable_seats(ctx: Context, match: Match) -> dict[int, datetime]:
    """Return the seats of a match that mail does not reach, and since when."""
    if not match_features.load(ctx, match.id).unreachable:
        return {}
    found: dict[int, datetime] = {}
    problems: Iterable[Any] = ctx.session.execute(_UNREACHABLE_HOLDERS, {"match": match.id, "now": ctx.now})
    for seat, email, failing_since, refused_since in problems:
        failure = delivery_failure(ctx, email) if failing_since else None
        since = [failure.since] if failure else []
        if refused_since and ctx.now - refused_since >= MIN_REFUSAL_TIME:
            since.append(refused_since)
        if since:
            found[seat] = min(since)
    return found


def facts(ctx: Context, match: Match) -> dict[str, Any]:
    """Return the facts for a mail about seats that mail does not reach."""
    found = [{"seat": seat, "since": since.isoformat()} for seat, since in unreachable_seats(ctx, match).items()]
    return {"unreachable": found} if found else {}


def describe_unreachable_seat(name: str, seat: int, since: datetime, zone: str = "UTC") -> str:
    """Describe that mail does not reach a seat."""
    day = time_format.format_day(since, zone)
    return _("Mail to {name} (seat {seat}) has failed since {day}.", name=name, seat=seat, day=day)


def describe_unreachable_seats(
    ctx: Context, match: Match, names: tuple[str, ...], zone: str = "UTC", *, you: int | None = None
) -> list[str]:
    """List the sentences about seats that mail does not reach, except the reader's own."""
    found = unreachable_seats(ctx, match).items()
    return [describe_unreachable_seat(names[seat - 1], seat, since, zone) for seat, since in found if seat != you]
