"""What tests of many machines share."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.support.spread import Spread

NAMES = ("Ann", "Bob")


def well(service: Spread) -> bool:
    status, said = service.ask("/readyz")
    return status == 200 and set(said.values()) == {"ok"}


def told_once(service: Spread, match: str, moves: list[tuple[int, str]], crashes: int = 0) -> None:
    """Each move counts once, and each mail comes once, but for those that were on their way in a crash."""
    status, record = service.ask(f"/api/matches/{match}/record")
    assert status == 200
    assert [(entry["seat"], entry["move"]) for entry in record["log"]] == moves
    for name in NAMES:
        came = Counter(str(mail["Message-ID"]) for mail in service.mails(name))
        # One for each crash, and for each reader: the same mail again, known by its Message-ID.
        assert sum(came.values()) - len(came) <= crashes
