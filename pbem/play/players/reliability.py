"""Reliability: how often a player plays matches to their end, shown to everybody before joining a match with them.

Only matches with other people count, once they have begun; void matches are not counted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import ARRAY, BigInteger, Integer, and_, any_, bindparam, exists, func, select, true
from sqlalchemy.orm import aliased

from pbem.db.models import Match, Player, SeatHolder
from pbem.i18n import _, several
from pbem.play.core.errors import Code, Refused
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from pbem.play.core.context import Context

VOID_ENDING = "aborted"
"""Ending of a match that is not counted."""
MAX_RECENT_SEATS = 50
"""Maximum seats counted per player, the newest: they say more than old ones, and bound the cost for all."""


_OTHER, _ROBOT = aliased(SeatHolder), aliased(Player)
_WITH_PEOPLE = exists().where(
    _OTHER.match_id == Match.id,
    _OTHER.player_id != Player.id,
    # Few players are robots: a join would look up all the others.
    _OTHER.player_id.not_in(select(_ROBOT.id).where(_ROBOT.is_robot)),
)
_IS_VOID = and_(
    Match.state == MatchState.OVER, func.coalesce(Match.result["ending"].astext, VOID_ENDING) == VOID_ENDING
)
_COUNTS = and_(Match.seed.is_not(None), Match.forked_from_id.is_(None), ~_IS_VOID, _WITH_PEOPLE)
_TENURE = aliased(
    SeatHolder,
    select(SeatHolder)
    .where(SeatHolder.player_id == Player.id)
    .order_by(SeatHolder.id.desc())
    .limit(bindparam("newest", type_=Integer))
    .lateral(),
)
_NEWEST_TENURES = (
    select(
        Player.id,
        _COUNTS,
        Match.id,
        Match.state == MatchState.OVER,
        _TENURE.left_at.is_(None),
        _TENURE.leave_reason,
        _TENURE.late_moves,
    )
    .select_from(Player)
    .outerjoin(_TENURE, true())
    .outerjoin(Match, Match.id == _TENURE.match_id)
    .where(Player.id == any_(bindparam("players", type_=ARRAY(BigInteger))))
    .where(Player.is_robot.is_(False), Player.deleted_at.is_(None))
    .order_by(Player.id)
)
"""The newest tenures of some players: whether each counts, and the fields of a `SeatTenure`."""


class SeatTenure(NamedTuple):
    """One tenure of a seat: whether the player still sits there, why they left, and how often they were late.

    A player who lost on time still sits there; one who was replaced does not, unless they came back.
    """

    match: str
    over: bool
    is_current: bool
    left: str | None
    late: int


@dataclass(frozen=True, slots=True)
class Reliability:
    """Outcomes of a player's matches: how many they finished, lost on time, or left to a substitute.

    `recent` means that there may be older ones, which were not counted.
    """

    kept: int = 0
    late: int = 0
    timed_out: int = 0
    replaced: int = 0
    recent: bool = False

    @property
    def matches(self) -> int:
        """How many matches count."""
        return self.kept + self.timed_out + self.replaced

    @property
    def percent(self) -> int:
        """Percentage of matches played to the end; 100 for a new player."""
        return 100 * self.kept // self.matches if self.matches else 100


def compute(seats: Iterable[SeatTenure]) -> Reliability:
    """Compute a player's reliability from all the seats that they have held."""
    current: dict[str, SeatTenure] = {}
    left: set[str] = set()
    late = 0
    for seat in seats:
        late += seat.late
        if seat.is_current:
            current.setdefault(seat.match, seat)
        elif seat.left:
            left.add(seat.match)
    kept = sum(seat.over and not seat.left for seat in current.values())
    timed_out = sum(bool(seat.left) for seat in current.values())
    return Reliability(kept, late, timed_out, replaced=len(left - current.keys()))


def for_players(ctx: Context, players: Collection[int]) -> dict[int, Reliability]:
    """Return the reliability of some players, in one query. Robots have none."""
    if not players:
        return {}
    found: dict[int, Reliability] = {}
    rows = ctx.session.execute(_NEWEST_TENURES, {"players": [*players], "newest": MAX_RECENT_SEATS})
    for player, held in groupby(rows, lambda row: int(row[0])):
        looked = [*held]
        standing = compute(SeatTenure(*row[2:]) for row in looked if row[1])
        found[player] = replace(standing, recent=len(looked) == MAX_RECENT_SEATS)
    return found


def for_holders(ctx: Context, holders: Iterable[SeatHolder]) -> dict[int, Reliability]:
    """Return the reliability of a match's players, by seat."""
    seats = {holder.seat: holder.player_id for holder in holders}
    known = for_players(ctx, {*seats.values()})
    return {seat: known[player] for seat, player in seats.items() if player in known}


def for_player(ctx: Context, player: int) -> Reliability:
    """Return the reliability of one player."""
    return for_players(ctx, [player]).get(player, Reliability())


def describe(standing: Reliability) -> str:
    """Return a reliability as text: "24 of 25 matches played to the end, late twice"."""
    if not standing.matches:
        return ", ".join([_("new here"), *_describe_late(standing)])
    kept = several(
        "{kept} of one match played to the end",
        "{kept} of {count} matches played to the end",
        standing.matches,
        kept=standing.kept,
    )
    if standing.recent:
        kept = several(
            "{kept} of the last match played to the end",
            "{kept} of the last {count} matches played to the end",
            standing.matches,
            kept=standing.kept,
        )
    parts = [kept, *_describe_late(standing)]
    if standing.timed_out:
        parts.append(several("lost one on time", "lost {count} on time", standing.timed_out))
    if standing.replaced:
        parts.append(several("was replaced in one", "was replaced in {count}", standing.replaced))
    return ", ".join(parts)


def is_admitted(ctx: Context, match: Match, player: int) -> bool:
    """Return whether a player is reliable enough for an open seat of a match."""
    return match.min_reliability is None or for_player(ctx, player).percent >= match.min_reliability


def check_admitted(ctx: Context, match: Match, player: int) -> None:
    """Raise Refused for a player who is not reliable enough for an open seat of a match."""
    if is_admitted(ctx, match, player):
        return
    sentence = _(
        "This table is for players who finish at least {percent}% of their matches. You: {own}.",
        percent=match.min_reliability,
        own=describe(for_player(ctx, player)),
    )
    raise Refused(sentence, code=Code.UNRELIABLE)


def _describe_late(standing: Reliability) -> list[str]:
    return [several("late once", "late {count} times", standing.late)] if standing.late else []
