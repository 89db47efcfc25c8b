"""A return to an older state while people play and mail keeps coming: nothing counts twice, and every table goes on."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from threading import Event, Thread
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from emails.inbound.accept import accept
from emails.inbound.smtp_replies import OK, TRY_LATER, UNKNOWN_MAILBOX
from pbem.db.models import Deadline, LogEntry, Match, OutboxMessage, Restore
from pbem.db.session import connect
from pbem.games import find
from pbem.games.chain import EventEntry
from pbem.games.verify import verify
from pbem.ops.backup.creation import back_up
from pbem.ops.backup.restore import restore
from pbem.ops.replay_all import replay_all
from pbem.play.archive.records import build_record
from pbem.play.core.context import timestamp
from pbem.states import DeadlinePhase, MatchState
from pbem.task_queue import make_celery_app
from tests.support.clockwork import at
from tests.support.house import NAMES, Mail, address, open_house, reply
from tests.support.live_service import until
from tests.support.ops.backup.backup import KEYS, url_of
from tests.support.play.deadlines.turn_deadlines import begun
from workers.tasks import register_tasks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy import Engine

    from emails.inbound.smtp_replies import SmtpReply
    from pbem.config import Config
    from tests.support.house import House

AT_ONCE = 3
PATIENCE = 600
"""Seconds that something may take on a machine that has much else to do."""
LATER_ON = timedelta(days=20)
TURN = re.compile(r"http://\S+/m/\w+")
STANDS = re.compile(r"The match continues at move (\d+)\.")


class Table:
    """The matches of two people, who answer their mails."""

    def __init__(self, house: House) -> None:
        self.house, self.moves, self.read = house, 0, 0
        self.turns: dict[tuple[str, str], Mail] = {}

    def play(self, stop: Event) -> None:
        """Play, and begin another match for each that is over, until told to stop."""
        while not stop.is_set():
            running = self.running()
            for _ in range(AT_ONCE - len(running)):
                running.append(begun(self.house, "martian-whist", 2, "3 days", {"sets": 2}))
            for match in running:
                self.move(match)

    def running(self) -> list[str]:
        return self.house.all(select(Match.id).where(Match.state == MatchState.RUNNING).order_by(Match.id))

    def move(self, match: str) -> None:
        """Answer the newest mail of whoever is to move."""
        self.collect()
        seat = self.house.match(match).to_move[0]
        self.house.reply(self.turns[match, NAMES[seat - 1]], self.house.legal(match, seat)[0])
        self.moves += 1

    def collect(self) -> None:
        for name in NAMES[:2]:
            self.house.mails(name)
        # Somebody else may have read some of them.
        for mail in self.house.every_mail[self.read :]:
            match = str(mail.message["References"]).removeprefix("<match.").partition(".")[0]
            if TURN.search(mail.text):
                self.turns[match, mail.name] = mail
        self.read = len(self.house.every_mail)


@contextmanager
def beside(work: object, *given: object) -> Iterator[Event]:
    """Run something beside a block, until its end; what goes wrong there fails the test."""
    stop, wrong = Event(), list[BaseException]()

    def run() -> None:
        try:
            work(*given, stop)  # type: ignore[operator]
        except BaseException as fault:  # noqa: BLE001 -- raised below
            wrong.append(fault)

    thread = Thread(target=run)
    thread.start()
    try:
        yield stop
    finally:
        stop.set()
        thread.join()
    if wrong:
        raise wrong[0]


def knock(engine: Engine, config: Config, mail: Mail, said: str, heard: list[SmtpReply], stop: Event) -> None:
    """Send the same mail over and over, as a mail server does that is asked to come later."""
    raw = reply(mail, said).as_bytes()
    while not stop.is_set():
        heard.append(accept(engine, config, raw, mail.reply_to, address(mail.name)))


@dataclass(frozen=True, slots=True)
class Return:
    """A service that was brought back: the tables as they had come on, the older state, what was said to mails."""

    table: Table
    back: House
    accepts: list[SmtpReply] = field(default_factory=list)
    moves: list[SmtpReply] = field(default_factory=list)


@pytest.fixture
def older(house: House, tmp_path: Path, empty: str) -> Iterator[Return]:
    """Two people who have played on after a backup, and the service brought back to it while their mails come."""
    table = Table(house)
    house.make("middle-card", 3)
    invitation = house.only("Cyd")
    with beside(table.play):
        until(lambda: table.moves > 2 * AT_ONCE, PATIENCE)
        assert back_up(tmp_path / "backups", url_of(house), KEYS, []) == 0
        soon = table.moves + 2 * AT_ONCE
        until(lambda: table.moves > soon, PATIENCE)
    table.collect()
    (made,) = (tmp_path / "backups").glob("*.json")
    engine = connect(empty)
    back = open_house(engine, house.folder)
    back.read_already |= house.read_already
    older = Return(table, back)
    old = table.turns[min(table.turns)]
    with (
        beside(knock, engine, back.config, invitation, "accept", older.accepts),
        beside(knock, engine, back.config, old, "take 1", older.moves),
    ):
        until(lambda: older.accepts and older.moves, PATIENCE)
        assert restore(made, empty, KEYS) == 0
        counts = len(older.accepts) + 2, len(older.moves) + 2
        until(lambda: len(older.accepts) > counts[0] and len(older.moves) > counts[1], PATIENCE)
    yield older
    engine.dispose()


def test_nothing_counts_twice_and_every_table_goes_on_to_its_end(older: Return) -> None:
    # At no moment was there half of it: mail had to wait until all was back. Then invitations hold, and no old link.
    assert list(dict.fromkeys(older.accepts)) == [TRY_LATER, OK]
    assert list(dict.fromkeys(older.moves)) == [TRY_LATER, UNKNOWN_MAILBOX]
    table, back = older.table, older.back
    (lost,) = back.all(select(Restore.lost_after))
    assert sum(table.house.match(each).log_length for each in table.house.match_ids()) > len(
        back.all(select(LogEntry.number))
    )
    assert replay_all(back.config) == 0
    after = Table(back)
    running = after.running()
    assert running
    celery = make_celery_app(back.config)
    register_tasks(celery, back.config, back.engine)
    stands = {each: back.match(each).ply for each in running}
    now = datetime.now(UTC) + LATER_ON
    with at(now):
        for _ in range(2):
            celery.tasks["claim_deadlines"]()
        for match in running:
            celery.tasks["run_deadlines"](match)
        celery.close()
        after.collect()
        # No deadline passed for the time in which nobody could move: all have what they had.
        assert back.all(select(LogEntry.event).where(LogEntry.event.is_not(None)).distinct()) == ["restored"]
        assert {*back.all(select(Deadline.phase))} == {DeadlinePhase.RUNNING}
        assert all(due > now for due in back.all(select(Deadline.due_at).where(Deadline.match_id.in_(running))))
        # Each seat has one mail, of where its match stands.
        told = Counter(
            back.rows(
                select(OutboxMessage.match_id, OutboxMessage.recipient, OutboxMessage.state).where(
                    OutboxMessage.kind == "restored"
                )
            )
        )
        assert told == {(each, address(name), "sent"): 1 for each in running for name in NAMES[:2]}
        # A turn's mail that was still to be sent then may be newer.
        stood = {(stands[match], name) for match in running for name in NAMES[:2]}
        assert stood <= {
            (int(at_ply[1]), mail.name) for mail in back.every_mail if (at_ply := STANDS.search(mail.flat))
        }
        old = {mail.token for mail in table.turns.values()}
        assert all(mail.token not in old for mail in after.turns.values())
        for match in running:
            after.move(match)
        while back.match(running[0]).state == MatchState.RUNNING:
            after.move(running[0])
    assert replay_all(back.config) == 0
    with back.transaction() as here:
        found = build_record(here, here.session.get_one(Match, running[0]))
    assert [*verify(found, find)]
    acts = [(entry.event, entry.detail) for entry in found.log if isinstance(entry, EventEntry)]
    assert acts == [("restored", {"after": timestamp(lost)})]
    # No mail is in a mailbox twice, of before and after together.
    sent = Counter(str(mail.message["Message-ID"]) for mail in (*table.house.every_mail, *back.every_mail))
    assert max(sent.values()) == 1
