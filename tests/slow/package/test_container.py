"""The recipe for containers: an image is made by its steps, and plays a match by the commands of compose.yaml."""

from __future__ import annotations

from contextlib import ExitStack
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from pbem.ops.up import process
from tests.support.deploy.container import Image, parts, steps, take
from tests.support.deploy.deploy_docs import CONTAINER
from tests.support.live_service import LiveService, free_port, until
from tests.support.service.by_mail import play_to_the_end

if TYPE_CHECKING:
    from pathlib import Path

RECIPE = steps((CONTAINER / "Containerfile").read_text())
PAGES = "0.0.0.0:8000"


@pytest.fixture(scope="module")
def image(index: None, tmp_path_factory: pytest.TempPathFactory) -> Image:  # noqa: ARG001 (asked first)
    """The image, made in a folder."""
    made = Image(tmp_path_factory.mktemp("image"))
    for word, rest in RECIPE:
        take(made, word, rest)
    return made


def test_the_account_of_the_image_is_made_and_lives_where_commands_run() -> None:
    said = dict(RECIPE)
    (account,) = (rest.split() for word, rest in RECIPE if word == "RUN" and rest.startswith("useradd "))
    assert account[-1] == said["USER"]
    assert account[account.index("--home-dir") + 1] == said["WORKDIR"]


def test_its_command_says_what_there_is(image: Image) -> None:
    assert dict(RECIPE)["CMD"] == '["pbem", "--help"]'
    assert image.run("pbem --help").stdout.startswith("Usage: pbem ")


@pytest.mark.parametrize("name", ["doctor", *(name for name in parts() if name != "web")])
def test_a_part_without_settings_says_which(image: Image, name: str) -> None:
    done = image.run("pbem doctor" if name == "doctor" else parts()[name]["command"])
    assert "DATABASE_URL is not set" in done.stderr


def test_its_parts_play_a_match_that_is_backed_up(image: Image, postgres: str, valkey: str, short_path: Path) -> None:
    port, smtp_port, lmtp_port = free_port(), free_port(), free_port()
    settings = {
        "DATABASE_URL": postgres,
        "REDIS_URL": valkey,
        "PBEM_SECRET_KEYS": "k" * 40,
        "PBEM_BASE_URL": f"http://127.0.0.1:{port}",
        "PBEM_MAIL_DOMAIN": "games.localhost",
        "PBEM_SMTP_URL": f"maildir://{short_path}/mail",
        "PBEM_OPEN": "1",
        "PBEM_MIN_FREE_DISK": "off",
        "PBEM_SMTP_LISTEN": f"127.0.0.1:{smtp_port}",
        "PBEM_LMTP_LISTEN": f"127.0.0.1:{lmtp_port}",
    }
    compose = parts()
    released = image.run(compose.pop("release")["command"], **settings)
    assert released.returncode == 0, released.stderr
    nobody: Any = None
    service = LiveService(short_path, port, smtp_port, nobody)
    with ExitStack() as running:
        for name, each in compose.items():
            command = image.here(each["command"]).replace(PAGES, f"127.0.0.1:{port}")
            variables = image.environment(**{**each["environment"], **settings})
            part = process.Part(
                name,
                ("/bin/sh", "-c", f"exec {command}"),
                short_path / f"{name}.log",
                environment=variables,
                folder=image.home,
            )
            running.enter_context(process.running(part))
        until(lambda: service.ask("/readyz")[0] == 200, 120)
        match = service.start_match("minimax", {}, "Ada")
        moves = play_to_the_end(service, match, ("Ada",), Random("container"))
        status, record = service.ask(f"/api/matches/{match}/record")
        assert (status, [(entry["seat"], entry["move"]) for entry in record["log"]]) == (200, moves)
        saved = image.run("pbem backup backups", **settings)
        assert (saved.returncode, saved.stderr) == (0, "")
        assert len(list((image.home / "backups").glob("*.dump"))) == 1
