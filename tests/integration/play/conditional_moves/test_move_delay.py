"""When the service plays for a person: as if they had thought about it, awake, and in time."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select, update

from pbem.db.models import Deadline, Match, MoveTiming, Player, SeatHolder
from pbem.games import GAMES
from pbem.play.conditional_moves import move_delay
from pbem.play.matches.seats import holders

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.support.house import House

NOON = datetime(2026, 6, 10, 12, tzinfo=UTC)
DRAWN = 400
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def ann(house: House) -> str:
    """Return a match of Ann's, who has no quiet hours."""
    match_id = house.start_match("middle-card", 3)
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(quiet_from=0, quiet_until=0))
    return match_id


def thought(house: House, match_id: str, times: Sequence[timedelta], seat: int = 1) -> None:
    """Note that a seat has thought for some times about moves of a match."""
    with house.transaction() as ctx:
        present = SeatHolder.match_id == match_id, SeatHolder.seat == seat, SeatHolder.left_at.is_(None)
        holder = ctx.session.scalars(select(SeatHolder).where(*present)).one()
        for number, time in enumerate(times):
            asked = NOON - DAY * 100 + HOUR * number
            row = {"match_id": match_id, "seat": seat, "ply": 1000 + number, "holder_id": holder.id}
            ctx.session.add(MoveTiming(**row, asked_at=asked, moved_at=asked + time))


def drawn(house: House, match_id: str, now: datetime = NOON, due: datetime | None = None) -> list[datetime]:
    with house.transaction(now) as ctx:
        match = ctx.session.get_one(Match, match_id)
        holder = holders(ctx, match)[0]
        return [move_delay.draw_time(ctx, match, holder, due) for _draw in range(DRAWN)]


def apart(some: Sequence[timedelta], others: Sequence[timedelta]) -> float:
    """Measure how differently times are spread: the largest difference of their shares up to any moment."""
    return max(
        abs(sum(one <= at for one in some) / len(some) - sum(one <= at for one in others) / len(others))
        for at in (*some, *others)
    )


@pytest.mark.parametrize("usually", [timedelta(minutes=20), timedelta(hours=9)], ids=["quick", "slow"])
def test_what_is_played_for_somebody_comes_after_as_long_as_they_think(house: House, usually: timedelta) -> None:
    match_id = ann(house)
    chance = random.Random(1)
    own = [usually * chance.lognormvariate(0, 1) for _turn in range(60)]
    thought(house, match_id, own)
    delays = [moment - NOON for moment in drawn(house, match_id)]
    assert apart(delays, own) < 0.15
    assert apart(delays, [one * 3 for one in own]) > 0.25
    assert min(own) <= min(delays)
    assert max(delays) <= max(own)
    assert len(set(delays)) == DRAWN


def test_of_whom_little_is_known_they_come_as_people_think(house: House) -> None:
    match_id = ann(house)
    thought(house, match_id, [timedelta(seconds=40)] * (move_delay.MIN_SAMPLES - 1))
    delays = [moment - NOON for moment in drawn(house, match_id)]
    assert apart(delays, move_delay.TYPICAL_THINKING_TIMES) < 0.15


def test_how_somebody_thinks_about_other_games_counts_until_this_one_is_known(house: House) -> None:
    match_id = ann(house)
    other = house.start_match("martian-whist", 2)
    with house.transaction() as ctx:
        player = holders(ctx, ctx.session.get_one(Match, match_id))[0].player
    thought(house, other, [HOUR] * 10)
    with house.transaction() as ctx:
        assert move_delay.thinking_times(ctx, player, "middle-card") == [HOUR] * 10
    thought(house, match_id, [2 * HOUR] * move_delay.MIN_SAMPLES)
    with house.transaction() as ctx:
        assert move_delay.thinking_times(ctx, player, "middle-card") == [2 * HOUR] * move_delay.MIN_SAMPLES
        assert move_delay.thinking_times(ctx, player, "montauk") == [HOUR] * 10 + [2 * HOUR] * 5


def test_what_took_no_time_was_no_thought(house: House) -> None:
    match_id = ann(house)
    thought(house, match_id, [timedelta(0), -HOUR, timedelta(seconds=4)] * 10)
    with house.transaction() as ctx:
        player = holders(ctx, ctx.session.get_one(Match, match_id))[0].player
        assert move_delay.thinking_times(ctx, player, "middle-card") == move_delay.TYPICAL_THINKING_TIMES


@pytest.mark.parametrize("hour", [12, 21, 23, 3])
def test_nothing_is_played_for_somebody_while_they_sleep(house: House, hour: int) -> None:
    match_id = ann(house)
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(quiet_from=22, quiet_until=8, time_zone="Europe/Berlin"))
    thought(house, match_id, [timedelta(minutes=10 * number) for number in range(1, 13)])
    now = datetime(2026, 6, 10, hour, tzinfo=ZoneInfo("Europe/Berlin"))
    moments = [moment.astimezone(ZoneInfo("Europe/Berlin")) for moment in drawn(house, match_id, now)]
    assert all(8 <= moment.hour < 22 for moment in moments)
    assert all(moment > now for moment in moments)
    # Nobody gets up every day at the same second.
    assert len(set(moments)) == DRAWN


@pytest.mark.parametrize("left", [timedelta(minutes=5), HOUR, 20 * HOUR])
def test_it_comes_before_the_deadline(house: House, left: timedelta) -> None:
    match_id = ann(house)
    thought(house, match_id, [3 * HOUR, 30 * HOUR] * 4)
    latest = max(NOON + left - move_delay.DEADLINE_MARGIN, NOON)
    assert all(NOON <= moment <= latest for moment in drawn(house, match_id, due=NOON + left))


@pytest.mark.parametrize("game", GAMES)
def test_a_game_hides_something_where_its_views_differ(game: str) -> None:
    assert move_delay.has_hidden_information(GAMES[game]) == (game not in {"minimax", "martian-whist"})


def test_a_person_who_does_not_want_it_is_never_played_for(house: House) -> None:
    match_id = ann(house)
    assert house.all(select(Deadline.robot_moves_at).where(Deadline.match_id == match_id)) == [None]
