"""What one hint names."""

from __future__ import annotations

from typing import Any

from pbem.task_queue import MAX_BATCH_INTERVAL_SECONDS, batch_interval, merge_tasks


def test_what_many_are_to_be_told_is_put_together() -> None:
    named: list[tuple[str, tuple[Any, ...]]] = [
        ("judge_submissions", (1,)),
        ("deliver_mail", (3,)),
        *[("judge_submissions", (number,)) for number in range(2, 11)],
        ("deliver_mail", (0,)),
    ]
    assert [*merge_tasks(named)] == [
        ("deliver_mail", (3,)),
        ("deliver_mail", (0,)),
        ("judge_submissions", (1, 2, 3, 4, 5, 6, 7, 8)),
        ("judge_submissions", (9, 10)),
    ]


def test_the_more_came_together_the_longer_the_next_gather_but_never_long() -> None:
    waits = [batch_interval(sent) for sent in range(1, 20)]
    assert waits == sorted(waits)
    assert waits[0] < waits[1] < waits[-1] == MAX_BATCH_INTERVAL_SECONDS
