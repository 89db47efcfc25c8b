"""Resignation of a seat: it ends the match, unless other tables of a field are compared with this one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.i18n import _, marked
from pbem.play.lifecycle import endings, seat_changes
from pbem.play.matches.match_state import load_match

if TYPE_CHECKING:
    from pbem.db.models import Match, SeatHolder
    from pbem.play.core.context import Context
    from pbem.play.lifecycle.endings import Mail

PLAYED_ON = marked("A robot plays on in your seat, and at this table you get two points less than the worst of all.")


def resign(ctx: Context, match: Match, holder: SeatHolder, mail: Mail | None = None, *, planned: bool = False) -> None:
    """Resign a seat: all other seats win, or a robot plays on in it; `planned` if the seat's plan does it."""
    if seat_changes.is_compared(match):
        seat_changes.seat_robot(ctx, match, holder, by=f"seat {holder.seat}", reason=seat_changes.RESIGNED)
    else:
        endings.resign(ctx, load_match(ctx, match), holder, mail, planned=planned)


def consequence(match: Match) -> str:
    """Return what follows from resigning that its player might not expect, in a sentence; else an empty string."""
    return _(PLAYED_ON) if seat_changes.is_compared(match) else ""
