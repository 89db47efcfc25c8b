"""What the running service writes into its logs while a match is played: every step, and nobody's secrets."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import partial
from random import Random
from socket import gethostname
from typing import TYPE_CHECKING, Any

import pytest

from emails.outbound.maildir import maildir_path
from tests.support.live_service import LiveService, address, service, text_of, token_in, until
from tests.support.service.by_link import opened
from tests.support.service.by_mail import play_to_the_end

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAMES = ("Ann", "Bob", "Cyd")
ANY_ADDRESS = re.compile(r"[^\s\"'<>]+(?:@|%40)[\w\[]")
ANY_TOKEN = re.compile(r"[0-9a-hjkmnp-tv-z]{26}")
SECRETS = re.compile(r"(?:/m/|/invitation/|/mail/|/unsubscribe/|/sign-in/|play\+|unsub\+|bounce\+)([\w.-]{20,})")


@dataclass(frozen=True, slots=True)
class Played:
    """A service in which a match was played, and all that its players were sent."""

    running: LiveService
    match: str
    mails: str

    def lines(self, part: str) -> list[dict[str, Any]]:
        """Read the log of a part that is ours."""
        return [json.loads(line) for line in (self.running.data / "log" / f"{part}.log").read_text().splitlines()]

    def said(self, part: str, words: str, **about: object) -> list[dict[str, Any]]:
        """Find lines that begin with some words and are about something."""
        found = (line for line in self.lines(part) if line["says"].startswith(words))
        return [line for line in found if about.items() <= line.items()]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """A match begun by mail and by page, played by mail and by link, with all that goes wrong on a bad day."""
    folder = tmp_path_factory.mktemp("logs")
    mails_in = folder / "in"
    for name in ("new", "cur", "tmp"):
        (mails_in / name).mkdir(parents=True)
    with service(folder / "data", PBEM_LOG="json", PBEM_MAILDIR_IN=str(mails_in)) as running:
        match = running.start_match("middle-card", {}, *NAMES)
        _, mail, _ = until(partial(running.next_turn, match, NAMES))
        token = token_in(mail)
        assert token
        page = opened(running, f"/m/{token}")
        opened(running, page.moves()[0]).press("Play this move").judged()
        running.age_page_use()
        bad_day(running, mails_in, token)
        play_to_the_end(running, match, NAMES, Random(7))
        for name in NAMES:
            until(partial(running.mails_about, name, f"/matches/{match}/record"))
        mails = "".join(f"{mail}{text_of(mail)}" for name in NAMES for mail in running.mails(name))
        until(lambda: figure(running, "pbem_judgements_total", "played") > 0)
        yield Played(running, match, mails)


def bad_day(live_service: LiveService, mails_in: Path, token: str) -> None:
    """Cause faults of the service over what holds addresses and tokens."""
    # A folder where nothing can be delivered, and mails for nobody whose names are a token and an address.
    in_the_way = maildir_path(live_service.data / "mail", address("Eve"))
    in_the_way.write_text("no folder")
    seats = [{"name": "Eve", "email": address("Eve")}, *({"name": name, "email": address(name)} for name in NAMES[:2])]
    assert live_service.ask("/api/matches", {"game": "middle-card", "options": {}, "seats": seats})[0] == 201
    for name in (token, address("Eve")):
        (mails_in / "new" / name).write_text("To: eve@example.net\nFrom: eve@example.org\n\nstay\n")
    logs = live_service.data / "log"
    until(lambda: "was refused" in (logs / "worker.log").read_text())
    until(lambda: "was refused" in (logs / "mail.log").read_text())


def figure(live_service: LiveService, name: str, label: str) -> float:
    found = (line for line in live_service.read("/metrics").splitlines() if line.startswith(name) and label in line)
    return sum(float(line.rpartition(" ")[2]) for line in found)


def test_no_log_holds_a_token_or_an_address(played: Played) -> None:
    secrets = {found.strip(".") for found in SECRETS.findall(played.mails)}
    assert len(secrets) > 20
    keys = played.running.settings()["PBEM_SECRET_KEYS"].split(",")
    files = [*(played.running.data / "log").iterdir(), played.running.data.with_suffix(".log")]
    assert {"web.log", "worker.log", "mail.log", "database.log", "broker.log"} <= {each.name for each in files}
    for file in files:
        # What Celery calls its process is nobody's address.
        said = file.read_text().replace(f"celery@{gethostname()}", "")
        assert not [secret for secret in (*secrets, *keys) if secret in said], file
        assert not ANY_ADDRESS.findall(said), file
        assert not ANY_TOKEN.findall(said), file


def test_a_move_is_followed_from_its_mail_to_the_next_players(played: Played) -> None:
    kept = played.said("mail", "stored a submission by mail", match=played.match)
    assert kept
    for line in kept:
        assert line["request"]
        (judged,) = played.said("worker", "judged: ", submission=line["submission"])
        assert judged["match"] == played.match
        assert judged["task"].startswith("judge_submissions:")
    moves = {line["submission"] for line in played.said("worker", "judged: played")}
    owed = [
        line
        for line in played.said("worker", "mail enqueued: turn")
        if moves & {*line.get("submission", "").split(",")}
    ]
    assert owed
    for line in owed:
        (settled,) = [
            *played.said("worker", "sent: turn", notice=line["notice"]),
            *played.said("worker", "dropped: turn", notice=line["notice"]),
        ]
        assert settled["match"] == played.match


def test_a_move_by_link_bears_the_name_of_its_request(played: Played) -> None:
    (kept,) = played.said("web", "stored a submission by link", match=played.match)
    assert played.said("worker", "judged: played", submission=kept["submission"])


def test_the_figures_are_those_of_all_processes(played: Played) -> None:
    kept = len(played.said("mail", "stored a submission by mail"))
    until(lambda: figure(played.running, "pbem_accepts_total", 'via="mail"') == kept)
    assert figure(played.running, "pbem_mails_total", 'result="sent"') > len(NAMES)
    assert figure(played.running, "pbem_tasks_total", 'task="judge_submissions"') > 0
