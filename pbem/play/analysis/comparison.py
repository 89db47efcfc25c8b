"""Comparison of players with the strong robot, from the par of their match."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from pbem.db.models import Player, SeatHolder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.db.models import Analysis, Match
    from pbem.play.core.context import Context

NOBODY, ROBOTS, PEOPLE = "nobody", "robots", "people"
"""Who else sat there: of people, robots played the seats too."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a robot did in a seat in some plays, on average, and how its player did.

    `wins` counts the plays that it won, with others or alone. `points` are the player's, None if the match did not end
    by the rules.
    """

    seat: int
    level: str
    plays: int
    mean: float
    wins: int
    points: int | None
    others: str

    @property
    def difference(self) -> float | None:
        """The player's points less the robot's."""
        return None if self.points is None else self.points - self.mean


def of_match(ctx: Context, match: Match, par: Analysis) -> list[Comparison]:
    """Return the comparison of each seat that a person held, by the par of its match."""
    people = _people_seats(ctx, match)
    return [compare(seat, par.result or {}, match.result or {}, people) for seat in people]


def compare(seat: int, par: Mapping[str, Any], result: Mapping[str, Any], people: Sequence[int]) -> Comparison:
    """Return the comparison of a seat from the results of a par and of its match; `people` are the seats of people."""
    scores = [play[seat - 1] for play in par["plays"]]
    wins = sum(seat in winners for winners in par["winners"])
    reached = result.get("scores")
    others = NOBODY if len(par["plays"][0]) == 1 else PEOPLE if len(people) > 1 else ROBOTS
    points = reached[str(seat)] if reached else None
    return Comparison(seat, par["level"], len(scores), sum(scores) / len(scores), wins, points, others)


def facts(compared: Comparison) -> dict[str, Any]:
    """Return a comparison as facts of a mail, from which `Comparison(**facts)` is made again."""
    return asdict(compared)


def _people_seats(ctx: Context, match: Match) -> list[int]:
    """List the seats that people held, if only for a while."""
    held = select(SeatHolder.seat).join(Player, Player.id == SeatHolder.player_id)
    theirs = held.where(SeatHolder.match_id == match.id, ~Player.is_robot)
    return [*ctx.session.scalars(theirs.distinct().order_by(SeatHolder.seat))]
