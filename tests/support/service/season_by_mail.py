"""People of a league who play a season on the running service, by SMTP and Maildir alone."""

from __future__ import annotations

import re
import smtplib
import time
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import make_msgid
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING

from tests.support.live_service import address, text_of, until

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from tests.support.service.moved_clock import MovedService

SERVICE_ADDRESS = "games@games.localhost"
TURN = "Your turn"
PATIENCE_SECONDS = 600
_MATCH = re.compile(r"/matches/(\w{20})\b")


@dataclass(frozen=True, slots=True)
class Season:
    """A season that some people play by mail, and which of their mails they have answered."""

    service: MovedService
    names: tuple[str, ...]
    answered: set[str] = field(default_factory=set)

    def welcome(self) -> None:
        """Confirm the address of everybody: each starts a match for one, accepts it and plays it."""
        for name in self.names:
            self.post(name, "new minimax")
        for name in self.names:
            (invitation,) = self.mails(name, "Invitation: Minimax")
            assert self.service.running.reply(name, invitation, "accept")
        own = [self.matches(self.mails(name, "Invitation: Minimax")[0])[0] for name in self.names]
        self.play(own)

    def post(self, name: str, line: str) -> str:
        """Send a mail with a line to the service; return its Message-ID."""
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = address(name), SERVICE_ADDRESS, "League"
        mail["Message-ID"] = make_msgid(domain="example.org")
        mail.set_content(f"{line}\n")
        with smtplib.SMTP("127.0.0.1", self.service.running.smtp_port, local_hostname="localhost") as smtp:
            smtp.send_message(mail)
        return str(mail["Message-ID"])

    def write(self, name: str, line: str) -> str:
        """Send a mail with a line to the service; return the text of the answer."""
        return self.answer(name, self.post(name, line))

    def answer(self, name: str, sent: str) -> str:
        """Wait for the answer to a mail; return its text in one line."""

        def found() -> list[EmailMessage]:
            return [mail for mail in self.service.running.mails(name) if mail["In-Reply-To"] == sent]

        return flat(until(found)[0])

    def mails(self, name: str, subject: str) -> list[EmailMessage]:
        """Wait until somebody has mails of a subject; return them, oldest first."""

        def found() -> list[EmailMessage]:
            return [mail for mail in self.service.running.mails(name) if mail["Subject"].startswith(subject)]

        mails: list[EmailMessage] = until(found)
        return mails

    @staticmethod
    def matches(mail: EmailMessage) -> list[str]:
        """Return the matches whose pages a mail links to, or that it is about."""
        linked = _MATCH.findall(text_of(mail))
        return list(dict.fromkeys(linked)) or re.findall(r"<match\.(\w+)\.", str(mail["References"]))[:1]

    def play(self, matches: Collection[str], silent: Collection[str] = ()) -> None:
        """Answer each mail that asks for a move with its first suggestion, until some matches are over.

        Nobody answers for those who are silent.
        """
        unfinished, end = {*matches}, time.monotonic() + PATIENCE_SECONDS
        while unfinished:
            self._answer_turns(silent)
            unfinished = {one for one in unfinished if not self.is_over(one)}
            assert time.monotonic() < end, f"not over: {unfinished}"
            time.sleep(0.1)

    def resign(self, name: str, match: str) -> None:
        """Resign a match for somebody who has a mail of it, once it is theirs to move."""

        def asked() -> list[EmailMessage]:
            turns = (mail for mail in self.service.running.mails(name) if mail["Subject"].startswith(TURN))
            return [mail for mail in turns if f"<match.{match}." in str(mail["References"])]

        mail = until(asked)[-1]
        self.answered.add(mail["Message-ID"])
        assert self.service.running.reply(name, mail, "resign yes")
        until(partial(self.is_over, match))

    def is_over(self, match: str) -> bool:
        """Return whether a match is over."""
        status, public = self.service.running.ask(f"/api/matches/{match}")
        return status == HTTPStatus.OK and bool(public["outcome"])

    def save(self, folder: Path) -> None:
        """Save one mail of each subject, as it came."""
        folder.mkdir(parents=True, exist_ok=True)
        for name in self.names:
            for mail in self.service.running.mails(name):
                subject = re.sub(r"\W+", "-", str(mail["Subject"])).strip("-").lower()[:60]
                (folder / f"{subject}.eml").write_bytes(bytes(mail))

    def _answer_turns(self, silent: Collection[str]) -> None:
        for name in self.names:
            for mail in () if name in silent else self.service.running.mails(name):
                if mail["Subject"].startswith(TURN) and mail["Message-ID"] not in self.answered:
                    self.answered.add(mail["Message-ID"])
                    assert self.service.running.reply(name, mail, "#1")


def flat(mail: EmailMessage) -> str:
    """Return the text of a mail in one line."""
    return " ".join(text_of(mail).split())
