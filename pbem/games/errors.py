"""Errors of the rules.

Every message is a sentence for the person who sent the move or requested the match, and can be mailed as it is. It
names what that person may know and nothing about anyone else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Translate: TypeAlias = "Callable[[str], str]"
"""Function that translates a pattern."""


class Phrase:
    """Words of a sentence, stored as a pattern with its parts, so that they can be translated.

    A part may be a phrase itself; the parts of a tuple are joined by commas.
    """

    __slots__ = ("parts", "pattern")

    def __init__(self, pattern: str, /, **parts: object) -> None:
        self.pattern = pattern
        self.parts = parts

    def text(self, translate: Translate = str) -> str:
        """Return the translated text, with its parts."""
        pattern = translate(self.pattern)
        parts = {name: _part_text(part, translate) for name, part in self.parts.items()}
        return pattern.format(**parts) if parts else pattern

    def __str__(self) -> str:
        return self.text()


class GameError(Exception):
    """Base of all errors that a game raises on purpose.

    The sentence is stored as a phrase, its pattern and its parts, and formatted only on request: most lines of a mail
    are rejected, and only one rejection is read.
    """

    def __init__(self, pattern: str, **parts: object) -> None:
        super().__init__(pattern)
        self.phrase = Phrase(pattern, **parts)

    def __str__(self) -> str:
        return self.phrase.text()

    @property
    def pattern(self) -> str:
        """Sentence in English, with `{name}` in place of a part."""
        return self.phrase.pattern

    @property
    def parts(self) -> dict[str, object]:
        """Parts by name."""
        return self.phrase.parts


class OptionError(GameError):
    """The match has an unknown option, a value that is not allowed, or a wrong number of seats."""


class InvalidMove(GameError):  # noqa: N818 (a name of the engine contract)
    """The text has the form of no move of this phase."""


class NeverMet(InvalidMove):
    """The condition is well formed but cannot be met, or not any more."""


class IllegalMove(GameError):  # noqa: N818 (a name of the engine contract)
    """The move has the right form but may not be played now, or not by this seat."""


def any_of(things: Iterable[object]) -> object:
    """Join alternatives: "a, b or c"."""
    *front, last = things
    return Phrase("{first} or {last}", first=tuple(front), last=last) if front else last


def _part_text(part: object, translate: Translate) -> str:
    if isinstance(part, tuple):
        return ", ".join(_part_text(one, translate) for one in part)
    return part.text(translate) if isinstance(part, Phrase) else str(part)
