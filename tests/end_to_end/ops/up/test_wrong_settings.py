"""A wrong setting ends each part of the service with status 2 and one sentence, and starts nobody again."""

from __future__ import annotations

import shlex
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.house import settings
from tests.support.live_service import environment, free_port
from tests.support.places import ROOT

if TYPE_CHECKING:
    from pathlib import Path

PARTS = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text().splitlines())
COMMANDS = {
    "web": PARTS["web"]
    .replace("${PORT:-8000}", "0")
    .replace("${WEB_CONCURRENCY:-2}", "2")
    .replace("gunicorn", "-m gunicorn"),
    "worker": PARTS["worker"].removeprefix("python "),
    "beat": PARTS["beat"].removeprefix("python "),
    "mail": PARTS["mail"].removeprefix("python "),
    "up": "-m pbem up --data data --port 0 --smtp-port 0",
    "doctor": "-m pbem doctor",
    "admin": "-m pbem admin matches",
    "backup": "-m pbem backup backups",
}
"""All that reads the settings; the release reads one of them, and is looked at with the database."""
WRONG = {
    "PBEM_BASE_URL": "https://games.example.org:99999",
    "REDIS_URL": "http://me:hidden@localhost",
    "PBEM_DKIM_KEY": "/etc/passwd",
}


@pytest.mark.parametrize("part", COMMANDS)
@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_setting_ends_a_part_with_one_sentence(tmp_path: Path, name: str, part: str) -> None:
    told = settings("postgresql://nobody@127.0.0.1:1/none", tmp_path, PBEM_DKIM_SELECTOR="games")
    told = {**told, name: WRONG[name]}
    if name != "PBEM_DKIM_KEY":
        del told["PBEM_DKIM_SELECTOR"]
    ended = subprocess.run(
        [sys.executable, *shlex.split(COMMANDS[part])], cwd=tmp_path, env=environment(**told),
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert ended.returncode == 2, ended.stderr
    sentences = [line for line in ended.stderr.splitlines() if line.startswith(f"{name} must be ")]
    assert len(sentences) == 1, ended.stderr
    assert "Traceback" not in ended.stderr
    assert "hidden" not in ended.stderr


def test_a_port_that_is_taken_ends_the_mail_door_with_one_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        taken = "{}:{}".format(*server.getsockname())
        told = settings("postgresql://nobody@127.0.0.1:1/none", tmp_path, PBEM_SMTP_LISTEN=taken)
        command = [sys.executable, *shlex.split(COMMANDS["mail"])]
        ended = subprocess.run(
            command, cwd=tmp_path, env=environment(**told), capture_output=True, text=True, check=False, timeout=120
        )
    assert ended.returncode == 1
    assert f"Cannot accept mail at PBEM_SMTP_LISTEN={taken}: " in ended.stderr
    assert "Traceback" not in ended.stderr


def test_what_is_no_setting_is_told_in_the_log_of_a_part(tmp_path: Path) -> None:
    told = settings("postgresql://nobody@127.0.0.1:1/none", tmp_path, PBEM_SMTP_LISTEN=f"127.0.0.1:{free_port()}")
    command = [sys.executable, *shlex.split(COMMANDS["mail"])]
    begun = subprocess.Popen(
        command, cwd=tmp_path, env=environment(**told, PBEM_OPERATOR_MAIL="me@example.org"),
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert begun.stderr is not None
        first = begun.stderr.readline()
        assert "PBEM_OPERATOR_MAIL is not a setting and is ignored. Did you mean PBEM_OPERATOR_EMAIL?" in first
    finally:
        begun.terminate()
        begun.communicate(timeout=120)
