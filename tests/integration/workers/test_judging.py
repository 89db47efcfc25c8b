"""Matches that wait at the same time are judged together, and as if each had been judged alone."""

from __future__ import annotations

import logging
import threading
from itertools import groupby
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, text, update
from sqlalchemy.exc import OperationalError

from emails.parsing.reader import ParsedMail, parse_mail
from pbem.db.models import Player, Submission
from pbem.db.session import connect
from pbem.play.inbox import batch
from pbem.play.inbox.judge import judge as judge_match
from pbem.play.matches.match_state import lock_match
from pbem.telemetry import logs
from tests.support.db.statements import statements
from tests.support.live_service import until
from tests.support.workers.turns import begin, judge, patient, statuses, transactions
from workers import judging
from workers.judging import Judging

if TYPE_CHECKING:
    from tests.support.house import House

__all__ = ["patient"]

MOST_STATEMENTS = 16
"""With the look at what has arrived meanwhile."""


def test_moves_of_several_matches_are_judged_in_one_transaction(house: House) -> None:
    turns = begin(house, 3)
    for turn in turns:
        turn.send(house, "stay\n\nGood luck!")
    judge(house, turns)
    assert len(transactions(house)) == 3
    assert len({*transactions(house)}) == 1


def test_a_batch_takes_no_more_statements_than_a_single_match(house: House) -> None:
    single, *several = begin(house, 4)
    counts = []
    for turns in ([single], several):
        for turn in turns:
            turn.send(house, "stay")
        with statements(house.engine) as taken:
            judge(house, turns)
        counts.append(len(taken))
    assert counts[1] <= counts[0] <= MOST_STATEMENTS


def test_all_is_loaded_before_the_first_move_is_decided_and_written_after_the_last(house: House) -> None:
    turns = begin(house, 3)
    for turn in turns:
        turn.send(house, "stay")
    with statements(house.engine) as taken:
        judge(house, turns)
    kinds = [statement.split()[0] for statement in taken]
    # The last one looks for what has arrived meanwhile.
    assert [kind for kind, _same in groupby(kinds[:-1], key=lambda kind: kind == "SELECT")] == [True, False]


def test_no_more_than_a_batch_are_judged_together(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "MAX_MATCHES", 2)
    turns = begin(house, 3)
    for turn in turns:
        turn.send(house, "stay")
    judge(house, turns)
    assert len({*transactions(house)}) == 2


def test_a_batch_that_takes_long_takes_up_no_further_match(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "MAX_SECONDS", -1)
    turns = begin(house, 3)
    for turn in turns:
        turn.send(house, "stay")
    judge(house, turns)
    assert len({*transactions(house)}) == 3


def test_a_fault_at_one_match_leaves_the_others_judged(house: House, caplog: pytest.LogCaptureFixture) -> None:
    one, broken, other = turns = begin(house, 3)
    for turn in turns:
        turn.send(house, "stay\n\nBROKEN" if turn is broken else "stay")

    def read(raw: bytes) -> ParsedMail:
        if b"BROKEN" in raw:
            raise RuntimeError("a fault of ours")
        return parse_mail(raw)

    judging = Judging(house.engine, house.config, read)
    for attempt in (1, 2, 3):
        judging([turn.match for turn in turns])
        tried = select(Submission.attempts).where(Submission.match_id == broken.match)
        assert house.all(tried) == [attempt]
    assert statuses(house) == {one.match: "played", broken.match: "failed", other.match: "played"}
    assert "each of its matches is judged alone" in caplog.text


