"""A RabbitMQ of a test's own, where this machine has one."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from amqp import AMQPError
from kombu import Connection

from pbem.ops.up import process
from pbem.ops.up.process import Part
from tests.support.left_out import left_out
from tests.support.live_service import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator

CONFIG = """\
loopback_users = none
disk_free_limit.absolute = 1MB
vm_memory_high_watermark.absolute = 256MB
"""
PROGRAM = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")


def present() -> tuple[str, str]:
    """Find the server's programs, or skip loudly."""
    epmd = shutil.which("epmd")
    if not PROGRAM.exists() or epmd is None:
        left_out("RabbitMQ", "apt install rabbitmq-server")
    return str(PROGRAM), epmd


@contextlib.contextmanager
def rabbit(folder: Path, address: str = "127.0.0.1") -> Iterator[str]:
    """Run a RabbitMQ at an address of this machine; gives its URL."""
    server, epmd = present()
    port, names, between = free_port(), free_port(), free_port()
    # Who knows whom is Erlang's own business, at a port of its own, and ends with it.
    environment = os.environ | {
        "HOME": str(folder),
        "ERL_EPMD_PORT": str(names),
        "ERL_EPMD_ADDRESS": "127.0.0.1",
        "RABBITMQ_NODENAME": "test@localhost",
        "RABBITMQ_NODE_IP_ADDRESS": address,
        "RABBITMQ_NODE_PORT": str(port),
        "RABBITMQ_DIST_PORT": str(between),
        "RABBITMQ_MNESIA_BASE": str(folder / "mnesia"),
        "RABBITMQ_LOG_BASE": str(folder / "log"),
        "RABBITMQ_LOGS": "-",
        "RABBITMQ_CONFIG_FILE": str(folder / "rabbitmq.conf"),
        "RABBITMQ_CONF_ENV_FILE": str(folder / "none"),
        "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "+S 1:1 +sbwt none",
    }
    (folder / "rabbitmq.conf").write_text(CONFIG)
    (folder / "plugins").write_text("[].\n")
    url = f"amqp://guest:guest@{address}:{port}//"
    naming = subprocess.Popen([epmd, "-port", str(names), "-address", "127.0.0.1"], env=environment)
    try:
        broker = Part(
            "rabbit", (server,), folder / "rabbit.log", environment, folder, lambda: _answers(url), grace_seconds=20
        )
        with process.running(broker, within=120):
            yield url
    finally:
        naming.send_signal(signal.SIGTERM)
        naming.wait(10)


def _answers(url: str) -> bool:
    try:
        with Connection(url, connect_timeout=1) as line:
            line.connect()
    except (AMQPError, OSError):
        return False
    return True
