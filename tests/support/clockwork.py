"""Another time than the present, for this process: what is done within it happens then."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING
from unittest.mock import patch

from emails.parsing.reader import read
from pbem.db.models import Pulse
from pbem.play.upkeep import deadline_tasks, outages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from tests.support.house import House


@contextmanager
def at(moment: datetime) -> Iterator[None]:
    """Let it be another time."""
    with patch("pbem.play.core.context.present", lambda: moment):
        yield


def tick(house: House, moment: datetime) -> int:
    """Let the clock do all that is due at a moment, up to which it was awake; returns how much that was."""
    with house.table(moment) as table:
        table.session.merge(Pulse(part=outages.PART, at=moment))
    return act(house, moment)


def act(house: House, moment: datetime) -> int:
    """Let the clock do all that is due at a moment, as the worker's tasks do, and have the mails sent."""
    with at(moment):
        with house.table() as table:
            outages.wake(table)
        claimed, found = 0, -1
        while found:
            with house.table() as table:
                found = deadline_tasks.claim(table)
            claimed += found
            for match_id in house.match_ids() if found else ():
                with house.table() as table:
                    deadline_tasks.act(table, match_id, read)
        house.deliver()
        return claimed
