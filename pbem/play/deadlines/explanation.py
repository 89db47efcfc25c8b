"""Explanation of a deadline: every step of its computation, and by when the other players are to move.

For the other players only the result is shown: their zone, nights and vacations are private.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.i18n import _, marked
from pbem.play.clocks import time_controls
from pbem.play.deadlines import turn_deadlines
from pbem.play.matches import seats
from pbem.states import DeadlinePhase
from pbem.time_format import format_duration, format_full_moment, format_moment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pbem.db.models import Deadline, Match, SeatHolder
    from pbem.play.core.context import Context

_STEP_TEXTS: Mapping[str, str] = {
    "asked": marked("You have {time} for this move: until {until}."),
    "extra": marked("You got {time} of extra time, so you have until {until}."),
    "paused": marked("The match was paused for {time}, so you have until {until}."),
    "away": marked("You are away for {time}, so you have until {until}."),
    "outage": marked("The service was down for {time}, so you have until {until}."),
    "unreachable": marked("Mail did not reach you for {time}, so you have until {until}."),
    "weekend": marked("Saturday and Sunday are free ({time}), so you have until {until}."),
    "night": marked("That is during your night, so you have until {until}."),
    "hour": marked("Deadlines are on the full hour, so you have until {until}."),
}
"""Text of each step of the computation."""


def explain(ctx: Context, match: Match, holder: SeatHolder) -> list[str]:
    """Explain to a seat of a running match how its deadline was computed, and by when the others are to move."""
    rows = {row.seat: row for row in turn_deadlines.for_match(ctx, match)}
    zone, runs = holder.player.time_zone, time_controls.control_for(match.time_control).runs
    if runs:
        lines = [_("Clock: {clock}.", clock=time_controls.short_description(match.time_control))]
    else:
        lines = [_("This match has no deadlines. Take the time you like.")]
    if own := rows.get(holder.seat):
        lines += _explain_own(ctx, match, own, zone)
    others = [other for other in seats.holders(ctx, match) if other.seat in rows and other.id != holder.id]
    lines += [_describe_other(other.name, rows[other.seat], zone) for other in others]
    if others and runs:
        lines.append(_("No deadline falls in a player’s night, and no time runs while a player is away."))
    return lines


def _explain_own(ctx: Context, match: Match, row: Deadline, zone: str) -> Iterator[str]:
    yield _("It has been your turn since {moment}.", moment=format_moment(row.asked_at, zone))
    found = turn_deadlines.explain(ctx, match, row.seat)
    if found is None:
        return
    if row.due_at and row.phase_ends_at:
        yield _("Your time ran out on {moment}; you may still move until {end}.",
                moment=format_moment(row.due_at, zone), end=format_moment(row.phase_ends_at, zone))  # fmt: skip
        return
    for step in found.steps:
        time, until = format_duration(step.duration), format_moment(step.until, zone)
        yield _(_STEP_TEXTS[step.kind], time=time, until=until)
    if found.due:
        yield _("Please move by {moment}.", moment=format_full_moment(found.due, zone))
    else:
        yield _("The clock is stopped. Nothing is due until it runs again.")


def _describe_other(name: str, row: Deadline, zone: str) -> str:
    asked = format_moment(row.asked_at, zone)
    if row.due_at is None:
        return _("Waiting for {name} since {since}.", name=name, since=asked)
    due = format_moment(row.due_at, zone)
    if row.phase != DeadlinePhase.RUNNING:
        return _("Waiting for {name} since {since}: their time ran out on {due}.", name=name, since=asked, due=due)
    return _("Waiting for {name} since {since}: due by {due}.", name=name, since=asked, due=due)