def test_a_fault_at_a_match_is_raised_when_the_others_are_judged(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    one, lost, other = turns = begin(house, 3)
    for turn in turns:
        turn.send(house, "stay")

    def fails(ctx: object, match: str, read: object) -> int:
        if match == lost.match:
            raise LookupError
        return judge_match(ctx, match, read)  # type: ignore[arg-type]

    def refuses(*_: object) -> batch.Outcome:
        raise LookupError

    monkeypatch.setattr(judging, "judge", fails)
    monkeypatch.setattr(judging, "judge_batch", refuses)
    with pytest.raises(ExceptionGroup):
        judge(house, turns)
    assert statuses(house) == {one.match: "played", lost.match: "pending", other.match: "played"}


def test_a_database_that_is_away_ends_it_and_nothing_is_lost(house: House) -> None:
    (turn,) = begin(house, 1)
    turn.send(house, "stay")
    away = connect("postgresql+psycopg://nobody@127.0.0.1:1/none", patience=1)
    lost = Judging(away, house.config, parse_mail)
    with pytest.raises(OperationalError):
        lost([turn.match])
    assert statuses(house) == {turn.match: "pending"}
    judge(house, [turn])
    assert statuses(house) == {turn.match: "played"}


def test_a_match_that_somebody_else_has_locked_holds_up_no_other(house: House) -> None:
    locked, free = turns = begin(house, 2)
    for turn in turns:
        turn.send(house, "stay")
    thread = threading.Thread(target=judge, args=(house, turns))
    with house.transaction() as ctx:
        lock_match(ctx, locked.match)
        thread.start()
        while statuses(house)[free.match] != "played":
            thread.join(0.01)
        assert statuses(house)[locked.match] == "pending"
    thread.join(20)
    assert statuses(house)[locked.match] == "played"


def test_a_match_that_somebody_else_has_locked_holds_up_no_later_batch(house: House) -> None:
    locked, later = turns = begin(house, 2)
    for turn in turns:
        turn.send(house, "stay")
    shared = Judging(house.engine, house.config, parse_mail)
    first, second = (threading.Thread(target=shared, args=([turn.match],)) for turn in turns)
    waits = text("SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()")
    with house.transaction() as ctx:
        lock_match(ctx, locked.match)
        first.start()
        until(lambda: house.rows(waits))
        second.start()
        second.join(20)
        assert statuses(house) == {locked.match: "pending", later.match: "played"}
    first.join(20)
    assert statuses(house)[locked.match] == "played"


def test_what_arrives_while_a_batch_is_judged_is_judged_too(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    turns = begin(house, 2)
    turns[0].send(house, "stay")

    def slowly(*given: object) -> batch.Outcome:
        outcome = batch.judge_batch(*given)  # type: ignore[arg-type]
        monkeypatch.setattr(judging, "judge_batch", batch.judge_batch)
        turns[0].send(house, "stay\n\nagain")
        return outcome

    monkeypatch.setattr(judging, "judge_batch", slowly)
    judge(house, turns)
    assert sorted(house.all(select(Submission.status))) == ["already_played", "played"]


def test_threads_that_name_the_same_matches_judge_each_once(house: House) -> None:
    turns = begin(house, 4)
    for turn in turns:
        turn.send(house, "stay")
    shared = Judging(house.engine, house.config, parse_mail)
    threads = [threading.Thread(target=shared, args=([turn.match for turn in turns],)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(transactions(house)) == 4


def test_several_submissions_to_a_match_are_judged_in_their_order(house: House) -> None:
    (turn,) = begin(house, 1)
    for words in ("stay\n\none", "stay\n\ntwo"):
        turn.send(house, words)
    judge(house, [turn])
    rows = house.rows(select(Submission.status).order_by(Submission.received_at, Submission.id))
    assert [row[0] for row in rows] == ["played", "already_played"]


@pytest.mark.parametrize(
    "words", ["help", "resign", pytest.param("stay\n\n" + "much " * batch.MAX_BYTES, id="a mail that takes long")]
)
def test_what_is_not_ordinary_is_judged_alone(house: House, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    unusual, usual = turns = begin(house, 2)
    unusual.send(house, words)
    usual.send(house, "stay")
    alone: list[str] = []

    def watched(ctx: object, match: str, read: object) -> int:
        alone.append(match)
        return judge_match(ctx, match, read)  # type: ignore[arg-type]

    monkeypatch.setattr(judging, "judge", watched)
    judge(house, turns)
    assert alone == [unusual.match]
    assert statuses(house)[usual.match] == "played"
    assert statuses(house)[unusual.match] != "pending"


def _banned(house: House) -> None:
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(banned_at=ctx.now))


def _tried_before(house: House) -> None:
    with house.transaction() as ctx:
        ctx.session.execute(update(Submission).values(attempts=1))


@pytest.mark.parametrize("change", [_banned, _tried_before])
def test_only_a_first_try_of_a_player_in_good_standing_is_ordinary(house: House, change: object) -> None:
    (turn,) = begin(house, 1)
    turn.send(house, "stay")
    change(house)  # type: ignore[operator]
    with house.transaction() as ctx:
        outcome = batch.judge_batch(ctx, [turn.match], parse_mail, lambda: True)
    assert outcome.extraordinary == (turn.match,)
    assert statuses(house) == {turn.match: "pending"}


def test_all_mails_of_a_batch_are_enqueued_with_its_moves(house: House) -> None:
    turns = begin(house, 2)
    house.deliver()
    for turn in turns:
        turn.send(house, "stay")
    judge(house, turns)
    written = house.rows(text("SELECT DISTINCT xmin::text::bigint FROM outbox_messages WHERE state = 'pending'"))
    assert [row[0] for row in written] == [*{*transactions(house)}]


def test_the_log_names_the_submission_of_each_mail(house: House, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    named: list[str] = []

    class Names(logging.Filter):
        def filter(self, record: logging.LogRecord) -> bool:
            if record.msg.startswith("mail enqueued"):
                named.append(str(logs.current_fields().get("submission")))
            return True

    turns = begin(house, 2)
    for turn in turns:
        turn.send(house, "stay")
    watcher = Names()
    logging.getLogger("pbem.play.notifications.outbox").addFilter(watcher)
    try:
        judge(house, turns)
    finally:
        logging.getLogger("pbem.play.notifications.outbox").removeFilter(watcher)
    ids = {logs.shorten_id(each) for each in house.all(select(Submission.id))}
    assert {*named} == ids
