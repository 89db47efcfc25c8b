"""Parser of a host's replacement by mail, as in “2 with bob@example.org”."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from pbem.i18n import _
from pbem.play.core.errors import Refused
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.lobby import request_parser
from pbem.play.players import registry

if TYPE_CHECKING:
    from collections.abc import Sequence

_WITH_WORDS = frozenset({"with", "by", "durch", "mit"})
_ANYBODY_WORDS = frozenset({"anybody", "anyone", "somebody", "irgendwen", "irgendwem", "jemanden", "jemand"})


def parse(text: str, names: Sequence[str]) -> tuple[int, Invitee | None]:
    """Parse a seat, given by its number or its player's name, and an invitee, or None for anybody."""
    words = [word.strip('<>,;()"“”„') for word in text.split()]
    at = next((at for at, word in enumerate(words) if word.casefold() in _WITH_WORDS), None)
    if at is None:
        raise Refused(_("Write it like this: “replace 2 with bob@example.org”, or “with anybody”."))
    seat = _parse_seat(" ".join(words[:at]), names)
    invitee = [word for word in words[at + 1 :] if word]
    if invitee and invitee[-1].casefold() in _ANYBODY_WORDS:
        return seat, None
    named = " ".join(takewhile(lambda word: "@" not in word, invitee))[: registry.MAX_NAME_LENGTH]
    email = registry.normalise_email(next((word for word in invitee if "@" in word), ""))
    others = [name for number, name in enumerate(names, 1) if name and number != seat]
    return seat, Invitee(registry.unique_name(named or request_parser.default_name(email), others), email)


def _parse_seat(typed: str, names: Sequence[str]) -> int:
    number = typed.rpartition(" ")[2].rstrip(".")
    if number.isascii() and number.isdigit():
        return int(number[:3])
    return next((seat for seat, name in enumerate(names, 1) if name and name.casefold() == typed.casefold()), 0)
