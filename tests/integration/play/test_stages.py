"""Which stage a submission speaks of, and what comes of one that speaks of another (DESIGN: stale or not)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import LogEntry, Submission
from pbem.play.core import tokens as core_tokens
from pbem.play.submissions import queue
from pbem.states import SubmissionStatus
from tests.support.house import reply

if TYPE_CHECKING:
    from pbem.play.submissions.queue import Status
    from tests.support.house import House


def send(house: House, match_id: str, token: str, ply: int, move: str, *, judged: bool = True) -> Status:
    with house.transaction() as ctx:
        found = core_tokens.find(ctx, token, core_tokens.LINK)
        assert found
        submission = queue.send_move(ctx, found, queue.API, ply, move)
    if judged:
        house.judge(match_id)
    with house.transaction() as ctx:
        status = queue.find_status(ctx, submission)
        assert status
        return status


def log(house: House, match_id: str) -> list[tuple[int, int, str]]:
    rows = select(LogEntry.ply, LogEntry.seat, LogEntry.move).where(LogEntry.match_id == match_id)
    return [tuple(row) for row in house.rows(rows.order_by(LogEntry.number))]


def test_a_submission_is_pending_until_it_is_judged(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    token = house.last("Ann").token
    assert send(house, match_id, token, 1, house.legal(match_id, 1)[0], judged=False).status == "pending"


def test_a_token_of_an_earlier_stage_never_plays_a_later_ply(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    old = house.last("Ann").token
    assert send(house, match_id, old, 1, house.legal(match_id, 1)[0]).status == "played"
    again = house.legal(match_id, 1)[0]
    for ply in (1, 2, 3):
        late = send(house, match_id, old, ply, again)
        assert late.status == "already_played"
        assert late.reason == "That turn has already been played."
    assert [ply for ply, _, _ in log(house, match_id)] == [1]


def test_a_mail_to_an_earlier_reply_address_is_answered_with_the_match_as_it_stands(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    mail = house.last("Ann")
    house.reply(mail, house.legal(match_id, 1)[0])
    house.mails("Ann")
    house.reply(mail, house.legal(match_id, 1)[0])
    assert len(log(house, match_id)) == 1
    answer = house.only("Ann")
    assert "That turn has already been played" in answer.flat
    assert "and you can play that now" in answer.flat
    house.reply(answer, house.legal(match_id, 1)[0])
    assert len(log(house, match_id)) == 2


def test_a_ply_ahead_is_rejected(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    token = house.last("Ann").token
    status = send(house, match_id, token, 2, house.legal(match_id, 1)[0])
    assert status.status == "rejected"
    assert status.reason == "Move 2 has not been reached: the match is at move 1."


@pytest.mark.parametrize("ply", [0, -1, -(2**31)])
def test_a_ply_before_the_stage_has_been_played_already(house: House, ply: int) -> None:
    match_id = house.start_match("minimax", 1)
    assert send(house, match_id, house.last("Ann").token, ply, "any").status == "already_played"


def test_in_a_sealed_stage_all_act_at_the_same_ply_and_the_log_numbers_them_as_judged(house: House) -> None:
    match_id = house.start_match("middle-card", 3, {"swap": False})
    tokens = {name: house.last(name).token for name in ("Ann", "Bob", "Cyd")}
    cards = {seat: house.legal(match_id, seat)[0] for seat in (1, 2, 3)}
    assert send(house, match_id, tokens["Cyd"], 1, cards[3]).status == "played"
    match = house.match(match_id)
    assert (match.ply, match.next_ply, match.to_move) == (1, 2, [1, 2])
    assert send(house, match_id, tokens["Cyd"], 1, house.legal(match_id, 1)[0]).status == "already_played"
    assert send(house, match_id, tokens["Ann"], 2, cards[1]).status == "rejected"
    assert send(house, match_id, tokens["Ann"], 1, cards[1]).status == "played"
    assert house.match(match_id).ply == 1
    assert send(house, match_id, tokens["Bob"], 1, cards[2]).status == "played"
    match = house.match(match_id)
    assert (match.ply, match.next_ply, match.to_move) == (4, 4, [1, 2, 3])
    assert log(house, match_id) == [(1, 3, cards[3]), (2, 1, cards[1]), (3, 2, cards[2])]


def test_each_seat_is_asked_once_a_stage(house: House) -> None:
    match_id = house.start_match("middle-card", 3, {"swap": False})
    for name, seat in (("Ann", 1), ("Bob", 2)):
        house.reply(house.last(name), house.legal(match_id, seat)[0])
        assert "It is your turn" not in house.only(name).text
    assert len(house.mails("Cyd")) == 1
    assert not house.mails("Cyd")


def test_a_move_of_a_seat_that_is_not_to_move_is_not_played(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    waiting = house.only("Bob")
    assert "we will mail you when it is your turn" in waiting.flat
    house.reply(waiting, "stay")
    assert not log(house, match_id)
    assert "It is not your turn yet" in house.only("Bob").flat
    assert house.all(select(Submission.status)) == ["rejected"]


def test_nothing_is_played_once_the_match_is_over(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    mail = house.last("Ann")
    house.reply(mail, "resign yes")
    final = house.only("Ann")
    assert send(house, match_id, mail.token, 1, "any").reason == "The match is over."
    house.reply(final, "1")
    assert "The match is over." in house.only("Ann").flat
    assert not [move for _, _, move in log(house, match_id) if move]


def test_a_move_before_the_match_has_begun_is_answered_with_what_it_waits_for(house: House) -> None:
    match_id = house.make("middle-card", 3)
    mail = house.only("Ann")
    house.reply(mail, "stay")
    assert "We could not tell whether you accept or decline, so nothing was done." in house.only("Ann").flat
    status = send(house, match_id, mail.token, 1, "stay")
    assert (status.status, status.reason) == (
        "rejected",
        "The match has not started: not everybody has accepted yet.",
    )


def test_lines_below_a_move_are_the_next_one_while_the_same_seat_is_to_move(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    mail = house.last("Ann")
    house.reply(mail, f"{house.legal(match_id, 1)[0]}\nThanks, Ann")
    assert len(log(house, match_id)) == 1


def test_an_answer_to_the_first_mail_of_two_that_crossed_names_the_ply(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    mail = house.last("Ann")
    answer = reply(mail, house.legal(match_id, 1)[0])
    house.reply(mail, house.legal(match_id, 1)[1])
    house.send(answer.as_bytes(), mail.reply_to, "ann@example.org")
    house.judge(match_id)
    assert len(log(house, match_id)) == 1
    assert house.all(select(Submission.reason).where(Submission.status == SubmissionStatus.ALREADY_PLAYED)) == [
        "That turn has already been played."
    ]
