"""Judging under faults of the service itself: nothing accepted is lost, nothing else is held up."""

from __future__ import annotations

import logging
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import SQLAlchemyError

from emails.parsing.reader import ParsedMail, parse_mail
from pbem.db.models import LogEntry, Submission
from pbem.play.inbox import judge as inbox_judge
from pbem.play.matches.match_state import lock_match
from pbem.play.submissions.queue import find_status
from pbem.states import SubmissionStatus
from tests.support.house import reply

if TYPE_CHECKING:
    from tests.support.house import House


def fails_on(word: bytes) -> object:
    """Read mail, but break on one that holds a word."""

    def breaking(raw: bytes) -> ParsedMail:
        if word in raw:
            raise RuntimeError("a fault of ours")
        return parse_mail(raw)

    return breaking


def statuses(house: House) -> list[tuple[str, int]]:
    rows = select(Submission.status, Submission.attempts).order_by(Submission.received_at, Submission.id)
    return [tuple(row) for row in house.rows(rows)]


def test_a_fault_of_ours_is_tried_again_then_set_aside_and_the_next_is_judged(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    match_id = house.start_match("middle-card", 3)
    mail = house.last("Ann")
    for words in ("stay\n\nBROKEN", "stay"):
        house.send(reply(mail, words).as_bytes(), mail.reply_to, "ann@example.org")
    broken = fails_on(b"BROKEN")
    for tries in (1, 2):
        with house.transaction() as ctx:
            assert inbox_judge.judge(ctx, match_id, broken) == 0  # type: ignore[arg-type]
        # What came later waits: the order received is kept.
        assert statuses(house) == [("pending", tries), ("pending", 0)]
    with house.transaction() as ctx:
        assert inbox_judge.judge(ctx, match_id, broken) == 2  # type: ignore[arg-type]
    assert statuses(house) == [("failed", 3), ("played", 0)]
    assert house.all(select(LogEntry.move)) == ["stay"]
    assert "could not judge submission" in caplog.text
    with house.transaction() as ctx:
        failed = ctx.session.scalars(select(Submission.id).where(Submission.status == SubmissionStatus.FAILED)).one()
        verdict = find_status(ctx, failed)
        assert verdict
        assert verdict.status == "rejected"
        assert "Nothing was played" in (verdict.reason or "")


def test_what_the_database_will_not_hold_is_set_aside(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    mail = house.last("Ann")
    for words in ("ODD", "stay"):
        house.send(reply(mail, words).as_bytes(), mail.reply_to, "ann@example.org")

    def odd(raw: bytes) -> ParsedMail:
        reading = parse_mail(raw)
        return replace(reading, message_id="\0") if "ODD" in reading.typed else reading

    for _ in range(3):
        with house.transaction() as ctx:
            inbox_judge.judge(ctx, match_id, odd)
    assert statuses(house) == [("failed", 3), ("played", 0)]


def test_a_fault_of_the_database_leaves_all_as_it_was(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    mail = house.last("Ann")
    house.send(reply(mail, "stay").as_bytes(), mail.reply_to, "ann@example.org")
    with house.transaction() as ctx:
        ctx.session.execute(text("ALTER TABLE log_entries RENAME TO mislaid"))
    try:
        with pytest.raises(SQLAlchemyError):
            house.judge(match_id)
    finally:
        with house.transaction() as ctx:
            ctx.session.execute(text("ALTER TABLE mislaid RENAME TO log_entries"))
    assert statuses(house) == [("pending", 0)]
    assert house.judge(match_id) == 1
    assert house.match(match_id).log_length == 1


def test_judging_waits_for_whoever_has_the_match(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    mail = house.last("Ann")
    judged = threading.Event()

    def judge() -> None:
        house.judge(match_id)
        judged.set()

    with house.transaction() as ctx:
        lock_match(ctx, match_id)
        waiting = threading.Thread(target=judge)
        waiting.start()
        # A submission is taken while somebody else judges.
        assert house.send(reply(mail, "stay").as_bytes(), mail.reply_to, "ann@example.org").code == 250
        assert not judged.wait(0.2)
    waiting.join(10)
    assert judged.is_set()
    assert statuses(house) == [("played", 0)]


def test_submissions_are_judged_in_the_order_received_whatever_their_ids(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    mail = house.last("Ann")
    for words in ("stay\n\none", "stay\n\ntwo", "stay\n\nthree"):
        house.send(reply(mail, words).as_bytes(), mail.reply_to, "ann@example.org")
    ids = sorted(house.all(select(Submission.id)), reverse=True)
    noon = datetime(2026, 11, 21, 12, tzinfo=UTC)
    with house.transaction() as ctx:
        for number, submission in enumerate(ids):
            ctx.session.get_one(Submission, submission).received_at = noon + timedelta(seconds=number)
    assert house.judge(match_id) == 3
    rows = house.rows(select(Submission.id, Submission.status).order_by(Submission.received_at))
    assert [tuple(row) for row in rows] == list(zip(ids, ["played", *["already_played"] * 2], strict=True))


def test_nothing_pending_is_nothing_judged(house: House, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    assert house.judge(house.start_match("middle-card", 3)) == 0
    assert not caplog.records


def test_the_time_of_a_move_is_when_it_was_received(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    mail = house.last("Ann")
    house.send(reply(mail, "stay").as_bytes(), mail.reply_to, "ann@example.org")
    (received,) = house.all(select(Submission.received_at))
    house.judge(match_id)
    (at,) = house.all(select(LogEntry.logged_at))
    assert at == received.replace(microsecond=received.microsecond // 1000 * 1000)
