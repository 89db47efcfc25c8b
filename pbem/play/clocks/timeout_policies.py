"""Terms: what a match says of time and of who may join, agreed on when it is made and told before anybody accepts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.i18n import _, marked
from pbem.play.clocks import time_controls

if TYPE_CHECKING:
    from collections.abc import Mapping

LOSS, SUBSTITUTE, VOTE = "loss", "substitute", "vote"
ON_TIME: Mapping[str, str] = {
    LOSS: marked("Whoever runs out of time has lost."),
    SUBSTITUTE: marked(
        "Whoever runs out of time has a day more; then somebody else may take the seat, or the robot does."
    ),
    VOTE: marked("Nobody loses on time: whoever runs out of it has a day more, then the others decide what happens."),
}
"""What may happen to a seat whose time has run out, by the key that matches keep, as a form offers it."""
RELIABLE: Mapping[int, str] = {
    75: marked("Open seats are for those who play at least 3 of 4 matches to their end, and for whoever is new here."),
    90: marked("Open seats are for those who play at least 9 of 10 matches to their end, and for whoever is new here."),
}
"""How many of a hundred matches somebody must play to their end to take an open seat, where that is asked for."""


def usual(open_seats: int) -> str:
    """Give what happens on time unless it is said: friends decide, strangers are replaced."""
    return SUBSTITUTE if open_seats else VOTE


def said(clock: str, key: str) -> str:
    """Say how a match is timed, and what happens on time."""
    return f"{time_controls.about(clock)}. {on_time(clock, key)}".strip()


def on_time(clock: str, key: str) -> str:
    """Say what happens to a seat whose time has run out; empty where there is no time to run out of."""
    return _(ON_TIME[key]) if time_controls.settings(clock).runs and key in ON_TIME else ""


def reliable(percent: int | None) -> str:
    """Say who may take an open seat; empty where anybody may."""
    return _(RELIABLE[percent]) if percent is not None and percent in RELIABLE else ""
