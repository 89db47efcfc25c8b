"""The commands “away” and “back”, by mail to a match or to the service itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pbem.i18n import _
from pbem.play.clocks import date_ranges
from pbem.play.clocks.date_ranges import DateError
from pbem.play.core.rate_limits import DAY, Allowed, spend
from pbem.play.notifications import outbox
from pbem.play.timeouts import absences
from pbem.play.timeouts.absences import AbsenceError
from pbem.time_format import zone_of

if TYPE_CHECKING:
    from pbem.db.models import Player, Standstill
    from pbem.play.core.context import Context

AWAY, BACK, REFUSED = "away", "back", "not away"
"""Mail kinds: the absence is set, it has ended, or the request was refused."""
ANSWERED_A_DAY = 30
"""Maximum answers to mails about absences per address and day."""


@dataclass(frozen=True, slots=True)
class Absent:
    """A player who asks for an absence, the address to answer and the Message-ID of their mail, if any.

    `mailed` is False if the request did not come by mail; it is not answered by mail then.
    """

    player: Player
    email: str
    message_id: str | None
    mailed: bool = True


def go(ctx: Context, who: Absent, typed: str) -> str:
    """Start an absence for the days that a player typed; return why it was refused, or ""."""
    today = ctx.now.astimezone(zone_of(who.player.zone)).date()
    try:
        with ctx.session.begin_nested():
            absence = absences.go(ctx, who.player, date_ranges.read(typed, today))
    except (AbsenceError, DateError) as refused:
        return refuse(ctx, who, str(refused))
    _owe(ctx, who, AWAY, _said(ctx, who.player, absence))
    return ""


def back(ctx: Context, who: Absent) -> str:
    """End a player's absence; return why that was refused, or ""."""
    ended = absences.back(ctx, who.player)
    if ended is None:
        return refuse(ctx, who, _("You were not away, so nothing was changed."))
    # An absence that was cancelled before it began has no end.
    facts = _said(ctx, who.player, ended) if ended.begin_at < ctx.now else {"left": _left(ctx, who.player)}
    _owe(ctx, who, BACK, facts)
    return ""


def refuse(ctx: Context, who: Absent, reason: str) -> str:
    """Enqueue a mail with the reason of a refusal, and return the reason."""
    _owe(ctx, who, REFUSED, {"reason": reason})
    return reason


def _said(ctx: Context, player: Player, absence: Standstill) -> dict[str, Any]:
    end = absence.end_at.isoformat() if absence.end_at else None
    return {"begin": absence.begin_at.isoformat(), "end": end, "left": _left(ctx, player)}


def _left(ctx: Context, player: Player) -> list[int]:
    """Return the present year, and how many days of absence are left in it."""
    year = absences.this_year(ctx, player)
    return [year, absences.left(ctx, player, year)]


def _owe(ctx: Context, who: Absent, kind: str, facts: dict[str, Any]) -> None:
    if not who.mailed or spend(ctx, Allowed("absence answered", who.email, ANSWERED_A_DAY, DAY)):
        return
    player = who.player
    about = {"name": player.name, "language": player.language, "zone": player.zone}
    once = f"{kind} {who.email} {who.message_id or ctx.now.isoformat()}"
    outbox.owe_mail(ctx, kind, who.email, about | facts, once=once, answers=who.message_id)
