"""When time has run out: every match ends, whatever was chosen, and the others hear of each step once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select, update
from sqlalchemy.exc import IntegrityError

from emails.parsing.reader import parse_mail
from pbem.db.models import Deadline, LogEntry, Match, SeatHolder
from pbem.play.deadlines.turn_deadlines import CLOCK_DELAY
from pbem.play.matches.match_state import lock_match
from pbem.play.offers import time_extensions
from pbem.play.timeouts import substitutes, votes
from pbem.play.upkeep import deadline_tasks
from pbem.states import DeadlinePhase, MatchState
from tests.support.clockwork import act, at, tick
from tests.support.house import NAMES
from tests.support.play.timeouts.lapses import DAY, HOUR, is_robot, late, present, running, said
from tests.support.play.upkeep.deadline_tasks import events

if TYPE_CHECKING:
    from datetime import datetime

    from tests.support.house import House, Mail

PHASE = select(Deadline.phase, Deadline.phase_started_at)

# -- every match ends ------------------------------------------------------------------------------


@pytest.mark.parametrize("on_time", ["loss", "substitute", "vote", "something of a later version"])
@pytest.mark.parametrize("public", [True, False])
def test_every_match_ends_though_nobody_ever_does_anything_again(house: House, on_time: str, public: bool) -> None:  # noqa: FBT001
    match_id = running(house, on_time, public=public)
    acts = 0
    while due := [at for at in house.all(select(Deadline.next_action_at)) if at]:
        tick(house, min(due))
        acts += 1
        assert acts < 40
    match = house.match(match_id)
    assert match.state == MatchState.OVER
    assert match.result
    assert match.result["ending"] == ("timed_out" if on_time == "loss" else "abandoned")


def test_a_robot_takes_the_seat_that_nobody_wants_and_a_person_plays_on_with_it(house: House) -> None:
    match_id = running(house, "substitute")
    seat, ends = late(house)
    assert events(house) == []
    assert not is_robot(house, seat)
    tick(house, ends + 3 * DAY)
    assert events(house) == [("substituted", seat)]
    (entry,) = house.all(select(LogEntry).where(LogEntry.event == "substituted"))
    assert (entry.by, entry.detail) == ("clock", {"bot": True, "level": "fair", "robot_edition": 1})
    assert is_robot(house, seat)
    (gone,) = house.all(select(SeatHolder).where(SeatHolder.seat == seat, SeatHolder.left_at.is_not(None)))
    assert (gone.leave_reason, gone.late_moves) == ("substituted", 1)
    act(house, ends + 3 * DAY)
    match = house.match(match_id)
    assert match.to_move == [3 - seat]
    mails = house.mails(NAMES[2 - seat])
    assert any(f"{NAMES[seat - 1]} has not moved, so the robot plays on for them." in mail.flat for mail in mails)
    assert "It is your turn." in mails[-1].flat
    # Whoever sat there hears of it once, by a mail that shows nothing of the position.
    told = house.last(NAMES[seat - 1])
    assert "The robot now plays for you in Martian Whist" in told.flat
    assert "<img" not in told.html


def test_at_a_private_table_without_a_host_the_robot_plays_on(house: House) -> None:
    running(house, "substitute", public=False)
    seat, _ends = late(house)
    assert is_robot(house, seat)


def test_a_late_move_ends_the_search(house: House) -> None:
    match_id = running(house, "substitute")
    seat, ends = late(house)
    mail = house.last(NAMES[seat - 1])
    with at(ends + DAY):
        house.reply(mail, house.legal(match_id, seat)[0])
    assert house.all(select(Deadline.phase)) == [DeadlinePhase.RUNNING]
    tick(house, ends + 3 * DAY)
    assert events(house) == []
    assert not is_robot(house, seat)


def test_old_links_and_addresses_of_whoever_lost_the_seat_are_unknown(house: House) -> None:
    running(house, "substitute")
    seat, ends = late(house)
    mails = house.mails(NAMES[seat - 1])
    tick(house, ends + 3 * DAY)
    for mail in mails:
        assert house.send(mail.raw, mail.reply_to, "ann@example.org").code == 550


def test_two_ticks_at_once_seat_one_robot(house: House) -> None:
    match_id = running(house, "substitute")
    seat, ends = late(house)
    tick(house, ends + 3 * DAY)
    for _ in range(2):
        with house.transaction(ends + 3 * DAY) as ctx:
            deadline_tasks.run_match(ctx, match_id, parse_mail)
    assert events(house) == [("substituted", seat)]
    assert len(house.all(select(SeatHolder).where(SeatHolder.match_id == match_id, SeatHolder.seat == seat))) == 2


def test_an_outage_puts_every_step_off(house: House) -> None:
    running(house, "substitute")
    row = house.all(select(Deadline))[0]
    tick(house, row.due_at + CLOCK_DELAY)
    act(house, row.due_at + DAY + 5 * HOUR)
    assert house.all(select(Deadline.phase)) == [DeadlinePhase.GRACE]
    (ends,) = house.all(select(Deadline.phase_ends_at))
    # It was away since half a minute after the deadline; time of grace ends with a full hour.
    assert ends == row.due_at + 2 * DAY + 5 * HOUR
    tick(house, ends)
    act(house, ends + 3 * DAY)
    assert events(house) == []
    assert house.all(select(Deadline.phase_ends_at)) == [ends + 6 * DAY]
    tick(house, ends + 6 * DAY)
    assert events(house) == [("substituted", row.seat)]


def test_more_time_from_the_operator_ends_the_search(house: House) -> None:
    match_id = running(house, "substitute")
    seat, ends = late(house)
    assert house.rows(PHASE) == [(DeadlinePhase.REPLACEMENT, ends)]
    with house.transaction(ends) as ctx:
        time_extensions.extend(ctx, lock_match(ctx, match_id), seat, 5, by="operator")
    assert house.rows(PHASE) == [(DeadlinePhase.RUNNING, None)]
    with house.transaction(ends) as ctx:
        assert substitutes.list_open_seats(ctx, 1, None) == []
    tick(house, ends + 3 * DAY)
    assert not is_robot(house, seat)


@pytest.mark.parametrize(
    "times", [{"phase": DeadlinePhase.GRACE}, {"phase_ends_at": func.now()}, {"phase_started_at": func.now()}]
)
def test_a_phase_without_its_times_is_refused_by_the_database(house: House, times: dict[str, object]) -> None:
    running(house, "vote")
    with pytest.raises(IntegrityError, match="ck_deadlines_phase_times"), house.transaction() as ctx:
        ctx.session.execute(update(Deadline).values(times))


# -- votes -----------------------------------------------------------------------------------------


def test_what_votes_come_to() -> None:
    assert votes.outcome([]) == "end"
    assert votes.outcome(["wait", "end", "end"]) == "end"
    assert votes.outcome(["wait", "end"]) == "robot"
    assert votes.certain_outcome([], 0) == "end"
    assert votes.certain_outcome([], 1) is None
    assert votes.certain_outcome(["wait"], 0) == "wait"
    assert votes.certain_outcome(["wait"], 1) is None
    assert votes.certain_outcome(["end", "end"], 1) == "end"
    assert votes.certain_outcome(["end", "wait"], 1) is None
    assert votes.certain_outcome(["robot"], 1) == "robot"
    assert votes.certain_outcome(["wait", "wait", "robot"], 1) is None


def test_of_two_the_other_one_decides_alone(house: House) -> None:
    match_id = running(house, "vote")
    seat, ends = late(house)
    other = NAMES[2 - seat]
    asked = house.last(other)
    assert f"{NAMES[seat - 1]} has not moved in Martian Whist. What should happen?" in asked.flat
    assert "The table waits for" in said(house, ends + HOUR, asked, "vote wait")
    assert house.all(select(Deadline.phase_ends_at)) == [ends + DAY + HOUR]
    with at(ends + HOUR):
        assert "The others wait for you one more day" in house.last(NAMES[seat - 1]).flat
    tick(house, ends + DAY + HOUR)
    assert "Nobody has won." in said(house, ends + 2 * DAY, house.last(other), "vote end")
    match = house.match(match_id)
    assert match.result
    assert (match.state, match.result["ending"]) == ("over", "abandoned")
    assert present(house, seat).leave_reason == "timed out"


def waited_for(house: House) -> tuple[Mail, datetime]:
    """Begin a match whose table waits a day more; return the mail that asked for that, and when the day is over."""
    running(house, "vote")
    seat, ends = late(house)
    asked = house.last(NAMES[2 - seat])
    assert "The table waits for" in said(house, ends, asked, "vote wait")
    assert house.all(select(Deadline.phase_ends_at)) == [ends + DAY]
    return asked, ends + DAY


def test_a_day_for_which_the_table_waits_is_put_off_by_an_outage_once(house: House) -> None:
    _asked, ends = waited_for(house)
    tick(house, ends - 4 * HOUR)
    # The service wakes ten hours later; four of that day were left.
    act(house, ends + 6 * HOUR)
    tick(house, ends + 6 * HOUR + CLOCK_DELAY)
    assert house.all(select(Deadline.phase_ends_at)) == [ends + 10 * HOUR]
    assert house.all(select(Deadline.phase)) == [DeadlinePhase.WAITING]
    for moment in (ends + 10 * HOUR - CLOCK_DELAY, ends + 10 * HOUR):
        assert house.all(select(Deadline.phase)) == [DeadlinePhase.WAITING]
        tick(house, moment)
    assert house.rows(PHASE) == [(DeadlinePhase.REPLACEMENT, ends + 10 * HOUR)]


def test_more_time_lengthens_the_day_for_which_the_table_waits(house: House) -> None:
    asked, ends = waited_for(house)
    said(house, ends - 2 * HOUR, asked, "more time")
    tick(house, ends - HOUR)
    assert house.all(select(Deadline.phase_ends_at)) == [ends + DAY]
    # It passed once, and is not told to the table again.
    assert sum(house.all(select(SeatHolder.late_moves))) == 1
    tick(house, ends + DAY - HOUR)
    assert house.all(select(Deadline.phase)) == [DeadlinePhase.WAITING]
    tick(house, ends + DAY)
    assert house.rows(PHASE) == [(DeadlinePhase.REPLACEMENT, ends + DAY)]


def test_a_table_waits_three_times_and_no_more(house: House) -> None:
    running(house, "vote")
    seat, ends = late(house)
    other = NAMES[2 - seat]
    for _ in range(3):
        asked = house.last(other)
        assert "Wait one more day" in asked.flat
        said(house, ends, asked, "vote wait")
        ends += DAY
        tick(house, ends)
    asked = house.last(other)
    assert "Wait one more day" not in asked.flat
    assert "You already waited 3 times" in said(house, ends, asked, "vote wait")
    said(house, ends, asked, "vote robot")
    assert is_robot(house, seat)


def test_three_decide_as_soon_as_it_is_certain(house: House) -> None:
    running(house, "vote", 4)
    seat, ends = late(house)
    first, second, third = (house.last(name) for name in NAMES if name != NAMES[seat - 1])
    assert "Vote for “wait”, “robot” or “end”." in said(house, ends, first, "vote nothing")
    assert "Your vote: Wait one more day." in said(house, ends, first, "vote wait")
    assert "Your vote: The robot plays on for them." in said(house, ends, first, "vote robot")
    said(house, ends, second, f"vote robot {seat}")
    assert is_robot(house, seat)
    late_vote = said(house, ends, third, "vote end")
    assert "You wrote “vote” in reply to a mail about an earlier turn" in late_vote
    once_more = house.every_mail[-1]
    assert "There is nothing to vote on in this match now." in said(house, ends, once_more, "vote end")
    assert events(house) == [("substituted", seat)]


def test_after_three_days_most_decide_of_those_who_voted(house: House) -> None:
    match_id = running(house, "vote", 4)
    seat, ends = late(house)
    first, second = (name for name in NAMES if name not in {NAMES[seat - 1], NAMES[seat % 4]})
    said(house, ends, house.last(first), "vote end")
    said(house, ends, house.last(second), "vote wait")
    assert house.match(match_id).state == MatchState.RUNNING
    tick(house, ends + 3 * DAY)
    # They do not agree: nobody is made to wait, and nobody's match is taken away.
    assert is_robot(house, seat)


def test_nobody_votes_about_their_own_seat(house: House) -> None:
    running(house, "vote")
    seat, ends = late(house)
    refused = said(house, ends, house.last(NAMES[seat - 1]), "vote wait")
    assert "There is nothing to vote on in this match now." in refused
    assert house.all(select(Match.state)) == ["running"]
