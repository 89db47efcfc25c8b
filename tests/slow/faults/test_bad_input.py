"""Many matches move at the same time: one is poisoned, one is slow, workers are killed, and all others go on."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select, text

from pbem.db.models import LogEntry, Match, OutboxMessage, Submission
from pbem.play.core.context import transaction
from pbem.play.inbox.judge import MAX_ATTEMPTS
from pbem.play.lifecycle import acceptance
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.states import OutboxState, SubmissionStatus
from tests.faults.installation import installation
from tests.faults.points import Fault
from tests.support.creating import create_match
from tests.support.live_service import address, token_in, until

if TYPE_CHECKING:
    from email.message import EmailMessage
    from pathlib import Path

    from tests.faults.installation import Installation

MATCHES = 64
ROUNDS = 2
SENDERS = 8
SECONDS = 300
POLL_SECONDS = 0.5
TROUBLE = """
    CREATE FUNCTION make_trouble() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.match_id = '{poisoned}' THEN RAISE EXCEPTION 'poisoned' USING ERRCODE = '22023'; END IF;
        PERFORM pg_sleep(1);
        RETURN NEW;
    END $$;
    CREATE TRIGGER make_trouble BEFORE INSERT ON log_entries FOR EACH ROW
        WHEN (NEW.match_id IN ('{poisoned}', '{slow}')) EXECUTE FUNCTION make_trouble()
"""
"""The database refuses all moves of a match, and takes a second for each of another."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Who is to move in a match, and the mail that asks them."""

    match: str
    name: str
    mail: EmailMessage


@dataclass(frozen=True, slots=True)
class Matches:
    """The matches of an installation, each of two people who play in no other."""

    here: Installation

    def rows(self, statement: Any) -> list[Any]:
        with self.here.engine.connect() as connection:
            return list(connection.execute(statement).all())

    def begin(self, number: int) -> str:
        guests = [Invitee(name.title(), address(f"{name}.{number}")) for name in ("ann", "bob")]
        with transaction(self.here.engine, self.here.config) as ctx:
            made: str = create_match(ctx, "martian-whist", {"sets": 2}, guests).id
        with transaction(self.here.engine, self.here.config) as ctx:
            match = lock_match(ctx, made)
            for holder in holders(ctx, match):
                acceptance.accept(ctx, match, holder, "")
        return made

    def plies(self) -> dict[str, int]:
        return dict(map(tuple, self.rows(select(Match.id, Match.ply))))

    def turns(self) -> dict[str, Turn]:
        """Return the turn of each match for which the mail has come."""
        came = {one.message_id: one for one in list(self.here.mails.arrivals)}
        asks = select(Match.id, OutboxMessage.message_id).join(OutboxMessage, OutboxMessage.match_id == Match.id)
        asks = asks.where(OutboxMessage.kind == "turn", OutboxMessage.ply == Match.ply)
        mails = {match: came[name] for match, name in self.rows(asks) if name in came}
        return {match: Turn(match, one.recipient.partition("@")[0], one.mail) for match, one in mails.items()}

    def are_asked(self, names: set[str]) -> bool:
        return self.turns().keys() >= names and self.is_idle()

    def have_moved(self, names: set[str], before: dict[str, int]) -> bool:
        plies = self.plies()
        return all(plies[name] > before[name] for name in names)

    def send_move(self, turn: Turn) -> str:
        """Answer the mail of a turn with a move, and return it."""
        move: str = self.here.running.ask(f"/api/seats/{token_in(turn.mail)}")[1]["moves"][0]
        assert self.here.running.reply(turn.name, turn.mail, move, SECONDS)
        return move

    def is_idle(self) -> bool:
        pending = select(Submission.id).where(Submission.status == SubmissionStatus.PENDING)
        owed = select(OutboxMessage.id).where(OutboxMessage.state == OutboxState.PENDING)
        return not self.rows(pending.limit(1)) and not self.rows(owed.limit(1))


def test_one_poisoned_and_one_slow_match_and_killed_workers_harm_no_other(short_path: Path) -> None:
    with installation(short_path / "data") as here:
        matches = Matches(here)
        names = [matches.begin(number) for number in range(MATCHES)]
        poisoned, slow, *_others = names
        with here.engine.begin() as connection:
            connection.execute(text(TROUBLE.format(poisoned=poisoned, slow=slow)))
        played: dict[str, list[str]] = {name: [] for name in names}
        for number in range(ROUNDS):
            asked = {name for name in names if number == 0 or name != poisoned}
            until(partial(matches.are_asked, asked), SECONDS, POLL_SECONDS)
            turns, before = [turn for name, turn in matches.turns().items() if name in asked], matches.plies()
            if number == 0:
                here.arm(Fault("worker", "killed", "judge-before-commit"))
                here.arm(Fault("worker", "killed", "relay-after-data"))
            with ThreadPoolExecutor(SENDERS) as senders:
                for turn, move in zip(turns, senders.map(matches.send_move, turns), strict=True):
                    played[turn.match].append(move)
            until(partial(matches.have_moved, asked - {poisoned}, before), SECONDS, POLL_SECONDS)
        until(matches.is_idle, SECONDS, POLL_SECONDS)
        assert here.fired().keys() == {"judge-before-commit", "relay-after-data"}
        assert_each_move_counts_once(matches, {name: moves for name, moves in played.items() if name != poisoned})
        assert_set_aside(matches, poisoned)
        # A worker has a mail on the wire in each of its threads.
        assert max(Counter(one.message_id for one in here.mails.arrivals).values()) <= 2


def assert_each_move_counts_once(matches: Matches, played: dict[str, list[str]]) -> None:
    log = matches.rows(select(LogEntry.match_id, LogEntry.ply, LogEntry.move).order_by(LogEntry.number))
    assert {name: [move for match, _ply, move in log if match == name] for name in played} == played
    statuses = select(Submission.status, func.count()).group_by(Submission.status)
    assert dict(map(tuple, matches.rows(statuses))) == {"played": ROUNDS * (MATCHES - 1), "failed": 1}


def assert_set_aside(matches: Matches, poisoned: str) -> None:
    tried = select(Submission.attempts, Submission.status, Submission.reason).where(Submission.match_id == poisoned)
    ((attempts, status, reason),) = matches.rows(tried)
    assert (attempts, status) == (MAX_ATTEMPTS, "failed")
    assert reason.startswith("The service failed to process this.")
