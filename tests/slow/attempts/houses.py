"""The service as others meet it: a house that is open, and one on the internet, whose mail another server takes."""

from __future__ import annotations

import email
import email.policy
import mailbox
import re
import smtplib
from dataclasses import dataclass, field
from email.message import EmailMessage
from functools import cached_property, lru_cache, partial
from itertools import count
from typing import TYPE_CHECKING, Any

from emails.outbound.maildir import maildir_path
from tests.slow.attempts.visitors import Visitor
from tests.support.live_service import LiveService, delivery_order, parsed, text_of, until

if TYPE_CHECKING:
    from tests.slow.attempts.visitors import Answer
    from tests.support.emails.inbound.servers import Neighbour

NUMBERS = count(1)
FOUND = re.compile(r"/(?:m|invitation|mail)/([0-9a-z]{26})")
WAITING = re.compile(r'^pbem_waiting\{queue="(?:moves|letters|mails|calls)"\} (\S+)$', re.MULTILINE)
SERVER = "mx.example.net"
"""The name that the mail server before the house on the internet signs its results with."""


@dataclass(frozen=True)
class Player:
    """Somebody with a mailbox."""

    house: House
    name: str
    address: str

    @property
    def mails(self) -> list[EmailMessage]:
        """Read all mails of theirs, oldest first."""
        return self.house.mails(self.address)

    def about(self, words: str) -> list[EmailMessage]:
        return [mail for mail in self.mails if words in text_of(mail)]

    def reply(self, mail: EmailMessage, text: str, **headers: str) -> int:
        """Answer a mail; returns the code of the answer to it."""
        return self.house.post(answer_to(self, mail, text, **headers), self.address, reply_to(mail))


@dataclass(frozen=True)
class House:
    """One instance of the service, and what goes in and out of it."""

    running: LiveService
    host: str
    domain: str
    others: Neighbour | None = None
    served: dict[str, list[EmailMessage]] = field(default_factory=dict)
    """What the other server has taken so far, by recipient."""
    seen: list[int] = field(default_factory=lambda: [0])

    def visitor(self) -> Visitor:
        return Visitor(self.running.port, self.host)

    @cached_property
    def anybody(self) -> Visitor:
        """Somebody who looks at what everybody may see."""
        return self.visitor()

    def player(self, name: str) -> Player:
        """Return somebody new, whose address is at a domain of their own."""
        number = next(NUMBERS)
        return Player(self, name, f"{name.lower()}{number}@p{number}.example.org")

    # -- mail ---------------------------------------------------------------------------------------------

    def mails(self, address: str) -> list[EmailMessage]:
        if self.others is None:
            folder = maildir_path(self.running.data / "mail", address)
            # The last of a Maildir's three folders to be made.
            if not (folder / "cur").is_dir():
                return []
            box = mailbox.Maildir(folder, factory=None, create=False)
            return [parsed(str(folder), key) for key in sorted(box.keys(), key=delivery_order)]
        while self.seen[0] < len(self.others.taken):
            to, raw = self.others.taken[self.seen[0]]
            self.served.setdefault(to.lower(), []).append(read(raw))
            self.seen[0] += 1
        return list(self.served.get(address.lower(), ()))

    def post(self, raw: EmailMessage | bytes, sender: str, *to: str) -> int:
        """Hand a mail to the door as a mail server does; returns the code that it ends with."""
        data = raw if isinstance(raw, bytes) else raw.as_bytes(policy=email.policy.SMTP)
        with smtplib.SMTP("127.0.0.1", self.running.smtp_port, local_hostname="localhost", timeout=30) as line:
            try:
                refused = line.sendmail(sender, list(to), data)
            except smtplib.SMTPRecipientsRefused as all_refused:
                return max(code for code, _ in all_refused.recipients.values())
            except smtplib.SMTPResponseException as other:
                return other.smtp_code
        return max((code for code, _ in refused.values()), default=250)

    @property
    def own_address(self) -> str:
        return f"games@{self.domain}"

    # -- what is left to do -------------------------------------------------------------------------------

    def settle(self) -> None:
        """Wait until all that was taken is judged, and all mails that are due are sent.

        What follows from a move is owed as soon as it is judged, so that nothing waits where nothing is seen to.
        """
        until(lambda: self.waiting() == 0)

    def waiting(self) -> float:
        figures = WAITING.findall(self.anybody.get("/metrics").text)
        assert len(figures) == len({"moves", "letters", "mails", "calls"})
        return sum(map(float, figures))

    # -- people and their tables --------------------------------------------------------------------------

    def signed_in(self, player: Player, then: str = "") -> Visitor:
        """Sign somebody in by the link that they are mailed, with a browser of their own."""
        browser, known = self.visitor(), len(player.about("/sign-in/"))
        page = browser.press(browser.open("/sign-in"), "Mail me a link", email=player.address, then=then)
        assert "Check your mail" in page.words
        shown = browser.open(self.sign_in_link(player, known))
        welcome = browser.press(shown, "Sign in now")
        if any(form.button == "Save name" for form in welcome.page.forms):
            browser.press(welcome, "Save name", name=player.name)
        return browser

    def sign_in_link(self, player: Player, known: int = 0) -> str:
        """Return the path of the newest link to sign in, of more than are known."""
        mails = until(lambda: (found := player.about("/sign-in/"))[known:] and found)
        found = re.search(r"/sign-in/\S+", text_of(mails[-1]))
        assert found
        return found[0]

    def table(self, game: str, *names: str, **terms: Any) -> Table:
        """Create a match whose invitations everybody has accepted."""
        table = self.invited(game, *names, **terms)
        table.accept()
        return table

    def invited(self, game: str, *names: str, **terms: Any) -> Table:
        """Create a match whose invitations have arrived; the first player has made it where that needs somebody."""
        players = [self.player(name) for name in names]
        host = self.signed_in(players[0]) if self.others else self.visitor()
        seats = [{"name": player.name, "email": player.address} for player in players]
        made = host.send("/api/matches", {"game": game, "options": {}, "seats": seats, **terms})
        assert made.status == 201, made.text
        table = Table(self, made.json["id"], game, tuple(players), host)
        for player in players:
            until(partial(table.mails_to, player))
        return table


