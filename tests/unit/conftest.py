"""No test of this folder reaches beyond its process: what needs a database, a program or a socket lies in another."""

from __future__ import annotations

import os
import socket
import subprocess
from typing import NoReturn

import psycopg
import pytest

DOORS = (
    (subprocess.Popen, "__init__"),
    (os, "fork"),
    (socket.socket, "bind"),
    (socket.socket, "connect"),
    (socket.socket, "connect_ex"),
    (psycopg.Connection, "connect"),
)


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse whatever leads out of this process."""

    def refuse(*_arguments: object, **_more: object) -> NoReturn:
        pytest.fail("A unit test starts no program and opens no socket: move it to tests/integration or end_to_end.")

    for owner, name in DOORS:
        monkeypatch.setattr(owner, name, refuse)
