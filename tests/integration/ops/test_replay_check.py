"""`pbem replay-all`: what it finds in stored matches, what it says, and how it goes on."""

from __future__ import annotations

import os
import pty
import re
import signal
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from sqlalchemy import create_engine, text, update
from sqlalchemy.orm import Session

from pbem.cli import main
from pbem.config import database_url, from_environment
from pbem.db.models import LogEntry, Match
from pbem.db.upgrade import upgrade
from pbem.games import find
from pbem.ops import replay_all as ops_replay_check
from pbem.ops.replay_all import Progress, replay_all
from pbem.play.archive import replay_check as archive_replay_check
from pbem.play.core.context import Context, system_time
from pbem.play.lifecycle import endings
from pbem.play.matches.match_state import load_match, lock_match, play_move
from pbem.play.matches.seats import holders
from pbem.play.offers import takebacks
from pbem.states import MatchState
from tests.support.house import settings
from tests.support.servers import administer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pbem.ops.up.postgres import Cluster
    from tests.support.house import House


GAME = ("montauk", 2, {"rounds": 1})


def played(house: House, moves: int = 3) -> str:
    """Begin a match and play some moves."""
    match_id = house.start_match(*GAME)
    with house.transaction() as ctx:
        course = load_match(ctx, lock_match(ctx, match_id))
        for _ in range(moves):
            seat = course.game.to_move(course.position)[0]
            course = play_move(ctx, course, seat, course.game.suggest(course.position, seat)[0], ctx.now)
    return match_id


def resigned(house: House) -> str:
    """Play some moves, take one back, play another, and give up."""
    match_id = played(house)
    with house.transaction() as ctx:
        takebacks.apply(ctx, lock_match(ctx, match_id), 3, "table")
        course = load_match(ctx, lock_match(ctx, match_id))
        seat = course.game.to_move(course.position)[0]
        course = play_move(ctx, course, seat, course.game.suggest(course.position, seat)[-1], ctx.now)
        endings.resign(ctx, course, holders(ctx, course.match)[0])
    return match_id


def change(house: House, statement: Any) -> None:
    with house.transaction() as ctx:
        ctx.session.execute(statement)


def said(house: House, capsys: pytest.CaptureFixture[str], **how: Any) -> tuple[int, list[str]]:
    capsys.readouterr()
    status = replay_all(house.config, **how)
    return status, capsys.readouterr().out.splitlines()


def first(house: House, match_id: str) -> str | None:
    """Return what differs first in a match, by which it is named with its edition."""
    with house.transaction() as ctx:
        found = archive_replay_check.find_differences(ctx, [match_id])
    if not found:
        return None
    (one,) = found
    named, _, what = str(one).partition(": ")
    assert named == f"{match_id} ({one.game}, edition {one.edition})"
    return what


