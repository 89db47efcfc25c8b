"""Holding: a move waits for some minutes, may be taken back till then, and counts by when it was received."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.db.models import ChatMessage, Deadline, LogEntry, Player, Submission
from pbem.db.session import set_task_sender
from pbem.play.core import tokens
from pbem.play.matches.match_state import lock_match
from pbem.play.submissions import queue
from pbem.play.upkeep import outages, sweeper
from pbem.states import MatchState
from tests.support.clockwork import at, tick
from tests.support.house import NAMES, House, reply
from tests.support.play.deadlines.turn_deadlines import NOON, begun
from tests.support.play.lifecycle.held_moves import legal, mover
from tests.support.play.players.robots import AS_ROBOT

if TYPE_CHECKING:
    from collections.abc import Iterator

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
LATER = NOON + 2 * MINUTE


@pytest.fixture(autouse=True)
def noon() -> Iterator[None]:
    """Fix the time at noon of a day, when the match begins and the move comes."""
    with at(NOON):
        yield


def holds(house: House, minutes: int = 2, **player: object) -> str:
    """Begin a match of people who have their moves held."""
    match_id = begun(house, "martian-whist", 2, "3 days")
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values({"hold_minutes": minutes} | player))
    return match_id


def waiter(house: House, match_id: str) -> str:
    (seat,) = house.match(match_id).to_move
    return NAMES[2 - seat]


def judge(house: House, match_id: str, moment: datetime) -> int:
    with at(moment):
        return house.judge(match_id)


def log(house: House) -> list[tuple[str | None, datetime]]:
    rows = house.rows(select(LogEntry.move, LogEntry.logged_at).order_by(LogEntry.number))
    return [(row[0], row[1]) for row in rows]


def stand(house: House) -> list[tuple[str, str | None]]:
    """Return the status of each submission, in the order received."""
    with house.transaction() as ctx:
        ids = ctx.session.scalars(select(Submission.id).order_by(Submission.received_at, Submission.id)).all()
        found = [queue.find_status(ctx, each) for each in ids]
    return [(each.status, each.reason) for each in found if each]


def linked(house: House, token: str, move: str, moment: datetime, ply: int = 1) -> str:
    with at(moment), house.transaction() as ctx:
        found = tokens.find(ctx, token, tokens.LINK)
        assert found
        return queue.send_move(ctx, found, queue.LINK, ply, move)


def test_a_move_is_played_when_it_is_held_no_more_as_received_when_it_was(house: House) -> None:
    match_id = holds(house)
    first, second = mover(house, match_id), waiter(house, match_id)
    move, turn = legal(house, match_id)[0], house.last(first)
    sent = house.reply(turn, move)
    held = house.only(first)
    assert "Your move is on hold. It will be played on Tue 24 Nov 2026, 12:02 UTC." in held.flat
    assert "reply “undo”" in held.flat
    assert f"Your move: {move}" in held.flat
    assert held.message["In-Reply-To"] == sent
    assert log(house) == []
    status, reason = stand(house)[0]
    assert (status, reason) == (
        "pending", "It will be played on Tue 24 Nov 2026, 12:02 UTC. Until then you can take it back."
    )  # fmt: skip
    assert judge(house, match_id, LATER - SECOND) == 0
    assert judge(house, match_id, LATER) == 1
    assert log(house) == [(move, NOON)]
    assert stand(house) == [("played", None)]
    with at(LATER):
        assert "was played" in house.only(first).flat
        assert "It is your turn" in house.last(second).flat


def test_what_is_no_legal_move_and_what_is_a_command_are_not_held(house: House) -> None:
    match_id = holds(house)
    name = mover(house, match_id)
    turn = house.last(name)
    house.reply(turn, "xyzzy")
    assert "xyzzy" in house.only(name).flat
    house.reply(turn, "resign yes")
    assert house.match(match_id).state == MatchState.OVER


def test_undo_takes_it_back_and_the_turn_goes_on(house: House) -> None:
    match_id = holds(house)
    name = mover(house, match_id)
    move = legal(house, match_id)[0]
    house.reply(house.last(name), move)
    held = house.only(name)
    house.reply(held, "Undo!")
    assert "Your move was taken back; nothing was played." in house.last(name).flat
    assert ("rejected", "You took this move back before it was played.") in stand(house)
    assert judge(house, match_id, LATER) == 0
    assert log(house) == []
    house.reply(held, "undo")
    assert "You have no move on hold" in house.last(name).flat
    house.reply(held, move)
    assert judge(house, match_id, LATER) == 1
    assert log(house) == [(move, NOON)]


def test_who_holds_nothing_is_told_where_that_is_chosen(house: House) -> None:
    match_id = holds(house, 0)
    name = mover(house, match_id)
    house.reply(house.last(name), "undo")
    assert "You can have your moves held for some minutes" in house.only(name).flat


@pytest.mark.parametrize("judged", [True, False], ids=["in time", "late"])
def test_an_undo_counts_by_when_it_was_received_however_late_it_is_judged(house: House, judged: bool) -> None:  # noqa: FBT001
    match_id = holds(house)
    name = mover(house, match_id)
    turn = house.last(name)
    answers = [reply(turn, text) for text in (legal(house, match_id)[0], "undo")]
    for answer, moment in zip(answers, (NOON, LATER - SECOND), strict=True):
        with at(moment):
            assert house.send(answer.as_bytes(), turn.reply_to, turn.name).code == 250
            if judged and moment == NOON:
                house.judge(match_id)
    judge(house, match_id, LATER + 5 * MINUTE)
    assert log(house) == []
    assert stand(house)[0][1] == "You took this move back before it was played."


def test_an_undo_that_came_too_late_changes_nothing(house: House) -> None:
    match_id = holds(house)
    name = mover(house, match_id)
    turn = house.last(name)
    move = legal(house, match_id)[0]
    for text, moment in ((move, NOON), ("undo", LATER)):
        with at(moment):
            assert house.send(reply(turn, text).as_bytes(), turn.reply_to, turn.name).code == 250
    judge(house, match_id, LATER)
    assert log(house) == [(move, NOON)]


def test_another_move_takes_the_place_of_the_one_that_is_held(house: House) -> None:
    match_id = holds(house)
    name = mover(house, match_id)
    turn = house.last(name)
    moves = legal(house, match_id)[:2]
    house.reply(turn, moves[0])
    house.mails(name)
    with at(NOON + MINUTE):
        house.reply(turn, moves[1])
        house.reply(turn, "xyzzy")
        told = house.mails(name)
    assert "It replaces the move you sent before." in told[0].flat
    assert judge(house, match_id, LATER) == 0
    assert judge(house, match_id, LATER + MINUTE) == 1
    assert log(house) == [(moves[1], NOON + MINUTE)]
    assert sorted(status for status, _reason in stand(house)) == ["played", "rejected", "rejected"]
    assert stand(house)[0] == ("rejected", "You replaced this move before it was played.")


def test_the_same_move_by_link_may_be_sent_again_once_it_was_taken_back(house: House) -> None:
    match_id = holds(house)
    token, move = house.last(mover(house, match_id)).token, legal(house, match_id)[0]
    first = linked(house, token, move, NOON)
    assert linked(house, token, move, NOON) == first
    house.judge(match_id)
    other = linked(house, token, legal(house, match_id)[1], NOON + SECOND)
    house.judge(match_id)
    again = linked(house, token, move, NOON + MINUTE)
    assert len({first, other, again}) == 3
    judge(house, match_id, NOON + 3 * MINUTE)
    assert [status for status, _reason in stand(house)] == ["rejected", "rejected", "played"]


def test_it_never_outlasts_the_deadline_nor_does_time_run_out_while_it_is_held(house: House) -> None:
    match_id = holds(house, 10, quiet_from=0, quiet_until=0, reminders="never")
    with house.transaction() as ctx:
        lock_match(ctx, match_id).timeout_policy = "loss"
    due = house.all(select(Deadline.due_at))[0]
    move, token = legal(house, match_id)[0], house.last(mover(house, match_id)).token
    linked(house, token, move, due - MINUTE)
    judge(house, match_id, due - MINUTE)
    assert house.all(select(Submission.hold_until)) == [due]
    tick(house, due + MINUTE)
    assert log(house) == [(move, due - MINUTE)]
    assert house.match(match_id).state == MatchState.RUNNING


def test_who_is_late_is_not_held_any_longer(house: House) -> None:
    match_id = holds(house, 10)
    due = house.all(select(Deadline.due_at))[0]
    move, token = legal(house, match_id)[0], house.last(mover(house, match_id)).token
    linked(house, token, move, due + SECOND)
    assert judge(house, match_id, due + SECOND) == 1
    assert log(house)[0][0] == move


def test_alone_nothing_is_held(house: House) -> None:
    match_id = begun(house, "minimax", 1, "none")
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(hold_minutes=10))
    move = house.legal(match_id, 1)[0]
    house.reply(house.last("Ann"), move)
    assert log(house)[0][0] == move


def test_what_is_held_hinders_nobody_else(house: House) -> None:
    match_id = begun(house, "middle-card", 3, "3 days", {"swap": False})
    with house.transaction() as ctx:
        ann = select(Player.id).where(Player.name == "Ann")
        ctx.session.execute(update(Player).where(Player.id == ann.scalar_subquery()).values(hold_minutes=10))
    for name, seat in (("Ann", 1), ("Bob", 2), ("Cyd", 3)):
        house.reply(house.last(name), house.legal(match_id, seat)[0])
    assert len(log(house)) == 2
    assert judge(house, match_id, NOON + 10 * MINUTE) == 1
    assert len(log(house)) == 3


def test_whoever_is_held_when_the_worker_dies_is_found_by_the_sweep_and_not_before(house: House) -> None:
    match_id = holds(house, reminders="never")
    house.reply(house.last(mover(house, match_id)), legal(house, match_id)[0])
    for moment, found in ((LATER - SECOND, []), (LATER, [("judge_submissions", (match_id,))])):
        named: list[tuple[str, tuple[object, ...]]] = []

        def name(task: str, arguments: tuple[object, ...], into: list[tuple[str, tuple[object, ...]]] = named) -> None:
            into.append((task, arguments))

        set_task_sender(name)
        with at(moment), house.transaction() as ctx:
            sweeper.sweep(ctx)
        set_task_sender(lambda _task, _arguments: None)
        assert [each for each in named if each[0] == "judge_submissions"] == found


def test_what_is_held_keeps_no_clock_from_acting_but_what_should_have_been_played_does(house: House) -> None:
    match_id = holds(house, 10)
    house.reply(house.last(mover(house, match_id)), legal(house, match_id)[0])
    for moment, awake in ((NOON + 10 * MINUTE, True), (NOON + 12 * MINUTE, False)):
        with at(moment), house.transaction() as ctx:
            assert outages.may_time_run_out(ctx) is awake


def test_words_in_front_of_a_move_are_said_once(house: House) -> None:
    match_id = holds(house)
    name = mover(house, match_id)
    other = waiter(house, match_id)
    house.mails(other)
    house.reply(house.last(name), f"say Good luck!\n{legal(house, match_id)[0]}")
    judge(house, match_id, LATER)
    assert len(log(house)) == 1
    assert house.all(select(ChatMessage.text)) == ["Good luck!"]
    with at(LATER):
        assert "Good luck!" in house.last(other).flat


def test_a_match_that_ends_meanwhile_is_over(house: House) -> None:
    match_id = holds(house)
    name = mover(house, match_id)
    other = waiter(house, match_id)
    house.reply(house.last(name), legal(house, match_id)[0])
    house.reply(house.last(other), "resign yes")
    judge(house, match_id, LATER)
    assert ("already_played", "The match is over.") in stand(house)
    assert not [move for move, _at in log(house) if move]


def test_what_the_service_would_play_waits_for_a_move_that_is_held(house: House) -> None:
    match_id = holds(house, reminders="never")
    name, moves = mover(house, match_id), legal(house, match_id)
    house.reply(house.last(name), moves[-1])
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).where(Player.name == name).values(**AS_ROBOT))
        ctx.session.execute(update(Deadline).values(robot_moves_at=NOON, next_action_at=NOON))
    tick(house, LATER - SECOND)
    assert log(house) == []
    tick(house, LATER + MINUTE)
    assert log(house)[0] == (moves[-1], NOON)
