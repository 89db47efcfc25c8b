"""What robots think about: run one by one in this process, and outside of any transaction.

Analyses of finished matches are made while no robot is to move, and chunk by chunk: a task takes seconds only.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from pbem.play.analysis import chunks
from pbem.play.core.context import transaction
from pbem.play.upkeep import thinking

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Engine

    from pbem.config import Config
    from pbem.play.upkeep.thinking import Assignment

    Ask = Callable[[dict[str, Any]], dict[str, Any] | None]
    """Return a thinker's answer to a request, or None if it ended without one."""


class Thinking:
    """Runs the thoughts that wait, one at a time; `ask` is where the thinking is done. A second call returns at once.

    What is not finished when the process ends is claimed again, and what is not finished in time is played without.
    """

    def __init__(self, engine: Engine, config: Config, ask: Ask) -> None:
        self._engine = engine
        self._config = config
        self._ask = ask
        self._is_wanted = threading.Event()
        self._is_thinking = threading.Lock()

    def __call__(self) -> None:
        """Run all thoughts that wait, and then a chunk of an analysis, unless another thread does."""
        self._is_wanted.set()
        # What is wanted after the last claim, but before the lock is free, is run in another round.
        while self._is_wanted.is_set() and self._is_thinking.acquire(blocking=False):
            try:
                self._is_wanted.clear()
                while assignment := self._claim():
                    self._think(assignment)
                self._analyse_next()
            finally:
                self._is_thinking.release()

    def _claim(self) -> Assignment | None:
        with transaction(self._engine, self._config) as ctx:
            return thinking.claim(ctx)

    def _think(self, assignment: Assignment) -> None:
        answer = self._ask(assignment.request)
        if answer is not None:
            with transaction(self._engine, self._config) as ctx:
                thinking.finish(ctx, assignment, answer["move"], answer["playouts"], answer["tried"])

    def _analyse_next(self) -> None:
        """Make the next chunk of an analysis; the task is enqueued again for the one after it."""
        with transaction(self._engine, self._config) as ctx:
            chunk = chunks.claim(ctx)
        if chunk is None:
            return
        answer = self._ask(chunk.request)
        with transaction(self._engine, self._config) as ctx:
            if answer is None:
                chunks.fail(ctx, chunk)
            else:
                chunks.store(ctx, chunk, answer)
