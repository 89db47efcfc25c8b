"""What a check is, what it is given, and what it says."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from dns.resolver import Resolver
    from sqlalchemy import Engine

    from pbem.config import Config

    Look = Callable[["Ground"], Iterator["Said"]]


class Level(StrEnum):
    """How well something is."""

    PASS = "pass"  # noqa: S105 (no password)
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that a check has to say; `todo` is what to do about it, where it is not well."""

    level: Level
    text: str
    todo: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report: what a check of that name has said."""

    name: str
    level: Level
    text: str
    todo: str | None


@dataclass(frozen=True, slots=True)
class Ground:
    """What checks are given: the service's settings, its database, who answers for names, how long mail may take.

    `settings` is the file that the settings come from, if they do.
    """

    config: Config
    engine: Engine
    resolver: Resolver
    patience: float
    settings: Path | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """A check with its name; it is made after those that it needs.

    One that is `abroad` is about what other machines think of our domain: where mail stays here, none of them is asked,
    and where it is another's domain, it is not ours to mend.
    """

    name: str
    look: Look
    needs: tuple[str, ...] = ()
    abroad: bool = False


def passed(text: str) -> Said:
    """Say that something is well."""
    return Said(Level.PASS, text)


def warned(text: str, todo: str) -> Said:
    """Say that something works, but may not for long, or not for everybody."""
    return Said(Level.WARN, text, todo)


def failed(text: str, todo: str) -> Said:
    """Say that something does not work."""
    return Said(Level.FAIL, text, todo)
