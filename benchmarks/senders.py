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
from typing import TYPE_CHECKING

from benchmarks.options import Options
from benchmarks.sink import Sink, free_port

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SENDER = "ann@example.org"


def time_of(port: int, connections: int, addresses: Sequence[str]) -> float:
    """Have a mail sent to each of some addresses by another process; returns the seconds that took."""
    command = (sys.executable, "-m", "benchmarks.senders", str(port), str(connections))
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
    wanted = options.told()
    if wanted.smoke:
        with Sink(free_port()) as sink:
            print(time_of(sink.port, wanted.connections, [SENDER] * 4))
        return
    if wanted.port is None:
        options.error("it is said where mails are taken")
    port, connections = wanted.port, wanted.connections
    addresses = map(str.strip, iter(sys.stdin.readline, "\n"))
    mails = [(to, as_sent(reply(to, SENDER, "away", automatic=True))) for to in addresses]
    print("ready", flush=True)
    sys.stdin.readline()
    print(in_parallel(lambda number: send(port, mails[number::connections]), connections), flush=True)


def send(port: int, mails: Sequence[tuple[str, bytes]]) -> None:
    """Send mails over one connection, with as little work as there can be."""
    with socket.create_connection(("127.0.0.1", port)) as line, line.makefile("rb") as answers:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        def say(what: bytes, wanted: bytes) -> None:
            line.sendall(what)
            while (heard := answers.readline())[3:4] == b"-":
                pass
            if not heard.startswith(wanted):
                raise ConnectionError(heard)

        say(b"", b"220")
        say(b"EHLO bench\r\n", b"250")
        for to, mail in mails:
            say(b"MAIL FROM:<%s> SIZE=%d\r\n" % (SENDER.encode(), len(mail)), b"250")
            say(b"RCPT TO:<%s>\r\n" % to.encode(), b"250")
            say(b"DATA\r\n", b"354")
            say(mail, b"250")


def as_sent(mail: bytes) -> bytes:
    """Write a mail as it goes over the line, with its end."""
    return b"\r\n".join([*mail.splitlines(), b".", b""])


def reply(to: str, player: str, line: str, *, automatic: bool = False) -> bytes:
    """Write a reply as a mail program would, without the quoted mail; an automatic one is kept and not answered."""
    headers = {
        "From": player,
        "To": to,
        "Message-ID": f"<{time.monotonic_ns()}.{threading.get_ident()}@bench>",
        "Subject": "Re: It is your turn",
        "MIME-Version": "1.0",
        "Content-Type": 'text/plain; charset="utf-8"',
    } | ({"Auto-Submitted": "auto-replied"} if automatic else {})
    # Written by hand, since writing it by the library costs the sender more than sending it.
    return "\n".join([*(f"{name}: {value}" for name, value in headers.items()), "", line, ""]).encode()


def in_parallel(work: Callable[[int], None], times: int) -> float:
    """Run a function in so many threads; returns the seconds that took."""
    threads = [threading.Thread(target=work, args=(number,)) for number in range(times)]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.monotonic() - began


if __name__ == "__main__":
    main()
