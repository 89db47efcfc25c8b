"""Nudges: friendly mails to the players to move, from a player who waits for them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.i18n import _
from pbem.play.clocks import clock_pauses
from pbem.play.clocks.calculation import DAY
from pbem.play.deadlines import turn_deadlines
from pbem.play.matches import seats
from pbem.play.matches.match_state import load_match
from pbem.play.notifications import outbox
from pbem.states import PauseReason
from pbem.time_format import format_moment

if TYPE_CHECKING:
    from pbem.db.models import Deadline, Match, SeatHolder
    from pbem.play.core.context import Context

FIRST_AFTER = timedelta(hours=12)
"""Minimum time between the turn mail and the first nudge."""
REPEAT_AFTER = DAY
"""Minimum time between two nudges of a player, by anybody."""


def nudge(ctx: Context, match: Match, holder: SeatHolder) -> list[str]:
    """Nudge the other players to move; return a sentence about the result for each."""
    rows = {row.seat: row for row in turn_deadlines.for_match(ctx, match)}
    others = [other for other in seats.holders(ctx, match) if other.seat in rows and other.id != holder.id]
    return [_nudge_player(ctx, match, holder, other, rows[other.seat]) for other in others] or [
        _("It is nobody else’s turn.")
    ]


def _nudge_player(ctx: Context, match: Match, holder: SeatHolder, other: SeatHolder, row: Deadline) -> str:
    name, zone = other.name, holder.player.time_zone
    if refusal := _refusal_reason(ctx, match, other, row, zone):
        return refusal
    if ctx.now < row.asked_at + FIRST_AFTER:
        asked, then = format_moment(row.asked_at, zone), format_moment(row.asked_at + FIRST_AFTER, zone)
        return _("We have waited for {name} only since {asked}. You can nudge from {then}.",
                 name=name, asked=asked, then=then)  # fmt: skip
    if row.nudged_at and ctx.now < row.nudged_at + REPEAT_AFTER:
        then = format_moment(row.nudged_at + REPEAT_AFTER, zone)
        return _("{name} was nudged already. You can nudge again from {then}.",
                 name=name, then=then)  # fmt: skip
    row.nudged_at = ctx.now
    facts = outbox.position_facts(ctx, load_match(ctx, match), other) | {"by": holder.name}
    once = f"nudge {match.id} {other.id} {row.ply} {ctx.now.isoformat()}"
    outbox.enqueue(ctx, "nudge", other, match, facts, once=once)
    return _("{name} was nudged.", name=name)


def _refusal_reason(ctx: Context, match: Match, other: SeatHolder, row: Deadline, zone: str) -> str:
    """Return why a player cannot be nudged now, however long ago they were asked, or ""."""
    if other.player.is_robot:
        return _("{name} is a robot and moves by itself.", name=other.name)
    until = clock_pauses.away_until(ctx, match).get(other.seat)
    if until:
        return clock_pauses.describe_absence(other.name, until, zone)
    stops = clock_pauses.stopped_intervals(ctx, match, other, row.asked_at)
    now = [stop.reason for stop in stops if stop.begin <= ctx.now and (stop.end is None or ctx.now < stop.end)]
    if PauseReason.PAUSED in now:
        return _("The match is paused. Nobody was nudged.")
    return ""
