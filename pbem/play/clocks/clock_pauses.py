"""Intervals in which clocks are stopped: those stored as rows, and those that mail failures cause."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, bindparam, func, or_, select

from pbem import time_format
from pbem.addresses import domain_of
from pbem.db.models import Address, ClockPause, DomainBackoff, SeatHolder
from pbem.db.query_cache import Question, get_or_query
from pbem.i18n import _
from pbem.play.clocks import time_controls
from pbem.play.clocks.calculation import Interval, limit_absences
from pbem.play.core import match_features
from pbem.play.players import reachability
from pbem.states import PauseReason

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from pbem.db.models import Match
    from pbem.play.core.context import Context

MAX_UNREACHABLE_TIME = timedelta(days=7)
"""Maximum time for which failing mail stops a player's clock; after it the others need not wait any longer."""
IS_OUTAGE = (
    ClockPause.reason == PauseReason.OUTAGE.value,
    ClockPause.match_id.is_(None),
    ClockPause.player_id.is_(None),
    ClockPause.domain.is_(None),
)
"""Filters for outages, the only pauses that are not limited to a match, a player or a domain."""

_INTERVALS = (
    select(ClockPause.started_at, ClockPause.ended_at, ClockPause.reason)
    .where(
        or_(
            ClockPause.match_id == bindparam("match"),
            ClockPause.player_id == bindparam("player"),
            ClockPause.domain == bindparam("domain"),
            and_(ClockPause.match_id.is_(None), ClockPause.player_id.is_(None), ClockPause.domain.is_(None)),
        ),
        or_(ClockPause.ended_at.is_(None), ClockPause.ended_at > bindparam("since")),
    )
    .order_by(ClockPause.started_at, ClockPause.id)
)
_VACATIONS = (
    select(SeatHolder.seat, func.max(ClockPause.ended_at))
    .join(ClockPause, ClockPause.player_id == SeatHolder.player_id)
    .where(
        SeatHolder.match_id == bindparam("match"),
        SeatHolder.left_at.is_(None),
        ClockPause.reason == PauseReason.AWAY.value,
        ClockPause.started_at <= bindparam("now"),
        ClockPause.ended_at > bindparam("now"),
    )
    .group_by(SeatHolder.seat)
)
_DELIVERY_PROBLEMS = select(
    select(Address.failing_since).where(Address.email == bindparam("email")).scalar_subquery(),
    select(DomainBackoff.started_at).where(DomainBackoff.domain == bindparam("domain")).scalar_subquery(),
    select(DomainBackoff.retry_at).where(DomainBackoff.domain == bindparam("domain")).scalar_subquery(),
)


def stopped_intervals(ctx: Context, match: Match, holder: SeatHolder, since: datetime) -> tuple[Interval, ...]:
    """List the intervals since a moment in which a seat's clock is stopped, as known now.

    Where absences are limited, those since the match began count; a later one is cut, or left out.
    """
    most = time_controls.control_for(match.time_control).max_away
    if most is not None and match.started_at is not None:
        known = limit_absences(_known_intervals(ctx, match, holder, match.started_at), match.started_at, most)
        return tuple(stop for stop in known if stop.end is None or stop.end > since)
    return _known_intervals(ctx, match, holder, since)


def _known_intervals(ctx: Context, match: Match, holder: SeatHolder, since: datetime) -> tuple[Interval, ...]:
    theirs = {"match": match.id, "player": holder.player_id, "domain": domain_of(holder.email), "since": since}
    question = Question((ClockPause,), ("intervals", *theirs.values()))
    rows = get_or_query(ctx.session, question, lambda: ctx.session.execute(_INTERVALS, theirs).all())
    known = [Interval(begin, end, PauseReason(why)) for begin, end, why in rows]
    return (*known, *_unreachable_intervals(ctx, match, holder.email))


def outages(ctx: Context, since: datetime) -> list[tuple[datetime, datetime]]:
    """List the outages that last beyond a moment, with begin and end, in the order of their beginnings."""
    columns = ClockPause.started_at, func.coalesce(ClockPause.ended_at, ctx.now)
    beyond = select(*columns).where(*IS_OUTAGE, columns[1] > since).order_by(ClockPause.started_at)
    return [(begin, end) for begin, end in ctx.session.execute(beyond)]


def record_unreachable(
    ctx: Context,
    since: datetime,
    until: datetime | None = None,
    *,
    player_id: int | None = None,
    domain: str | None = None,
) -> None:
    """Store that mail failed from a moment on, now that it arrives again: for one player, or for a whole domain."""
    end, reason = min(until or ctx.now, since + MAX_UNREACHABLE_TIME), PauseReason.UNREACHABLE.value
    pause = ClockPause(reason=reason, player_id=player_id, domain=domain, started_at=since, ended_at=end)
    ctx.session.add(pause)


def away_until(ctx: Context, match: Match) -> dict[int, datetime]:
    """Return the seats of a match whose players are on vacation now, and until when."""
    if not match_features.load(ctx, match.id).away:
        return {}
    rows = ctx.session.execute(_VACATIONS, {"match": match.id, "now": ctx.now})
    return {seat: until for seat, until in rows if until}


def facts(ctx: Context, match: Match) -> dict[str, Any]:
    """Return the facts for a mail about seats whose players are on vacation."""
    found = [{"seat": seat, "until": until.isoformat()} for seat, until in sorted(away_until(ctx, match).items())]
    return {"away": found} if found else {}


def describe_absence(name: str, until: datetime, zone: str = "UTC") -> str:
    """Describe that a player is away. The day is in the reader's zone: the player's own stays private."""
    last = until - timedelta(microseconds=1)
    return _("{name} is away until {day}. Their clock is stopped.", name=name, day=time_format.format_day(last, zone))


def describe_absences(
    ctx: Context, match: Match, names: tuple[str, ...], zone: str = "UTC", *, you: int | None = None
) -> list[str]:
    """List the sentences about players who are away, except the reader."""
    found = sorted(away_until(ctx, match).items())
    return [describe_absence(names[seat - 1], until, zone) for seat, until in found if seat != you]


def _unreachable_intervals(ctx: Context, match: Match, email: str) -> Iterator[Interval]:
    """Yield the intervals in which mail fails to reach an address, or has not been seen to reach it again."""
    if not match_features.load(ctx, match.id).unreachable:
        return
    found: Any = ctx.session.execute(_DELIVERY_PROBLEMS, {"email": email, "domain": domain_of(email)}).one()
    failing_since, refused_since, refused_until = found
    if refused_since and ctx.now < refused_until + reachability.MIN_REFUSAL_TIME:
        # Waiting mail is retried at the end of each backoff, so the outcome is known soon after.
        yield Interval(refused_since, refused_since + MAX_UNREACHABLE_TIME, PauseReason.UNREACHABLE)
    if failing_since:
        end = failing_since + MAX_UNREACHABLE_TIME
        if reachability.delivery_failure(ctx, email) is None:
            end = min(end, reachable_again_at(ctx, email))
        yield Interval(failing_since, end, PauseReason.UNREACHABLE)


def reachable_again_at(ctx: Context, email: str) -> datetime:
    """Return by when mail to an address arrived again, given that no failure was reported since."""
    last = reachability.last_failure_at(ctx, email)
    return min(ctx.now, last + reachability.BOUNCE_WINDOW) if last else ctx.now
