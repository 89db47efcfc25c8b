"""The commands “away” and “back”, by mail to a match or to the service itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pbem.i18n import _
from pbem.play.clocks import date_ranges
from pbem.play.core.errors import Refused
from pbem.play.core.rate_limits import SECONDS_PER_DAY, Limit, hit
from pbem.play.notifications import outbox
from pbem.play.timeouts import absences
from pbem.time_format import load_zone

if TYPE_CHECKING:
    from pbem.db.models import ClockPause, Player
    from pbem.play.core.context import Context

AWAY, BACK, REFUSED = "away", "back", "not away"
"""Mail kinds: the absence is set, it has ended, or the request was refused."""
MAX_ANSWERS_PER_DAY = 30
"""Maximum answers to mails about absences per address and day."""


@dataclass(frozen=True, slots=True)
class AbsenceRequest:
    """A player's request for an absence, the address to answer and the Message-ID of their mail, if any.

    A request that did not come `by_mail` is not answered by mail.
    """

    player: Player
    email: str
    message_id: str | None
    by_mail: bool = True


def start(ctx: Context, request: AbsenceRequest, typed: str) -> str:
    """Start an absence for the days that a player typed; return why it was refused, or ""."""
    today = ctx.now.astimezone(load_zone(request.player.time_zone)).date()
    try:
        with ctx.session.begin_nested():
            absence = absences.start(ctx, request.player, date_ranges.parse(typed, today))
    except Refused as refused:
        return refuse(ctx, request, str(refused))
    _enqueue(ctx, request, AWAY, _absence_facts(ctx, request.player, absence))
    return ""


def end_current(ctx: Context, request: AbsenceRequest) -> str:
    """End a player's absence; return why that was refused, or ""."""
    ended = absences.end_current(ctx, request.player)
    if ended is None:
        return refuse(ctx, request, _("Nothing changed: you were not away."))
    # An absence that was cancelled before it began has no end.
    _enqueue(ctx, request, BACK, _absence_facts(ctx, request.player, ended if ended.started_at < ctx.now else None))
    return ""


def refuse(ctx: Context, request: AbsenceRequest, reason: str) -> str:
    """Enqueue a mail with the reason of a refusal, and return the reason."""
    _enqueue(ctx, request, REFUSED, {"reason": reason})
    return reason


def _absence_facts(ctx: Context, player: Player, absence: ClockPause | None) -> dict[str, Any]:
    """Return the facts of an absence, with the present year and how many days of absence are left in it."""
    year = absences.current_year(ctx, player)
    facts: dict[str, Any] = {"left": [year, absences.days_left(ctx, player, year)]}
    if absence:
        end = absence.ended_at.isoformat() if absence.ended_at else None
        facts |= {"begin": absence.started_at.isoformat(), "end": end}
    return facts


def _enqueue(ctx: Context, request: AbsenceRequest, kind: str, facts: dict[str, Any]) -> None:
    per_day = Limit("absence answered", request.email, MAX_ANSWERS_PER_DAY, SECONDS_PER_DAY)
    if not request.by_mail or hit(ctx, per_day):
        return
    player = request.player
    about = {"name": player.name, "language": player.language, "zone": player.time_zone}
    once = f"{kind} {request.email} {request.message_id or ctx.now.isoformat()}"
    outbox.enqueue_mail(ctx, kind, request.email, about | facts, once=once, answers=request.message_id)
