"""A server of this machine that takes whatever it is told, and programs that tell it."""

from __future__ import annotations

import gzip
import subprocess
import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

from tests.support.house import settings
from tests.support.live_service import environment
from tests.support.places import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Told:
    """A request: its path, and its body unpacked."""

    path: str
    body: bytes


@contextmanager
def collector() -> Iterator[tuple[str, list[Told]]]:
    """Take requests for as long as a `with` block lasts; gives where, and what came."""
    taken: list[Told] = []

    class Taking(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            packed = self.headers.get("Content-Encoding") == "gzip"
            taken.append(Told(self.path, gzip.decompress(body) if packed else body))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Taking)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", taken
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def program(code: str, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run some lines with the settings of the service."""
    ours = settings("postgresql://pbem:opensesame@db/pbem", folder) | more
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env=environment(**ours),
        cwd=ROOT,
        timeout=60,
    )
