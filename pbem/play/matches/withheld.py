"""What is withheld of a match whose deal others still play: its record, or all of its table but who sits there.

A table that shows nothing is left out wherever matches are listed, counted or rated, until the deal is open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, bindparam, exists, select
from sqlalchemy.orm import aliased

from pbem.db.models import DealSet, Match, SeatHolder
from pbem.i18n import _
from pbem.states import Withheld
from pbem.time_format import format_moment

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.play.core.context import Context

SHOWS_TABLE: ColumnElement[bool] = Match.withheld.is_distinct_from(Withheld.TABLE)
"""The condition on matches that anybody who may see them may see their tables."""
SHOWS_RECORD: ColumnElement[bool] = Match.withheld.is_(None)
"""The condition on matches that nothing of them is withheld."""

_OTHER = aliased(Match)
SITS_ELSEWHERE: ColumnElement[bool] = Match.withheld.is_not(None) & exists().where(
    _OTHER.set_id == Match.set_id,
    _OTHER.id != Match.id,
    SeatHolder.match_id == _OTHER.id,
    SeatHolder.player_id == bindparam("reader"),
)
"""The condition on matches that the parameter `reader` sits, or sat, at another one of the same deal, not open yet."""
_SITS_ELSEWHERE_THAN = select(SITS_ELSEWHERE).where(Match.id == bindparam("match"))


def hides_table(match: Match) -> bool:
    """Return whether others may see only who sits at a match and how far it is."""
    return match.withheld is Withheld.TABLE


def hides_record(match: Match) -> bool:
    """Return whether the record of a match is withheld, with its secret, its seed and all that is made of them."""
    return match.withheld is not None


def opens_by(ctx: Context, match: Match) -> datetime | None:
    """Return when the deal of a match is opened at the latest, if that is known."""
    return ctx.session.get_one(DealSet, match.set_id).closes_at if match.set_id else None


def explain(ctx: Context, match: Match, zone: str = "UTC") -> str:
    """Return the sentence that says until when a match, or its record, is withheld."""
    if not hides_table(match):
        return _("The record is there once the other match of this deal is over, too.")
    until = opens_by(ctx, match)
    if until is None:
        return _("The deal of this match is still played at other tables. It is shown once all of them are over.")
    day = format_moment(until, zone)
    return _("The deal of this match is still played at other tables. It is shown by {day} at the latest.", day=day)


def facts(ctx: Context, match: Match) -> dict[str, Any]:
    """Return the facts for a mail: whether all of the table is withheld, until when at most, and in which week."""
    deal_set = ctx.session.get_one(DealSet, match.set_id)
    until = deal_set.closes_at
    return {"table": hides_table(match), "until": until and until.isoformat(), "week": deal_set.week}


def sits_elsewhere(ctx: Context, match: Match, player: int | None) -> bool:
    """Return whether a player sits, or sat, at another match of the same deal, which is not open yet."""
    if player is None or not hides_record(match):
        return False
    return bool(ctx.session.scalar(_SITS_ELSEWHERE_THAN, {"match": match.id, "reader": player}))
