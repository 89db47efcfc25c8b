"""The whole service in one process, for tests: a database, a folder of mailboxes, and people who answer their mail."""

from __future__ import annotations

import email
import email.parser
import email.policy
import mailbox
import re
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from email.message import EmailMessage, Message
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Any

from sqlalchemy import select
from sqlalchemy.orm import joinedload

from emails.composing.compose import return_address
from emails.composing.recompose import render_snapshots
from emails.inbound.accept import accept
from emails.outbound.due_mails import PendingMail
from emails.outbound.maildir import maildir_path
from emails.outbound.relay import deliver_shard
from emails.outbound.results import mark_sent
from emails.parsing.reader import parse_mail
from pbem.config import Config, from_environment
from pbem.db.models import Match, MatchSeat, OutboxMessage, SeatHolder
from pbem.db.session import underlying
from pbem.games import Seat
from pbem.play.core.context import transaction
from pbem.play.deliverability import bounces
from pbem.play.inbox import judge
from pbem.play.lifecycle import acceptance
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.matches.match_state import load_match, lock_match
from pbem.play.matches.seats import holders
from pbem.states import OutboxState
from tests.support.creating import create_match
from tests.support.drawing import Received
from tests.support.live_service import delivery_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy import Engine

    from emails.inbound.smtp_replies import SmtpReply
    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import LoadedMatch

NAMES = ("Ann", "Bob", "Cyd", "Dee")
NUMBERS = count(1)


def settings(database_url: str, folder: Path, **more: str) -> dict[str, str]:
    """Return an environment for a service whose mail goes to folders."""
    return {
        "DATABASE_URL": database_url,
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "PBEM_SECRET_KEYS": "0" * 40,
        "PBEM_BASE_URL": "http://127.0.0.1:8000",
        "PBEM_MAIL_DOMAIN": "games.localhost",
        "PBEM_SMTP_URL": f"maildir://{folder}",
        "PBEM_OPEN": "1",
        "PBEM_LIMITS": "off",
    } | more


def address(name: str) -> str:
    return f"{name.lower()}@example.org"


