"""What tests of talk share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.support.house import House


def begun(house: House, game: str = "martian-whist", seats: int = 2) -> dict[str, str]:
    """Begin a match; gives everybody's newest link."""
    house.start_match(game, seats)
    return {name: house.last(name).token for name in ("Ann", "Bob", "Cyd")[:seats]}
