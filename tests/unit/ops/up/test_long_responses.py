"""Responses that last for minutes take no thread from the others, and end when their process must stop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.ops.up import long_responses
from pbem.ops.up.long_responses import LongResponses

if TYPE_CHECKING:
    from collections.abc import Callable

THREADS = 8


def test_each_response_has_a_thread_of_its_own_until_it_has_finished() -> None:
    sizes: list[int] = []
    lasting = LongResponses(sizes.append, THREADS)
    first, second = lasting.begin(list), lasting.begin(list)
    first()
    first()
    second()
    assert sizes == [THREADS + 1, THREADS + 2, THREADS + 1, THREADS]


def test_all_end_when_the_process_stops_also_one_that_begins_then() -> None:
    sizes: list[int] = []
    ended: list[str] = []
    lasting = LongResponses(sizes.append, THREADS)
    finish = lasting.begin(lambda: ended.append("first"))
    lasting.end_all()
    lasting.begin(lambda: ended.append("late"))
    finish()
    assert ended == ["first", "late"]
    # The threads of a server that stops are not started again.
    assert sizes == [THREADS + 1]


def test_a_request_finds_the_responses_of_its_process() -> None:
    sizes: list[int] = []
    found: list[Callable[[], None]] = []

    def application(environ: Any, _start: Any) -> list[bytes]:
        found.append(long_responses.begin(environ, list))
        return []

    long_responses.allow(application, LongResponses(sizes.append, THREADS))({}, lambda *_: list.append)  # type: ignore[arg-type]
    application({}, None)
    for finish in found:
        finish()
    assert sizes == [THREADS + 1, THREADS]
