"""What tests of crashes share."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from emails.outbound.relay import deliver_shard
from emails.parsing.reader import parse_mail
from pbem.db.models import LogEntry, Match, OutboxMessage, ServiceMail
from pbem.db.session import set_task_sender
from pbem.play.inbox import service_mail
from pbem.play.inbox.service_mail import PROCESS_TASK
from pbem.play.notifications.outbox import RELAY_TASK
from pbem.play.submissions.queue import JUDGE_TASK
from pbem.play.upkeep import sweeper
from pbem.states import MatchState, OutboxState, ServiceMailStatus
from tests.support.crashing import Crash, crash
from tests.support.house import NAMES, Mail, address, reply

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.house import House
LATER = timedelta(minutes=1)
TURN_LINK = re.compile(r"http://\S+/m/\w+")
NONCE = re.compile(r'name="nonce" value="([^"]+)"')


@dataclass(slots=True)
class Tables:
    """Matches that are played one move a run, each move with one crash on its way."""

    house: House
    match: str = ""
    repeated: int = 0
    letters: int = 0
    turns: dict[str, Mail] = field(default_factory=dict)

    def run(self, who: str, when: str) -> None:
        """Play one move, or begin one match by mail, through a crash, and check that it counts once."""
        if who == "letter":
            self.open_one(when)
        else:
            self.play_one(who, when)

    def play_one(self, who: str, when: str) -> None:
        house = self.house
        if not self.match or house.match(self.match).state == MatchState.OVER:
            self.match = house.start_match("martian-whist", 2, {"sets": 2})
            self.collect()
        match = house.match(self.match)
        seat = match.to_move[0]
        turn = self.turns[NAMES[seat - 1]]
        move = house.legal(self.match, seat)[0]
        raw = reply(turn, move).as_bytes()
        envelope = raw, turn.reply_to, address(turn.name)
        plies = self.plies()
        if who == "page":
            # Whoever saw no answer presses the button once more.
            given = self.form(turn, move)
            crash(house.engine, house.config, Crash(who, when, given))
            self.press(given)
        elif who == "door":
            # Whoever heard no 250 sends the mail once more.
            crash(house.engine, house.config, Crash(who, when, envelope))
            assert house.send(*envelope).code == 250
        else:
            assert house.send(*envelope).code == 250
            if who == "relay":
                house.judge(self.match)
                (shard, *_) = house.all(
                    select(OutboxMessage.shard)
                    .where(OutboxMessage.state == OutboxState.PENDING)
                    .order_by(OutboxMessage.id)
                )
                crash(house.engine, house.config, Crash(who, when, (shard,)))
            else:
                crash(house.engine, house.config, Crash(who, when, (self.match,) if who in {"judge", "batch"} else ()))
        self.recover()
        assert self.plies() == [*plies, (plies[-1][0] + 1 if plies else 1, move)]
        self.collect()
        after = house.match(self.match)
        for number in after.to_move:
            assert house.legal(self.match, number)
            assert self.turns[NAMES[number - 1]] is not turn, "nobody was told that it is their turn"

    def open_one(self, when: str) -> None:
        house = self.house
        known = house.match_ids()
        self.letters += 1
        # Each in turn, since nobody may begin matches by mail without end.
        sender, to = address(NAMES[self.letters % 2]), house.config.service_address
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Message-ID"] = sender, to, f"<letter.{self.letters}@example.org>"
        mail.set_content("new minimax\n")
        assert house.send(mail.as_bytes(), to, sender).code == 250
        (number,) = house.all(select(ServiceMail.id).where(ServiceMail.status == ServiceMailStatus.PENDING))
        crash(house.engine, house.config, Crash("letter", when, (number,)))
        self.recover()
        (made,) = set(house.match_ids()) - set(known)
        assert house.match(made).game == "minimax"
        self.collect()

    def recover(self) -> None:
        """Do what the sweep finds to be done, some time later."""
        house = self.house
        wanted: list[tuple[str, tuple[Any, ...]]] = [("", ())]
        set_task_sender(lambda task, arguments: wanted.append((task, arguments)))
        try:
            while wanted:
                wanted.clear()
                with house.transaction(datetime.now(UTC) + LATER) as ctx:
                    sweeper.sweep(ctx)
                for task, arguments in [*wanted]:
                    if task == JUDGE_TASK:
                        house.judge(*arguments)
                    elif task == PROCESS_TASK:
                        with house.transaction() as ctx:
                            service_mail.process(ctx, arguments[0], parse_mail)
                    elif task == RELAY_TASK:
                        deliver_shard(house.engine, house.config, *arguments)
        finally:
            set_task_sender(lambda _task, _arguments: None)

    def collect(self) -> None:
        """Read everybody's new mail: at most one came twice since the last time, and it is the same mail."""
        again = 0
        for name in NAMES[:2]:
            mails = self.house.mails(name)
            seen = Counter(str(mail.message["Message-ID"]) for mail in mails)
            again += sum(seen.values()) - len(seen)
            assert len({(str(mail.message["Message-ID"]), mail.text) for mail in mails}) == len(seen)
            told = Counter((mail.message["In-Reply-To"], mail.text) for mail in mails if mail.message["In-Reply-To"])
            assert all(count <= 2 for count in told.values())
            for mail in mails:
                if self.match in str(mail.message["References"]) and TURN_LINK.search(mail.text):
                    self.turns[name] = mail
        assert again <= 1
        self.repeated += again

    def plies(self) -> list[tuple[int, str]]:
        rows = select(LogEntry.ply, LogEntry.move).where(LogEntry.match_id == self.match, LogEntry.ply.is_not(None))
        return [(ply, move) for ply, move in self.house.rows(rows.order_by(LogEntry.number))]

    def form(self, turn: Mail, move: str) -> tuple[str, dict[str, str]]:
        link = TURN_LINK.search(turn.text)
        assert link is not None
        path = link[0].removeprefix(self.house.config.base_url)
        found = NONCE.search(self.client().get(path, query_string={"move": move}).text)
        assert found is not None
        with self.house.transaction() as ctx:
            ply = ctx.session.get_one(Match, self.match).ply
        return path, {"nonce": found[1], "ply": str(ply), "move": move}

    def press(self, given: tuple[str, dict[str, str]]) -> None:
        path, form = given
        assert self.client().post(path, data=form).status_code == 303

    def client(self) -> Any:
        from pbem.web import create_app  # noqa: PLC0415 -- only where a page is asked for

        app = create_app(self.house.config, self.house.engine)
        app.config["SERVER_NAME"] = self.house.config.base_url.partition("//")[2]
        return app.test_client()


@pytest.fixture
def tables(house: House) -> Iterator[Tables]:
    yield Tables(house)
    set_task_sender(lambda _task, _arguments: None)
