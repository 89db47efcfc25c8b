"""Commands: words that a person may send instead of a move, each alone on its line.

Every module in this folder that has a `COMMANDS` tuple is found automatically.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from pbem.games import typed
from pbem.play.inbox.commands.base import Command, Wish

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["SURE", "Command", "Said", "Wish", "folded", "known", "read", "words"]

LONGEST = 100
"""Maximum characters of a command's words."""
SURE = frozenset({"yes", "ja", "sure", "sicher"})
"""Words that confirm a command which asks back, when typed after it."""


@dataclass(frozen=True, slots=True)
class Said:
    """A parsed command: `text` is what follows its word, `below` are the lines below it.

    `sure` is whether it was confirmed.
    """

    command: Command
    text: str = ""
    sure: bool = False
    below: tuple[str, ...] = ()


@cache
def known() -> Mapping[str, Command]:
    """Return every command by its name."""
    folder = (importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__))
    return {command.name: command for module in folder for command in getattr(module, "COMMANDS", ())}


@cache
def words() -> Mapping[str, Command]:
    """Return every command by its words, in all languages."""
    return {word: one for one in known().values() for language in one.words.values() for word in language}


def read(lines: Sequence[str]) -> Said | None:
    """Parse the command in the first line that is not blank; return None if there is none."""
    at = next((at for at, line in enumerate(lines) if line.strip()), len(lines))
    line = "".join(lines[at : at + 1]).strip()
    for count in (3, 2, 1):
        # A command of several words, such as “my cards”, takes precedence over one of its first word.
        front, text = _split(line, count)
        command = words().get(folded(front).rstrip(",:;?")) if len(front) <= LONGEST else None
        if command and (said := _said(command, text, tuple(lines[at + 1 :]))):
            return said
    return None


def folded(text: str) -> str:
    """Return a typed text in the form in which commands are looked up."""
    return typed.fold(text).casefold()


def _split(line: str, count: int) -> tuple[str, str]:
    pieces = line.split(None, count)
    return " ".join(pieces[:count]), pieces[count] if len(pieces) > count else ""


def _said(command: Command, text: str, below: tuple[str, ...]) -> Said | None:
    if command.asks_back and folded(text) in SURE:
        return Said(command, sure=True, below=below)
    if text and command.only and folded(text) not in command.only:
        return None
    fits = command.takes if text else not command.needs
    return Said(command, text if command.verbatim else " ".join(text.split()), below=below) if fits else None
