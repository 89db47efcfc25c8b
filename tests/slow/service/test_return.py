"""The whole service brought back to an older state on another machine's empty folder, while people play."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import Counter
from functools import partial
from random import Random
from threading import Thread
from typing import TYPE_CHECKING

from tests.support.live_service import environment, service, text_of, until
from tests.support.places import ROOT
from tests.support.service.by_mail import play_to_the_end

if TYPE_CHECKING:
    from email.message import EmailMessage
    from pathlib import Path

    from tests.support.live_service import LiveService

NAMES = ("Ann", "Bob")


def pbem(*said: str | Path, **settings: str) -> str:
    command = (sys.executable, "-m", "pbem", *map(str, said))
    env = environment(**settings)
    done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def ply(live_service: LiveService, match: str) -> int:
    return int(live_service.ask(f"/api/matches/{match}")[1]["ply"])


def play(live_service: LiveService, match: str, upto: int) -> None:
    """Answer each mail that asks for a move, until the match is at a ply."""
    while ply(live_service, match) < upto:
        name, mail, view = until(partial(live_service.next_turn, match, NAMES))
        assert live_service.reply(name, mail, view["moves"][0])
        until(lambda view=view: ply(live_service, match) > view["ply"])  # type: ignore[misc]


def test_the_service_comes_back_elsewhere_from_a_backup_that_was_taken_while_it_ran(tmp_path: Path) -> None:
    before, after, backups = tmp_path / "before", tmp_path / "after", tmp_path / "backups"
    with service(before) as running:
        every = [running.start_match("martian-whist", {}, *NAMES) for _ in range(2)]
        playing = [Thread(target=play, args=(running, match, 9)) for match in every]
        for each in playing:
            each.start()
        until(lambda: min(ply(running, match) for match in every) > 2, 60)
        said = pbem("backup", backups, "--data", before)
        assert "2 matches (2 running)" in said
        for each in playing:
            each.join()
        for match in every:
            play(running, match, ply(running, match) + 2)
        came_to = {match: ply(running, match) for match in every}
        old = {match: until(partial(running.next_turn, match, NAMES)) for match in every}
    # Another machine has the old one's keys, and its people their mails.
    after.mkdir()
    shutil.copy(before / "secret-keys", after)
    shutil.copytree(before / "mail", after / "mail")
    (made,) = backups.glob("*.json")
    assert "Start the service" in pbem("restore", made, "--data", after)
    with service(after) as running:
        for match in every:
            for name in NAMES:
                (mail,) = until(partial(told, running, name, match), 60)
                (stands,) = re.findall(r"continues at move (\d+)", " ".join(text_of(mail).split()))
                assert 2 < int(stands) < came_to[match]
            name, mail, view = old[match]
            # A mail of what is lost is that of nobody, whatever its stage is called.
            assert not running.reply(name, mail, view["moves"][0])
        for number, match in enumerate(every):
            play_to_the_end(running, match, NAMES, Random(number))
            status, record = running.ask(f"/api/matches/{match}/record")
            assert status == 200
            assert [entry["event"] for entry in record["log"] if "event" in entry] == ["restored"]
        assert "All 2 matches replay as they were played." in pbem("replay-all", **running.settings())
        for name in NAMES:
            sent = Counter(str(mail["Message-ID"]) for mail in running.mails(name))
            assert max(sent.values()) == 1


def told(live_service: LiveService, name: str, match: str) -> list[EmailMessage]:
    return [
        mail
        for mail in live_service.mails_about(name, "The match continues at move")
        if match in str(mail["References"])
    ]
