"""Batches concurrent calls: while one batch runs, the next one accumulates.

Callers that were answered together soon call again, so a batch waits briefly until it is as large as the last one.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Request = TypeVar("Request")
Result = TypeVar("Result")

MAX_BATCH_SIZE = 16
"""Maximum calls per batch: mails may be large."""
SLOW_BATCH_SECONDS = 0.1
"""Seconds after which a running batch no longer delays the next one: it waits for something of its own."""
MAX_CONCURRENT_BATCHES = 2
"""Maximum batches that run at the same time."""
GATHER_SECONDS = 0.005
"""Seconds that a batch waits for the callers of the last one."""
LOOP_ITERATIONS = 3
"""Iterations of the event loop before a batch starts, in which all pending calls are collected."""


class Batcher(Generic[Request, Result]):
    """Runs a function in a thread for many callers at once: the higher the load, the less each call costs.

    A single caller waits for nobody.
    """

    def __init__(self, act: Callable[[Sequence[Request]], Sequence[Result]]) -> None:
        self._act = act
        self._waiting: list[tuple[Request, asyncio.Future[Result]]] = []
        self._last = 0
        self._pause: asyncio.TimerHandle | None = None
        self._under_way: set[asyncio.Task[None]] = set()
        self._holding_up: set[asyncio.Task[None]] = set()

    async def submit(self, what: Request) -> Result:
        """Return the function's result for one argument."""
        answer: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting.append((what, answer))
        self._gather()
        return await answer

    def _gather(self, turns: int = LOOP_ITERATIONS) -> None:
        """Start a batch once all pending calls are collected: at once if it reaches the last size, else later."""
        if turns:
            asyncio.get_running_loop().call_soon(self._gather, turns - 1)
        elif len(self._waiting) >= self._last:
            self._start_batch()
        elif not self._pause:
            self._pause = asyncio.get_running_loop().call_later(GATHER_SECONDS, self._start_batch)

    def _start_batch(self) -> None:
        if self._pause:
            self._pause.cancel()
            self._pause = None
        if not self._waiting or self._holding_up or len(self._under_way) == MAX_CONCURRENT_BATCHES:
            return
        now, self._waiting = self._waiting[:MAX_BATCH_SIZE], self._waiting[MAX_BATCH_SIZE:]
        self._last = len(now)
        go = asyncio.create_task(self._run_batch(now))
        self._under_way.add(go)
        self._holding_up.add(go)
        patience = asyncio.get_running_loop().call_later(SLOW_BATCH_SECONDS, self._unblock, go)
        go.add_done_callback(lambda _: patience.cancel())
        go.add_done_callback(self._under_way.discard)
        go.add_done_callback(self._unblock)

    def _unblock(self, go: asyncio.Task[None]) -> None:
        self._holding_up.discard(go)
        self._gather()

    async def _run_batch(self, now: Sequence[tuple[Request, asyncio.Future[Result]]]) -> None:
        try:
            answers = await asyncio.to_thread(self._act, [what for what, _answer in now])
        except Exception as fault:  # noqa: BLE001 -- passed on to the callers
            for _what, answer in now:
                if not answer.done():
                    answer.set_exception(fault)
        else:
            for (_what, answer), found in zip(now, answers, strict=True):
                # A caller may have been cancelled meanwhile.
                if not answer.done():
                    answer.set_result(found)
