"""One text in every form that a mail program may give it, and mails broken at random: the same result, no exception."""

from __future__ import annotations

import resource

from tests.support.emails.parsing.forms import MACHINES, MAILS, break_mails, moves


def test_many_broken_mails_are_read_without_an_exception() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    took, _ = break_mails(MAILS, 50_000, seed=2)
    more, typed = break_mails(MACHINES, 50_000, seed=4)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    took = sorted(took + more)
    print(f"{len(took)} broken mails: p99 {took[-len(took) // 100] * 1000:.1f} ms, longest {took[-1] * 1000:.0f} ms")  # noqa: T201
    print(f"memory grew by {grown:.0f} MB")  # noqa: T201 (a figure)
    assert moves(typed) == []
