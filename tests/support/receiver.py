"""A program that somebody has called by webhooks: a small HTTP server that answers as it is told to."""

from __future__ import annotations

import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterator


@dataclass
class Receiver:
    """What was called, and how the next calls are answered: a status, or `hang`, `drip` or `rubbish`.

    `retry_after` is the header that names when to try again.
    """

    url: str
    answer: str = "204"
    retry_after: str = ""
    calls: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)


class Server(ThreadingHTTPServer):
    """A server that knows what it receives for."""

    receiver: Receiver
    block_on_close = False

    def handle_error(self, *_: Any) -> None:
        """Ignore those who go away."""


class Answering(BaseHTTPRequestHandler):
    """Takes one call."""

    server: Server

    def do_POST(self) -> None:
        receiver = self.server.receiver
        body = self.rfile.read(int(self.headers["Content-Length"]))
        receiver.calls.append((self.path, {name.lower(): said for name, said in self.headers.items()}, body))
        if receiver.answer == "rubbish":
            self.wfile.write(b"220 mail.example.org ESMTP\r\n\r\n")
        elif receiver.answer == "hang":
            receiver.over.wait(20)
        elif receiver.answer == "drip":
            self._drip()
        else:
            self.send_response(int(receiver.answer))
            self.send_header("Location", f"{receiver.url}/elsewhere")
            if receiver.retry_after:
                self.send_header("Retry-After", receiver.retry_after)
            self.send_header("Content-Length", "0")
            self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Log nothing."""

    def _drip(self) -> None:
        with suppress(OSError):
            for drop in b"HTTP/1.1 200 OK\r\nX-Slow: " + b"y" * 1000:
                if self.server.receiver.over.wait(0.05):
                    break
                self.wfile.write(bytes([drop]))


@contextmanager
def receiving(secure: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """Run one at a free port of this machine."""
    with Server(("127.0.0.1", 0), Answering) as server:
        if secure:
            # The handshake is for the thread of each connection.
            server.socket = secure.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        server.receiver = Receiver(f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield server.receiver
        finally:
            server.receiver.over.set()
            server.shutdown()
            thread.join()
