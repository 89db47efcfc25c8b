"""One run: moves at several matches, a fault or two on their way, and what must be true when all is well again."""

from __future__ import annotations

import smtplib
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from email.message import EmailMessage
from itertools import count
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from pbem.db.models import LogEntry, Match, OutboxMessage, Submission
from pbem.play.core.context import transaction
from pbem.play.lifecycle import acceptance
from pbem.play.lifecycle.match_requests import Invitee, robot
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.play.notifications.outbox import SHARD_COUNT
from pbem.robots import Level
from pbem.states import OutboxState, SubmissionStatus
from tests.faults.analyses import Analysed
from tests.faults.installation import patiently
from tests.support.creating import create_match
from tests.support.live_service import text_of, token_in

if TYPE_CHECKING:
    from random import Random

    from tests.faults.installation import Installation
    from tests.faults.points import Fault

MATCHES = 3
"""So many matches are played at the same time, each in a thread of its own."""
MOVES = 2
"""So many moves are played at each of them, before anybody looks whether the fault has happened."""
PROMISED = 30.0
"""Seconds after the last fault in which everything is done."""
PATIENCE = 90.0
"""Seconds after which a run is given up."""
LATE = "all was done only after"
"""What is said of a run that was right and slow begins so."""
MOMENT = 0.1
ANALYSED_MOVES = 4
"""So many moves has the match that is analysed, so that this takes seconds."""
_NUMBERS = count(1)


