"""Mails about time: that a move is due soon, that somebody's time has run out; read as their readers read them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from emails.parsing.reader import parse_mail
from pbem.db.models import Deadline, OutboxMessage, Player, SeatHolder, Submission
from pbem.play.deadlines import turn_deadlines
from pbem.play.deadlines.turn_deadlines import CLOCK_DELAY
from pbem.play.matches.match_state import lock_match
from pbem.play.timeouts import reminders
from pbem.play.upkeep import deadline_tasks
from pbem.states import DeadlinePhase
from tests.support.clockwork import at, tick
from tests.support.house import NAMES
from tests.support.play.deadlines.turn_deadlines import begun
from tests.support.play.upkeep.deadline_tasks import AWAKE, due, running

if TYPE_CHECKING:
    from tests.support.house import House

KINDS = ("due soon", "late", "nudge")
HOUR, DAY, SECOND = timedelta(hours=1), timedelta(days=1), timedelta(seconds=1)


def quarter(house: House) -> datetime:
    """Return when a quarter of the time for the one move that is waited for is left."""
    (row,) = house.all(select(Deadline))
    end, asked = row.due_at, row.asked_at
    assert isinstance(end, datetime)
    assert isinstance(asked, datetime)
    return end - (end - asked) / 4


def told(house: House) -> list[tuple[str, str, str | None]]:
    """List what mails about time were owed, and what became of them."""
    rows = house.rows(
        select(OutboxMessage.kind, OutboxMessage.state, OutboxMessage.error)
        .where(OutboxMessage.kind.in_(KINDS))
        .order_by(OutboxMessage.id)
    )
    return [(row[0], row[1], row[2]) for row in rows]


def look_now(house: House) -> None:
    """Mark every deadline for the clock's next tick, as a change does."""
    with house.transaction() as ctx:
        ctx.session.execute(update(Deadline).values(next_action_at=Deadline.asked_at))


def test_a_reminder_asks_for_the_move_as_the_turn_did(house: House) -> None:
    match_id = running(house, reminders="once", time_zone="Europe/Berlin")
    (seat,) = house.match(match_id).to_move
    turn = house.last(NAMES[seat - 1])
    look_now(house)
    tick(house, quarter(house) + HOUR)
    told = house.only(NAMES[seat - 1])
    assert told.flat.count("please move by") == 1
    assert "Times are in your time zone, Europe/Berlin." in told.flat
    assert told.reply_to == turn.reply_to
    assert str(turn.message["Message-ID"]) in str(told.message["References"])
    house.reply(told, house.legal(match_id, seat)[0])
    assert house.match(match_id).to_move == [3 - seat]


def test_a_reminder_is_not_sent_for_a_turn_that_is_over(house: House) -> None:
    match_id = running(house, reminders="once")
    (seat,) = house.match(match_id).to_move
    turn, move = house.last(NAMES[seat - 1]), house.legal(match_id, seat)[0]
    look_now(house)
    remind_at = quarter(house) + HOUR
    with house.transaction(remind_at) as ctx:
        deadline_tasks.run_match(ctx, match_id, parse_mail)
    house.reply(turn, move)
    with at(remind_at):
        house.deliver()
    assert told(house) == [("due soon", "dropped", "no longer true")]


def test_a_reminder_that_waited_until_its_deadline_had_passed_is_not_sent(house: House) -> None:
    match_id = running(house, "vote", reminders="once")
    look_now(house)
    with house.transaction(quarter(house) + HOUR) as ctx:
        deadline_tasks.run_match(ctx, match_id, parse_mail)
    with at(due(house)):
        house.deliver()
    assert told(house) == [("due soon", "dropped", "too late")]


