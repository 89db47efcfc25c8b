"""The whole service in one process, with a clock that goes from one thing that happens to the next."""

from __future__ import annotations

import email
import email.policy
import heapq
import re
from collections import deque
from dataclasses import dataclass, field
from datetime import timedelta
from email.message import EmailMessage
from itertools import count
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from sqlalchemy import event, func, select, union_all

from emails.inbound.accept import accept
from emails.outbound.maildir import maildir_path
from emails.outbound.results import mark_sent
from pbem.config import from_environment
from pbem.db.models import Deadline, Heartbeat, OutboxMessage, Submission
from pbem.db.session import connect, set_task_sender
from pbem.play.core.context import transaction
from pbem.play.matches.match_state import append_event
from pbem.play.upkeep import outages
from pbem.states import DeadlinePhase, OutboxState, SubmissionStatus
from pbem.task_queue import make_celery_app, merge_tasks
from pbem.web import create_app
from workers.tasks import register_tasks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from pathlib import Path

    from celery import Celery
    from flask.testing import FlaskClient
    from sqlalchemy import Engine

    from pbem.config import Config
    from pbem.db.models import Match
    from pbem.games.chain import EventEntry
    from pbem.play.core.context import Context

MOMENT = timedelta(seconds=1)
_LINK = re.compile(r"/m/([0-9a-z]+)")


@dataclass(frozen=True, slots=True)
class Arrived:
    """A mail that somebody was sent, with what its notice says of it."""

    kind: str
    match: str
    ply: int
    message: EmailMessage

    @property
    def text(self) -> str:
        """Its text part."""
        part = self.message.get_body(("plain",))
        return str(part.get_content()) if part else ""

    @property
    def token(self) -> str | None:
        """The token of its link to the match."""
        found = _LINK.search(self.text)
        return found[1] if found else None


