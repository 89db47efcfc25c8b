"""Doing together what several ask for at the same time: while one go is under way, the next one gathers.

Those who were answered together soon ask again, so that a go waits a little for as many as were in the last one.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Asked = TypeVar("Asked")
Answered = TypeVar("Answered")

AT_ONCE = 16
"""So many are done in one go at the most: mails may be large."""
PATIENCE = 0.1
"""Seconds after which a go holds up nobody any more: it waits for something that the others need not wait for."""
GOES = 2
"""So many goes may be under way at the most."""
PAUSE = 0.005
"""Seconds that a go waits for those who were in the last one."""
TURNS = 3
"""Turns of the loop before a go, in which all are heard who have spoken already."""


class Together(Generic[Asked, Answered]):
    """Has an act done in a thread for all who ask, once for many: the busier it is, the less each costs.

    Whoever asks alone waits for nobody.
    """

    def __init__(self, act: Callable[[Sequence[Asked]], Sequence[Answered]]) -> None:
        self._act = act
        self._waiting: list[tuple[Asked, asyncio.Future[Answered]]] = []
        self._last = 0
        self._pause: asyncio.TimerHandle | None = None
        self._under_way: set[asyncio.Task[None]] = set()
        self._holding_up: set[asyncio.Task[None]] = set()

    async def ask(self, what: Asked) -> Answered:
        """Give the answer to what is asked, once that was done."""
        answer: asyncio.Future[Answered] = asyncio.get_running_loop().create_future()
        self._waiting.append((what, answer))
        self._gather()
        return await answer

    def _gather(self, turns: int = TURNS) -> None:
        """Begin once all that has come is heard: at once where it is as many as last time, else after a pause."""
        if turns:
            asyncio.get_running_loop().call_soon(self._gather, turns - 1)
        elif len(self._waiting) >= self._last:
            self._begin()
        elif not self._pause:
            self._pause = asyncio.get_running_loop().call_later(PAUSE, self._begin)

    def _begin(self) -> None:
        if self._pause:
            self._pause.cancel()
            self._pause = None
        if not self._waiting or self._holding_up or len(self._under_way) == GOES:
            return
        now, self._waiting = self._waiting[:AT_ONCE], self._waiting[AT_ONCE:]
        self._last = len(now)
        go = asyncio.create_task(self._go(now))
        self._under_way.add(go)
        self._holding_up.add(go)
        patience = asyncio.get_running_loop().call_later(PATIENCE, self._let_by, go)
        go.add_done_callback(lambda _: patience.cancel())
        go.add_done_callback(self._under_way.discard)
        go.add_done_callback(self._let_by)

    def _let_by(self, go: asyncio.Task[None]) -> None:
        self._holding_up.discard(go)
        self._gather()

    async def _go(self, now: Sequence[tuple[Asked, asyncio.Future[Answered]]]) -> None:
        try:
            answers = await asyncio.to_thread(self._act, [what for what, _answer in now])
        except Exception as fault:  # noqa: BLE001 -- whoever asked is told
            for _what, answer in now:
                if not answer.done():
                    answer.set_exception(fault)
        else:
            for (_what, answer), found in zip(now, answers, strict=True):
                # Whoever has gone meanwhile waits no more.
                if not answer.done():
                    answer.set_result(found)
