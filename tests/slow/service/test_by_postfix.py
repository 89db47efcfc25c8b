"""Whole matches through a real mail server, set up as `docs/operate/mail-in.md` says."""

from __future__ import annotations

import email
import email.policy
import smtplib
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

from pbem.config import from_environment
from pbem.db.session import connect
from pbem.games import GAMES
from pbem.play.core.context import transaction
from pbem.play.lifecycle.match_requests import Invitee
from tests.support.creating import create_match
from tests.support.live_service import LiveService, address, free_port, service, until
from tests.support.mailservers import Postfix, open_folder, postfix, python_for_all
from tests.support.service.by_mail import play_to_the_end
from tests.support.service.by_postfix import DOMAIN, example

if TYPE_CHECKING:
    from collections.abc import Iterator
    from email.message import EmailMessage

PEOPLE = ("Ann", "Bob", "Cyd")
UNKNOWN = f"play+{'0' * 26}@{DOMAIN}"
MATCHES: list[tuple[str, dict[str, object], int]] = [
    ("minimax", {}, 1),
    ("martian-whist", {"sets": 2}, 2),
    ("montauk", {"rounds": 1}, 2),
    ("martian-trickery", {"hands": 1}, 3),
    ("amazonian-buffet", {}, 2),
]


@dataclass(frozen=True, slots=True)
class Posted(LiveService):
    """The service behind a mail server, which delivers the players' mail."""

    server: Postfix

    def mails(self, name: str) -> list[EmailMessage]:
        box = self.server.boxes / name.lower() / "new"
        files = sorted(box.iterdir(), key=lambda file: file.stat().st_mtime_ns) if box.is_dir() else []
        return [parsed(file) for file in files]

    def start_match(self, game: str, options: dict[str, object], *names: str) -> str:
        """Create a match that everybody accepts by reply; a service that mails people makes none for strangers."""
        config = from_environment(self.settings())
        engine = connect(config.database_url)
        with transaction(engine, config) as ctx:
            guests = [Invitee(name, address(name)) for name in names]
            made = create_match(ctx, game, options, guests).id
        engine.dispose()
        for name in names:
            invitations = until(partial(self.mails_about, name, made))
            assert self.reply(name, invitations[0], "accept")
        return made


def parsed(file: Path) -> EmailMessage:
    found = KNOWN.get(file)
    if found is None:
        found = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
        KNOWN[file] = found
    return found


KNOWN: dict[Path, EmailMessage] = {}


@contextmanager
def behind_postfix(way: str) -> Iterator[Posted]:
    lmtp, smtp = free_port(), free_port()
    more = {"PBEM_MAIL_DOMAIN": DOMAIN, "PBEM_SMTP_URL": f"smtp://127.0.0.1:{smtp}", "PBEM_LIMITS": "off"}
    with (
        open_folder() as folder,
        service(folder / "data", PBEM_LMTP_LISTEN=f"127.0.0.1:{lmtp}", **more) as running,
    ):
        if way == "lmtp":
            settings = example("LMTP from Postfix", 0).replace(":8024", f":{lmtp}"), ""
        else:
            settings = example("A command from Postfix or Exim", 1), master_for(running, folder)
        with postfix(settings[0], PEOPLE, settings[1], smtp) as server:
            yield Posted(running.data, running.port, smtp, running.process, server)


def master_for(live_service: LiveService, folder: Path) -> str:
    """Return the example's service, with a command that finds its programs and settings here."""
    told = live_service.settings()
    file = folder / "settings"
    ours = (name for name in told if name.startswith(("PBEM_", "DATABASE_", "REDIS_")))
    file.write_text("".join(f"{name}={told[name]}\n" for name in ours))
    file.chmod(0o644)
    # Whoever may run the command may reach the database; here its socket is for root alone.
    sockets = Path(parse_qs(urlsplit(told["DATABASE_URL"]).query)["host"][0])
    for each in (sockets, *sockets.parents):
        if each.is_relative_to(folder):
            each.chmod(0o755)
    for name in (".s.PGSQL.5432", "valkey.sock"):
        (sockets / name).chmod(0o777)
    example_lines = example("A command from Postfix or Exim", 0)
    return (
        example_lines.replace("user=pbem", "user=nobody")
        .replace("/opt/pbem/bin/pbem", f"{python_for_all(folder)} -m pbem")
        .replace("/var/lib/pbem/pbem.env", str(file))
    )


@pytest.fixture(scope="module", params=["lmtp", "pipe"])
def posted(request: pytest.FixtureRequest) -> Iterator[Posted]:
    with behind_postfix(request.param) as posted:
        yield posted


def test_every_built_in_game_is_played_here() -> None:
    assert {game for game, _, _ in MATCHES} == set(GAMES) - {"middle-card"}


@pytest.mark.parametrize(("game", "options", "seats"), MATCHES)
def test_a_whole_match_is_played_through_a_mail_server(
    posted: Posted, game: str, options: dict[str, object], seats: int
) -> None:
    names = PEOPLE[:seats]
    match = posted.start_match(game, options, *names)
    # A command is started for each mail, and takes its time.
    moves = play_to_the_end(posted, match, names, Random(game), seconds=1500)
    status, record = posted.ask(f"/api/matches/{match}/record")
    assert status == 200
    assert [(entry["seat"], entry["move"]) for entry in record["log"]] == moves
    for name in names:
        assert len(until(partial(posted.mails_about, name, f"/matches/{match}/record"))) == 1


def test_an_unknown_mailbox_is_refused_while_its_sender_is_there() -> None:
    with behind_postfix("lmtp") as posted:
        match = posted.start_match("minimax", {}, "Ann")
        mail, _ = until(lambda: posted.turn("Ann", match))
        # From an address that the mail server does not count among its own.
        with smtplib.SMTP("127.0.0.1", posted.smtp_port, "stranger", source_address=("127.0.0.2", 0)) as stranger:
            stranger.ehlo()
            stranger.mail("ann@example.org")
            known = mail["Reply-To"].addresses[0].addr_spec
            codes = [until(partial(asked, stranger, to)) for to in (UNKNOWN, known)]
        assert codes == [550, 250]


def asked(line: smtplib.SMTP, recipient: str) -> int | None:
    """Ask for a mailbox; None while the mail server is still asking itself."""
    code = line.rcpt(recipient)[0]
    return None if code == 450 else code
