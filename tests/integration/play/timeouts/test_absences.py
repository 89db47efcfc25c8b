"""Being away: clocks stand still for so many days a year, said or taken by themselves."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.db.models import ClockPause, Deadline, Player, SeatHolder
from pbem.play.clocks.calculation import DAY
from pbem.play.clocks.date_ranges import DateRange
from pbem.play.core.errors import Refused
from pbem.play.deadlines.turn_deadlines import CLOCK_DELAY
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.play.timeouts import absences
from pbem.states import DeadlinePhase, MatchState
from tests.support.clockwork import at, tick
from tests.support.house import NAMES
from tests.support.play.players.robots import AS_ROBOT
from tests.support.play.timeouts.absences import HOUR, NOW, YEAR, known, spans
from tests.support.play.upkeep.deadline_tasks import due, running

if TYPE_CHECKING:
    from tests.support.house import House


def day(month: int, number: int, year: int = 2026, hour: int = 0) -> datetime:
    return datetime(year, month, number, hour, tzinfo=UTC)


# -- from when to when -------------------------------------------------------------------------------


def test_whole_days_are_those_of_the_players_own_zone(house: House) -> None:
    with known(house, time_zone="Europe/Berlin") as (table, ann):
        absences.start(table, ann, DateRange(date(2026, 12, 24), date(2026, 12, 26)))
        assert absences.days_left(table, ann) == YEAR - 3
    assert spans(house) == [(day(12, 23, hour=23), day(12, 26, hour=23))]


def test_an_absence_counts_from_when_it_is_said(house: House) -> None:
    with known(house) as (table, ann):
        absences.start(table, ann, DateRange(None, date(2026, 11, 26)))
        assert absences.days_left(table, ann) == YEAR - 3
    assert spans(house) == [(NOW, day(11, 27))]


def test_so_many_days_end_at_the_same_hour_also_across_a_change_of_summer_time(house: House) -> None:
    with known(house, datetime(2026, 10, 22, 10, tzinfo=UTC), time_zone="Europe/Berlin") as (table, ann):
        absences.start(table, ann, DateRange(None, count=5))
        assert absences.days_left(table, ann) == YEAR - 5
    assert spans(house) == [(day(10, 22, hour=10), day(10, 27, hour=11))]


def test_a_whole_month_may_have_an_hour_more(house: House) -> None:
    with known(house, day(10, 1), time_zone="Europe/Berlin") as (table, ann):
        absences.start(table, ann, DateRange(date(2026, 10, 2), date(2026, 10, 31)))
        assert absences.days_left(table, ann) == 0


def test_absences_that_meet_become_one(house: House) -> None:
    with known(house) as (table, ann):
        absences.start(table, ann, DateRange(date(2026, 12, 1), date(2026, 12, 3)))
        absences.start(table, ann, DateRange(date(2026, 12, 10), date(2026, 12, 11)))
        absences.start(table, ann, DateRange(date(2026, 12, 3), date(2026, 12, 5)))
        absences.start(table, ann, DateRange(date(2026, 12, 6), date(2026, 12, 6)))
        assert absences.days_left(table, ann) == YEAR - 8
    assert spans(house) == [(day(12, 1), day(12, 7)), (day(12, 10), day(12, 12))]


def test_days_are_of_their_year(house: House) -> None:
    with known(house) as (table, ann):
        absences.start(table, ann, DateRange(date(2026, 12, 17), date(2027, 1, 10)))
        assert absences.current_year(table, ann) == 2026
        assert [absences.days_left(table, ann, year) for year in (2025, 2026, 2027)] == [YEAR, YEAR - 15, YEAR - 10]


@pytest.mark.parametrize(
    ("days", "sentence"),
    [
        (DateRange(date(2026, 11, 23), date(2026, 11, 25)), "an absence cannot be in the past"),
        (DateRange(None, date(2026, 11, 23)), "an absence cannot be in the past"),
        (DateRange(date(2026, 12, 4), date(2026, 12, 3)), "the absence would end before it begins"),
        (DateRange(date(2026, 12, 1), date(2026, 12, 31)), "can last at most 30 days"),
        (DateRange(None, date.max), "can last at most 30 days"),
        (DateRange(None, count=31), "can last at most 30 days"),
        (DateRange(date(2027, 11, 25), date(2027, 11, 26)), "at most a year ahead"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(house: House, days: DateRange, sentence: str) -> None:
    with known(house) as (table, ann):
        with pytest.raises(Refused, match=sentence):
            absences.start(table, ann, days)
        assert absences.current_and_upcoming(table, ann) == []


def test_more_days_than_are_left_are_refused_and_it_is_said_how_many_there_are(house: House) -> None:
    with known(house) as (table, ann):
        absences.start(table, ann, DateRange(date(2026, 11, 25), date(2026, 12, 20)))
        with pytest.raises(Refused, match="you have only 4 days of absence left in 2026"):
            absences.start(table, ann, DateRange(date(2026, 12, 24), date(2027, 1, 2)))
        absences.start(table, ann, DateRange(date(2026, 12, 28), date(2027, 1, 2)))
        with pytest.raises(Refused, match="at most 30 days"):
            absences.start(table, ann, DateRange(date(2026, 12, 19), date(2026, 12, 27)))
        assert absences.days_left(table, ann) == 0


def test_whoever_is_back_keeps_the_rest_of_the_days(house: House) -> None:
    with known(house) as (table, ann):
        absences.start(table, ann, DateRange(None, count=10))
        absences.start(table, ann, DateRange(date(2026, 12, 24), date(2026, 12, 26)))
    with known(house, NOW + 2 * DAY) as (table, ann):
        ended = absences.end_current(table, ann)
        assert ended
        assert ended.ended_at == NOW + 2 * DAY
        assert absences.days_left(table, ann) == YEAR - 5
        # Nothing runs now: what is called off is the next one.
        assert absences.end_current(table, ann)
        assert absences.end_current(table, ann) is None
        assert absences.days_left(table, ann) == YEAR - 2
    assert spans(house) == [(NOW, NOW + 2 * DAY)]


def test_one_of_several_is_called_off_by_its_number_and_nobody_elses(house: House) -> None:
    with known(house) as (table, ann):
        absences.start(table, ann, DateRange(date(2026, 12, 1), date(2026, 12, 3)))
        christmas = absences.start(table, ann, DateRange(date(2026, 12, 24), date(2026, 12, 26)))
        table.session.flush()
        number = christmas.id
    with known(house, name="Bob") as (table, bob):
        assert absences.end_or_cancel(table, bob, number) is None
    with known(house) as (table, ann):
        assert absences.end_or_cancel(table, ann, number)
        assert absences.end_or_cancel(table, ann, number) is None
    assert spans(house) == [(day(12, 1), day(12, 4))]


def vacations(house: House) -> list[timedelta]:
    rows = house.rows(
        select(ClockPause.started_at, ClockPause.ended_at).where(ClockPause.automatic).order_by("started_at")
    )
    return [end - begin for begin, end in rows]


# -- by themselves -----------------------------------------------------------------------------------


def test_a_deadline_that_would_pass_takes_days_of_vacation_once(house: House) -> None:
    match_id = running(house, auto_vacation=True)
    (seat,) = house.match(match_id).to_move
    late, other = NAMES[seat - 1], NAMES[2 - seat]
    for name in (late, other):
        house.mails(name)
    end = due(house)
    tick(house, end + CLOCK_DELAY)
    assert house.match(match_id).state == MatchState.RUNNING
    assert due(house) == end + 3 * DAY
    assert vacations(house) == [3 * DAY]
    told, beside = house.only(late), house.only(other)
    assert "so we used 3 days of your vacation" in told.flat
    assert "You have 27 days left this year" in told.flat
    assert "Please move by" in told.flat
    assert f"{late} ran out of time and now uses vacation days" in beside.flat
    tick(house, end + HOUR)
    assert house.mails(late) == house.mails(other) == []
    tick(house, end + 3 * DAY + CLOCK_DELAY)
    assert house.match(match_id).result == {"scores": None, "winners": [3 - seat], "ending": "timed_out"}
    assert house.all(select(SeatHolder.late_moves).where(SeatHolder.seat == seat)) == [1]


def test_whoever_moves_in_that_time_was_never_late(house: House) -> None:
    match_id = running(house, auto_vacation=True)
    (seat,) = house.match(match_id).to_move
    end = due(house)
    tick(house, end + CLOCK_DELAY)
    mail = house.last(NAMES[seat - 1])
    with at(end + 2 * DAY):
        house.reply(mail, house.legal(match_id, seat)[0])
    assert house.match(match_id).to_move == [3 - seat]
    assert house.all(select(SeatHolder.late_moves)) == [0, 0]


def test_it_is_put_off_also_where_the_night_put_it_off_before(house: House) -> None:
    waking = (datetime.now(UTC) + timedelta(hours=6)).hour
    running(house, auto_vacation=True, quiet_from=(waking - 12) % 24, quiet_until=waking)
    end = due(house)
    assert end.hour == waking
    tick(house, end + CLOCK_DELAY)
    assert due(house) == end + 3 * DAY


def test_no_more_days_are_taken_than_there_are(house: House) -> None:
    match_id = running(house, auto_vacation=True)
    (seat,) = house.match(match_id).to_move
    end = due(house)
    player = house.all(select(SeatHolder.player_id).where(SeatHolder.seat == seat))[0]
    gone = ClockPause(reason="away", player_id=player, started_at=day(3, 1), ended_at=day(3, YEAR - 1))
    with house.transaction() as ctx:
        ctx.session.add(gone)
    tick(house, end + CLOCK_DELAY)
    assert vacations(house) == [2 * DAY]


@pytest.mark.parametrize("why", ["off", "none left", "a robot", "nobody has moved", "three times running"])
def test_no_days_are_taken_where_that_is_not_to_be(house: House, why: str) -> None:
    match_id = running(house, auto_vacation=why != "off", moves=why != "nobody has moved")
    (seat,) = house.match(match_id).to_move
    (row,) = house.all(select(Deadline))
    with house.transaction(NOW) as ctx:
        player = ctx.session.scalars(select(SeatHolder.player_id).where(SeatHolder.seat == seat)).one()
        if why == "a robot":
            ctx.session.execute(update(Player).where(Player.id == player).values(**AS_ROBOT))
        if why == "none left":
            away = ClockPause(reason="away", player_id=player, started_at=NOW - 400 * DAY, ended_at=NOW + 400 * DAY)
            ctx.session.add(away)
        if why == "three times running":
            for number in range(3):
                begin = row.asked_at - (5 + number) * DAY
                ctx.session.add(
                    ClockPause(reason="away", player_id=player, started_at=begin, ended_at=begin + DAY, automatic=True)
                )
    with house.transaction(NOW) as ctx:
        match = lock_match(ctx, match_id)
        holder = next(one for one in holders(ctx, match) if one.seat == seat)
        deadline = ctx.session.get_one(Deadline, (match_id, seat))
        assert absences.start_automatically(ctx, match, holder, deadline) is False


def test_whose_days_are_being_counted_elsewhere_is_looked_at_again_in_a_moment(house: House) -> None:
    match_id = running(house, auto_vacation=True)
    (seat,) = house.match(match_id).to_move
    moment = due(house) + CLOCK_DELAY
    with known(house, moment, NAMES[seat - 1]) as (elsewhere, player):
        assert absences.end_or_cancel(elsewhere, player, 0) is None
        with house.transaction(moment) as ctx:
            match = lock_match(ctx, match_id)
            holder = next(one for one in holders(ctx, match) if one.seat == seat)
            row = ctx.session.get_one(Deadline, (match_id, seat))
            assert absences.start_automatically(ctx, match, holder, row)
            assert row.next_action_at == moment + absences.ONE_MINUTE
    assert vacations(house) == []


def test_whoever_is_back_from_days_taken_by_themselves_has_a_day_to_move(house: House) -> None:
    match_id = running(house, auto_vacation=True)
    (seat,) = house.match(match_id).to_move
    end = due(house)
    tick(house, end + CLOCK_DELAY)
    with known(house, end + HOUR, NAMES[seat - 1]) as (table, player):
        absences.end_current(table, player)
    tick(house, end + HOUR)
    assert due(house) == end + DAY + 2 * HOUR


# -- what a deadline makes of it ---------------------------------------------------------------------


def test_a_deadline_follows_an_absence_and_its_end(house: House) -> None:
    match_id = running(house)
    (seat,) = house.match(match_id).to_move
    end = due(house)
    moment = end - 2 * HOUR
    with known(house, moment, NAMES[seat - 1]) as (table, player):
        absences.start(table, player, DateRange(None, count=10))
    tick(house, moment)
    assert due(house) == end + 10 * DAY
    tick(house, end + CLOCK_DELAY)
    assert house.match(match_id).state == MatchState.RUNNING
    with known(house, moment + DAY, NAMES[seat - 1]) as (table, player):
        absences.end_current(table, player)
    tick(house, moment + DAY)
    assert due(house) == end + DAY


def test_going_away_undoes_no_deadline_that_has_passed(house: House) -> None:
    match_id = running(house, "vote")
    (seat,) = house.match(match_id).to_move
    end = due(house)
    tick(house, end + CLOCK_DELAY)
    with known(house, end + HOUR, NAMES[seat - 1]) as (table, player):
        absences.start(table, player, DateRange(None, count=10))
    tick(house, end + HOUR)
    (row,) = house.all(select(Deadline))
    assert (row.phase, row.phase_started_at) == (DeadlinePhase.GRACE, end + CLOCK_DELAY)
    assert row.due_at == end
