"""Sends mails over several connections at once, in a process of its own, as pgbench is one.

`python -m benchmarks.senders PORT CONNECTIONS` reads addresses, one a line, up to an empty line; writes a mail to each,
and says that it is ready. At the next line it sends them, each once the one before it on its connection was taken, and
says how many seconds that took. `--smoke` has another process send some to a mail server that takes everything.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Self

from benchmarks.options import Options
from benchmarks.sink import Sink, free_port

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from benchmarks.sink import Turn

SENDER = "ann@example.org"
INTRODUCTION = "On Mon, 23 Nov 2026 at 10:04, Slow games <play@games.localhost> wrote:"
FILLING = "so stands the match, and so on; a mail program quotes it all\n" * 30
"""What a reply quotes where it answers no mail."""


def time_of(port: int, connections: int, addresses: Sequence[str], hello: str = "EHLO") -> float:
    """Send a mail to each of some addresses by another process; return the seconds that took."""
    command = (sys.executable, "-m", "benchmarks.senders", str(port), str(connections), hello)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as sender:
        if not sender.stdin or not sender.stdout:
            raise BrokenPipeError
        print(*addresses, "", sep="\n", file=sender.stdin, flush=True)
        sender.stdout.readline()
        print(file=sender.stdin, flush=True)
        return float(sender.stdout.readline())


def main() -> None:
    """Write mails, and send them when told to."""
    options = Options(__doc__)
    options.add_argument("port", type=int, nargs="?", help="where mails are taken on this machine")
    options.add_argument("connections", type=int, nargs="?", default=2, help="so many at once")
    options.add_argument("hello", nargs="?", default="EHLO", help="LHLO where LMTP is spoken")
    wanted = options.told()
    if wanted.smoke:
        with Sink(free_port()) as sink:
            print(time_of(sink.port, wanted.connections, [SENDER] * 4))
        return
    if wanted.port is None:
        options.error("it is said where mails are taken")
    addresses = list(map(str.strip, iter(sys.stdin.readline, "\n")))
    words = f"away\n\n{quoted(FILLING)}"
    mails = [(to, as_sent(reply(to, SENDER, words, automatic=True))) for to in addresses]
    print("ready", flush=True)
    sys.stdin.readline()

    def send(number: int) -> None:
        with Client(wanted.port, wanted.hello) as line:
            for to, mail in mails[number :: wanted.connections]:
                line.send(SENDER, to, mail)

    print(in_parallel(send, wanted.connections), flush=True)


class Client:
    """A connection to send mails by, with as little work as there can be."""

    def __init__(self, port: int, hello: str = "EHLO") -> None:
        self._line = socket.create_connection(("127.0.0.1", port))
        self._line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._answers = self._line.makefile("rb")
        self._say(b"", b"220")
        self._say(b"%s bench\r\n" % hello.encode(), b"250")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._answers.close()
        self._line.close()

    def send(self, sender: str, to: str, mail: bytes) -> None:
        """Send a mail that is written as it goes over the line; returns once it was taken."""
        self._say(b"MAIL FROM:<%s> SIZE=%d\r\n" % (sender.encode(), len(mail)), b"250")
        self._say(b"RCPT TO:<%s>\r\n" % to.encode(), b"250")
        self._say(b"DATA\r\n", b"354")
        self._say(mail, b"250")

    def _say(self, what: bytes, wanted: bytes) -> None:
        self._line.sendall(what)
        while (heard := self._answers.readline())[3:4] == b"-":
            pass
        if not heard.startswith(wanted):
            raise ConnectionError(heard)


def as_sent(mail: bytes) -> bytes:
    """Write a mail as it goes over the line, with its end."""
    return b"\r\n".join([*mail.splitlines(), b".", b""])


def quoting(turn: Turn) -> bytes:
    """Write a reply with the whole mail below that it answers."""
    return reply(turn.reply_to, turn.player, f"{turn.move}\n\n{quoted(turn.text)}", turn.message_id)


def quoted(text: str) -> str:
    """Quote a mail as mail programs do."""
    return "\n".join((INTRODUCTION, "", *(f"> {line}".rstrip() for line in text.splitlines()), ""))


def reply(to: str, player: str, words: str, answered: str = "", *, automatic: bool = False) -> bytes:
    """Write a reply as a mail program would; an automatic one is kept and not answered."""
    headers = {
        "From": player,
        "To": to,
        "Message-ID": f"<{time.monotonic_ns()}.{threading.get_ident()}@bench>",
        "Subject": "Re: It is your turn",
        "MIME-Version": "1.0",
        "Content-Type": 'text/plain; charset="utf-8"',
        "Content-Transfer-Encoding": "8bit",
    }
    headers |= {"In-Reply-To": answered, "References": answered} if answered else {}
    headers |= {"Auto-Submitted": "auto-replied"} if automatic else {}
    # Written by hand, since writing it by the library costs the sender more than sending it.
    return "\n".join([*(f"{name}: {value}" for name, value in headers.items()), "", words, ""]).encode()


def in_parallel(work: Callable[[int], None], times: int) -> float:
    """Run a function in so many threads, and fail as any of them does; returns the seconds that took."""
    began = time.monotonic()
    with ThreadPoolExecutor(times) as threads:
        list(threads.map(work, range(times)))
    return time.monotonic() - began


if __name__ == "__main__":
    main()
