"""Whoever tries out tokens learns nothing: unknown, renewed, expired and foreign ones are answered alike."""

from __future__ import annotations

import statistics
import sys
import time
from typing import TYPE_CHECKING

from tests.support.emails.inbound.recipients import check_recipient
from tests.support.web.common.unknown import dead, mailbox

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import pytest

    from tests.support.house import House
    from tests.support.pages import Visitor

__all__ = ["dead"]

TIMES = 2000


def medians(ask: Callable[[str], object], tokens: Mapping[str, str]) -> dict[str, float]:
    """Ask in turn, so that what else the machine does falls on all alike."""
    times: dict[str, list[float]] = {why: [] for why in tokens}
    for _ in range(TIMES):
        for why, token in tokens.items():
            begun = time.perf_counter()
            ask(token)
            times[why].append(time.perf_counter() - begun)
    return {why: statistics.median(each) for why, each in times.items()}


def test_how_long_the_answers_take(
    local: House, site: Visitor, dead: Mapping[str, tuple[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    """Prints how long those that were given out once take beside those that never were; holds no time."""
    ways: dict[str, tuple[int, Callable[[str], object]]] = {
        "RCPT": (1, lambda token: check_recipient(local.engine, local.config, mailbox(token)).code),
        "page": (0, lambda token: site.client.get(f"/m/{token}").status_code),
        "API": (0, lambda token: site.client.get(f"/api/seats/{token}").status_code),
    }
    for way, (which, ask) in ways.items():
        assert {ask(tokens[which]) for tokens in dead.values()} == {550 if way == "RCPT" else 404}
        took = medians(ask, {why: tokens[which] for why, tokens in dead.items()})
        ratios = ", ".join(f"{why} {each / took['never issued']:.2f}" for why, each in took.items())
        with capsys.disabled():
            sys.stdout.write(f"\n{way}, medians of {TIMES}, beside never issued: {ratios}\n")
