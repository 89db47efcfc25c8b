"""A match of a batch whose submission is faulty, or takes long, does nothing to the others."""

from __future__ import annotations

import logging
from collections import Counter
from contextlib import contextmanager, suppress
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, text, update

from emails.parsing.reader import ParsedMail, parse_mail
from pbem.db.models import Match, OutboxMessage, Submission
from pbem.play.inbox import batch
from pbem.play.inbox.judge import MAX_ATTEMPTS, judge_one
from tests.support.workers.turns import begin, judge, patient, statuses, transactions
from workers import judging

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.support.house import House
    from tests.support.workers.turns import Turn

__all__ = ["patient"]

UNKNOWN_EDITION = 99


def begin_with_moves(house: House, count: int) -> list[Turn]:
    """Begin some matches, each with a move that waits to be judged."""
    turns = begin(house, count)
    for turn in turns:
        turn.send(house, "stay")
    return turns


def poison(house: House, turn: Turn) -> None:
    """Change a match so that judging raises an error each time: its rules are not installed."""
    with house.transaction() as ctx:
        ctx.session.execute(update(Match).where(Match.id == turn.match).values(edition=UNKNOWN_EDITION))


@contextmanager
def refused_log(house: House, turn: Turn, code: str) -> Iterator[None]:
    """Refuse in the database each entry in the log of a match, with some error code."""
    with house.transaction() as ctx:
        ctx.session.execute(
            text(f"""
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '{code}'; END $$;
                CREATE TRIGGER refuse BEFORE INSERT ON log_entries FOR EACH ROW
                    WHEN (NEW.match_id = '{turn.match}') EXECUTE FUNCTION refuse()
            """)
        )
    try:
        yield
    finally:
        with house.transaction() as ctx:
            ctx.session.execute(text("DROP FUNCTION refuse CASCADE"))


def count_transactions(house: House, turns: Sequence[Turn]) -> int:
    """Return how many transactions wrote the moves of some matches, of which each has one."""
    written = text("SELECT xmin::text FROM log_entries WHERE match_id = ANY(:matches)")
    rows = house.rows(written, {"matches": [turn.match for turn in turns]})
    assert len(rows) == len(turns)
    return len({row[0] for row in rows})


def attempts(house: House, turn: Turn) -> int:
    found: list[int] = house.all(select(Submission.attempts).where(Submission.match_id == turn.match))
    return sum(found)


def test_a_poisoned_submission_is_set_aside_after_three_tries_and_spoils_one_batch(house: House) -> None:
    (poisoned,) = begin_with_moves(house, 1)
    poison(house, poisoned)
    counts = []
    for attempt in range(1, MAX_ATTEMPTS + 1):
        others = begin_with_moves(house, 2)
        judge(house, [poisoned, *others])
        assert attempts(house, poisoned) == attempt
        counts.append(count_transactions(house, others))
    assert counts == [2, 1, 1]
    assert statuses(house)[poisoned.match] == "failed"
    assert Counter(statuses(house).values()) == {"played": 2 * MAX_ATTEMPTS, "failed": 1}


def test_what_is_set_aside_is_not_tried_again(house: House) -> None:
    poisoned, _other = turns = begin_with_moves(house, 2)
    poison(house, poisoned)
    for _ in range(MAX_ATTEMPTS + 1):
        judge(house, turns)
    assert attempts(house, poisoned) == MAX_ATTEMPTS


def test_several_poisoned_submissions_of_a_batch_leave_the_others_played(house: House) -> None:
    one, first, second, other = turns = begin_with_moves(house, 4)
    for turn in (first, second):
        poison(house, turn)
    judge(house, turns)
    assert {turn for turn in turns if statuses(house)[turn.match] == "played"} == {one, other}
    assert [attempts(house, turn) for turn in turns] == [0, 1, 1, 0]


def test_what_the_database_refuses_at_one_match_is_rolled_back_and_the_others_are_judged_once(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    one, refused, other = turns = begin_with_moves(house, 3)
    with refused_log(house, refused, "22023"):
        judge(house, turns)
    assert statuses(house) == {one.match: "played", refused.match: "pending", other.match: "played"}
    assert attempts(house, refused) == 1
    # Nothing is told of the batch that was rolled back: each move is logged and mailed once.
    assert [record.getMessage() for record in caplog.records].count("judged: played") == 2
    turn_mails = select(OutboxMessage.match_id, OutboxMessage.recipient).where(OutboxMessage.kind == "turn")
    mailed = Counter(map(tuple, house.rows(turn_mails.where(OutboxMessage.ply > 1))))
    assert {match for match, _recipient in mailed} == {one.match, other.match}
    assert {*mailed.values()} == {1}


@pytest.mark.parametrize(
    ("code", "counted"), [("23505", 1), ("40P01", 0), ("57014", 0)], ids=["a unique index", "a deadlock", "a timeout"]
)
def test_an_error_of_the_database_at_one_match_leaves_the_others_judged(house: House, code: str, counted: int) -> None:
    first, *others = turns = begin_with_moves(house, 3)
    with refused_log(house, first, code), suppress(ExceptionGroup):
        judge(house, turns)
    assert {turn.match for turn in turns if statuses(house)[turn.match] == "played"} == {turn.match for turn in others}
    assert attempts(house, first) == counted
    judge(house, turns)
    assert {*statuses(house).values()} == {"played"}


def test_a_mail_that_takes_long_to_read_postpones_the_rest_of_its_batch(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = begin_with_moves(house, 4)
    seconds = [0.0]
    monkeypatch.setattr(judging, "time", SimpleNamespace(thread_time=lambda: seconds[0]))

    def read_slowly(raw: bytes) -> ParsedMail:
        seconds[0] += judging.MAX_SECONDS / 2
        return parse_mail(raw)

    judging.Judging(house.engine, house.config, read_slowly)([turn.match for turn in turns])
    # Two mails are read in the time of a batch, of which one is judged.
    assert len({*transactions(house)}) == len(turns)
    assert {*statuses(house).values()} == {"played"}


def test_a_slow_match_postpones_the_rest_of_its_batch_and_that_is_judged_next(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, slow, *others = turns = begin_with_moves(house, 5)
    seconds = [0.0]
    outcomes: list[batch.Outcome] = []

    def judge_slowly(ctx: object, match: Match, *given: object, **named: object) -> object:
        seconds[0] += judging.MAX_SECONDS if match.id == slow.match else 0
        return judge_one(ctx, match, *given, **named)  # type: ignore[arg-type]

    def judge_batch(*given: object) -> batch.Outcome:
        outcomes.append(together(*given))  # type: ignore[arg-type]
        return outcomes[-1]

    together = batch.judge_batch
    monkeypatch.setattr(judging, "time", SimpleNamespace(thread_time=lambda: seconds[0]))
    monkeypatch.setattr(batch, "judge_one", judge_slowly)
    monkeypatch.setattr(judging, "judge_batch", judge_batch)
    judge(house, turns)
    rest = tuple(turn.match for turn in others)
    assert outcomes == [batch.Outcome((first.match, slow.match), (), rest), batch.Outcome(rest, ())]
    assert {*statuses(house).values()} == {"played"}
