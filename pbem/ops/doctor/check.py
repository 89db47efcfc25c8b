"""Types of checks, their context and their results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from dns.resolver import Resolver
    from sqlalchemy import Engine

    from pbem.config import Config

Results = Iterator["Result"]


class Level(StrEnum):
    """Severity of a result."""

    PASS = "pass"  # noqa: S105 (not a password)
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Result:
    """A result of a check; `todo` is what to do about it, unless it passed."""

    level: Level
    text: str
    todo: str | None = None


@dataclass(frozen=True, slots=True)
class CheckContext:
    """Context of checks: settings, database, DNS resolver, the seconds that mail may take, and the settings file."""

    config: Config
    engine: Engine
    resolver: Resolver
    mail_timeout: float
    settings: Path | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """A check with its name; it runs after those that it needs.

    An external check is about what other machines think of our domain: it passes without a test if mail stays on this
    machine, or if the domain is a mail provider's.
    """

    name: str
    run: Callable[[CheckContext], Results]
    needs: tuple[str, ...] = ()
    is_external: bool = False


def passed(text: str) -> Result:
    """Return the result that something is well."""
    return Result(Level.PASS, text)


def warned(text: str, todo: str) -> Result:
    """Return the result that something works, but may fail soon or for some users."""
    return Result(Level.WARN, text, todo)


def failed(text: str, todo: str) -> Result:
    """Return the result that something does not work."""
    return Result(Level.FAIL, text, todo)
