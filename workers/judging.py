"""Judging of the matches that tasks name: those that wait at the same time are judged together."""

from __future__ import annotations

import logging
import threading
import time
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from sqlalchemy.exc import DBAPIError

from pbem.play.core.context import read_only, transaction
from pbem.play.inbox.batch import Outcome, judge_batch
from pbem.play.inbox.judge import judge
from pbem.play.submissions import queue

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from sqlalchemy import Engine

    from emails.parsing.reader import ParsedMail
    from pbem.config import Config

log = logging.getLogger(__name__)

MAX_MATCHES = 16
"""Maximum matches of a batch: enough to be cheap, few enough to hold nobody up."""
MAX_SECONDS = 0.05
"""Seconds of the processor after which a batch takes up no further match."""


class Judging:
    """Judges matches in batches, one at a time in this process; what other threads name meanwhile joins the next batch.

    A single match is judged at once. Whatever was not judged when the process ends is found by the sweeper.
    """

    def __init__(self, engine: Engine, config: Config, read: Callable[[bytes], ParsedMail]) -> None:
        self._engine = engine
        self._config = config
        self._read = read
        self._waiting: dict[str, None] = {}
        self._is_changing = threading.Lock()
        self._is_judging = threading.Lock()

    def __call__(self, matches: Collection[str]) -> None:
        """Judge some matches, and all that are named meanwhile, unless another thread has taken them up.

        A fault at one match affects no other; all are raised in the end.
        """
        self._add(matches)
        faults: list[Exception] = []
        try:
            while outcome := self._judge_batch():
                # A match that is judged alone may have to wait for its lock: other threads go on with the next batch.
                faults += self._judge_each(outcome)
        except DBAPIError:
            # The others would fail too; the sweeper finds them.
            with self._is_changing:
                self._waiting.clear()
            raise
        if faults:
            raise ExceptionGroup("could not judge", faults)

    def _add(self, matches: Collection[str]) -> None:
        with self._is_changing:
            self._waiting |= dict.fromkeys(matches)

    def _take(self) -> list[str]:
        with self._is_changing:
            batch = list(islice(self._waiting, MAX_MATCHES))
            for match in batch:
                del self._waiting[match]
        return batch

    def _judge_batch(self) -> Outcome | None:
        """Judge the ordinary ones of the matches that wait; return None if none wait."""
        with self._is_judging:
            batch = self._take()
            outcome = self._judge_together(batch) if batch else None
        if outcome:
            self._add(outcome.postponed)
        return outcome

    def _judge_each(self, outcome: Outcome) -> list[Exception]:
        """Judge one by one what is not ordinary in a batch, and add what has arrived at it since; return the faults."""
        judged, faults = [*outcome.judged], []
        for match in outcome.extraordinary:
            try:
                if self._judge_alone(match):
                    judged.append(match)
            except Exception as fault:
                if _is_database_away(fault):
                    raise
                faults.append(fault)
        if judged:
            # More may have arrived before the commit.
            with read_only(self._engine, self._config) as ctx:
                self._add(queue.having_due(ctx, judged))
        return faults

    def _judge_together(self, matches: Sequence[str]) -> Outcome:
        """Judge the ordinary ones of some matches in one transaction; none if that fails."""
        until = time.thread_time() + MAX_SECONDS
        try:
            with transaction(self._engine, self._config) as ctx:
                return judge_batch(ctx, matches, cache(self._read), lambda: time.thread_time() < until)
        except Exception:
            log.warning("a batch could not be judged, and each of its matches is judged alone", exc_info=True)
            return Outcome((), tuple(matches))

    def _judge_alone(self, match: str) -> int:
        with transaction(self._engine, self._config) as ctx:
            return judge(ctx, match, self._read)


def _is_database_away(fault: Exception) -> bool:
    """Return whether a fault would occur at every match, unlike a deadlock or a row that the database refuses."""
    return isinstance(fault, DBAPIError) and (
        fault.connection_invalidated or getattr(fault.orig, "sqlstate", None) is None
    )
