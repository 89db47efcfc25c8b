"""Nudging: a friendly mail from those who wait, once a day, and asking why a move is due when it is."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.db.models import ClockPause, Deadline, OutboxMessage, Player
from pbem.play.deadlines.turn_deadlines import CLOCK_DELAY
from pbem.states import PauseReason
from tests.support.clockwork import at, tick
from tests.support.house import NAMES
from tests.support.play.players.robots import AS_ROBOT
from tests.support.play.upkeep.deadline_tasks import due, running

if TYPE_CHECKING:
    from datetime import datetime

    from tests.support.house import House, Mail

HOUR, DAY, SECOND = timedelta(hours=1), timedelta(days=1), timedelta(seconds=1)


def asked(house: House) -> datetime:
    (found,) = house.all(select(Deadline.asked_at))
    return found  # type: ignore[no-any-return]


def waiting(house: House, clock: str = "3 days", **player: object) -> tuple[str, str, Mail]:
    """Begin a match; gives who is to move, who waits, and a mail of theirs."""
    match_id = running(house, "vote", clock)
    if player:
        with house.transaction() as ctx:
            ctx.session.execute(update(Player).values(player))
    (seat,) = house.match(match_id).to_move
    mover, waiter = NAMES[seat - 1], NAMES[2 - seat]
    house.mails(mover)
    return mover, waiter, house.last(waiter)


def say(house: House, moment: datetime, mail: Mail, text: str) -> str:
    """Answer a mail at some time; gives what came back."""
    with at(moment):
        house.reply(mail, text)
        return house.only(mail.name).flat


def nudges(house: House) -> int:
    return len(house.all(select(OutboxMessage.id).where(OutboxMessage.kind == "nudge")))


@pytest.mark.parametrize("clock", ["3 days", "none"])
def test_who_waits_may_nudge_once_a_day_and_hears_what_came_of_it(house: House, clock: str) -> None:
    mover, waiter, mail = waiting(house, clock)
    begin = asked(house)
    assert f"We have waited for {mover} only since" in say(house, begin + 11 * HOUR, mail, "nudge")
    assert nudges(house) == 0
    assert f"{mover} was nudged." in say(house, begin + 12 * HOUR, mail, "nudge")
    with at(begin + 12 * HOUR):
        friendly = house.only(mover)
    assert f"{waiter} looks forward to your move in Martian Whist." in friendly.flat
    assert ("please move by" in friendly.flat.lower()) == (clock != "none")
    assert f"{mover} was nudged already" in say(house, begin + 35 * HOUR, mail, "nudge")
    assert f"{mover} was nudged." in say(house, begin + 36 * HOUR, mail, "anstupsen")
    assert nudges(house) == 2
    with at(begin + 36 * HOUR):
        assert "It is nobody else’s turn" in say(house, begin + 36 * HOUR, house.only(mover), "nudge")
        house.reply(friendly, legal(house))
    assert nudges(house) == 2


def legal(house: House) -> str:
    (match_id,) = house.match_ids()
    (seat,) = house.match(match_id).to_move
    return house.legal(match_id, seat)[0]


def stand_still(house: House, why: PauseReason, moment: datetime, seat: int) -> None:
    (match_id,) = house.match_ids()
    with house.transaction() as ctx:
        whose = {"match_id": match_id} if why is PauseReason.PAUSED else {"player_id": player(house, seat)}
        ctx.session.add(ClockPause(reason=why.value, started_at=moment - HOUR, ended_at=moment + 9 * DAY, **whose))


def player(house: House, seat: int) -> int:
    (found,) = house.all(select(Player.id).where(Player.name == NAMES[seat - 1]))
    return found  # type: ignore[no-any-return]


def test_nobody_is_nudged_who_is_away_or_whose_match_is_paused_and_no_robot(house: House) -> None:
    mover, _, mail = waiting(house)
    seat, moment = NAMES.index(mover) + 1, asked(house) + DAY
    stand_still(house, PauseReason.PAUSED, moment, seat)
    assert "The match is paused. Nobody was nudged." in say(house, moment, mail, "nudge")
    stand_still(house, PauseReason.AWAY, moment, seat)
    assert f"{mover} is away until" in say(house, moment, mail, "nudge")
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).where(Player.id == player(house, seat)).values(**AS_ROBOT))
    assert f"{mover} is a robot and moves by itself." in say(house, moment, mail, "nudge")
    assert nudges(house) == 0


def test_alone_there_is_nobody_to_nudge(house: House) -> None:
    house.start_match("minimax", 1)
    house.reply(house.last("Ann"), "nudge")
    assert nudges(house) == 0
    assert "was nudged" not in house.only("Ann").flat


def test_a_nudge_for_a_turn_that_is_over_is_not_sent(house: House) -> None:
    mover, _, mail = waiting(house)
    begin = asked(house)
    turn = next(one for one in reversed(house.every_mail) if one.name == mover)
    with at(begin + DAY):
        house.reply(mail, "nudge")
        house.reply(turn, legal(house))
        house.deliver()
    assert house.all(select(OutboxMessage.error).where(OutboxMessage.kind == "nudge")) == ["no longer true"]


# -- why ---------------------------------------------------------------------------------------------


def test_why_tells_every_step_with_its_moment_and_zone(house: House) -> None:
    mover, waiter, mail = waiting(house, time_zone="Africa/Lagos")
    seat, begin = NAMES.index(mover) + 1, asked(house)
    stand_still(house, PauseReason.AWAY, begin + HOUR, seat)
    # Whenever this runs, time would run out in the middle of the night: three hours later in the day, where it is one
    # hour later.
    hour = (begin + 4 * HOUR).hour
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(quiet_from=(hour - 6) % 24, quiet_until=(hour + 6) % 24))
        ctx.session.execute(update(Deadline).values(extra_seconds=2 * 3600))
        ctx.session.add(ClockPause(reason="outage", started_at=begin + 10 * DAY, ended_at=begin + 11 * DAY))
    turn = next(one for one in reversed(house.every_mail) if one.name == mover)
    told = say(house, begin + HOUR, turn, "why")
    steps = ["It has been your turn since", "You have 3 days for this move", "You got 2 hours of extra time",
             "You are away for 9 days", "The service was down for 1 day", "That is during your night",
             "Please move by"]  # fmt: skip
    assert [told.find(step) for step in steps] == sorted(told.find(step) for step in steps)
    assert "-1" not in [str(told.find(step)) for step in steps]
    assert "(Africa/Lagos, UTC+1)" in told
    theirs = say(house, begin + HOUR, mail, "warum?")
    assert f"Waiting for {mover} since" in theirs
    assert "No deadline falls in a player’s night" in theirs
    assert "9 days" not in theirs
    assert waiter


def test_why_says_what_there_is_to_say_where_time_has_run_out_stands_still_or_has_no_end(house: House) -> None:
    mover, _, mail = waiting(house)
    turn = next(one for one in reversed(house.every_mail) if one.name == mover)
    end = due(house)
    tick(house, end + CLOCK_DELAY)
    house.mails(mover)
    house.mails(mail.name)
    assert "Your time ran out on" in say(house, end + HOUR, turn, "why")
    assert f"Waiting for {mover} since" in (told := say(house, end + HOUR, mail, "why"))
    assert "their time ran out on" in told


def test_why_in_a_match_that_is_paused_for_good_or_has_no_deadlines(house: House) -> None:
    mover, _, mail = waiting(house)
    (match_id,) = house.match_ids()
    turn = next(one for one in reversed(house.every_mail) if one.name == mover)
    begin = asked(house)
    with house.transaction() as ctx:
        ctx.session.add(ClockPause(reason="paused", match_id=match_id, started_at=begin, ended_at=None))
        ctx.session.execute(update(Deadline).values(due_at=None))
    assert "Nothing is due until it runs again" in say(house, begin + HOUR, turn, "why")
    assert f"Waiting for {mover} since" in say(house, begin + HOUR, mail, "why")


def test_why_without_a_clock(house: House) -> None:
    mover, _, _ = waiting(house, "none")
    turn = next(one for one in reversed(house.every_mail) if one.name == mover)
    assert "This match has no deadlines" in say(house, asked(house) + HOUR, turn, "why")
