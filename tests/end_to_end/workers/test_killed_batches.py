"""A worker that is killed while it works on several matches: none loses its move, and one mail at most goes twice."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from pbem.db.models import OutboxMessage
from pbem.states import OutboxState
from tests.support.crashing import AFTER_COMMIT, AFTER_MARKING, AFTER_SENDING, BEFORE_COMMIT, Crash, crash
from tests.support.house import NAMES
from tests.support.workers.turns import Turn, judge, patient, statuses, transactions

if TYPE_CHECKING:
    from tests.support.house import House

__all__ = ["patient"]

MATCHES = 3
PLAYERS = NAMES[:2]


def begin_with_moves(house: House) -> list[Turn]:
    """Begin some matches whose mails are sent, each with a move that waits to be judged."""
    turns = []
    for _ in range(MATCHES):
        match = house.start_match("martian-whist", 2)
        (seat,) = house.match(match).to_move
        turns.append(Turn(match, house.last(NAMES[seat - 1])))
        turns[-1].send(house, house.legal(match, seat)[0])
    for name in PLAYERS:
        house.mails(name)
    return turns


def receive(house: House) -> Counter[str]:
    """Deliver all mails, and return how often each came."""
    return Counter(str(mail.headers["Message-ID"]) for name in PLAYERS for mail in house.mails(name))


@pytest.mark.parametrize(("when", "status"), [(BEFORE_COMMIT, "pending"), (AFTER_COMMIT, "played")])
def test_a_worker_that_is_killed_within_a_batch_has_judged_all_of_it_or_nothing(
    house: House, when: str, status: str
) -> None:
    turns = begin_with_moves(house)
    crash(house.engine, house.config, Crash("batch", when, tuple(turn.match for turn in turns)))
    assert {*statuses(house).values()} == {status}
    judge(house, turns)
    assert {*statuses(house).values()} == {"played"}
    assert len(transactions(house)) == MATCHES
    mails = receive(house)
    assert len(mails) >= MATCHES
    assert {*mails.values()} == {1}


@pytest.mark.parametrize(("when", "repeated"), [(AFTER_SENDING, 1), (AFTER_MARKING, 0)])
def test_a_worker_that_is_killed_while_it_sends_repeats_only_the_mail_on_the_wire(
    house: House, when: str, repeated: int
) -> None:
    judge(house, begin_with_moves(house))
    owed = select(OutboxMessage.shard, func.count()).where(OutboxMessage.state == OutboxState.PENDING)
    by_shard = dict(map(tuple, house.rows(owed.group_by(OutboxMessage.shard))))
    shard = max(by_shard, key=by_shard.__getitem__)
    assert by_shard[shard] >= MATCHES
    crash(house.engine, house.config, Crash("relay", when, (shard,), sent=MATCHES - 1))
    mails = receive(house)
    assert len(mails) == sum(by_shard.values())
    assert sum(mails.values()) == len(mails) + repeated
