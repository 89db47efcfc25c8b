"""Timeout policy and reliability requirement of a match, fixed when it is made and shown before anybody accepts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.i18n import _, marked
from pbem.play.clocks import time_controls

if TYPE_CHECKING:
    from collections.abc import Mapping

LOSS, SUBSTITUTE, VOTE, ROBOT = "loss", "substitute", "vote", "robot"
POLICIES: Mapping[str, str] = {
    LOSS: marked("A player who runs out of time loses."),
    SUBSTITUTE: marked(
        "A player who runs out of time gets one more day. Then somebody else can take the seat, or the robot plays on."
    ),
    VOTE: marked("A player who runs out of time gets one more day. Then the others vote on what happens."),
}
"""Timeout policies by the key that matches store, as a form offers them."""
_OF_EVENTS: Mapping[str, str] = {
    ROBOT: marked("A player who runs out of time loses the seat, and the robot plays on."),
}
"""Timeout policies of matches that the service arranges."""
RELIABILITY_REQUIREMENTS: Mapping[int, str] = {
    75: marked("Open seats are for new players and those who finish at least 3 of 4 matches."),
    90: marked("Open seats are for new players and those who finish at least 9 of 10 matches."),
}
"""Reliability requirements for open seats, by the percentage of matches that must be played to their end."""


def default_for(open_seats: int) -> str:
    """Return the default timeout policy: friends vote, strangers are replaced."""
    return SUBSTITUTE if open_seats else VOTE


def describe(clock: str, key: str) -> str:
    """Return the description of a match's time control and timeout policy."""
    return f"{time_controls.description(clock)}. {describe_policy(clock, key)}".strip()


def describe_policy(clock: str, key: str) -> str:
    """Return what happens to a seat whose time has run out, or "" if the match has no deadlines."""
    policy = POLICIES.get(key) or _OF_EVENTS.get(key)
    return _(policy) if policy and time_controls.control_for(clock).runs else ""


def describe_reliability(percent: int | None) -> str:
    """Return who may take an open seat, or "" if anybody may."""
    return _(RELIABILITY_REQUIREMENTS[percent]) if percent is not None and percent in RELIABILITY_REQUIREMENTS else ""