def test_what_was_played_with_these_rules_replays_as_it_was(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    running, over = played(house), resigned(house)
    house.make(*GAME)
    assert first(house, running) is first(house, over) is None
    status, lines = said(house, capsys, batch=1)
    assert status == 0
    assert lines == [
        "2 matches to replay.",
        "1 of 2 matches replayed.",
        "2 of 2 matches replayed.",
        "All 2 matches replay as they were played.",
    ]


def test_an_edition_that_is_not_here_is_named(house: House) -> None:
    match_id = played(house)
    change(house, update(Match).values(edition=9))
    assert first(house, match_id) == "this edition is not installed"


def test_options_that_are_refused_now_are_told(house: House) -> None:
    match_id = played(house)
    change(house, update(Match).values(options={"rounds": 99}))
    assert (first(house, match_id) or "").startswith("its beginning is refused now: ")


@pytest.mark.parametrize("over", [False, True])
def test_a_move_that_is_refused_now_is_the_first_difference(house: House, *, over: bool) -> None:
    match_id = resigned(house) if over else played(house)
    change(house, update(LogEntry).where(LogEntry.number == 2).values(move="sow a"))
    what = first(house, match_id) or ""
    assert re.match("move 2, of seat [12], is refused now", what)
    # While a match runs, nothing that could tell of hidden things is printed.
    assert what.endswith("now") is not over


def test_an_entry_that_breaks_the_rules_themselves_stops_nothing(
    house: House, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = played(house)
    monkeypatch.setattr(type(find("montauk", 1)), "apply", lambda *_: 1 // 0)
    other = house.start_match("martian-whist", 2)
    status, lines = said(house, capsys)
    assert status == 1
    assert lines[1:] == [
        f"{match_id} (montauk, edition 1): the rules break with ZeroDivisionError",
        "2 of 2 matches replayed.",
        "1 of 2 matches differ.",
    ]
    assert first(house, other) is None


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        (update(Match).values(log_length=4), "its log has 3 entries, and should have 4"),
        (
            update(LogEntry).where(LogEntry.number == 3).values(ply=0),
            "entry 3 has the ply 0, which was used before",
        ),
        (update(LogEntry).where(LogEntry.number == 3).values(salt=b"\0" * 16), "its chain leads to another head"),
        (update(Match).values(chain_head=b"\0" * 32), "its chain leads to another head"),
        (update(Match).values(ply=3), "its stage begins with ply 4 now, and was 3"),
        (update(Match).values(next_ply=5), "its next ply is 4 now, and was 5"),
        (
            update(Match).values(state=MatchState.OVER, result={"ending": "finished"}),
            "it is not over by the rules now, and ended as “finished”",
        ),
    ],
)
def test_what_differs_in_a_running_match_is_named(house: House, changed: Any, what: str) -> None:
    match_id = played(house)
    change(house, changed)
    assert first(house, match_id) == what


def test_other_seats_to_move_are_told(house: House) -> None:
    match_id = played(house)
    (seat,) = house.match(match_id).to_move
    change(house, update(Match).values(to_move=[1, 2]))
    assert first(house, match_id) == f"to move are the seats [{seat}] now, and were [1, 2]"


def test_another_result_is_told_with_both(house: House) -> None:
    match_id = resigned(house)
    change(house, update(Match).values(result={"scores": None, "winners": [1], "ending": "resigned"}))
    what = first(house, match_id) or ""
    assert what.startswith("its result is {")
    assert "'winners': [2]" in what.partition(" now, and was ")[0]
    assert "'winners': [1]" in what.partition(" now, and was ")[2]


def test_a_match_that_the_rules_have_ended_is_not_to_run(house: House) -> None:
    match_id = house.start_match(*GAME)
    with house.transaction() as ctx:
        course = load_match(ctx, lock_match(ctx, match_id))
        while seats := course.game.to_move(course.position):
            course = play_move(ctx, course, seats[0], course.game.suggest(course.position, seats[0])[0], ctx.now)
    assert first(house, match_id) == "it is over by the rules now, and still runs"
    with house.transaction() as ctx:
        endings.finish(ctx, load_match(ctx, lock_match(ctx, match_id)))
    assert first(house, match_id) is None
    change(house, update(Match).values(result={"scores": None, "winners": [1], "ending": "resigned"}))
    assert first(house, match_id) == "it is over by the rules now, and ended as “resigned”"


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Heed Ctrl-C also where the tests run in the background of a shell, which has them ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_after_an_interruption_it_says_how_to_go_on(
    house: House, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    every = sorted(played(house) for _ in range(3))
    change(house, update(Match).where(Match.id == every[0]).values(next_ply=5))
    go = Progress.advance

    def go_and_be_interrupted(way: Progress, count: int) -> None:
        go(way, count)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Progress, "advance", go_and_be_interrupted)
    status, lines = said(house, capsys, batch=2)
    assert status == 1
    assert lines[-2:] == [
        "Stopped after 2 of 3 matches, 1 of which differ.",
        f"Continue with:  pbem replay-all --after {every[1]}",
    ]
    monkeypatch.setattr(Progress, "advance", go)
    status, lines = said(house, capsys, after=every[1])
    assert status == 0
    assert lines[-1] == "All 1 matches replay as they were played."


@pytest.mark.usefixtures("interruptible")
def test_interrupted_before_anything_was_done_it_says_so(
    house: House, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    played(house)
    monkeypatch.setattr(archive_replay_check, "next_batch", lambda *_: signal.raise_signal(signal.SIGINT))
    status, lines = said(house, capsys)
    assert status == 1
    assert lines[-1] == "Nothing was replayed yet."


def test_several_processes_find_the_same(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    every = sorted(played(house) for _ in range(3))
    change(house, update(Match).where(Match.id != every[1]).values(next_ply=5))
    alone = said(house, capsys, batch=1)
    assert alone[0] == 1
    assert said(house, capsys, batch=1, processes=2) == alone


@contextmanager
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A terminal as the standard error; gives where it can be read."""
    seen, written = pty.openpty()
    with os.fdopen(written, "w") as screen:
        monkeypatch.setattr(sys, "stderr", screen)
        yield seen
        os.close(seen)


def test_on_a_terminal_a_bar_shows_the_way(
    house: House, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = played(house)
    change(house, update(Match).values(next_ply=5))
    with terminal(monkeypatch) as screen:
        status, lines = said(house, capsys)
        shown = os.read(screen, 10_000)
    assert b"1/1" in shown
    assert status == 1
    assert lines == [
        "1 matches to replay.",
        f"{match_id} (montauk, edition 1): its next ply is 4 now, and was 5",
        "1 of 1 matches differ.",
    ]


def test_the_command_reads_its_database_from_the_settings(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    played(house)
    url = house.engine.url.render_as_string(hide_password=False)
    for name, value in settings(url, house.folder).items():
        monkeypatch.setenv(name, value)
    done = CliRunner().invoke(main, ["replay-all"])
    assert done.exit_code == 0
    assert done.output.endswith("All 1 matches replay as they were played.\n")
    monkeypatch.setenv("DATABASE_URL", "mysql://elsewhere")
    done = CliRunner().invoke(main, ["replay-all"])
    assert done.exit_code == 2
    assert "DATABASE_URL must begin with postgresql://" in done.output


def test_it_asks_for_nothing_that_an_older_schema_has_not(
    cluster: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    administer(cluster, "CREATE DATABASE older")
    try:
        url = database_url({"DATABASE_URL": cluster.database_url("older")})
        upgrade(url, "0001")
        config = from_environment(settings(url, tmp_path))
        assert replay_all(config) == 0
        assert "All 0 matches replay as they were played." in capsys.readouterr().out
        engine = create_engine(url)
        with Session(engine) as session:
            assert archive_replay_check.find_differences(Context(session, config, system_time()), ["none"]) == []
        engine.dispose()
    finally:
        administer(cluster, "DROP DATABASE older WITH (FORCE)")


def test_nothing_is_written_while_it_looks(house: House) -> None:
    with ops_replay_check._snapshot_session(house.engine) as session:
        assert session.scalar(text("SHOW transaction_read_only")) == "on"
        assert session.scalar(text("SHOW transaction_isolation")) == "repeatable read"
