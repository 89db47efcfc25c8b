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
    """A player who asks for an absence, the address to answer and the Message-ID of their mail, if any.

    `mailed` is False if the request did not come by mail; it is not answered by mail then.
    """

    player: Player
    email: str
    message_id: str | None
    by_mail: bool = True


def start(ctx: Context, who: AbsenceRequest, typed: str) -> str:
    """Start an absence for the days that a player typed; return why it was refused, or ""."""
    today = ctx.now.astimezone(load_zone(who.player.time_zone)).date()
    try:
        with ctx.session.begin_nested():
            absence = absences.start(ctx, who.player, date_ranges.parse(typed, today))
    except Refused as refused:
        return refuse(ctx, who, str(refused))
    _enqueue(ctx, who, AWAY, _absence_facts(ctx, who.player, absence))
    return ""


def end_current(ctx: Context, who: AbsenceRequest) -> str:
    """End a player's absence; return why that was refused, or ""."""
    ended = absences.end_current(ctx, who.player)
    if ended is None:
        return refuse(ctx, who, _("Nothing changed: you were not away."))
    # An absence that was cancelled before it began has no end.
    facts = (
        _absence_facts(ctx, who.player, ended) if ended.started_at < ctx.now else {"left": _days_left(ctx, who.player)}
    )
    _enqueue(ctx, who, BACK, facts)
    return ""


def refuse(ctx: Context, who: AbsenceRequest, reason: str) -> str:
    """Enqueue a mail with the reason of a refusal, and return the reason."""
    _enqueue(ctx, who, REFUSED, {"reason": reason})
    return reason


def _absence_facts(ctx: Context, player: Player, absence: ClockPause) -> dict[str, Any]:
    end = absence.ended_at.isoformat() if absence.ended_at else None
    return {"begin": absence.started_at.isoformat(), "end": end, "left": _days_left(ctx, player)}


def _days_left(ctx: Context, player: Player) -> list[int]:
    """Return the present year, and how many days of absence are left in it."""
    year = absences.current_year(ctx, player)
    return [year, absences.days_left(ctx, player, year)]


def _enqueue(ctx: Context, who: AbsenceRequest, kind: str, facts: dict[str, Any]) -> None:
    if not who.by_mail or hit(ctx, Limit("absence answered", who.email, MAX_ANSWERS_PER_DAY, SECONDS_PER_DAY)):
        return
    player = who.player
    about = {"name": player.name, "language": player.language, "zone": player.time_zone}
    once = f"{kind} {who.email} {who.message_id or ctx.now.isoformat()}"
    outbox.enqueue_mail(ctx, kind, who.email, about | facts, once=once, answers=who.message_id)
