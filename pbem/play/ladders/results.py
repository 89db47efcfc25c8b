"""What a match of a ladder ended in, for its two players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import EventMatch, Match, SeatHolder
from pbem.ratings.match_facts import TIMED_OUT, WITHOUT_WINNERS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from pbem.play.core.context import Context


@dataclass(frozen=True, slots=True)
class Result:
    """The player who won, if one did, and the one who lost on time; `is_void` if nobody could win or it is annulled."""

    winner: int | None
    late: int | None = None
    is_void: bool = False


def load(ctx: Context, matches: Collection[str]) -> Mapping[str, Result]:
    """Return the results of those of some matches that are over, in at most two statements."""
    if not matches:
        return {}
    over = select(Match.id, Match.result, EventMatch.annulled_at).outerjoin(EventMatch)
    over = over.where(Match.id.in_(matches), Match.result.is_not(None))
    found = {row.id: None if row.annulled_at else row.result for row in ctx.session.execute(over)}
    present = select(SeatHolder.match_id, SeatHolder.seat, SeatHolder.player_id)
    seated: dict[str, dict[int, int]] = {match: {} for match in found}
    for row in ctx.session.execute(present.where(SeatHolder.match_id.in_(found), SeatHolder.left_at.is_(None))):
        seated[row.match_id][row.seat] = row.player_id
    return {
        match: _result(ended, seated[match]) if ended else Result(None, is_void=True) for match, ended in found.items()
    }


def _result(ended: Mapping[str, object], players: Mapping[int, int]) -> Result:
    ending, winners = ended["ending"], {seat for seat in players if seat in ended["winners"]}  # type: ignore[operator]
    won = [players[seat] for seat in winners] if len(winners) == 1 else []
    lost = [player for seat, player in players.items() if seat not in winners]
    late = lost[0] if won and ending == TIMED_OUT else None
    return Result(won[0] if won else None, late, ending in WITHOUT_WINNERS)
