"""What one hint names."""

from __future__ import annotations

from typing import Any

from pbem.task_queue import merge_tasks


def test_what_many_are_to_be_told_is_put_together() -> None:
    named: list[tuple[str, tuple[Any, ...]]] = [
        ("judge", (1,)),
        ("relay", (3,)),
        *[("judge", (number,)) for number in range(2, 11)],
        ("relay", (0,)),
    ]
    assert [*merge_tasks(named)] == [
        ("relay", (3,)),
        ("relay", (0,)),
        ("judge", (1, 2, 3, 4, 5, 6, 7, 8)),
        ("judge", (9, 10)),
    ]
