"""Opening a match by mail: `new GAME with ADDRESS …`, with options by name, robots, seats for anybody, a clock."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from pbem.boards.prose import series
from pbem.games import GAMES, nearness
from pbem.i18n import _, several
from pbem.play.clocks import match_lengths, time_controls, timeout_policies
from pbem.play.core.rate_limits import DAY, Allowed, spend
from pbem.play.lifecycle import create
from pbem.play.players.registry import LONGEST_NAME, PersonError, apart, tidy_email

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.db.models import Match, Player
    from pbem.games import Game
    from pbem.play.core.context import Context

A_DAY = 20
"""So many matches a player may make in a day, by mail or on the page."""
ASKED_A_DAY = 5
"""So many a day may be asked for by mails that do not show whose they are."""

_WITH = {"with", "against", "mit", "gegen"}
_BESIDES = {"and", "und", "&", "+"}
_PRIVATE = {"private", "privat"}
_UNRATED = {"unrated", "ungewertet"}
_ANYBODY = {
    "anybody", "anyone", "others", "strangers", "open",
    "irgendwem", "irgendwer", "irgendjemand", "irgendjemandem", "anderen", "beliebigen", "offen",
}  # fmt: skip
_ROBOTS = {"robot", "robots", "bot", "bots", "computer", "roboter", "robotern", "computern"}
_A = {"a", "the", "one", "ein", "einen", "einem", "den", "dem"}
_PLAYERS = {"players", "seats", "spieler", "plätze"}
_LENGTHS = {"day": 1, "days": 1, "tag": 1, "tage": 1, "tagen": 1, "week": 7, "weeks": 7, "woche": 7, "wochen": 7}
_ONE = {"a", "one", "eine", "ein", "einen"}
_WITHOUT = {"no", "without", "ohne", "keine"}
_DEADLINES = {"deadline", "deadlines", "clock", "frist", "fristen", "uhr"}
_CLOCKS = {
    "relaxed": "relaxed", "gemütlich": "relaxed", "entspannt": "relaxed",
    "weekend": "weekend", "weekends": "weekend", "wochenende": "weekend", "wochenenden": "weekend",
}  # fmt: skip
_FREE = {"free", "frei"}
_ON_TIME = {
    "loss": timeout_policies.LOSS, "substitute": timeout_policies.SUBSTITUTE, "vote": timeout_policies.VOTE,
    "verlust": timeout_policies.LOSS, "ersatz": timeout_policies.SUBSTITUTE, "abstimmung": timeout_policies.VOTE,
}  # fmt: skip
_WHEN_TIME_IS_UP = (["on", "time"], ["auf", "zeit"])
_RELIABLE = {"reliable", "zuverlässig", "zuverlässige"}
_USUALLY_RELIABLE = 90
_YES, _NO = {"yes", "ja", "true", "on"}, {"no", "nein", "false", "off"}
_ALIKE = 0.7
"""A typed name that is no part of any game's is taken for one that is so much like it."""
_SHORTEST = 3
_WORDS = 8
"""No game has a name of more words, however it is typed, nor one with a longer word than `LONGEST_NAME`."""
LONGEST = 4000
"""What stands behind “new” is read so far."""
MOST = 12
"""More seats than these are asked for by nobody in earnest."""
_NOT_A_LETTER = re.compile(r"[^a-z0-9]")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A match that somebody asks for: the game, whom they invite, seats for anybody, and what they chose."""

    game: str
    guests: tuple[create.Guest, ...]
    options: dict[str, object]
    public: bool
    open_seats: int = 0
    clock: str = time_controls.USUAL
    on_time: str | None = None
    reliable: int | None = None
    rated: bool = True


@dataclass(slots=True)
class _Reading:
    """What was understood so far; `left` are the words to come, `called` those that wait for what they belong to."""

    game: Game[object]
    host: create.Guest
    left: list[str]
    guests: list[create.Guest]
    options: dict[str, object]
    called: list[str]
    anybody: int = 0
    robots: int = 0
    players: int = 0
    clock: str = ""
    on_time: str | None = None
    reliable: int | None = None

    def take(self, word: str) -> None:
        """Understand the next word, with those that belong to it."""
        folded = word.casefold()
        following = self.left[0].casefold() if self.left else ""
        if "@" in word:
            self._invite(word)
        elif option := next((one for one in self.game.options if one.casefold() == folded), None):
            self.options[option] = _value(self.game, option, self.left.pop(0) if self.left else "")
        elif folded in _ANYBODY:
            self.anybody += self._number()
        elif folded in _ROBOTS:
            self.robots += self._number()
        elif folded in _PLAYERS and following.isdecimal():
            self.players = min(int(self.left.pop(0)[:3]), MOST)
        elif following in _LENGTHS and (folded in _ONE or word.isdecimal()):
            self.left.pop(0)
            plain = _clock((1 if folded in _ONE else int(word[:3])) * _LENGTHS[following])
            # Three days of which weekends are none are named in either order.
            self.clock = self.clock if (self.clock, plain) == ("weekend", time_controls.USUAL) else plain
        elif folded in _WITHOUT and following in _DEADLINES:
            self.left.pop(0)
            self.clock = time_controls.NONE
        elif self._takes_terms(folded, following):
            pass
        elif ways := _values_called(self.game, word):
            self.options |= ways
        else:
            self.called.append(word)

    def _invite(self, email: str) -> None:
        """Take an address, with the words before it as the name; one guest too many is enough to be refused."""
        if len(self.guests) <= MOST:
            self.guests.append(create.Guest(_name(self.called, email, [self.host, *self.guests]), email))
        self.called = []

    def _number(self) -> int:
        """Take how many of something are wanted from the word before: one, unless it is a number."""
        before = self.called[-1].casefold() if self.called else ""
        if before.isdecimal() or before in _A:
            self.called.pop()
        return min(int(before[:3]), MOST) if before.isdecimal() else 1

    def _takes_terms(self, folded: str, following: str) -> bool:
        """Understand a word that is about time or who may join; False where it is not."""
        if folded in _CLOCKS:
            self.clock = _CLOCKS[folded]
            self.left = self.left[1:] if following in _FREE else self.left
        elif folded in _ON_TIME:
            self.on_time = _ON_TIME[folded]
            self.left = self.left[2:] if [*map(str.casefold, self.left[:2])] in _WHEN_TIME_IS_UP else self.left
        elif folded in _RELIABLE:
            self.reliable = int(self.left.pop(0)[:3]) if following.isdecimal() else _USUALLY_RELIABLE
        else:
            return False
        return True

    @property
    def seated(self) -> tuple[create.Guest, ...]:
        """Who sits there: the host, those who were named, and robots, as many as are missing where they alone may."""
        robots = self.robots
        if robots and not self.anybody and not self.players:
            robots = max(robots, self.game.seats[0] - 1 - len(self.guests))
        return (self.host, *self.guests, *[create.ROBOT] * robots)

    @property
    def open_seats(self) -> int:
        """How many seats are for anybody: as many as were named, and what is missing to what the game needs."""
        named = len(self.seated)
        if self.players:
            return max(0, self.players - named)
        return max(self.anybody, self.game.seats[0] - named) if self.anybody else 0


def read(text: str, host: create.Guest) -> Wanted:
    """Read what stood behind “new”; raises MatchError with a sentence for whoever wrote it."""
    words = [word.strip("<>,;()") for word in text[:LONGEST].replace("=", " ").replace(": ", " ").split()]
    said = {word.casefold() for word in words}
    words = [word for word in words if word and word.casefold() not in _PRIVATE | _UNRATED | _BESIDES]
    at = next((at for at, word in enumerate(words) if word.casefold() in _WITH or "@" in word), len(words))
    game, left = _game(words[:at])
    left += [word for word in words[at:] if word.casefold() not in _WITH]
    reading = _Reading(game, host, left, [], {}, [])
    while reading.left:
        reading.take(reading.left.pop(0))
    if reading.called:
        guests = [word for before, word in pairwise(words) if before.casefold() in _WITH and not word.isdecimal()]
        if reading.called[0] in guests:
            _must_be_an_address(reading.called[0])
        known = series([*game.options]) or _("none")
        stray = " ".join(reading.called)[:LONGEST_NAME]
        refusal = _("“{stray}” is no option of {game}, which has: {known}.", stray=stray, game=game.name, known=known)
        raise create.MatchError("options", refusal)
    public = not said & _PRIVATE
    rated = public and not said & _UNRATED
    return Wanted(
        game.key,
        reading.seated,
        reading.options,
        public,
        reading.open_seats,
        reading.clock or time_controls.USUAL,
        reading.on_time,
        reading.reliable,
        rated,
    )


def _must_be_an_address(typed: str) -> None:
    try:
        tidy_email(typed)
    except PersonError as refused:
        raise create.MatchError("address", str(refused)) from None


def make(ctx: Context, wanted: Wanted, player: Player | None, *, known: bool, mail: str | None) -> Match:
    """Make a match that was asked for by mail, a short one unless it says else; `mail` is its Message-ID."""
    if player is not None:
        count_one(ctx, player, known=known)
    return create.make(
        ctx,
        wanted.game,
        {**match_lengths.SHORT.get(wanted.game, {}), **wanted.options},
        wanted.guests,
        public=wanted.public,
        creator=1,
        known=known,
        mail=mail,
        open_seats=wanted.open_seats,
        clock=wanted.clock,
        on_time=wanted.on_time,
        reliable=wanted.reliable,
        rated=wanted.rated,
    )


def count_one(ctx: Context, player: Player, *, known: bool = True) -> None:
    """Count a match that a player makes; raises MatchError where they have made enough for a day.

    Those that may be asked for by somebody else in their name, not `known` to be theirs, are counted apart.
    """
    if not known:
        if spend(ctx, Allowed("match asked for", str(player.id), ASKED_A_DAY, DAY)):
            refusal = _("{count} matches were asked for in your name today. Please go on tomorrow.", count=ASKED_A_DAY)
            raise create.MatchError("", refusal)
    elif spend(ctx, Allowed("match made", str(player.id), A_DAY, DAY)):
        raise create.MatchError("", _("You have made {count} matches today. Please go on tomorrow.", count=A_DAY))


def _game(words: Sequence[str]) -> tuple[Game[object], list[str]]:
    """Find the game that the first words name, however leniently, and give the words behind it."""
    front = [word[:LONGEST_NAME].casefold() for word in words[:_WORDS]]
    for alike in (_part_of, _like):
        for some in range(len(front), 0, -1):
            typed = _NOT_A_LETTER.sub("", "".join(front[:some]))
            found = [key for key in GAMES if len(typed) >= _SHORTEST and alike(typed, key.replace("-", ""))]
            if len(found) == 1:
                return GAMES[found[0]], [*words[some:]]
    names = series([game.name for game in GAMES.values()])
    if not words:
        raise create.MatchError("game", _("Name a game behind “new”. There are: {games}.", games=names))
    wanted = " ".join(words)[:LONGEST_NAME]
    refusal = _("There is no game “{wanted}” here. There are: {games}.", wanted=wanted, games=names)
    raise create.MatchError("game", refusal)


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
    raise create.MatchError("options", _("Behind “{option}” may stand: {values}.", option=option, values=values))


def _clock(days: int) -> str:
    """Find the clock of so many days for a move; raises MatchError where there is none."""
    found = time_controls.per_move(days)
    if found is None:
        plain = [
            clock.days
            for key, clock in time_controls.CLOCKS.items()
            if clock.days and time_controls.per_move(clock.days) == key
        ]
        offered = series([several("one day", "{count} days", count) for count in plain])
        raise create.MatchError("clock", _("For each move there may be {clocks}.", clocks=offered))
    return found


def _said(value: object) -> str:
    return (_("yes") if value else _("no")) if isinstance(value, bool) else str(value)


def name_of(email: str) -> str:
    """Call somebody by the first part of their address, until they say otherwise."""
    local = re.split(r"[.+_-]", email.partition("@")[0])[0]
    return local.capitalize()[:LONGEST_NAME] or _("Somebody")


def _name(called: Sequence[str], email: str, present: Sequence[create.Guest]) -> str:
    """Call a guest by what stood before the address, or by its first part, so that no two are called the same."""
    return apart(" ".join(called)[:LONGEST_NAME] or name_of(email), [guest.name for guest in present])
