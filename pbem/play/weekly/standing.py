"""How a player's own match of a week stands: all that anybody learns of it before the week is over."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

from pbem.i18n import _, several
from pbem.play.weekly import weeks
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.db.models import Match
    from pbem.play.core.context import Context


class Standing(StrEnum):
    """State of a player's match of a week."""

    WAITING = "waiting"
    """It begins with the week."""
    ASKED = "asked"
    """It begins once its player accepts it by mail."""
    RUNNING = "running"
    FINISHED = "finished"
    ENDED = "ended"
    """It ended without points."""


def of_match(match: Match) -> Standing:
    """Return how a match of a week stands."""
    if match.state == MatchState.INVITING:
        return Standing.WAITING if match.seats[0].accepted_at else Standing.ASKED
    if match.state == MatchState.RUNNING:
        return Standing.RUNNING
    return Standing.FINISHED if points(match) is not None else Standing.ENDED


def points(match: Match) -> int | None:
    """Return the points of a match that was played to the end."""
    result = match.result
    if match.state != MatchState.OVER or not result or result["ending"] != "finished":
        return None
    made: int = result["scores"]["1"]
    return made


def facts(ctx: Context, number: int, match: Match) -> dict[str, Any]:
    """Return how a player's match stands, as facts of a mail."""
    deal_set = weeks.find(ctx, number)
    ends = deal_set.closes_at.isoformat() if deal_set and deal_set.closes_at else None
    begins = deal_set.starts_at.isoformat() if deal_set and deal_set.starts_at else None
    return {
        "week": number, "standing": of_match(match), "points": points(match), "closes": ends, "begins": begins,
    }  # fmt: skip


def sentence(standing: Standing, made: int | None, closes: str, begins: str) -> str:
    """Return a sentence about one's own match; `closes` and `begins` are days, as the reader reads them."""
    if standing is Standing.WAITING:
        return _("You take part. The wheel is dealt on {day}, and your first turn comes then.", day=begins)
    if standing is Standing.ASKED:
        return _("Your match waits until you accept it, by the mail that we sent you.")
    if standing is Standing.RUNNING:
        return _("Your match is under way. It counts if you finish it before {day}, 00:00 UTC.", day=closes)
    if made is not None:
        return several(
            "You made one point. The table comes on {day}.", "You made {count} points. The table comes on {day}.",
            made, day=closes,
        )  # fmt: skip
    return _("Your match ended without points. The table comes on {day}.", day=closes)
