"""What the rules say no with.

Every message is a sentence for the person who sent the move or asked for the match, fit to be mailed as
it stands. It names what that person may know and nothing about anybody else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Translate: TypeAlias = "Callable[[str], str]"
"""Gives a pattern in another language."""


class Phrase:
    """Words of a sentence, kept as a pattern with its parts, so that they can be said in another language.

    A part may be a phrase of its own; several in a tuple are said one after another, with commas between them.
    """

    __slots__ = ("parts", "pattern")

    def __init__(self, pattern: str, /, **parts: object) -> None:
        self.pattern = pattern
        self.parts = parts

    def said(self, translate: Translate = str) -> str:
        """Say it and its parts."""
        text = translate(self.pattern)
        return (
            text.format(**{name: _said(part, translate) for name, part in self.parts.items()}) if self.parts else text
        )

    def __str__(self) -> str:
        return self.said()


class GameError(Exception):
    """Refuses something by the rules; the base of all errors that a game raises on purpose.

    The sentence is kept as a phrase, its pattern and its parts, and said when somebody asks for it: most lines
    of a mail are refused, and one refusal is read.
    """

    def __init__(self, pattern: str, **parts: object) -> None:
        super().__init__(pattern)
        self.phrase = Phrase(pattern, **parts)

    def __str__(self) -> str:
        return self.phrase.said()

    @property
    def pattern(self) -> str:
        """The sentence in English, with `{name}` where a part stands."""
        return self.phrase.pattern

    @property
    def parts(self) -> dict[str, object]:
        """The parts by their names."""
        return self.phrase.parts


class OptionError(GameError):
    """Refuses a match: an unknown option, a value that is not allowed, or a wrong number of seats."""


class InvalidMove(GameError):  # noqa: N818 (a name of the engine contract)
    """Says that a text has the form of no move of this phase."""


class NeverMet(InvalidMove):
    """Says that a condition is well formed and cannot be met, or not any more."""


class IllegalMove(GameError):  # noqa: N818 (a name of the engine contract)
    """Says that a move of the right form may not be played now, or not by this seat."""


def either(things: Iterable[object]) -> object:
    """Say several things of which there is a choice: "a, b or c"."""
    *front, last = things
    return Phrase("{first} or {last}", first=tuple(front), last=last) if front else last


def _said(part: object, translate: Translate) -> str:
    if isinstance(part, tuple):
        return ", ".join(_said(one, translate) for one in part)
    return part.said(translate) if isinstance(part, Phrase) else str(part)
