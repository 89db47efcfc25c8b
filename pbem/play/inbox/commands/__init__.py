"""Commands by mail, each alone on its line; every module here that has a `COMMANDS` tuple is found automatically."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from pbem.games import typed_text
from pbem.play.inbox.commands.base import Command, Invocation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["CONFIRMATIONS", "Command", "Invocation", "ParsedCommand", "by_name", "by_words", "fold", "parse"]

MAX_WORDS_LENGTH = 100
"""Maximum characters of a command's words."""
CONFIRMATIONS = frozenset({"yes", "ja", "sure", "sicher"})
"""Words that confirm a command which needs confirmation, when typed after it."""


@dataclass(frozen=True, slots=True)
class ParsedCommand:
    """A parsed command: `text` is what follows its word, `below` are the lines below it."""

    command: Command
    text: str = ""
    confirmed: bool = False
    below: tuple[str, ...] = ()


@cache
def by_name() -> Mapping[str, Command]:
    """Return every command by its name."""
    folder = (importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__))
    return {command.name: command for module in folder for command in getattr(module, "COMMANDS", ())}


@cache
def by_words() -> Mapping[str, Command]:
    """Return every command by its words, in all languages."""
    return {word: one for one in by_name().values() for language in one.words.values() for word in language}


def parse(lines: Sequence[str]) -> ParsedCommand | None:
    """Parse the command in the first line that is not blank; return None if there is none."""
    at = next((at for at, line in enumerate(lines) if line.strip()), len(lines))
    line = "".join(lines[at : at + 1]).strip()
    for count in (3, 2, 1):
        # A command of several words, such as “my cards”, takes precedence over one of its first word.
        pieces = line.split(None, count)
        front, text = " ".join(pieces[:count]), "".join(pieces[count:])
        command = by_words().get(fold(front).rstrip(",:;?")) if len(front) <= MAX_WORDS_LENGTH else None
        if command and (parsed := _parse_rest(command, text, tuple(lines[at + 1 :]))):
            return parsed
    return None


def fold(text: str) -> str:
    """Return a typed text in the form in which commands are looked up."""
    return typed_text.fold(text).casefold()


def _parse_rest(command: Command, text: str, below: tuple[str, ...]) -> ParsedCommand | None:
    if command.needs_confirmation and fold(text) in CONFIRMATIONS:
        return ParsedCommand(command, confirmed=True, below=below)
    if text and command.allowed_texts and fold(text) not in command.allowed_texts:
        return None
    fits = command.accepts_text if text else not command.needs_text
    return ParsedCommand(command, text if command.verbatim else " ".join(text.split()), below=below) if fits else None
