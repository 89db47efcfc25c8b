"""Analyses of finished matches: made chunk by chunk, behind the thoughts of robots that are to move."""

from __future__ import annotations

import json
import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import select, update

from pbem import robots
from pbem.db.models import Analysis, Match, Thought
from pbem.games.record import parse_record
from pbem.play.analysis import chunks
from pbem.play.conditional_moves.robot_moves import THINK_TASK
from pbem.play.core.context import system_time
from pbem.play.lifecycle import match_requests
from pbem.play.upkeep import sweeper
from pbem.robots import Level, par
from pbem.robots.analyses import PAR, STEPS
from pbem.states import MatchState
from tests.support.creating import create_match
from tests.support.play.analysis.asking import analyses, ask, finished, make_all, player
from tests.support.robots import ANN, as_sent, thinking_here
from workers import thinker
from workers.thinking import Thinking

if TYPE_CHECKING:
    import pytest

    from tests.support.house import House

SECOND = timedelta(seconds=1)


def asked(house: House) -> str:
    match_id = finished(house)
    ask(house, match_id, player(house, match_id))
    return match_id


def claimed(house: House, after: timedelta = timedelta()) -> chunks.Chunk | None:
    with house.transaction(system_time() + after) as ctx:
        return chunks.claim(ctx)


def answered(house: House, *answers: dict[str, Any] | None) -> Thinking:
    """Return what gets some answers from its thinkers, one by one."""
    rest = list(answers)
    return Thinking(house.engine, house.config, lambda _request: rest.pop(0))


def piece(done: int, **more: Any) -> dict[str, Any]:
    return {"done": done, "total": 4, "work": {"at": done}, "result": None, "seconds": 1.5} | more


def test_an_analysis_is_made_from_the_record(house: House) -> None:
    asked(house)
    chunk = claimed(house)
    assert chunk
    assert chunk.request.keys() == {"do", "record", "work"}
    assert (chunk.request["do"], chunk.request["work"]) == (PAR, {})
    make_all(house)
    (made,) = analyses(house)
    assert made.result
    assert made.result == last_result(chunk)
    assert (made.work, made.steps_done) == ({}, made.steps)
    assert made.seconds > 0


def last_result(chunk: chunks.Chunk) -> Any:
    *_, last = par.steps(parse_record(as_sent(chunk.request["record"])), {})
    return last.result


def test_a_chunk_goes_on_where_the_one_before_has_stopped(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinker, "CHUNK_SECONDS", 0)
    asked(house)
    done = []
    while not (made := analyses(house)[0]).done_at:
        done.append(made.steps_done)
        thinking_here(house)()
    assert done[0] == 0
    assert done == sorted(done)
    assert len(done) > 2


def test_the_task_is_enqueued_again_for_the_next_chunk(house: House) -> None:
    asked(house)
    chunk = claimed(house)
    assert chunk
    with house.transaction() as ctx:
        chunks.store(ctx, chunk, piece(1))
        assert (THINK_TASK, ()) in ctx.session.info["wanted tasks"]


def test_thoughts_of_running_matches_come_first(house: House) -> None:
    asked(house)
    with house.transaction() as ctx:
        strong = match_requests.robot(Level.STRONG)
        create_match(ctx, "martian-whist", {"sets": 2}, [strong, ANN], creator=2)
    requests: list[dict[str, Any]] = []

    def ask_thinker(request: dict[str, Any]) -> dict[str, Any]:
        requests.append(request)
        return as_sent(thinker.answer(as_sent(request)))

    Thinking(house.engine, house.config, ask_thinker)()
    assert ["do" in request for request in requests] == [False, True]
    assert house.all(select(Thought.done_at.is_not(None))) == [True]


def test_a_worker_that_dies_loses_its_chunk_alone(house: House) -> None:
    asked(house)
    answered(house, piece(2))()
    lost = claimed(house)
    assert lost
    assert claimed(house) is None
    again = claimed(house, chunks.LEASE_TIME + SECOND)
    assert again
    assert again.request["work"] == lost.request["work"] == {"at": 2}
    with house.transaction() as ctx:
        chunks.store(ctx, again, piece(3))
        chunks.store(ctx, lost, piece(4))
    with house.transaction() as ctx:
        chunks.fail(ctx, lost)
    (row,) = analyses(house)
    assert (row.steps_done, row.attempts, row.seconds) == (3, 0, 3.0)


def test_a_chunk_that_fails_twice_ends_the_analysis_without_a_result(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    match_id = asked(house)
    thinking = answered(house, None, piece(1), None, None)
    for failures in (1, 0, 1):
        thinking()
        assert [(one.attempts, one.done_at) for one in analyses(house)] == [(failures, None)]
    with caplog.at_level(logging.ERROR):
        thinking()
    assert f"no analysis of match {match_id}: “par” has failed 2 times" in caplog.text
    (row,) = analyses(house)
    assert row.done_at is not None
    assert row.result is None
    thinking()


def test_an_analysis_that_cannot_be_made_any_more_is_forgotten(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    match_id = asked(house)
    with house.transaction() as ctx:
        ctx.session.execute(update(Match).where(Match.id == match_id).values(state=MatchState.RUNNING))
    assert claimed(house) is None
    assert analyses(house) == []
    asked(house)
    monkeypatch.setattr(robots, "edition", lambda _game: 2)
    assert claimed(house) is None
    assert analyses(house) == []


def test_what_only_a_newer_release_can_make_is_left_to_it(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    asked(house)
    with monkeypatch.context() as older:
        older.setattr(robots, "edition", lambda _game: 0)
        assert claimed(house) is None
    with monkeypatch.context() as older:
        older.delitem(STEPS, PAR)
        assert claimed(house, chunks.LEASE_TIME + SECOND) is None
    assert claimed(house, chunks.LEASE_TIME + SECOND)


def test_the_sweeper_finds_an_analysis_that_nobody_was_told_of(house: House) -> None:
    asked(house)
    for claimed_at, found in ((None, True), (system_time(), False)):
        with house.transaction(system_time() + SECOND * 10) as ctx:
            ctx.session.execute(update(Analysis).values(claimed_at=claimed_at))
            sweeper.sweep(ctx)
            assert ((THINK_TASK, ()) in ctx.session.info.get("wanted tasks", ())) is found


def test_a_thinker_is_sent_a_record_as_anybody_may_have_it(house: House) -> None:
    match_id = asked(house)
    chunk = claimed(house)
    assert chunk
    record = chunk.request["record"]
    assert json.loads(json.dumps(record)) == record
    assert (record["format"], record["match"]) == ("pbem-record/1", match_id)