@dataclass(frozen=True)
class Table:
    """One match and those who sit at it."""

    house: House
    match: str
    game: str
    players: tuple[Player, ...]
    host: Visitor

    def mails_to(self, player: Player) -> list[EmailMessage]:
        """Read the mails about this match that somebody was sent."""
        return [mail for mail in player.mails if self.match in str(mail["References"]) + text_of(mail)]

    def invitation(self, player: Player) -> EmailMessage:
        return self.mails_to(player)[0]

    def accept(self) -> None:
        for player in self.players:
            page = self.house.visitor().open(f"/invitation/{token_of(self.invitation(player))}")
            if any(form.button == "Accept" for form in page.page.forms):
                self.house.visitor().press(page, "Accept")
        until(lambda: self.view["to_move"])
        self.house.settle()

    @property
    def view(self) -> dict[str, Any]:
        """Look at the match as anybody may."""
        found: dict[str, Any] = self.house.anybody.get(f"/api/matches/{self.match}").json
        return found

    @property
    def mover(self) -> Player:
        seat: int = self.view["to_move"][0]
        return self.players[seat - 1]

    def turn(self, player: Player) -> EmailMessage:
        """Find the newest mail with a link and a reply address of somebody's turn."""
        found: EmailMessage = until(lambda: self._turn(player))
        return found

    def _turn(self, player: Player) -> EmailMessage | None:
        for mail in reversed(self.mails_to(player)):
            if FOUND.search(text_of(mail)) and mail["Reply-To"]:
                view = self.seen_by(mail)
                return mail if view.get("seat") in view.get("to_move", ()) else None
        return None

    def seen_by(self, mail: EmailMessage) -> dict[str, Any]:
        """Look at the match as the seat of a mail may."""
        found: dict[str, Any] = self.house.anybody.get(f"/api/seats/{token_of(mail)}").json
        return found

    def legal(self, player: Player) -> list[str]:
        moves: list[str] = self.seen_by(self.turn(player))["moves"]
        return moves

    def move(self, player: Player, move: str | None = None) -> Answer:
        """Play a move by the newest link of somebody, and wait until everybody is told."""
        mail = self.turn(player)
        view = self.seen_by(mail)
        sent = {"ply": view["ply"], "move": move or view["moves"][0]}
        taken = self.house.anybody.send(f"/api/seats/{token_of(mail)}/moves", sent)
        assert taken.status == 202, taken.text
        assert verdict(self.house, taken.json["submission"])["status"] == "played"
        self.house.settle()
        return taken

    def state(self) -> dict[str, Any]:
        """Gather what tells whether anything has happened at the table: its history's head, and its mails."""
        view = self.house.anybody.get(f"/api/matches/{self.match}")
        return {"view": view.body, "mails": [len(self.mails_to(player)) for player in self.players]}


def verdict(house: House, submission: str) -> dict[str, Any]:
    """Wait until something that was sent is judged."""

    def judged() -> dict[str, Any] | None:
        found: dict[str, Any] = house.anybody.get(f"/api/submissions/{submission}").json
        return found if found["status"] != "pending" else None

    found: dict[str, Any] = until(judged)
    return found


def token_of(mail: EmailMessage) -> str:
    """Find the token of the link in a mail."""
    found = FOUND.search(text_of(mail))
    assert found, text_of(mail)
    return found[1]


def reply_to(mail: EmailMessage) -> str:
    return str(mail["Reply-To"].addresses[0].addr_spec)


def answer_to(player: Player, mail: EmailMessage, text: str, **headers: str) -> EmailMessage:
    """Write an answer to a mail as a mail program does."""
    answer = EmailMessage()
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    answer["From"] = given.pop("From", player.address)
    answer["To"] = reply_to(mail)
    answer["Subject"] = given.pop("Subject", f"Re: {mail['Subject']}")
    answer["Message-ID"] = given.pop("Message-ID", f"<{next(NUMBERS)}@mail.example.org>")
    answer["In-Reply-To"] = given.pop("In-Reply-To", str(mail["Message-ID"]))
    for name, value in given.items():
        answer[name] = value
    quoted = "\n".join(f"> {line}".rstrip() for line in text_of(mail).splitlines())
    answer.set_content(f"{text}\n\nOn Monday, Slow games <games@games.localhost> wrote:\n{quoted}\n")
    return answer


@lru_cache(maxsize=10_000)
def read(raw: bytes) -> EmailMessage:
    """Read a mail; the same bytes are the same mail."""
    mail = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(mail, EmailMessage)
    return mail
