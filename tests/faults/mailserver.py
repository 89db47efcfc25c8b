"""A mail server for everybody's mail that behaves badly when it is told to."""

from __future__ import annotations

import email
import email.policy
import socketserver
import threading
import time
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Any

from tests.support.live_service import free_port

SLOWLY = 1.0


@dataclass(frozen=True, slots=True)
class Arrival:
    """A mail that has come."""

    recipient: str
    raw: bytes
    mail: EmailMessage

    @property
    def message_id(self) -> str:
        return str(self.mail["Message-ID"])


@dataclass(slots=True)
class MailServer:
    """Takes mail by SMTP for as long as it is open; `manner` is how it behaves."""

    port: int = field(default_factory=free_port)
    manner: str = ""
    arrivals: list[Arrival] = field(default_factory=list)
    cuts: int = 0
    bad: int = 0
    lines: set[Any] = field(default_factory=set)
    _server: socketserver.ThreadingTCPServer | None = None

    def open(self) -> None:
        """Take connections."""
        ours = self

        class Line(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                ours.lines.add(self.connection)
                try:
                    _talk(ours, self)
                except OSError:
                    pass
                finally:
                    ours.lines.discard(self.connection)

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = True
            daemon_threads = True
            block_on_close = False

        self._server = Server(("127.0.0.1", self.port), Line)
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def close(self) -> None:
        """Take no connections any more, and end those that there are."""
        if self._server:
            self._server.shutdown()
            self._server.server_close()
            self._server = None
        for line in list(self.lines):
            line.close()

    def behave(self, manner: str) -> None:
        """Behave in some way from now on; without one, well."""
        self.manner = manner
        if manner == "refuses":
            self.close()
        elif self._server is None:
            self.open()

    def of(self, recipient: str) -> list[EmailMessage]:
        """Return somebody's mails, oldest first."""
        return [one.mail for one in list(self.arrivals) if one.recipient == recipient]


def _talk(server: MailServer, line: Any) -> None:
    def say(words: str) -> None:
        if server.manner == "slow":
            time.sleep(SLOWLY)
        line.wfile.write(f"{words}\r\n".encode())

    recipient, asked = "", "220 sink"
    while asked and server.manner != "421":
        word = asked.split(maxsplit=1)[0].upper()
        if word == "RCPT":
            recipient = asked.partition("<")[2].partition(">")[0].lower()
        if word == "DATA":
            say("354 Go on")
            if not _taken(server, recipient, _data(line.rfile)):
                return
            say("451 4.3.0 Not now" if server.manner == "451" else "250 2.0.0 Taken")
        else:
            say({"220": asked, "QUIT": "221 Bye"}.get(word, "250 ok"))
        asked = line.rfile.readline().decode().strip() if word != "QUIT" else ""
    if server.manner == "421":
        say("421 4.3.2 Come back later")


def _taken(server: MailServer, recipient: str, raw: bytes) -> bool:
    """Take a mail, where the server does; False where it then cuts the line."""
    server.bad += server.manner in {"451", "cuts"}
    if server.manner == "451":
        return True
    mail = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(mail, EmailMessage)
    server.arrivals.append(Arrival(recipient, raw, mail))
    server.cuts += server.manner == "cuts"
    return server.manner != "cuts"


def _data(lines: Any) -> bytes:
    found: list[bytes] = []
    while (line := lines.readline()) not in {b".\r\n", b""}:
        found.append(line[1:] if line.startswith(b".") else line)
    if not line:
        raise ConnectionError("the line was cut within a mail")
    return b"".join(found)