@dataclass(slots=True)
class Playing:
    """One match: who sits there, and all that was acknowledged."""

    id: str
    people: tuple[str, ...]
    """The address at each seat; a robot that thinks has none."""
    moves: list[tuple[int, int, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Result:
    """How a run went: what happened, in how many seconds all was done, and what is wrong, which should be nothing."""

    faults: tuple[Fault, ...]
    happened: int
    done: float
    moves: int
    repeated: int
    wrong: tuple[str, ...]


@dataclass(slots=True)
class Play:
    """The players of an installation, who answer their mails by mail and by HTTP."""

    here: Installation
    chance: Random
    tables: list[Playing] = field(default_factory=list)
    over: list[Playing] = field(default_factory=list)
    analysed: Analysed | None = None

    def run(self, faults: tuple[Fault, ...]) -> Result:
        """Play moves while faults happen, then check that all is as it should be."""
        try:
            return self._run(faults)
        except TimeoutError as waited:
            return Result(faults, 0, PATIENCE, 0, 0, (str(waited),))
        except Exception as fault:  # noqa: BLE001 -- of the run itself: the others go on
            return Result(faults, 0, PATIENCE, 0, 0, (repr(fault)[:200],))

    def _run(self, faults: tuple[Fault, ...]) -> Result:
        here = self.here
        self.sit_down()
        analysed = self._analysed() if any(fault.point.startswith("analyse") for fault in faults) else None
        until(self.done, "before the run")
        before, cuts = self._count(), here.mails.cuts
        here.forget()
        for fault in faults:
            if fault.point:
                here.arm(fault)
        manners = [fault.deed for fault in faults if not fault.point]
        played = sum(len(table.moves) for table in self.tables)
        points = {fault.point for fault in faults if fault.point}
        last = time.time()
        try:
            if analysed:
                analysed.ask()
            if manners:
                self._misbehave(manners[0])
                last = time.time()
            else:
                self.play()
            for _again in range(5):
                if points <= here.fired().keys():
                    break
                self.play()
            wait(lambda: points <= here.fired().keys(), 8)
        finally:
            here.mails.behave("")
            here.disarm()
        happened = here.fired()
        last = max([last, *happened.values()]) if manners else max(happened.values(), default=last)
        wrong = [f"{point} was not reached" for point in sorted(points - happened.keys())]
        finished = wait(self.done, PATIENCE)
        done = time.time() - last
        # Whoever would play, tell or mail something twice has time to do it.
        time.sleep(self.chance.uniform(0, 1))
        if not finished:
            wrong.append("not everything was done: " + patiently(self._undone))
        elif done > PROMISED:
            wrong.append(f"{LATE} {done:.0f} s")
        again = self._count()
        repeated = sum(again.values()) - len(again) - (sum(before.values()) - len(before))
        # A database that crashes cuts off every relay, each with one mail.
        cut_off = sum(SHARD_COUNT if one.victim == "database" else 1 for one in faults if one.point in happened)
        cut_off += here.mails.cuts - cuts
        if repeated > cut_off or max(again.values()) > 2 + here.mails.cuts:
            wrong.append(f"{repeated} mails were repeated, with {cut_off} relays that were cut off")
        wrong += patiently(self.wrong)
        wrong += analysed.wrong() if analysed else []
        now = sum(len(table.moves) for table in self.tables)
        self._rise()
        return Result(faults, len(happened) + len(manners), done, now - played, repeated, tuple(wrong))

    def _misbehave(self, manner: str) -> None:
        """Play a move at each table while the mail server behaves badly for some seconds."""
        mails, before = self.here.mails, self.here.mails.bad
        mails.behave(manner)
        with ThreadPoolExecutor(1) as beside:
            playing = beside.submit(self.play, 1)
            if manner in {"451", "cuts"}:
                # One mail after the other: who says "later" of each for minutes is asked ever more seldom.
                wait(lambda: mails.bad > before, PATIENCE)
                time.sleep(self.chance.uniform(0, 3))
            else:
                time.sleep(self.chance.uniform(2, 8))
            mails.behave("")
            playing.result()

    # -- playing ------------------------------------------------------------------------------------------------------

    def sit_down(self) -> None:
        while len(self.tables) < MATCHES:
            self.tables.append(self._begin(with_robot=not any("" in table.people for table in self.tables)))

    def _begin(self, *, with_robot: bool) -> Playing:
        number = next(_NUMBERS)
        people = tuple(f"{name}.{number}@example.org" for name in ("ann", "bob"))
        guests = [Invitee(one.partition(".")[0].title(), one) for one in people]
        if with_robot:
            people, guests = (people[0], ""), [guests[0], robot(Level.STRONG)]
        with transaction(self.here.engine, self.here.config) as ctx:
            made = create_match(ctx, "martian-whist", {"sets": 2}, guests).id
        with transaction(self.here.engine, self.here.config) as ctx:
            match = lock_match(ctx, made)
            for holder in holders(ctx, match):
                if not holder.player.is_robot:
                    acceptance.accept(ctx, match, holder, "")
        return Playing(made, people)

    def _analysed(self) -> Analysed:
        """Return the match that is analysed; it is played at first."""
        if self.analysed is None:
            table = self._begin(with_robot=False)
            for _move in range(ANALYSED_MOVES):
                self._move(table, by_mail=False)
            self.analysed = Analysed(self.here, table.id)
            self.analysed.resign()
        return self.analysed

    def _rise(self) -> None:
        for table in [*self.tables]:
            if patiently(lambda table=table: self._state(table))[0] == "over":
                self.tables.remove(table)
                self.over.append(table)

    def play(self, moves: int = MOVES) -> None:
        """Play some moves at every table at once."""
        seeds = [self.chance.random() for _ in self.tables]

        def play(table: Playing, seed: float) -> None:
            for number in range(moves):
                if not self._move(table, by_mail=seed * (number + 1) % 1 < 0.5):
                    return

        with ThreadPoolExecutor(MATCHES) as beside:
            for played in [beside.submit(play, *each) for each in zip(self.tables, seeds, strict=True)]:
                played.result()

    def _move(self, table: Playing, *, by_mail: bool) -> bool:
        """Play the next move of a match, again and again until it is acknowledged; False where it is over."""
        found: list[Any] = []

        def asked() -> bool:
            state, ply, seats = patiently(lambda: self._state(table))
            mail = self._turn(table, seats[0], ply) if seats else None
            found[:] = [state, ply, seats[0] if seats else 0, mail]
            return state == "over" or mail is not None

        until(asked, f"for somebody to be asked at match {table.id}: {found}")
        state, ply, seat, mail = found
        if state == "over":
            return False
        token = token_in(mail)
        view: dict[str, Any] = {}

        def seen() -> bool:
            view.update(self.here.running.ask(f"/api/seats/{token}")[1] or {})
            return "moves" in view

        until(seen, "for a page")
        move = self.chance.choice(view["moves"])
        if by_mail:
            self._mail(table.people[seat - 1], mail, move)
        else:
            self._post(str(token), ply, move)
        table.moves.append((ply, seat, move))

        def judged() -> bool:
            state, now, _seats = patiently(lambda: self._state(table))
            return bool(now != ply or state == "over")

        until(judged, f"for ply {ply}")
        return True

    def _mail(self, sender: str, mail: EmailMessage, move: str) -> None:
        answer = EmailMessage()
        answer["From"], answer["To"] = sender, mail["Reply-To"]
        answer["Message-ID"] = f"<{next(_NUMBERS)}.{time.time_ns()}@example.org>"
        answer["In-Reply-To"] = mail["Message-ID"]
        answer.set_content(f"{move}\n\n" + "".join(f"> {quoted}\n" for quoted in text_of(mail).splitlines()))

        def taken() -> bool:
            try:
                where = "127.0.0.1", self.here.running.smtp_port
                with smtplib.SMTP(*where, local_hostname="localhost", timeout=10) as smtp:
                    smtp.send_message(answer)
            except (OSError, smtplib.SMTPException):
                return False
            return True

        until(taken, "for a mail to be taken")

    def _post(self, token: str, ply: int, move: str) -> None:
        def taken() -> bool:
            status, said = self.here.running.ask(f"/api/seats/{token}/moves", {"ply": ply, "move": move})
            assert status in {0, 202} or status >= 500, said
            return bool(status == 202)

        until(taken, "for a move to be taken")

    def _turn(self, table: Playing, seat: int, ply: int) -> EmailMessage | None:
        """Find the mail that asks a seat for a ply."""
        wanted = patiently(lambda: self._asking(table, seat, ply))
        mails = reversed(self.here.mails.of(table.people[seat - 1]))
        return next((mail for mail in mails if mail["Message-ID"] in wanted), None)

    # -- looking ------------------------------------------------------------------------------------------------------

    def _rows(self, statement: Any) -> list[Any]:
        with self.here.engine.connect() as connection:
            return list(connection.execute(statement).all())

    def _state(self, table: Playing) -> tuple[str, int, list[int]]:
        ((state, ply, seats),) = self._rows(select(Match.state, Match.ply, Match.to_move).where(Match.id == table.id))
        return state, ply, seats if state == "running" else []

    def _asking(self, table: Playing, seat: int, ply: int) -> set[str]:
        asks = select(OutboxMessage.message_id).where(
            OutboxMessage.match_id == table.id, OutboxMessage.ply == ply, OutboxMessage.kind == "turn"
        )
        return {name for (name,) in self._rows(asks.where(OutboxMessage.recipient == table.people[seat - 1]))}

    def _undone(self) -> str:
        """Describe what is still to be done; empty where all is done."""
        pending = self._rows(select(func.count()).where(Submission.status == SubmissionStatus.PENDING))[0][0]
        owed = self._rows(
            select(OutboxMessage.id, OutboxMessage.kind, OutboxMessage.due_at, OutboxMessage.error).where(
                OutboxMessage.state == OutboxState.PENDING
            )
        )
        said = [f"{pending} moves wait"] if pending else []
        said += [f"mails are owed: {owed}"] if owed else []
        for table in self.tables:
            _state, ply, seats = self._state(table)
            said += [f"seat {seat} was not asked for ply {ply}" for seat in seats if not self._turn(table, seat, ply)]
        return "; ".join(said)

    def done(self) -> bool:
        try:
            return self.here.whole() and not self._undone()
        except Exception:  # noqa: BLE001 -- it is looked at again in a moment
            return False

    def _count(self) -> Counter[str]:
        return Counter(one.message_id for one in list(self.here.mails.arrivals))

    def wrong(self) -> list[str]:
        """List what is not as it was acknowledged."""
        wrong = []
        for table in self.tables:
            entries = select(LogEntry.ply, LogEntry.seat, LogEntry.move).where(LogEntry.match_id == table.id)
            rows = self._rows(entries.where(LogEntry.ply.is_not(None)).order_by(LogEntry.number))
            log = [tuple(row) for row in rows if table.people[row[1] - 1]]
            if log != table.moves:
                lost = [move for move in table.moves if move not in log]
                more = [move for move in log if move not in table.moves]
                wrong.append(f"match {table.id}: lost {lost}, played besides {more}")
            if len({ply for ply, _, _ in rows}) != len(rows):
                wrong.append(f"match {table.id}: a ply was played twice")
        states = dict(tuple(row) for row in self._rows(select(OutboxMessage.message_id, OutboxMessage.state)))
        sent = {name for name, state in states.items() if state == "sent"}
        came: dict[str, set[bytes]] = {}
        for one in list(self.here.mails.arrivals):
            came.setdefault(one.message_id, set()).add(one.raw)
        wrong += [f"{name} was marked as sent and never came" for name in sorted(sent - came.keys())]
        # A mark may be lost with the database's last moments: by then the mail may ask for what was done since.
        settled = sent | {name for name, state in states.items() if state == "dropped"}
        wrong += [f"{name} came and is {states.get(name)}" for name in sorted(came.keys() - settled)]
        wrong += [f"{name} came with other words" for name, raws in came.items() if len(raws) > 1]
        return wrong


def until(test: Any, what: str) -> None:
    """Wait for something that must come true."""
    if not wait(test, PATIENCE):
        raise TimeoutError(f"waited {PATIENCE:.0f} s in vain {what}")


def wait(test: Any, seconds: float) -> bool:
    """Wait for something to come true; False where it does not."""
    end = time.monotonic() + seconds
    while not test():
        if time.monotonic() > end:
            return False
        time.sleep(MOMENT)
    return True
