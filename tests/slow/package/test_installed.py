"""Who has nothing but Python installs the wheel and plays: no clone, no settings, no versions but those of today."""

from __future__ import annotations

import json
import re
from email.message import EmailMessage
from functools import partial
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import urljoin
from urllib.request import Request, urlopen

import click
import pytest

from pbem.cli import main
from tests.support.deploy.stranger import settled
from tests.support.live_service import text_of, until
from tests.support.service.by_mail import play_to_the_end

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.slow.package.conftest import Built
    from tests.support.deploy.stranger import Stranger
    from tests.support.live_service import LiveService

NAMES = ("Fay", "Gus")


@pytest.fixture(scope="module")
def stranger(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Stranger:
    """Somebody who typed `pip install 'pbem[local]'`."""
    return settled(tmp_path_factory.mktemp("pip"), f"{built.wheel}[local]")


@pytest.fixture(scope="module")
def running(stranger: Stranger) -> Iterator[LiveService]:
    with stranger.service() as service:
        yield service


@pytest.fixture(scope="module")
def match(running: LiveService) -> str:
    """A match of two that both have played to its end by mail."""
    match = running.start_match("montauk", {"rounds": 1}, *NAMES)
    moves = play_to_the_end(running, match, NAMES, Random(1))
    status, record = running.ask(f"/api/matches/{match}/record")
    assert (status, [(entry["seat"], entry["move"]) for entry in record["log"]]) == (200, moves)
    return match


def got(running: LiveService, path: str, language: str = "en") -> tuple[str, bytes]:
    """Get a page or a picture; its type and its bytes."""
    with urlopen(Request(urljoin(running.url, path), headers={"Accept-Language": language}), timeout=60) as answer:
        return answer.headers.get_content_type(), answer.read()


def commands(command: click.Command, *words: str) -> Iterator[tuple[str, ...]]:
    """List all commands with those below them."""
    yield words
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            yield from commands(below, *words, name)


def pictures(mail: EmailMessage) -> list[str]:
    return [part.get_content_type() for part in mail.walk() if part.get_content_maintype() == "image"]


@pytest.mark.parametrize("words", [*commands(main)], ids=lambda words: " ".join(("pbem", *words)))
def test_each_command_starts(stranger: Stranger, words: tuple[str, ...]) -> None:
    assert f"Usage: {' '.join(('pbem', *words))} " in stranger.ran(*words, "--help")


def test_it_runs_from_the_environment_alone(stranger: Stranger) -> None:
    found = stranger.typed("python", "-c", "import emails, pbem, workers; print(pbem.__file__)")
    assert found.startswith(str(stranger.python))


def test_two_play_a_match_by_mail_with_pictures(running: LiveService, match: str) -> None:
    for name in NAMES:
        (last,) = until(partial(running.mails_about, name, f"/matches/{match}/record"))
        assert pictures(last)


def test_the_record_of_the_match_is_verified_replayed_and_shown(
    stranger: Stranger, running: LiveService, match: str
) -> None:
    (stranger.folder / "record.json").write_text(json.dumps(running.ask(f"/api/matches/{match}/record")[1]))
    assert match in stranger.ran("verify", "record.json")
    assert "Fay" in stranger.ran("replay", "record.json")
    stranger.ran("viewer", "record.json", "--out", "replay.html")
    page = (stranger.folder / "replay.html").read_text()
    assert "start(packed)" in page
    assert "src=" not in page


def test_a_backup_is_written_with_the_programs_that_came_along(
    stranger: Stranger, running: LiveService, match: str
) -> None:
    assert running.ask(f"/api/matches/{match}")[0] == 200
    stranger.ran("--settings", "data/run/settings", "backup", "backups")
    assert len(list((stranger.folder / "backups").glob("*.dump"))) == 1


def test_pages_come_with_their_styles_scripts_and_pictures(running: LiveService, match: str) -> None:
    kinds = set()
    for path in ("/", f"/matches/{match}", "/rules/montauk", "/rules/montauk/poster.png"):
        kind, page = got(running, path)
        kinds.add(kind)
        for file in re.findall(r'(?:src|href)="(/static/[^"]+)"', page.decode(errors="replace")):
            kind, content = got(running, file)
            assert content
            kinds.add(kind)
    assert kinds >= {"text/html", "text/css", "text/javascript", "image/svg+xml", "image/png"}


def test_pages_are_in_german_for_those_who_read_it(running: LiveService) -> None:
    page = got(running, "/rules/montauk", "de")[1].decode()
    assert '<html lang="de"' in page
    assert "Spiel" in page


def test_a_mail_in_german_is_answered_in_german(running: LiveService) -> None:
    question = EmailMessage()
    question["Reply-To"], question["Message-ID"] = "games@games.localhost", "<first@example.org>"
    question.set_content("")
    assert running.reply("Ute", question, "neu minimax")
    (invitation,) = until(partial(running.mails, "Ute"))
    assert "Eine Partie Minimax wartet auf dich." in text_of(invitation)


def test_the_api_describes_itself(running: LiveService) -> None:
    kind, document = got(running, "/api/openapi.json")
    assert kind == "application/json"
    assert "/api/matches" in json.loads(document)["paths"]


def test_a_game_of_ones_own_begins(stranger: Stranger) -> None:
    told = stranger.ran("new-game", "last-stone")
    assert told.endswith("pip install -e last-stone")
    stranger.typed("pip", "install", "--quiet", "-e", "last-stone")
    found = stranger.typed("python", "-c", "from pbem.games import find; print(type(find('last-stone', 1)).__module__)")
    assert found == "last_stone"
