"""Any part may be killed at any time: nothing that was acknowledged is lost, and nothing is done twice."""

from __future__ import annotations

import os
import signal
import threading
from random import Random
from typing import TYPE_CHECKING

from sqlalchemy import NullPool, create_engine, func, select, update

from pbem.db.models import LogEntry, Player, Submission
from pbem.states import SubmissionStatus
from tests.support.live_service import PARTS, LiveService, service, text_of, until
from tests.support.service.by_mail import play_to_the_end

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Engine


def test_a_match_survives_kill_9_of_every_part(tmp_path: Path) -> None:
    chance = Random(9)
    with service(tmp_path / "data") as running:
        match = running.start_match("martian-whist", {"sets": 2}, "Ann", "Bob")
        until(lambda: set(running.processes()) >= set(PARTS))
        killed: list[str] = []
        due = [part for part in sorted(PARTS) for _ in range(2)]
        chance.shuffle(due)

        def kill_now_and_then(number: int) -> None:
            if number % 3 == 0 and due:
                # Somewhere between the mail's arrival, the judging, the commit and the next mail.
                threading.Timer(chance.uniform(0, 0.3), kill, [running, due.pop(), killed]).start()

        moves = play_to_the_end(running, match, ("Ann", "Bob"), chance, kill_now_and_then)
        assert set(killed) == set(PARTS)
        status, record = until(lambda: (got := running.ask(f"/api/matches/{match}/record"))[0] == 200 and got, 30)
        assert status == 200
        assert [(entry["seat"], entry["move"]) for entry in record["log"]] == moves
        assert [entry["ply"] for entry in record["log"]] == list(range(1, len(moves) + 1))
        for name in ("Ann", "Bob"):
            # A crash between a mail's 250 and its mark repeats that mail, with the same Message-ID.
            told = {mail["Message-ID"]: text_of(mail) for mail in running.mails(name)}
            assert len(set(told.values())) == len(told)


def test_what_was_taken_outlives_everything_behind_the_door_and_a_held_move_stays_held(tmp_path: Path) -> None:
    with service(tmp_path / "data") as running:
        match = running.start_match("martian-whist", {}, "Ann", "Bob")
        name, mail, view = until(lambda: running.next_turn(match, ("Ann", "Bob")))
        die(running)
        assert running.reply(name, mail, view["moves"][0])
        name, mail, view = until(lambda: running.next_turn(match, ("Ann", "Bob"), view["ply"]), 60)

        # From now on moves are held: for two minutes, which are over when we say so.
        engine = create_engine(running.settings()["DATABASE_URL"], poolclass=NullPool)
        with engine.begin() as table:
            table.execute(update(Player).values(hold_minutes=2))
        assert running.reply(name, mail, view["moves"][0])
        (number,) = until(lambda: held(engine))
        dead = die(running)
        until(lambda: {"worker", "broker"} <= {part for part, pid in running.processes().items() if pid not in dead})
        assert running.ask(f"/api/submissions/{number}")[1]["status"] == "pending"
        assert running.ask(f"/api/matches/{match}")[1]["ply"] == view["ply"]
        with engine.begin() as table:
            table.execute(update(Submission).where(Submission.id == number).values(hold_until=func.now()))
        until(lambda: running.ask(f"/api/submissions/{number}")[1]["status"] == "played", 60)
        with engine.begin() as table:
            played = table.scalars(select(LogEntry.move).where(LogEntry.ply == view["ply"])).all()
        assert played == [view["moves"][0]]


def held(engine: Engine) -> list[str]:
    """List what waits for its moment."""
    with engine.begin() as table:
        waiting = select(Submission.id).where(
            Submission.status == SubmissionStatus.PENDING, Submission.hold_until.is_not(None)
        )
        return list(table.scalars(waiting))


def die(live_service: LiveService) -> set[int]:
    """Kill worker and broker; gives which processes these were."""
    parts = until(lambda: (found := live_service.processes()).keys() >= {"worker", "broker"} and found)
    dead = {parts["worker"], parts["broker"]}
    for pid in dead:
        os.kill(pid, signal.SIGKILL)
    return dead


def kill(live_service: LiveService, part: str, killed: list[str]) -> None:
    pid = until(lambda: live_service.processes().get(part))
    os.kill(pid, signal.SIGKILL)
    killed.append(part)
