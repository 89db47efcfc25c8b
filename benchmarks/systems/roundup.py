"""Roundup, an issue tracker: a reply to an issue is kept, and both who hear of the issue get a mail of their own."""

from __future__ import annotations

import os
import subprocess
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.costs import Costs
from benchmarks.senders import FILLING, quoted, reply
from benchmarks.systems.install import programs
from benchmarks.systems.system import System

if TYPE_CHECKING:
    from collections.abc import Sequence

BEGIN = """
import sys
import roundup.instance

db = roundup.instance.open(sys.argv[1]).open("admin")
for number in range(1, int(sys.argv[2]) + 1):
    both = [
        db.user.create(username=f"{name}{number}", address=f"{name}.{number}@example.org", roles="User")
        for name in ("ann", "bob")
    ]
    db.issue.create(title="It is your turn", nosy=both, status="1", priority="1")
db.commit()
db.close()
"""
ADDRESS = "tracker@tracker.localhost"


class Roundup(System):
    """Its gateway, which reads many mails at a time from a mailbox, and its database.

    A process for each mail, as it is usually run, costs ten times as much. What the gateway costs before its first mail
    is measured once and left out, so that nothing depends on how many there are.
    """

    name = "roundup"

    def _start(self) -> None:
        cluster = self._database()
        self._home, self._gateway, self._beginning = self._folder / "tracker", 0.0, 0.0
        settings = {
            "mail_domain": "tracker.localhost",
            "mail_host": "127.0.0.1",
            "mail_port": str(self.players.port),
            "tracker_web": "http://localhost/tracker/",
            "rdbms_backend": "postgresql",
            "rdbms_name": f"{self.name}_tracker",
            "rdbms_host": str(cluster.sockets),
            "rdbms_user": "pbem",
            "nosy_messages_to_author": "yes",
            "nosy_email_sending": "multiple",
        }
        told = ",".join(f"{name}={value}" for name, value in settings.items())
        admin = (programs(self.name) / "roundup-admin", "-i", self._home)
        self._do(*admin, "install", "classic", "postgresql", told)
        self._do(*admin, "initialise", "secret")
        self._do(programs(self.name) / "python", "-c", BEGIN, self._home, str(self._matches))
        self.play(self._matches)
        before = self._gateway
        self._read([])
        self._beginning = self._gateway - before

    def play(self, moves: int) -> None:
        """Send so many replies to be read; returns when both have got each."""
        had = self.players.arrived().mails
        self._gateway -= self._beginning
        self._read(list(islice(cycle(range(1, self._matches + 1)), moves)))
        self.players.expect(had + 2 * moves)

    def _read(self, issues: Sequence[int]) -> None:
        box = self._folder / "box"
        box.write_bytes(b"".join(b"From ann Mon Nov 23 00:00:00 2026\n%s\n" % written(issue) for issue in issues))
        self._gateway += self._do(programs(self.name) / "roundup-mailgw", self._home, "mailbox", box)

    def _spent(self) -> Costs:
        return Costs({**self._parts.spent().seconds, "gateway": self._gateway})

    def _do(self, *command: str | Path) -> float:
        """Run a program to its end; returns the seconds that it took of the processors."""
        log = self._folder / "roundup.log"
        with log.open("ab") as heard:
            process = subprocess.Popen(command, cwd=self._folder, stdout=heard, stderr=heard, stdin=subprocess.DEVNULL)
            _pid, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise RuntimeError(f"{Path(command[0]).name}: {log.read_text()[-1000:]}")
        return used.ru_utime + used.ru_stime


def written(issue: int) -> bytes:
    """Write a reply to an issue."""
    mail = reply(ADDRESS, f"ann.{issue}@example.org", f"take 7\n\n{quoted(FILLING)}")
    return mail.replace(b"Re: It is your turn", b"Re: [issue%d] It is your turn" % issue)
