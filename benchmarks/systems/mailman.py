"""Mailman 3's core: a mailing list with two members, each of whom gets a mail of their own for each post."""

from __future__ import annotations

import os
import subprocess
import time
from typing import TYPE_CHECKING

from benchmarks import senders
from benchmarks.players import CLIENTS
from benchmarks.senders import SENDER
from benchmarks.sink import free_port, wait_for
from benchmarks.systems.install import programs
from benchmarks.systems.system import System

if TYPE_CHECKING:
    from pathlib import Path

LIST, MEMBERS = "moves@lists.localhost", (SENDER, "bob@example.org")
CONFIGURATION = """
[mailman]
site_owner: owner@lists.localhost
noreply_address: noreply
layout: here
[paths.here]
var_dir: {folder}/var
bin_dir: {programs}
queue_dir: $var_dir/queue
list_data_dir: $var_dir/lists
log_dir: $var_dir/logs
lock_dir: $var_dir/locks
data_dir: $var_dir/data
cache_dir: $var_dir/cache
template_dir: $var_dir/templates
messages_dir: $var_dir/messages
archive_dir: $var_dir/archives
etc_dir: $var_dir/etc
ext_dir: $var_dir/ext
pid_file: $var_dir/master.pid
lock_file: $lock_dir/master.lck
[database]
class: mailman.database.postgresql.PostgreSQLDatabase
url: {url}
[mta]
incoming: mailman.mta.null.NullMTA
outgoing: mailman.mta.deliver.deliver
lmtp_host: 127.0.0.1
lmtp_port: {lmtp}
smtp_host: 127.0.0.1
smtp_port: {smtp}
verp_personalized_deliveries: yes
"""
IDLE = ("archive", "bounces", "command", "digest", "nntp", "rest", "task")
"""Runners that a post does not pass, and that would only cost."""
TUNING = """
from mailman.interfaces.archiver import ArchivePolicy
from mailman.interfaces.mailinglist import Personalization

def tune(mailing_list):
    mailing_list.personalize = Personalization.individual
    mailing_list.archive_policy = ArchivePolicy.never
    mailing_list.digests_enabled = False
    mailing_list.send_welcome_message = False
"""
OWNER_SECONDS = 3


class Mailman(System):
    """All of its runners; or only the one that takes mail, whose queue then grows."""

    name = "mailman"

    def __init__(self, folder: Path, matches: int, *, only_door: bool = False) -> None:
        super().__init__(folder, matches)
        self._only_door = only_door

    def _start(self) -> None:
        self._database()
        self._lmtp = free_port()
        self._configuration = self._folder / "mailman.cfg"
        self._configuration.write_text(
            CONFIGURATION.format(
                folder=self._folder,
                programs=programs(self.name),
                url=self._url.replace("+psycopg", "+psycopg2"),
                lmtp=self._lmtp,
                smtp=self.players.port,
            )
            + "".join(f"[runner.{runner}]\nstart: no\n" for runner in IDLE)
        )
        (self._folder / "tuning.py").write_text(TUNING)
        (self._folder / "members").write_text("\n".join(MEMBERS))
        self._mailman("create", "-o", SENDER, LIST)
        self._mailman("addmembers", str(self._folder / "members"), LIST)
        self._mailman("withlist", "-r", "tuning.tune", "-l", LIST)
        given, speaking = ("-C", self._configuration), {"LC_ALL": "C.UTF-8"}
        if self._only_door:
            self._run("door", programs(self.name) / "runner", *given, "-r", "lmtp:0:1", environment=speaking)
            wait_for(self._lmtp)
            self.accept(self._matches)
            return
        self._run("runners", programs(self.name) / "master", *given, environment=speaking)
        wait_for(self._lmtp)
        self.play(self._matches)
        # The owner is mailed too when a list is made.
        time.sleep(OWNER_SECONDS)

    def play(self, moves: int) -> None:
        """Send so many posts; returns when all members have got each."""
        had = self.players.arrived().mails
        self.players.post(self._lmtp, "LHLO", LIST, [SENDER] * moves)
        self.players.expect(had + len(MEMBERS) * moves)

    def accept(self, mails: int, connections: int = CLIENTS) -> float:
        """Take so many posts; returns the seconds that took."""
        return senders.time_of(self._lmtp, connections, [LIST] * mails, "LHLO")

    def _mailman(self, *words: str) -> None:
        program = str(programs(self.name) / "mailman")
        command = (program, "-C", str(self._configuration), "--run-as-root", *words)
        environment = {**os.environ, "PYTHONPATH": str(self._folder), "LC_ALL": "C.UTF-8"}
        done = subprocess.run(command, cwd=self._folder, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"mailman {' '.join(words)}: {done.stdout}{done.stderr}")
