"""The deals of the weeks, as they are stored: their matches, and how many people take part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, case, func, select

from pbem.db.models import DealSet, Match, MatchSeat, Player, SeatHolder
from pbem.games import GAMES
from pbem.play.weekly import calendar
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.play.core.context import Context

GAME = "minimax"
"""Key of the game of the week."""
WEEKS_PER_PAGE = 20
"""Number of weeks per page of the archive."""

IS_ENTRY = and_(Match.set_id == DealSet.id, Match.created_at < DealSet.closes_at)
"""The condition that joins a week with the matches that count; those made later are played for fun."""
IS_PLAYED = and_(
    Match.state == MatchState.OVER,
    Match.ended_at < DealSet.closes_at,
    Match.result["ending"].astext == "finished",
)
"""The condition that an entry was played to its end in time."""
WAS_CALLED_OFF = and_(Match.state == MatchState.OVER, Match.seed.is_(None))
"""The condition that an entry was declined or called off before it began: it is none any more."""
_PERSON = and_(SeatHolder.match_id == Match.id, SeatHolder.left_at.is_(None))


@dataclass(frozen=True, slots=True)
class Week:
    """A week, with the number of people who take part and of those who have played to the end, as counted last."""

    deal_set: DealSet

    @property
    def number(self) -> int:
        """The number of the week."""
        return self.deal_set.week or 0

    @property
    def people(self) -> int:
        """The number of people who take part."""
        return self.deal_set.people

    @property
    def finished(self) -> int:
        """The number of people who have played to the end."""
        return self.deal_set.finished


def options() -> dict[str, Any]:
    """Return the options of a week's matches: those that the game's form offers first."""
    return dict(GAMES[GAME].settle(1, {}))


def find(ctx: Context, number: int) -> DealSet | None:
    """Return the deal of a week; None if there is none."""
    return ctx.session.scalar(select(DealSet).where(DealSet.week == number))


def summary(ctx: Context, number: int) -> Week | None:
    """Return a week with its numbers of people; None if there is none."""
    found = find(ctx, number)
    return Week(found) if found else None


def present(ctx: Context) -> Week | None:
    """Return the running week with its numbers of people, once its deal is made."""
    found = summary(ctx, calendar.number_at(ctx.now))
    return found if found and found.deal_set.seed is not None and found.deal_set.opened_at is None else None


def list_opened(ctx: Context, before: int | None = None) -> list[Week]:
    """List the weeks that are over, the newest first, from before a number.

    One more than a page is returned, so that the caller sees whether there are more.
    """
    opened = select(DealSet).where(DealSet.week.is_not(None), DealSet.opened_at.is_not(None), DealSet.seed.is_not(None))
    if before is not None:
        opened = opened.where(DealSet.week < before)
    return [*map(Week, ctx.session.scalars(opened.order_by(DealSet.week.desc()).limit(WEEKS_PER_PAGE + 1)))]


def entry_of(ctx: Context, deal_set: DealSet, player: int) -> Match | None:
    """Return the match by which a player takes part in a week; None if they do not.

    An account that took over another one's matches may have several: the first counts.
    """
    theirs = select(Match).join(DealSet, IS_ENTRY).join(SeatHolder, _PERSON)
    theirs = theirs.where(DealSet.id == deal_set.id, SeatHolder.player_id == player, ~WAS_CALLED_OFF)
    return ctx.session.scalar(theirs.order_by(Match.set_place).limit(1))


def rows(deal_set: DealSet) -> Any:
    """Return the query for what the table of a week has of each match: its player, and the points made in time."""
    points = case((IS_PLAYED, Match.result["scores"]["1"].as_integer()))
    columns = Player.id, SeatHolder.name, Match.id, points, Player.is_robot
    found = select(*columns).select_from(DealSet).join(Match, IS_ENTRY).join(SeatHolder, _PERSON)
    found = found.join(Player, Player.id == SeatHolder.player_id).where(DealSet.id == deal_set.id)
    return found.where(Match.seed.is_not(None)).order_by(Match.set_place)


def count(ctx: Context, deal_set: DealSet) -> None:
    """Count the people who take part in a week, and those who have played to the end."""
    people = func.count(Player.id.distinct())
    counted = select(people, people.filter(IS_PLAYED)).select_from(DealSet).join(Match, IS_ENTRY)
    counted = counted.join(MatchSeat, MatchSeat.match_id == Match.id).join(SeatHolder, _PERSON)
    counted = counted.join(Player, Player.id == SeatHolder.player_id)
    takes_part = MatchSeat.accepted_at.is_not(None) & (Match.seed.is_not(None) | (Match.state == MatchState.INVITING))
    row = ctx.session.execute(counted.where(DealSet.id == deal_set.id, ~Player.is_robot, takes_part)).one()
    deal_set.people, deal_set.finished = row


def entries() -> Any:
    """Return the query for the matches that count, with who played them, in the order of their places."""
    found = select(Match, SeatHolder, Player).join(DealSet, IS_ENTRY).join(SeatHolder, _PERSON)
    return found.join(Player, Player.id == SeatHolder.player_id).order_by(Match.set_place)