@dataclass(frozen=True)
class Mail:
    """A mail that somebody was sent; of its bytes only as much is read as is asked for."""

    name: str
    raw: bytes

    @cached_property
    def message(self) -> EmailMessage:
        """The whole mail, with its headers and parts."""
        message = email.message_from_bytes(self.raw, _class=Received, policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        return message

    @cached_property
    def headers(self) -> EmailMessage:
        """The headers alone."""
        message = email.parser.BytesHeaderParser(policy=email.policy.default).parsebytes(self.raw)
        assert isinstance(message, EmailMessage)
        return message

    @cached_property
    def text(self) -> str:
        return self._written("text/plain")

    @cached_property
    def html(self) -> str:
        return self._written("text/html")

    @property
    def reply_to(self) -> str:
        written: str = self.headers["Reply-To"].addresses[0].addr_spec
        return written

    @property
    def token(self) -> str:
        """The link token of a mail that has one."""
        found = re.search(r"http://127\.0\.0\.1:8000/(?:m|invitation|mail)/([0-9a-z]+)", self.text)
        assert found
        return found[1]

    @property
    def flat(self) -> str:
        """The text without line breaks, to look for sentences in."""
        return " ".join(self.text.split())

    @cached_property
    def _parts(self) -> Message:
        """The parts, read the older way: it looks into no header that nobody asks for."""
        return email.message_from_bytes(self.raw)

    def _written(self, kind: str) -> str:
        part = next(part for part in self._parts.walk() if part.get_content_type() == kind)
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        return content.decode(part.get_content_charset("ascii"))


@dataclass(slots=True)
class House:
    """One service and its players' mailboxes."""

    engine: Engine
    config: Config
    folder: Path
    read_already: set[tuple[str, str]] = field(default_factory=set)
    every_mail: list[Mail] = field(default_factory=list)

    def transaction(self, now: datetime | None = None) -> Any:
        return transaction(self.engine, self.config, now)

    # -- matches --------------------------------------------------------------------------------------

    def make(self, game: str, seats: int, options: Mapping[str, object] | None = None, **more: Any) -> str:
        guests = [Invitee(name, address(name)) for name in NAMES[:seats]]
        with self.transaction() as ctx:
            return create_match(ctx, game, options or {}, guests, **more).id

    def start_match(
        self, game: str, seats: int, options: Mapping[str, object] | None = None, *, mailed: bool = False, **more: Any
    ) -> str:
        """Begin a match that all accept; invitations are read already, and written only where they are `mailed`."""
        match_id = self.make(game, seats, options, **more)
        if not mailed:
            self._pass_over_invitations(match_id)
        self.deliver()
        for name in NAMES[:seats]:
            self._new(name)
        with self.transaction() as ctx:
            match = lock_match(ctx, match_id)
            for holder in holders(ctx, match):
                acceptance.accept(ctx, match, holder, "")
        return match_id

    def match(self, match_id: str) -> Match:
        with self.transaction() as ctx:
            found: Match = ctx.session.get_one(Match, match_id)
            return found

    def match_ids(self) -> list[str]:
        return self.all(select(Match.id).order_by(Match.created_at))

    def match_seats(self, match_id: str) -> list[MatchSeat]:
        return self.all(select(MatchSeat).where(MatchSeat.match_id == match_id).order_by(MatchSeat.seat))

    @contextmanager
    def course(self, match_id: str) -> Iterator[tuple[Context, LoadedMatch]]:
        with self.transaction() as ctx:
            yield ctx, load_match(ctx, ctx.session.get_one(Match, match_id))

    def legal(self, match_id: str, seat: int) -> tuple[str, ...]:
        """List a seat's legal moves as its View does."""
        with self.course(match_id) as (_, course):
            return tuple(course.game.view(course.position, Seat(seat)).moves)

    def judge(self, match_id: str) -> int:
        with self.transaction() as ctx:
            return judge.judge(ctx, match_id, parse_mail)

    def rows(self, *what: Any) -> list[Any]:
        with self.transaction() as ctx:
            return list(ctx.session.execute(*what).all())

    def all(self, statement: Any) -> list[Any]:
        with self.transaction() as ctx:
            return list(ctx.session.scalars(statement))

    # -- mail -----------------------------------------------------------------------------------------

    def deliver(self) -> int:
        """Send all mails that are owed."""
        with self.transaction() as ctx:
            owed = OutboxMessage.state == OutboxState.PENDING, OutboxMessage.due_at <= ctx.now
            shards = ctx.session.scalars(
                select(OutboxMessage.shard).where(*owed).distinct().order_by(OutboxMessage.shard)
            ).all()
        return sum(deliver_shard(self.engine, self.config, shard) for shard in shards)

    def mails(self, name: str) -> list[Mail]:
        """Return the mails that somebody has not seen yet, oldest first."""
        self.deliver()
        return self._new(name)

    def _new(self, name: str) -> list[Mail]:
        """Return what lies in somebody's mailbox that they have not seen yet."""
        path = maildir_path(self.folder, address(name))
        new: list[Mail] = []
        if path.exists():
            box = mailbox.Maildir(path, factory=None)
            for key in sorted(box.keys(), key=delivery_order):
                if (name, key) not in self.read_already:
                    self.read_already.add((name, key))
                    new.append(Mail(name, box.get_bytes(key)))
        self.every_mail += new
        return new

    def _pass_over_invitations(self, match_id: str) -> None:
        """Mark a match's invitations as sent, as the relay does, without writing mails that nobody reads.

        Those that are no plain mails are left to the relay, as are all where it counts how many somebody gets.
        """
        if self.config.limits is not None:
            return
        people = joinedload(OutboxMessage.holder).joinedload(SeatHolder.player)
        with self.transaction() as ctx:
            match = ctx.session.get_one(Match, match_id)
            theirs = OutboxMessage.match_id == match_id, OutboxMessage.kind == "invitation"
            due = OutboxMessage.state == OutboxState.PENDING, OutboxMessage.due_at <= ctx.now
            owed = ctx.session.scalars(select(OutboxMessage).where(*theirs, *due).options(people)).all()
            standings = bounces.address_statuses(ctx, {one.recipient for one in owed}) if owed else {}
            for one in owed:
                if PendingMail(one, match, standings[one.recipient], ()).is_ordinary(ctx):
                    return_address(ctx, one)
                    sent_as = render_snapshots([one])[0] or {}
                    mark_sent(underlying(ctx.session.connection()), one, sent_as, ctx.now)

    def last(self, name: str) -> Mail:
        """Return the newest mail of somebody who has a new one."""
        return self.mails(name)[-1]

    def only(self, name: str) -> Mail:
        """Return the new mail of somebody who has exactly one."""
        (mail,) = self.mails(name)
        return mail

    def send(self, raw: bytes, to: str, sender: str) -> SmtpReply:
        return accept(self.engine, self.config, raw, to, sender)

    def reply(self, mail: Mail, text: str, **more: Any) -> str:
        """Answer a mail and have the answer judged; returns the Message-ID of the answer."""
        answer = reply(mail, text, **more)
        assert self.send(answer.as_bytes(), mail.reply_to, address(mail.name)).code == 250
        for match_id in self.all(matches_of(mail)):
            self.judge(match_id)
        return str(answer["Message-ID"])

    def with_keys(self, *keys: str) -> House:
        """Return the same house after its secret keys have been changed."""
        return replace(self, config=replace(self.config, secret_keys=keys))


def matches_of(mail: Mail) -> Any:
    root = str(mail.headers["References"]).split()[0]
    return select(Match.id).where(Match.id == root.removeprefix("<match.").split(".")[0])


def reply(mail: Mail, text: str, sender: str | None = None, **headers: str) -> EmailMessage:
    """Write an answer to a mail as a mail program does, with the mail quoted below."""
    answer = EmailMessage()
    answer["From"] = sender or address(mail.name)
    answer["To"] = mail.reply_to
    answer["Subject"] = f"Re: {mail.headers['Subject']}"
    answer["Message-ID"] = f"<{next(NUMBERS)}.{id(answer)}@example.org>"
    answer["In-Reply-To"] = mail.headers["Message-ID"]
    for name, value in headers.items():
        answer[name.replace("_", "-")] = value
    quoted = "\n".join(f"> {line}".rstrip() for line in mail.text.splitlines())
    answer.set_content(f"{text}\n\nOn Monday, Slow games <games@games.localhost> wrote:\n{quoted}\n")
    return answer


def open_house(engine: Engine, folder: Path, **more: str) -> House:
    """Return a house over a database, with the mailboxes of a folder."""
    url = engine.url.render_as_string(hide_password=False)
    return House(engine, from_environment(settings(url, folder, **more)), folder)
