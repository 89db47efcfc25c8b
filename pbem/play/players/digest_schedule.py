"""Daily digests, for players who want one mail a day instead of one a turn, at an hour of their own time zone."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING
from zoneinfo import available_timezones

from sqlalchemy import Boolean, cast, select

from pbem.db.models import OutboxMessage
from pbem.states import OutboxState
from pbem.time_format import load_zone

if TYPE_CHECKING:
    from pbem.db.models import Player
    from pbem.play.core.context import Context

EACH_TURN, DIGEST = "each turn", "digest"
"""When a player wants mails about turns."""


@cache
def offered_time_zones() -> tuple[str, ...]:
    """List UTC and one time zone for each place with its own clock, by its present name."""
    table = files("tzdata").joinpath("zoneinfo", "zone.tab").read_text(encoding="utf-8")
    places = (line.split("\t")[2] for line in table.splitlines() if not line.startswith("#"))
    return ("UTC", *sorted(places))


@cache
def time_zones() -> tuple[str, ...]:
    """List UTC and the time zones that people live in, under every name that a browser may report."""
    areas = {name: name.partition("/")[0] for name in available_timezones() if "/" in name}
    return ("UTC", *sorted(name for name, area in areas.items() if area not in {"Etc", "SystemV"}))


def next_digest(player: Player, now: datetime) -> datetime:
    """Return when a player's local time next reaches their digest hour, also across a change of summer time."""
    zone = load_zone(player.time_zone)
    today = now.astimezone(zone).date()
    hours = (datetime.combine(today + timedelta(days), time(player.digest_hour), zone) for days in range(3))
    return next(moment for hour in hours if (moment := hour.astimezone(UTC)) > now)


def is_deferrable(player: Player, kind: str, answers: str | None) -> bool:
    """Return whether a message is deferred to the next digest: only turns are, and none that answers a mail."""
    return player.mail_frequency == DIGEST and kind == "turn" and not answers


def is_deferred(message: OutboxMessage) -> bool:
    """Return whether a message was deferred to a digest."""
    return bool(message.render_data.get("digest"))


def collect(ctx: Context, lead: OutboxMessage) -> list[OutboxMessage]:
    """List the messages of the digest that a due message belongs to, oldest first."""
    deferred = cast(OutboxMessage.render_data["digest"], Boolean)
    same = OutboxMessage.shard == lead.shard, OutboxMessage.recipient == lead.recipient
    due = OutboxMessage.state == OutboxState.PENDING, OutboxMessage.due_at <= ctx.now
    return list(ctx.session.scalars(select(OutboxMessage).where(*same, *due, deferred).order_by(OutboxMessage.id)))
