"""Parser of match requests by mail: `new GAME with ADDRESS …`, with options, robots, open seats and a clock."""

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
"""Maximum matches that a player may create per day, by mail or on the page."""
ASKED_A_DAY = 5
"""Maximum matches per player and day requested by mails whose sender is not verified."""

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
"""Minimum similarity of a typed name to a game's name, from 0 to 1, if it is not a part of any."""
_SHORTEST = 3
_WORDS = 8
"""Maximum words of a game's name, however it is typed; each has at most `LONGEST_NAME` characters."""
LONGEST = 4000
"""Maximum characters parsed after “new”."""
MOST = 12
"""Cap on the numbers of seats, robots and invitees in a request; nobody asks for more in earnest."""
_NOT_A_LETTER = re.compile(r"[^a-z0-9]")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A requested match: the game, the host and the invitees, and the chosen terms."""

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
    """State of the parser: `left` are the words to come, `called` the words that are not yet assigned to anything."""

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
        """Parse the next word, and those that belong to it."""
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
            # “weekend” and “three days” may come in either order.
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
        """Add an invitee with this address, named by the words before; one above the maximum is enough to refuse."""
        if len(self.guests) <= MOST:
            self.guests.append(create.Guest(_name(self.called, email, [self.host, *self.guests]), email))
        self.called = []

    def _number(self) -> int:
        """Parse the number before a word: one, unless it is a number."""
        before = self.called[-1].casefold() if self.called else ""
        if before.isdecimal() or before in _A:
            self.called.pop()
        return min(int(before[:3]), MOST) if before.isdecimal() else 1

    def _takes_terms(self, folded: str, following: str) -> bool:
        """Parse a word about time or reliability; return whether it was one."""
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
        """The host, the invitees and the robots; without open seats, robots fill up to the game's minimum."""
        robots = self.robots
        if robots and not self.anybody and not self.players:
            robots = max(robots, self.game.seats[0] - 1 - len(self.guests))
        return (self.host, *self.guests, *[create.ROBOT] * robots)

    @property
    def open_seats(self) -> int:
        """Number of open seats: as many as requested, and at least up to the game's minimum."""
        named = len(self.seated)
        if self.players:
            return max(0, self.players - named)
        return max(self.anybody, self.game.seats[0] - named) if self.anybody else 0


def read(text: str, host: create.Guest) -> Wanted:
    """Parse the text after “new”; raises MatchError with a sentence for the sender."""
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
    """Create a match requested by mail, a short one by default; `mail` is the Message-ID."""
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
    """Count a match towards the player's daily limit; raises MatchError if that is reached.

    Requests whose sender is not `known` to be the player have their own limit, as somebody else may have sent them.
    """
    if not known:
        if spend(ctx, Allowed("match asked for", str(player.id), ASKED_A_DAY, DAY)):
            refusal = _("{count} matches were asked for in your name today. Please go on tomorrow.", count=ASKED_A_DAY)
            raise create.MatchError("", refusal)
    elif spend(ctx, Allowed("match made", str(player.id), A_DAY, DAY)):
        raise create.MatchError("", _("You have made {count} matches today. Please go on tomorrow.", count=A_DAY))


def _game(words: Sequence[str]) -> tuple[Game[object], list[str]]:
    """Find the game that the first words name, leniently; return it with the words after its name."""
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
    # A part of several names is ambiguous.
    return not any(typed in other.replace("-", "") for other in GAMES) and nearness.likeness(key, typed) >= _ALIKE


def _values_called(game: Game[object], word: str) -> dict[str, object]:
    """Return the option and value for a word such as “long”, if it is a value of exactly one option."""
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
    """Return the clock with this many days per move; raises MatchError if there is none."""
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
    """Return a default name made from the first part of an address."""
    local = re.split(r"[.+_-]", email.partition("@")[0])[0]
    return local.capitalize()[:LONGEST_NAME] or _("Somebody")


def _name(called: Sequence[str], email: str, present: Sequence[create.Guest]) -> str:
    """Return a unique name for an invitee, from the words before the address or from its first part."""
    return apart(" ".join(called)[:LONGEST_NAME] or name_of(email), [guest.name for guest in present])
