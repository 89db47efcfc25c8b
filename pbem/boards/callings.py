"""Names of players in sentences: the name itself, or "You" for the reader."""

from __future__ import annotations

from pbem.boards.prose import shown, you
from pbem.i18n import _, meaning


def spoken_to(name: str) -> bool:
    """Return whether a name stands for the reader of the sentence.

    Some languages need another verb form for the reader, so a sentence with a player as its subject is written twice.
    """
    return name == you()


def called(name: str) -> str:
    """Return a player's name for use within a sentence, where no verb depends on it."""
    return meaning("within a sentence", "You") if spoken_to(name) else shown(name)


def who(name: str, seat: int, looking: int | None) -> str:
    """Return the name of a seat's player, marked if it is the viewer's seat."""
    return _("{name} (you)", name=shown(name)) if seat == looking else shown(name)


def whom(name: str) -> str:
    """Return a player's name for use after "to" or "for"."""
    return meaning("to or for somebody", "You") if spoken_to(name) else shown(name)


def deed(name: str, to_them: str, of_them: str, /, **parts: object) -> str:
    """Describe a player's deed in one of two marked sentences: to the player, or about the player as `{name}`."""
    return _(to_them, **parts) if spoken_to(name) else _(of_them, name=shown(name), **parts)
