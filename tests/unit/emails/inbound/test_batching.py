"""Mails that come at the same time are kept together, and each is answered as if it had come alone."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

from emails.inbound.batching import MAX_BATCH_SIZE, MAX_CONCURRENT_BATCHES, Batcher

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pytest


# -- doing things together -----------------------------------------------------------------------------


def test_who_asks_while_a_go_is_under_way_is_answered_by_the_next() -> None:
    goes: list[int] = []
    begun, free = threading.Semaphore(0), threading.Event()

    def act(asked: Sequence[int]) -> list[int]:
        goes.append(len(asked))
        begun.release()
        free.wait(30)
        return [2 * each for each in asked]

    async def ask() -> list[int]:
        together = Batcher(act)
        first = []
        for number in range(MAX_CONCURRENT_BATCHES):
            first.append(asyncio.create_task(together.submit(number)))
            assert await asyncio.to_thread(begun.acquire, timeout=60)
        rest = [
            asyncio.create_task(together.submit(number))
            for number in range(MAX_CONCURRENT_BATCHES, MAX_CONCURRENT_BATCHES + MAX_BATCH_SIZE + 1)
        ]
        await asyncio.sleep(0)
        free.set()
        return await asyncio.gather(*first, *rest)

    assert asyncio.run(ask()) == [2 * number for number in range(MAX_CONCURRENT_BATCHES + MAX_BATCH_SIZE + 1)]
    assert max(goes) == MAX_BATCH_SIZE
    assert sum(goes) == MAX_CONCURRENT_BATCHES + MAX_BATCH_SIZE + 1


def test_one_go_follows_another_where_none_is_held_up() -> None:
    goes: list[int] = []
    under_way = 0

    def act(asked: Sequence[int]) -> list[int]:
        nonlocal under_way
        under_way += 1
        goes.append(under_way)
        under_way -= 1
        return [-each for each in asked]

    async def ask() -> list[int]:
        together = Batcher(act)
        return await asyncio.gather(*map(together.submit, range(MAX_BATCH_SIZE)), together.submit(MAX_BATCH_SIZE))

    assert asyncio.run(ask()) == [-number for number in range(MAX_BATCH_SIZE + 1)]
    assert goes == [1, 1]


def test_those_who_were_answered_together_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    # On a busy machine the second may come back late.
    monkeypatch.setattr("emails.inbound.batching.GATHER_SECONDS", 60)
    goes: list[int] = []

    def act(asked: Sequence[int]) -> list[int]:
        goes.append(len(asked))
        return [*asked]

    async def ask_again(together: Batcher[int, int], number: int) -> int:
        await together.submit(number)
        await asyncio.sleep(number / 100)
        return await together.submit(number)

    async def ask() -> list[int]:
        together = Batcher(act)
        return [*await asyncio.gather(ask_again(together, 0), ask_again(together, 1))]

    assert asyncio.run(ask()) == [0, 1]
    assert goes == [2, 2]


def test_nobody_is_waited_for_who_stays_away() -> None:
    goes: list[int] = []

    def act(asked: Sequence[int]) -> list[int]:
        goes.append(len(asked))
        return [*asked]

    async def ask() -> list[int]:
        together = Batcher(act)
        await asyncio.gather(together.submit(0), together.submit(1))
        return [await together.submit(2), await together.submit(3)]

    assert asyncio.run(ask()) == [2, 3]
    assert goes == [2, 1, 1]


def test_a_fault_is_told_to_all_who_asked_and_not_to_the_next() -> None:
    def act(asked: Sequence[int]) -> list[int]:
        if 0 in asked:
            raise ValueError("nought")
        return [*asked]

    async def ask() -> list[int | BaseException]:
        together = Batcher(act)
        found = await asyncio.gather(together.submit(0), together.submit(0), return_exceptions=True)
        return [*found, await together.submit(1)]

    *faults, one = asyncio.run(ask())
    assert all(isinstance(fault, ValueError) for fault in faults)
    assert one == 1
