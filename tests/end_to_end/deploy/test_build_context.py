"""Settings, keys and backups that documented commands write are in no image and in no commit."""

from __future__ import annotations

import io
import os
import re
import subprocess
import tarfile
import tomllib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from pbem.cli import main
from tests.support.deploy.build_context import context
from tests.support.deploy.clones import clone, git
from tests.support.left_out import program
from tests.support.places import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

CONTAINER = Path("deploy/container")
CONTAINERFILE = CONTAINER / "Containerfile"
PAGE = (ROOT / "docs" / "operate" / "deploy.md").read_text()
ANSWERS = ["https://games.example.org", "3", "", "", "n", "me@example.org"]
"""A mail server of one's own, which does not sign: so that a key is made, too."""


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Clone what is committed or about to be."""
    folder = tmp_path_factory.mktemp("clone")
    clone(folder)
    git(folder, "init", "--quiet")
    return folder


@pytest.fixture(scope="module")
def written(kept: Path) -> set[str]:
    """Do in the clone what the documents say, wherever somebody may stand; what came of it."""
    before = files(kept)
    for folder in (kept, kept / CONTAINER):
        for answers in (ANSWERS, [*ANSWERS[:-1], "you@example.org"]):
            typed = "".join(f"{each}\n" for each in answers)
            assert CliRunner().invoke(main, ["setup", str(folder / "pbem.env"), "--no-try"], input=typed).exit_code == 0
        assert CliRunner().invoke(main, ["backup-key", str(folder / "backup.key")]).exit_code == 0
        for name in named():
            at = folder / name
            for each in (at,) if at.suffix else (at / "pbem-1.dump", at / "pbem-1.dump.age", at / "pbem-1.json"):
                write(each)
        for name in (".pbem.env.part", "pbem.env.aside", "data/secret-keys", "data/run/settings", "beat-schedule"):
            write(folder / name)
    for name in ("build/lib/pbem/old.py", "pbem.egg-info/PKG-INFO", ".venv/bin/python", "pbem/__pycache__/old.pyc"):
        write(kept / name)
    return files(kept) - before


def named() -> set[str]:
    """Find the files and folders that the lines for containers write beside them."""
    lines = PAGE.partition("## In containers")[2]
    return set(re.findall(r"> ([\w.]+)$", lines, re.MULTILINE)) | set(re.findall(r"\$PWD/(\w+):", lines))


def write(file: Path) -> None:
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("secret")


def files(folder: Path) -> set[str]:
    found = (path.relative_to(folder) for path in folder.rglob("*") if not path.is_dir())
    return {path.as_posix() for path in found if path.parts[0] != ".git"}


def test_the_documented_commands_write_secrets(written: set[str]) -> None:
    assert named() >= {"pbem.env", "backups"}
    for name in ("pbem.env", "pbem.env.before", "pbem-dkim.pem", "backup.key", "backups/pbem-1.dump"):
        assert {name, f"{CONTAINER}/{name}"} <= written


def test_nothing_that_they_write_is_sent_to_an_image(kept: Path, written: set[str]) -> None:
    assert context(kept) & written == set()


def test_nothing_that_they_write_is_offered_to_a_commit(kept: Path, written: set[str]) -> None:
    told = git(kept, "check-ignore", "--stdin", said="\n".join(written)).splitlines()
    assert written - set(told) == set()


def test_nothing_that_is_kept_is_ignored() -> None:
    assert git(ROOT, "ls-files", "--ignored", "--cached", "--exclude-standard") == ""


def test_all_that_an_image_is_made_of_is_sent(kept: Path) -> None:
    sent = context(kept)
    program = git(ROOT, "ls-files", "pbem", "emails", "workers", "migrations").splitlines()
    assert len(program) > 500
    assert {name for name in program if (ROOT / name).exists()} <= sent
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {"pyproject.toml", project["readme"], *project["license-files"]} <= sent
    assert set(re.findall(r" -c (\S+)", (ROOT / CONTAINERFILE).read_text())) <= sent


class Builder(BaseHTTPRequestHandler):
    """Answers Docker's program as its service would, and keeps what it is sent to build from."""

    protocol_version = "HTTP/1.1"
    sent: set[str]

    def log_message(self, *_: object) -> None:
        """Log no request."""

    def do_HEAD(self) -> None:
        self.answer()

    def do_GET(self) -> None:
        self.answer()

    def do_POST(self) -> None:
        raw = b""
        while size := int(self.rfile.readline(), 16):
            raw += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        with tarfile.open(fileobj=io.BytesIO(raw)) as archive:
            type(self).sent = {each.name for each in archive.getmembers() if not each.isdir()}
        self.answer()

    def answer(self) -> None:
        self.send_response(200)
        self.send_header("Api-Version", "1.41")
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(b"{}")


@pytest.fixture
def builder() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Builder)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"tcp://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.usefixtures("written")
def test_docker_itself_sends_the_same(kept: Path, builder: str) -> None:
    docker = program("docker", "docker.io")
    told = subprocess.run(
        [docker, "build", "--file", str(CONTAINERFILE), "."],
        env=os.environ | {"DOCKER_HOST": builder, "DOCKER_BUILDKIT": "0"},
        cwd=kept,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    # It adds the two files that say how to build.
    assert Builder.sent == context(kept) | {".dockerignore", str(CONTAINERFILE)}
