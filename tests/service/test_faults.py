"""Any part may be killed at any time: nothing that was acknowledged is lost, and nothing is done twice."""

from __future__ import annotations

import os
import signal
import threading
from random import Random
from typing import TYPE_CHECKING

from tests.outside import PARTS, Running, service, text_of, until
from tests.service.test_by_mail import play_to_the_end

if TYPE_CHECKING:
    from pathlib import Path


def test_a_match_survives_kill_9_of_every_part(tmp_path: Path) -> None:
    chance = Random(9)
    with service(tmp_path / "data") as running:
        match = running.begin("martian-whist", {"sets": 2}, "Ann", "Bob")
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


def test_a_mail_taken_while_everything_behind_the_door_is_dead_is_judged_later(tmp_path: Path) -> None:
    with service(tmp_path / "data") as running:
        match = running.begin("minimax", {}, "Ada")
        mail, view = until(lambda: running.turn("Ada", match))
        parts = until(lambda: (found := running.processes()).keys() >= {"worker", "broker"} and found)
        for part in ("worker", "broker"):
            os.kill(parts[part], signal.SIGKILL)
        assert running.reply("Ada", mail, view["moves"][0])
        until(lambda: (public := running.ask(f"/api/matches/{match}")[1]) and public["ply"] > view["ply"], 60)


def kill(running: Running, part: str, killed: list[str]) -> None:
    pid = until(lambda: running.processes().get(part))
    os.kill(pid, signal.SIGKILL)
    killed.append(part)