def test_the_table_is_told_in_their_own_words_whose_time_has_run_out_and_what_follows(house: House) -> None:
    match_id = running(house, "vote", time_zone="America/New_York")
    (seat,) = house.match(match_id).to_move
    late, other = NAMES[seat - 1], NAMES[2 - seat]
    house.mails(late)
    tick(house, due(house) + CLOCK_DELAY)
    mine, theirs = house.only(late), house.last(other)
    assert "Your time for a move in Martian Whist ran out on " in mine.flat
    assert "Times are in your time zone, America/New_York." in mine.flat
    assert "Then the others decide what happens." in mine.flat
    assert "Please move by" not in mine.flat
    assert f"{late} has run out of time: a move was due on " in theirs.flat
    assert f"{late} may still move until " in theirs.flat
    assert "Then the rest of you decide what happens." in theirs.flat
    with at(due(house) + HOUR):
        house.reply(mine, "board")
        assert "Your time ran out on " in house.only(late).flat
    house.reply(mine, house.legal(match_id, seat)[0])
    assert house.match(match_id).to_move == [3 - seat]


def test_whoever_may_lose_their_seat_is_told_so(house: House) -> None:
    match_id = running(house, "substitute")
    (seat,) = house.match(match_id).to_move
    for name in NAMES[:2]:
        house.mails(name)
    tick(house, due(house) + CLOCK_DELAY)
    assert "Then somebody else may take your seat, or the robot does." in house.only(NAMES[seat - 1]).flat
    assert "Then somebody else may take the seat, or the robot does." in house.only(NAMES[2 - seat]).flat


def test_who_wants_no_position_in_their_mail_gets_none_with_mails_about_time(house: House) -> None:
    match_id = running(house, "vote")
    (seat,) = house.match(match_id).to_move
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(link_only=True))
    for name in NAMES[:2]:
        house.mails(name)
    tick(house, due(house) + CLOCK_DELAY)
    mine = house.only(NAMES[seat - 1])
    assert "Somebody has run out of time in your match of Martian Whist. It is your turn." in mine.flat
    assert "Your time ran out on" in mine.flat


def test_whoever_has_sent_a_move_that_is_held_is_not_reminded_until_it_is_over(house: House) -> None:
    match_id = running(house, reminders="once")
    (seat,) = house.match(match_id).to_move
    now = quarter(house) + HOUR
    with house.transaction() as ctx:
        (holder,) = ctx.session.scalars(
            select(SeatHolder).where(SeatHolder.match_id == match_id, SeatHolder.seat == seat)
        )
        of = {"match_id": match_id, "holder_id": holder.id, "ply": house.match(match_id).ply}
        held = Submission(id="held", via="link", idempotency_key=b"held", text="x", received_at=now, **of)
        held.hold_until = now + 2 * SECOND
        ctx.session.add(held)
        row = ctx.session.scalars(select(Deadline)).one()
        reminders.remind(replace(ctx, now=now), lock_match(ctx, match_id), holder, row)
        assert (row.reminded_at, row.next_action_at) == (None, now + reminders.RECHECK_AFTER)
    assert told(house) == []


def test_the_list_of_matches_says_which_of_them_are_late(house: House) -> None:
    match_id = running(house, "vote")
    (seat,) = house.match(match_id).to_move
    house.mails(NAMES[seat - 1])
    tick(house, due(house) + CLOCK_DELAY)
    with at(due(house) + HOUR):
        house.reply(house.last(NAMES[seat - 1]), "list")
        assert "Your time ran out on " in house.only(NAMES[seat - 1]).flat


def test_who_is_to_move_as_well_is_told_that_another_is_late_with_their_own_moves(house: House) -> None:
    match_id = begun(house, "middle-card", 3, "1 day", {"swap": False})
    with house.transaction() as ctx:
        lock_match(ctx, match_id).timeout_policy = "vote"
        ctx.session.execute(update(Player).values(AWAKE))
    for name in NAMES[:3]:
        house.mails(name)
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        (holder,) = ctx.session.scalars(select(SeatHolder).where(SeatHolder.match_id == match_id, SeatHolder.seat == 1))
        row = ctx.session.get_one(Deadline, (match_id, 1))
        turn_deadlines.enter_phase(ctx, row, DeadlinePhase.GRACE, ctx.now + DAY)
        reminders.notify_late(ctx, match, holder, row)
    mail = house.only("Bob")
    assert "Ann has run out of time" in mail.flat
    assert "Please move by" in mail.flat
    house.reply(mail, house.legal(match_id, 2)[0])
    assert house.match(match_id).log_length == 1
