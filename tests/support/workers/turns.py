"""Matches of three in which somebody is to move, and their judging."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, text

from emails.parsing.reader import parse_mail
from pbem.db.models import Submission
from tests.support.house import address, reply
from workers import judging
from workers.judging import Judging

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.support.house import House, Mail


@dataclass(frozen=True)
class Turn:
    """A match of three with somebody's first turn mail."""

    match: str
    mail: Mail

    def send(self, house: House, words: str) -> None:
        assert house.send(reply(self.mail, words).as_bytes(), self.mail.reply_to, address(self.mail.name)).code == 250


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lift the limit of time of a batch, which a busy machine would reach."""
    monkeypatch.setattr(judging, "MAX_SECONDS", 60)


def begin(house: House, count: int) -> list[Turn]:
    """Begin some matches, in the order in which a batch judges them."""
    turns = [Turn(house.start_match("middle-card", 3), house.last("Ann")) for _ in range(count)]
    return sorted(turns, key=lambda turn: turn.match)


def judge(house: House, turns: Sequence[Turn]) -> Judging:
    judging = Judging(house.engine, house.config, parse_mail)
    judging([turn.match for turn in turns])
    return judging


def transactions(house: House) -> list[int]:
    """Return by which transaction each entry of a log was written."""
    return [row[0] for row in house.rows(text("SELECT xmin::text::bigint FROM log_entries"))]


def statuses(house: House) -> dict[str, str]:
    return {row[0]: row[1] for row in house.rows(select(Submission.match_id, Submission.status))}
