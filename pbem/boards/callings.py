"""What players are called in sentences: by their names, or as one speaks to somebody."""

from __future__ import annotations

from pbem.boards.prose import shown, you
from pbem.i18n import _, meaning


def spoken_to(name: str) -> bool:
    """Tell whether a name stands for whoever the sentence is told to.

    Some languages have another verb for such a one, so a sentence with a player as its subject is written twice.
    """
    return name == you()


def called(name: str) -> str:
    """Name a player within a sentence, where no verb depends on it."""
    return meaning("within a sentence", "You") if spoken_to(name) else shown(name)


def who(name: str, seat: int, looking: int | None) -> str:
    """Name a seat's player, marked where it is the seat that looks."""
    return _("{name} (you)", name=shown(name)) if seat == looking else shown(name)


def whom(name: str) -> str:
    """Name a player to whom or for whom something is."""
    return meaning("to or for somebody", "You") if spoken_to(name) else shown(name)


def deed(name: str, to_them: str, of_them: str, /, **parts: object) -> str:
    """Tell a player's deed, in one of two marked sentences: to the player, or of the player by `{name}`."""
    return _(to_them, **parts) if spoken_to(name) else _(of_them, name=shown(name), **parts)
