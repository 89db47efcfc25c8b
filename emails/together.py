"""Doing together what several ask for at the same time: while one go is under way, the next one gathers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Asked = TypeVar("Asked")
Answered = TypeVar("Answered")

AT_ONCE = 16
"""So many are done in one go at the most: mails may be large."""
GOES = 2
"""So many goes may be under way, so that one that waits for something does not hold up all others."""


class Together(Generic[Asked, Answered]):
    """Has an act done in a thread for all who ask, once for many: the busier it is, the less each costs.

    Whoever asks alone waits for nobody.
    """

    def __init__(self, act: Callable[[Sequence[Asked]], Sequence[Answered]]) -> None:
        self._act = act
        self._waiting: list[tuple[Asked, asyncio.Future[Answered]]] = []
        self._at_work: set[asyncio.Task[None]] = set()

    async def ask(self, what: Asked) -> Answered:
        """Give the answer to what is asked, once that was done."""
        answer: asyncio.Future[Answered] = asyncio.get_running_loop().create_future()
        self._waiting.append((what, answer))
        if len(self._at_work) < GOES:
            self._at_work.add(task := asyncio.create_task(self._run()))
            task.add_done_callback(self._at_work.discard)
        return await answer

    async def _run(self) -> None:
        while self._waiting:
            now, self._waiting = self._waiting[:AT_ONCE], self._waiting[AT_ONCE:]
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
