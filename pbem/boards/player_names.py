"""Names of players in sentences: the name itself, or "You" for the reader."""

from __future__ import annotations

from pbem.boards.prose import clean_name, reader_name
from pbem.i18n import _, meaning


def is_reader(name: str) -> bool:
    """Return whether a name stands for the reader of the sentence.

    Some languages need another verb form for the reader, so a sentence with a player as its subject is written twice.
    """
    return name == reader_name()


def name_in_sentence(name: str) -> str:
    """Return a player's name for use within a sentence, where no verb depends on it."""
    return meaning("within a sentence", "You") if is_reader(name) else clean_name(name)


def player_label(name: str, seat: int, looking: int | None) -> str:
    """Return the name of a seat's player, marked if it is the viewer's seat."""
    return _("{name} (you)", name=clean_name(name)) if seat == looking else clean_name(name)


def name_as_object(name: str) -> str:
    """Return a player's name for use after "to" or "for"."""
    return meaning("to or for somebody", "You") if is_reader(name) else clean_name(name)


def deed_sentence(name: str, to_them: str, of_them: str, /, **parts: object) -> str:
    """Describe a player's deed in one of two sentences: to the player, or about the player as `{name}`."""
    return _(to_them, **parts) if is_reader(name) else _(of_them, name=clean_name(name), **parts)
