"""Another time than the present, for this process: what is done within it happens then."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING
from unittest.mock import patch

from emails.parsing.reader import parse_mail
from pbem.db.models import Heartbeat
from pbem.play.upkeep import deadline_tasks, outages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from tests.support.house import House


@contextmanager
def at(moment: datetime) -> Iterator[None]:
    """Set another time."""
    with patch("pbem.play.core.context.system_time", lambda: moment):
        yield


def tick(house: House, moment: datetime) -> int:
    """Do all that is due at a moment, up to which the clock was awake; return how much that was."""
    with house.transaction(moment) as ctx:
        ctx.session.merge(Heartbeat(part=outages.CLOCK_HEARTBEAT, seen_at=moment))
    return act(house, moment)


def act(house: House, moment: datetime) -> int:
    """Do all that is due at a moment, as the worker's tasks do, and send the mails."""
    with at(moment):
        with house.transaction() as ctx:
            outages.record_clock_heartbeat(ctx)
        claimed, found = 0, -1
        while found:
            with house.transaction() as ctx:
                found = deadline_tasks.claim(ctx)
            claimed += found
            for match_id in house.match_ids() if found else ():
                with house.transaction() as ctx:
                    deadline_tasks.run_match(ctx, match_id, parse_mail)
        house.deliver()
        return claimed
