"""Replacing by mail: reading whom a host wants at whose seat, as in “2 with bob@example.org”."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.play import matches, openings, people
from pbem.words import _

if TYPE_CHECKING:
    from collections.abc import Sequence

_WITH = frozenset({"with", "by", "durch", "mit"})
_ANYBODY = frozenset({"anybody", "anyone", "somebody", "irgendwen", "irgendwem", "jemanden", "jemand"})


def read(text: str, names: Sequence[str]) -> tuple[int, matches.Guest | None]:
    """Read a seat, by its number or the name of who sits there, and a guest, or None for anybody."""
    words = [word.strip('<>,;()"“”„') for word in text.split()]
    at = next((at for at, word in enumerate(words) if word.casefold() in _WITH), None)
    if at is None:
        raise matches.MatchError("", _("Write it like this: “replace 2 with bob@example.org”, or “with anybody”."))
    seat = _seat(" ".join(words[:at]), names)
    called = [word for word in words[at + 1 :] if word]
    if called and called[-1].casefold() in _ANYBODY:
        return seat, None
    email = next((word for word in called if "@" in word), "")
    try:
        email = people.tidy_email(email)
    except people.PersonError as refused:
        raise matches.MatchError("", str(refused)) from None
    typed = " ".join(called[: called.index(next(word for word in called if "@" in word))])
    others = [name for number, name in enumerate(names, 1) if name and number != seat]
    return seat, matches.Guest(people.apart(typed[: people.LONGEST_NAME] or openings.name_of(email), others), email)


def _seat(typed: str, names: Sequence[str]) -> int:
    number = typed.rpartition(" ")[2].rstrip(".")
    if number.isascii() and number.isdigit():
        return int(number[:3])
    return next((seat for seat, name in enumerate(names, 1) if name and name.casefold() == typed.casefold()), 0)
