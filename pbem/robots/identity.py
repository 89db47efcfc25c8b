"""Names of robots in records: they say by which level and edition a move can be chosen again."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pbem.robots.thought import Level

_NAME = re.compile(r"(?P<name>.*) \((?P<level>[a-z]+) robot, edition (?P<edition>[0-9]{1,4})\)")


@dataclass(frozen=True, slots=True)
class Identity:
    """How a robot chooses: its level, and the edition of its game's robots."""

    level: Level
    edition: int


def record_name(name: str, robot: Identity) -> str:
    """Return the name of a robot as a record has it."""
    return f"{name} ({robot.level} robot, edition {robot.edition})"


def parse_name(name: str) -> Identity | None:
    """Return which robot the name in a record is of; None if it is a person's."""
    found = _NAME.fullmatch(name)
    if found is None or found["level"] not in {*map(str, Level)}:
        return None
    return Identity(Level(found["level"]), int(found["edition"]))


def event_detail(robot: Identity) -> dict[str, str | int | bool]:
    """Return what the event of a robot that takes over a seat says of it."""
    return {"bot": True, "level": str(robot.level), "robot_edition": robot.edition}


def parse_detail(detail: dict[str, object]) -> Identity | None:
    """Return the robot that an event of a substitution seats; None if that is a person."""
    level, edition = detail.get("level"), detail.get("robot_edition")
    if not isinstance(level, str) or level not in {*map(str, Level)} or not isinstance(edition, int):
        return None
    return Identity(Level(level), edition)