@dataclass(slots=True)
class World:
    """The service, the time, and what is yet to happen."""

    url: str
    folder: Path
    now: datetime
    asleep: bool = False
    ahead: list[tuple[datetime, int, Callable[[], None]]] = field(default_factory=list)
    mails: int = 0
    sent: list[OutboxMessage] = field(default_factory=list)
    late: list[Deadline] = field(default_factory=list)
    lost: list[tuple[str, int]] = field(default_factory=list)
    """The matches and seats whose time has run out."""
    config: Config = field(init=False)
    engine: Engine = field(init=False)
    celery: Celery = field(init=False)
    web: FlaskClient = field(init=False)
    _tasks: deque[tuple[str, tuple[Any, ...]]] = field(default_factory=deque)
    _marked: list[int] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def __post_init__(self) -> None:
        """Compose the service from its parts."""
        self.config = from_environment(
            {
                "DATABASE_URL": self.url,
                "REDIS_URL": "redis://127.0.0.1:1/0",
                "PBEM_SECRET_KEYS": "0" * 40,
                "PBEM_BASE_URL": "http://127.0.0.1:8000",
                "PBEM_MAIL_DOMAIN": "games.localhost",
                "PBEM_SMTP_URL": f"maildir://{self.folder}",
                "PBEM_OPEN": "1",
                "PBEM_LIMITS": "off",
            }
        )
        self.engine = connect(self.url)
        self.celery = make_celery_app(self.config)
        register_tasks(self.celery, self.config, self.engine)
        self.web = create_app(self.config, self.engine).test_client()
        set_task_sender(self._named)
        self._listen()

    def later(self, moment: datetime, what: Callable[[], None]) -> None:
        """Schedule something for a later time."""
        heapq.heappush(self.ahead, (max(moment, self.now + MOMENT), next(self._numbers), what))

    def step(self, until: datetime) -> bool:
        """Go on to the next thing that happens, to people or at the service; False where nothing does any more."""
        due = None if self.asleep else self._due()
        first = min((moment for moment in (due, self.ahead[0][0] if self.ahead else None) if moment), default=None)
        if first is None or first > until:
            return False
        self.now = max(first, self.now + MOMENT)
        # Nobody here looks at pictures, and drawing them would be a third of all work.
        with (
            patch("pbem.play.core.context.system_time", lambda: self.now),
            patch("emails.composing.compose.png", lambda _svg: b"PNG"),
            patch("pbem.play.lifecycle.endings.append_event", self._append),
            patch("emails.outbound.relay.mark_sent", self._mark),
        ):
            while self.ahead and self.ahead[0][0] <= self.now:
                heapq.heappop(self.ahead)[2]()
            if not self.asleep:
                self._serve(beats=due is not None and due <= self.now)
        return True

    def sleep(self) -> None:
        """Stop the service, whose clock has beaten until now."""
        with self.transaction() as ctx:
            _stayed_awake(ctx)
        self.asleep = True

    def wake(self) -> None:
        """Resume the service after a time in which it did not run."""
        self.asleep = False
        self.celery.tasks["claim_deadlines"]()

    def transaction(self) -> Any:
        """Open a transaction at the present time."""
        return transaction(self.engine, self.config, self.now)

    def reply(self, mail: Arrived, sender: str, text: str) -> int:
        """Answer a mail as a mail program does; returns the service's answer."""
        answer = EmailMessage()
        answer["From"] = sender
        answer["To"] = to = mail.message["Reply-To"].addresses[0].addr_spec
        answer["Subject"] = f"Re: {mail.message['Subject']}"
        answer["Message-ID"] = f"<{next(self._numbers)}.{self.now.timestamp()}@example.org>"
        answer["In-Reply-To"] = mail.message["Message-ID"]
        quoted = "\n".join(f"> {line}".rstrip() for line in mail.text.splitlines()[:12])
        answer.set_content(f"{text}\n\nOn Monday, Slow games <games@games.localhost> wrote:\n{quoted}\n")
        return accept(self.engine, self.config, answer.as_bytes(), to, sender).code

    def write(self, sender: str, to: str, text: str) -> int:
        """Write a mail of one's own to the service; returns its answer."""
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = sender, to, text
        mail["Message-ID"] = f"<{next(self._numbers)}.{self.now.timestamp()}@example.org>"
        mail.set_content(f"{text}\n")
        return accept(self.engine, self.config, mail.as_bytes(), to, sender).code

    def arrivals(self) -> Iterator[tuple[str, Arrived]]:
        """Yield the mails that came since the last call, with their recipients."""
        known = {notice.message_id: notice for notice in self.sent}
        self.sent.clear()
        for recipient in sorted({notice.recipient for notice in known.values()}):
            for name, raw in sorted(self._taken_out(recipient)):
                self.mails += 1
                notice = known.get(name)
                if notice is not None and notice.match_id:
                    message = email.message_from_bytes(raw, policy=email.policy.default)
                    yield recipient, Arrived(notice.kind, notice.match_id, notice.ply or 0, message)

    def _taken_out(self, recipient: str) -> Iterator[tuple[str, bytes]]:
        """Take the mails out of a mailbox, each with its Message-ID: in which order they were sent is chance."""
        for path in (maildir_path(self.folder, recipient) / "new").iterdir():
            raw = path.read_bytes()
            path.unlink()
            yield str(email.message_from_bytes(raw)["Message-ID"]), raw

    def _named(self, task: str, arguments: tuple[Any, ...]) -> None:
        if (task, arguments) not in self._tasks:
            self._tasks.append((task, arguments))

    def _due(self) -> datetime | None:
        """Return when the service next has something to do."""
        moments: Any = union_all(
            select(func.min(Deadline.next_action_at)),
            select(func.min(OutboxMessage.due_at)).where(OutboxMessage.state == OutboxState.PENDING),
            select(func.min(Submission.hold_until)).where(Submission.status == SubmissionStatus.PENDING),
        )
        with self.transaction() as ctx:
            return min(filter(None, ctx.session.scalars(moments)), default=None)

    def _serve(self, *, beats: bool) -> None:
        """Do all that the service has to do now: what it was hinted at, and what its beat finds."""
        if beats:
            with self.transaction() as ctx:
                _stayed_awake(ctx)
            self.celery.tasks["claim_deadlines"]()
            self.celery.tasks["sweep"]()
        while self._tasks:
            named, self._tasks = [*self._tasks], deque()
            for task, arguments in merge_tasks(named):
                self.celery.tasks[task](*arguments)
        if self._marked:
            with self.transaction() as ctx:
                self.sent += ctx.session.scalars(select(OutboxMessage).where(OutboxMessage.id.in_(self._marked)))
            self._marked.clear()

    def _append(self, ctx: Context, match: Match, what: str, *, seat: int | None, **more: Any) -> EventEntry:
        if what == "timed_out" and seat:
            self.lost.append((match.id, seat))
        return append_event(ctx, match, what, seat=seat, **more)

    def _mark(self, connection: Any, message: OutboxMessage, *given: Any) -> None:
        mark_sent(connection, message, *given)
        self._marked.append(message.id)

    def _listen(self) -> None:
        """Hear of mails that were sent and of times that ran out, as they are written."""

        # Mails that are no ordinary ones are marked by their rows.
        def settled(notice: OutboxMessage, state: str, *_: object) -> None:
            if state == "sent":
                self.sent.append(notice)

        def ran_out(row: Deadline, phase: DeadlinePhase, *_: object) -> None:
            if phase in {DeadlinePhase.GRACE, DeadlinePhase.WAITING}:
                self.late.append(row)

        event.listen(OutboxMessage.state, "set", settled)
        event.listen(Deadline.phase, "set", ran_out)


def _stayed_awake(ctx: Context) -> None:
    """Write down that the clock has beaten up to now, as it does every few seconds where nothing happens."""
    ctx.session.merge(Heartbeat(part=outages.CLOCK_HEARTBEAT, seen_at=ctx.now))
