"""Runs a private Valkey server on a Unix socket."""

import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from pbem.ops.up import binaries, sockets
from pbem.ops.up.process import Part

SOCKET_NAME = "valkey.sock"
PERSISTENT_OPTIONS = ("--appendonly", "yes", "--appendfsync", "everysec", "--auto-aof-rewrite-min-size", "8mb")
VOLATILE_OPTIONS = ("--appendonly", "no")


@dataclass(frozen=True, slots=True)
class Broker:
    """A broker: its folder, its program, the socket's folder, and whether it stores its data."""

    data: Path
    program: Path
    sockets: Path
    persistent: bool = True

    @classmethod
    def in_folder(cls, data: Path, *, keep: bool = True) -> "Broker":
        """Return the broker in a folder, existing or not yet."""
        data = data.absolute()
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        return cls(data, binaries.find_valkey(), sockets.socket_folder(data.parent / "run"), keep)

    @property
    def url(self) -> str:
        """URL of the broker for Celery."""
        return f"redis+socket://{quote(str(self.sockets / SOCKET_NAME), safe='/')}"

    @property
    def client_url(self) -> str:
        """URL of the broker for the `redis` package."""
        return f"unix://{quote(str(self.sockets / SOCKET_NAME), safe='/')}"

    def command(self) -> tuple[str, ...]:
        """Return the command of the server."""
        socket = ("--port", "0", "--unixsocket", str(self.sockets / SOCKET_NAME), "--unixsocketperm", "700")
        data = ("--dir", str(self.data), "--save", "", "--databases", "4", "--daemonize", "no")
        return (str(self.program), *socket, *data, *(PERSISTENT_OPTIONS if self.persistent else VOLATILE_OPTIONS))

    def ready(self) -> bool:
        """Return whether the server answers and has loaded its data."""
        return sockets.query(self.sockets / SOCKET_NAME, b"PING\r\n").startswith(b"+PONG")

    def part(self, log: Path, rank: int = 0) -> Part:
        """Return the server as a part to start and stop."""
        # With a broken locale the server would not start.
        environment = {**os.environ, "LC_ALL": "C"}
        return Part(
            "broker", self.command(), log, environment, self.data, ready=self.ready, grace_seconds=1.0, rank=rank
        )
