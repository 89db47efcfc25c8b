"""Opening a match by mail: `new GAME with ADDRESS …`, with options by name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.boards.prose import series
from pbem.games import GAMES, nearness
from pbem.play import matches
from pbem.play.allowances import DAY, Allowed, spend
from pbem.play.people import LONGEST_NAME, apart
from pbem.words import _

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.db.models import Match, Player
    from pbem.games import Game
    from pbem.play.table import Table

A_DAY = 20
"""So many matches a player may make in a day, by mail or on the page."""

_WITH = {"with", "against", "mit", "gegen"}
_BESIDES = {"and", "und", "&", "+"}
_PRIVATE = {"private", "privat"}
_YES, _NO = {"yes", "ja", "true", "on"}, {"no", "nein", "false", "off"}
_ALIKE = 0.7
"""A typed name that is no part of any game's is taken for one that is so much like it."""
_SHORTEST = 3
_NOT_A_LETTER = re.compile(r"[^a-z0-9]")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A match that somebody asks for: the game, whom they invite, and what they chose."""

    game: str
    guests: tuple[matches.Guest, ...]
    options: dict[str, object]
    public: bool


def read(text: str, host: matches.Guest) -> Wanted:
    """Read what stood behind “new”; raises MatchError with a sentence for whoever wrote it."""
    words = [word.strip("<>,;()") for word in text.replace("=", " ").replace(": ", " ").split()]
    public = not any(word.casefold() in _PRIVATE for word in words)
    words = [word for word in words if word and word.casefold() not in _PRIVATE | _BESIDES]
    at = next((at for at, word in enumerate(words) if word.casefold() in _WITH or "@" in word), len(words))
    game, left = _game(words[:at])
    left += [word for word in words[at:] if word.casefold() not in _WITH]
    guests: list[matches.Guest] = []
    options: dict[str, object] = {}
    called: list[str] = []
    while left:
        word = left.pop(0)
        if "@" in word:
            guests.append(matches.Guest(_name(called, word, [host, *guests]), word))
            called = []
        elif option := next((one for one in game.options if one.casefold() == word.casefold()), None):
            options[option] = _value(game, option, left.pop(0) if left else "")
        elif ways := _values_called(game, word):
            options |= ways
        else:
            called.append(word)
    if called:
        known = series([*game.options]) or _("none")
        stray = " ".join(called)[:LONGEST_NAME]
        refusal = _("“{stray}” is no option of {game}, which has: {known}.", stray=stray, game=game.name, known=known)
        raise matches.MatchError("options", refusal)
    return Wanted(game.key, (host, *guests), options, public)


def make(table: Table, wanted: Wanted, player: Player | None, *, known: bool, mail: str | None) -> Match:
    """Make a match that was asked for by mail; `mail` is the Message-ID of what asked for it."""
    if player is not None:
        count_one(table, player)
    return matches.make(
        table, wanted.game, wanted.options, wanted.guests, public=wanted.public, creator=1, known=known, mail=mail
    )


def count_one(table: Table, player: Player) -> None:
    """Count a match that a player makes; raises MatchError where they have made enough for a day."""
    if spend(table, Allowed("match made", str(player.id), A_DAY, DAY)):
        raise matches.MatchError("", _("You have made {count} matches today. Please go on tomorrow.", count=A_DAY))


def _game(words: Sequence[str]) -> tuple[Game[object], list[str]]:
    """Find the game that the first words name, however leniently, and give the words behind it."""
    for alike in (_part_of, _like):
        for some in range(len(words), 0, -1):
            typed = _NOT_A_LETTER.sub("", "".join(words[:some]).casefold())
            found = [key for key in GAMES if len(typed) >= _SHORTEST and alike(typed, key.replace("-", ""))]
            if len(found) == 1:
                return GAMES[found[0]], [*words[some:]]
    names = series([game.name for game in GAMES.values()])
    if not words:
        raise matches.MatchError("game", _("Name a game behind “new”. There are: {games}.", games=names))
    wanted = " ".join(words)[:LONGEST_NAME]
    refusal = _("There is no game “{wanted}” here. There are: {games}.", wanted=wanted, games=names)
    raise matches.MatchError("game", refusal)


def _part_of(typed: str, key: str) -> bool:
    return typed in key


def _like(typed: str, key: str) -> bool:
    # What is a part of several names is none of them.
    return not any(typed in other.replace("-", "") for other in GAMES) and nearness.likeness(key, typed) >= _ALIKE


def _values_called(game: Game[object], word: str) -> dict[str, object]:
    """Give the option that a value such as “long” is of, where it is one option's alone and a word."""
    found: dict[str, object] = {
        option: value
        for option, values in game.options.items()
        for value in values
        if isinstance(value, str) and value.casefold() == word.casefold()
    }
    return found if len(found) == 1 else {}


def _value(game: Game[object], option: str, typed: str) -> object:
    for value in game.options[option]:
        texts = {True: _YES, False: _NO}[value] if isinstance(value, bool) else {str(value).casefold()}
        if typed.casefold() in texts:
            return value
    values = series([_said(value) for value in game.options[option]])
    raise matches.MatchError("options", _("Behind “{option}” may stand: {values}.", option=option, values=values))


def _said(value: object) -> str:
    return (_("yes") if value else _("no")) if isinstance(value, bool) else str(value)


def name_of(email: str) -> str:
    """Call somebody by the first part of their address, until they say otherwise."""
    local = re.split(r"[.+_-]", email.partition("@")[0])[0]
    return local.capitalize()[:LONGEST_NAME] or _("Somebody")


def _name(called: Sequence[str], email: str, present: Sequence[matches.Guest]) -> str:
    """Call a guest by what stood before the address, or by its first part, so that no two are called the same."""
    return apart(" ".join(called)[:LONGEST_NAME] or name_of(email), [guest.name for guest in present])
