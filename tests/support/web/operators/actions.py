"""What tests of acting share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.support.house import House


def begun(house: House) -> str:
    """Begin a match that has a clock."""
    match_id = house.make("martian-whist", 2, {}, clock="3 days")
    for name in ("Ann", "Bob"):
        house.reply(house.only(name), "yes")
    return match_id
