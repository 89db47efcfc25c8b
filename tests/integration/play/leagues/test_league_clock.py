"""The clock of leagues: limits of vacations, breaks and extensions, and no match that is void by silence."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.db.models import ClockPause, Deadline, Event, Match, MatchSeat
from pbem.play.clocks import clock_pauses
from pbem.play.core.errors import Refused
from pbem.play.deadlines import turn_deadlines
from pbem.play.leagues import season_tables
from pbem.play.lifecycle import agreements
from pbem.play.lifecycle.agreements import Participant
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.play.offers import match_pauses, time_extensions
from pbem.play.offers.wording import ABANDON
from pbem.states import MatchState, PauseReason
from tests.support import clockwork
from tests.support.play.events.entering import BEGUN, person
from tests.support.play.leagues import by_mail
from tests.support.play.leagues.drawn import DAY, FIVE, SEVEN, begun, matches_of, resign

if TYPE_CHECKING:
    from tests.support.house import House


@pytest.fixture
def match(house: House) -> str:
    """A match of a league that has begun, with people who never sleep."""
    by_mail.welcome(house, *FIVE)
    begun(house, *FIVE)
    return matches_of(house, "Ann", "Bob")[0]


def bank(house: House, match: str, days: int) -> None:
    with house.transaction() as ctx:
        ctx.session.execute(update(MatchSeat).where(MatchSeat.match_id == match).values(bank_seconds=days * 86400))


def test_the_first_move_is_due_after_the_whole_bank(house: House, match: str) -> None:
    due = house.all(select(Deadline.due_at).where(Deadline.match_id == match))
    assert {*due} == {BEGUN + 21 * DAY}


def test_a_vacation_stops_the_clock_for_two_weeks_in_all(house: House, match: str) -> None:
    with house.transaction(BEGUN) as ctx:
        found = lock_match(ctx, match)
        holder = next(one for one in holders(ctx, found) if one.seat in found.to_move)
        for begin, end in ((2, 12), (15, 25)):
            pause = ClockPause(reason=PauseReason.AWAY.value, player_id=holder.player_id, automatic=False)
            pause.started_at, pause.ended_at = BEGUN + begin * DAY, BEGUN + end * DAY
            ctx.session.add(pause)
        ctx.session.flush()
        stops = clock_pauses.stopped_intervals(ctx, found, holder, BEGUN + 20 * DAY)
        assert [(stop.begin, stop.end) for stop in stops] == []
        due = turn_deadlines.explain(ctx, found, holder.seat)
        assert due
        assert due.due == BEGUN + (21 + 14) * DAY


def test_breaks_last_a_week_in_all(house: House, match: str) -> None:
    with house.transaction(BEGUN + DAY) as ctx:
        found = lock_match(ctx, match)
        assert match_pauses.start(ctx, found) == BEGUN + 8 * DAY
    with house.transaction(BEGUN + 4 * DAY) as ctx:
        match_pauses.end(ctx, lock_match(ctx, match), by="seat 1")
    with house.transaction(BEGUN + 5 * DAY) as ctx:
        assert match_pauses.start(ctx, lock_match(ctx, match)) == BEGUN + 9 * DAY
    with house.transaction(BEGUN + 10 * DAY) as ctx, pytest.raises(Refused, match="for 7 days, the maximum"):
        match_pauses.check_possible(ctx, lock_match(ctx, match))


def test_no_move_gets_more_time_than_the_bank_can_hold(house: House, match: str) -> None:
    bank(house, match, 17)
    with house.transaction(BEGUN + DAY) as ctx:
        found = lock_match(ctx, match)
        seat = found.to_move[0]
        with pytest.raises(Refused, match="at most 21 days"):
            time_extensions.allowed_days(ctx, found, seat, 5)
        assert time_extensions.allowed_days(ctx, found, seat, 4) == 4
        time_extensions.extend(ctx, found, seat, 4, by="table")
        with pytest.raises(Refused, match="at most 21 days"):
            time_extensions.allowed_days(ctx, found, seat, 1)


def test_other_clocks_have_none_of_these_limits(house: House) -> None:
    other = house.start_match("martian-whist", 2, clock="relaxed")
    with house.transaction() as ctx:
        found = lock_match(ctx, other)
        assert match_pauses.longest(ctx, found) == match_pauses.MAX_DURATION
        assert time_extensions.allowed_days(ctx, found, found.to_move[0], 7) == 7


def test_silence_before_the_first_move_is_lost_on_time(house: House, match: str) -> None:
    clockwork.tick(house, BEGUN + 21 * DAY + timedelta(hours=1))
    found = house.match(match)
    assert (found.state, found.result["ending"]) == (MatchState.OVER, "timed_out")  # type: ignore[index]


def test_at_a_table_of_three_the_robot_plays_on_for_whoever_runs_out_of_time(house: House) -> None:
    by_mail.welcome(house, *SEVEN)
    event = begun(house, *SEVEN, game="martian-trickery")
    (match,) = matches_of(house, "Ann", "Bob")
    late = house.match(match).to_move[0]
    with house.transaction() as ctx:
        gone, *others = sorted(holders(ctx, lock_match(ctx, match)), key=lambda one: one.seat != late)
    house.mails(gone.name)
    clockwork.tick(house, BEGUN + 16 * DAY + timedelta(hours=1))
    with house.transaction() as ctx:
        assert {one.seat for one in holders(ctx, lock_match(ctx, match)) if one.player.is_robot} == {late}
    assert any("The robot now plays for you in Martian Trickery" in mail.flat for mail in house.mails(gone.name))
    for other in others:
        resign(house, match, other.name, BEGUN + 17 * DAY)
    assert house.match(match).state == MatchState.OVER
    by_mail.run(house, BEGUN + 17 * DAY)
    with house.transaction() as ctx:
        (table,) = season_tables.load(ctx, ctx.session.get_one(Event, event))
        (result,) = [one.result for one in table.matches if one.id == match]
        assert table.entrants[gone.player_id].losses_on_time == 1
    assert result.scores
    assert min(result.scores) == result.scores[late - 1] < max(result.scores)


def test_days_are_taken_by_themselves_before_the_first_move(house: House, match: str) -> None:
    with house.transaction() as ctx:
        for name in FIVE:
            person(ctx, name).auto_vacation = True
    clockwork.tick(house, BEGUN + 21 * DAY + timedelta(hours=1))
    assert house.match(match).state == MatchState.RUNNING
    assert house.all(select(ClockPause.automatic).distinct()) == [True]


def test_a_match_of_an_event_is_not_abandoned_by_agreement(house: House, match: str) -> None:
    with house.transaction() as ctx:
        found = lock_match(ctx, match)
        with pytest.raises(Refused, match="counts in an event"):
            agreements.propose(Participant(ctx, found, holders(ctx, found)[0]), ABANDON)
    assert house.all(select(Match.state).where(Match.id == match)) == [MatchState.RUNNING]
