"""Parser of match requests by mail: `new GAME with ADDRESS …`, with options, robots, open seats and a clock."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from pbem.boards.prose import series
from pbem.games import GAMES, nearness
from pbem.i18n import _, several
from pbem.play.clocks import match_lengths, time_controls, timeout_policies
from pbem.play.core.errors import Code, Refused
from pbem.play.core.rate_limits import SECONDS_PER_DAY, Limit, hit
from pbem.play.lifecycle import create, match_requests, robot_seats
from pbem.play.lifecycle.match_requests import Invitee, MatchRequest, Terms
from pbem.play.lobby.robot_words import ROBOT_WORDS, parse_level
from pbem.play.players import bots
from pbem.play.players.registry import MAX_NAME_LENGTH, normalise_email, unique_name
from pbem.robots import Level

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from pbem.db.models import Match, Player
    from pbem.games import Game
    from pbem.play.core.context import Context

MAX_MATCHES_PER_DAY = 20
"""Maximum matches that a player may create per day, by mail or on the page."""
MAX_UNVERIFIED_PER_DAY = 5
"""Maximum matches per player and day requested by mails whose sender is not verified."""

_WITH_WORDS = {"with", "against", "mit", "gegen"}
_CONJUNCTIONS = {"and", "und", "&", "+"}
_PRIVATE_WORDS = {"private", "privat"}
_UNRATED_WORDS = {"unrated", "ungewertet"}
_ANYBODY_WORDS = {
    "anybody", "anyone", "others", "strangers", "open",
    "irgendwem", "irgendwer", "irgendjemand", "irgendjemandem", "anderen", "beliebigen", "offen",
}  # fmt: skip
_ARTICLES = {"a", "an", "the", "one", "ein", "einen", "einem", "den", "dem", "die", "eine"}
_NUMBER_WORDS = {"two": 2, "three": 3, "four": 4, "zwei": 2, "drei": 3, "vier": 4}
_ROBOTS_FOLLOW = {*_WITH_WORDS, *_ARTICLES, *_NUMBER_WORDS}
_PLAYER_WORDS = {"players", "seats", "spieler", "plätze"}
_DAYS_PER_UNIT = {"day": 1, "days": 1, "tag": 1, "tage": 1, "tagen": 1, "week": 7, "weeks": 7, "woche": 7, "wochen": 7}
_ONE_WORDS = {"a", "one", "eine", "ein", "einen"}
_WITHOUT_WORDS = {"no", "without", "ohne", "keine"}
_DEADLINE_WORDS = {"deadline", "deadlines", "clock", "frist", "fristen", "uhr"}
_CLOCK_NAMES = {
    "relaxed": "relaxed", "gemütlich": "relaxed", "entspannt": "relaxed",
    "weekend": "weekend", "weekends": "weekend", "wochenende": "weekend", "wochenenden": "weekend",
}  # fmt: skip
_FREE_WORDS = {"free", "frei"}
_TIMEOUT_POLICY_NAMES = {
    "loss": timeout_policies.LOSS, "substitute": timeout_policies.SUBSTITUTE, "vote": timeout_policies.VOTE,
    "verlust": timeout_policies.LOSS, "ersatz": timeout_policies.SUBSTITUTE, "abstimmung": timeout_policies.VOTE,
}  # fmt: skip
_ON_TIME_PHRASES = (["on", "time"], ["auf", "zeit"])
_RELIABLE_WORDS = {"reliable", "zuverlässig", "zuverlässige"}
_DEFAULT_RELIABILITY_PERCENT = 90
_YES_WORDS, _NO_WORDS = {"yes", "ja", "true", "on"}, {"no", "nein", "false", "off"}
_MIN_SIMILARITY = 0.7
"""Minimum similarity of a typed name to a game's name, from 0 to 1, if it is not a part of any."""
_MIN_NAME_LENGTH = 3
_MAX_NAME_WORDS = 8
"""Maximum words of a game's name, however it is typed; each has at most `LONGEST_NAME` characters."""
MAX_CHARS = 4000
"""Maximum characters parsed after “new”."""
MAX_SEATS = 12
"""Cap on the numbers of seats, robots and invitees in a request; nobody asks for more in earnest."""
_PAIR_PHRASES = {("there", "back"), ("hin", "zurück"), ("hin", "zurueck"), ("hin-", "rückspiel"), ("hin", "rückspiel")}
"""Words for two matches of the same deal, without the “and” between them."""
_OPEN_PHRASES = {("open", "if", "declined"), ("offen", "wenn", "abgelehnt"), ("offen", "bei", "absage")}
"""Words for a seat that is open to others if its invitee declines."""
_BOT_WORDS = {"bot", "bots"}
_BOT_POLICY_NAMES = {
    "none": bots.NONE, "unrated": bots.UNRATED, "rated": bots.RATED,
    "keine": bots.NONE, "ungewertet": bots.UNRATED, "gewertet": bots.RATED,
}  # fmt: skip
_NOT_A_LETTER = re.compile(r"[^a-z0-9]")


@dataclass(slots=True)
class _Parser:
    """State of the parser: `remaining` are the words to come, `pending` those that are not yet assigned to anything."""

    game: Game[object]
    host: Invitee
    remaining: list[str]
    invitees: list[Invitee]
    options: dict[str, object]
    pending: list[str]
    robots: list[Level]
    anybody: int = 0
    players: int = 0
    clock: str = ""
    on_time: str | None = None
    reliable: int | None = None

    def parse_word(self, word: str) -> None:
        """Parse the next word, and those that belong to it."""
        folded = word.casefold()
        following = self.remaining[0].casefold() if self.remaining else ""
        if "@" in word:
            self._invite(word)
        elif option := next((one for one in self.game.options if one.casefold() == folded), None):
            self.options[option] = _parse_value(self.game, option, self.remaining.pop(0) if self.remaining else "")
        elif folded in _ANYBODY_WORDS:
            self.anybody += self._number()
        elif folded in ROBOT_WORDS:
            self._add_robots()
        elif folded in _PLAYER_WORDS and following.isdecimal():
            self.players = min(int(self.remaining.pop(0)[:3]), MAX_SEATS)
        elif following in _DAYS_PER_UNIT and (folded in _ONE_WORDS or word.isdecimal()):
            self.remaining.pop(0)
            plain = _find_clock((1 if folded in _ONE_WORDS else int(word[:3])) * _DAYS_PER_UNIT[following])
            # “weekend” and “three days” may come in either order.
            self.clock = self.clock if (self.clock, plain) == ("weekend", time_controls.DEFAULT) else plain
        elif folded in _WITHOUT_WORDS and following in _DEADLINE_WORDS:
            self.remaining.pop(0)
            self.clock = time_controls.UNLIMITED
        elif not self._takes_terms(folded, following):
            option_value = _option_with_value(self.game, word)
            self.options |= option_value
            self.pending += [] if option_value else [word]

    def _invite(self, email: str) -> None:
        """Add an invitee with this address, named by the words before; one above the maximum is enough to refuse."""
        if len(self.invitees) <= MAX_SEATS:
            # Named by the words before the address, or else by its first part.
            name = " ".join(self.pending)[:MAX_NAME_LENGTH] or default_name(email)
            taken = [invitee.name for invitee in (self.host, *self.invitees)]
            self.invitees.append(Invitee(unique_name(name, taken), email))
        self.pending = []

    def _add_robots(self) -> None:
        """Add robots of the levels and the numbers before the word, or of the level after it."""
        level = self._take_level()
        if level is None and self.remaining and not _begins_a_player(self.remaining[1:2]):
            level = parse_level(self.remaining[0])
            self.remaining = self.remaining[1:] if level else self.remaining
        added = [level or Level.FAIR] * self._number()
        # “an easy and a strong robot”
        while before := self._take_level():
            added = [before] * self._number() + added
        self.robots += added

    def _take_level(self) -> Level | None:
        """Parse the word before as a level; None, and it stays, if it is none."""
        level = parse_level(self.pending[-1]) if self.pending else None
        if level:
            self.pending.pop()
        return level

    def _number(self) -> int:
        """Parse the number before a word: one, unless it is a number."""
        before = self.pending[-1].casefold() if self.pending else ""
        if before.isdecimal() or before in _ARTICLES or before in _NUMBER_WORDS:
            self.pending.pop()
        return min(int(before[:3]), MAX_SEATS) if before.isdecimal() else _NUMBER_WORDS.get(before, 1)

    def _takes_terms(self, folded: str, following: str) -> bool:
        """Parse a word about time or reliability; return whether it was one."""
        if folded in _CLOCK_NAMES:
            self.clock = _CLOCK_NAMES[folded]
            self.remaining = self.remaining[1:] if following in _FREE_WORDS else self.remaining
        elif folded in _TIMEOUT_POLICY_NAMES:
            self.on_time = _TIMEOUT_POLICY_NAMES[folded]
            self.remaining = (
                self.remaining[2:] if [*map(str.casefold, self.remaining[:2])] in _ON_TIME_PHRASES else self.remaining
            )
        elif folded in _RELIABLE_WORDS:
            self.reliable = int(self.remaining.pop(0)[:3]) if following.isdecimal() else _DEFAULT_RELIABILITY_PERCENT
        else:
            return False
        return True

    @property
    def seated(self) -> tuple[Invitee, ...]:
        """The host, the invitees and the robots; without open seats, the last level fills up to the game's minimum."""
        missing = self.game.seats[0] - 1 - len(self.invitees) - len(self.robots)
        filled = [*self.robots]
        if self.robots and not self.anybody and not self.players:
            filled += self.robots[-1:] * missing
        return (self.host, *self.invitees, *map(match_requests.robot, filled))

    @property
    def open_seats(self) -> int:
        """Number of open seats: as many as requested, and at least up to the game's minimum."""
        named = len(self.seated)
        if self.players:
            return max(0, self.players - named)
        return max(self.anybody, self.game.seats[0] - named) if self.anybody else 0


def parse(text: str, host: Invitee) -> MatchRequest:
    """Parse the text after “new”; raises Refused with a sentence for the sender."""
    text = text[:MAX_CHARS].rstrip(" .!")
    words = [word.strip("<>,;()") for word in text.replace("=", " ").replace(": ", " ").split()]
    words, bot_policy = _skip_bot_policy([word for word in words if word])
    folded = {word.casefold() for word in words}
    words = [word for word in words if word.casefold() not in _PRIVATE_WORDS | _UNRATED_WORDS | _CONJUNCTIONS]
    words, is_pair = _skip_phrase(words, _PAIR_PHRASES)
    words, is_open_if_declined = _skip_phrase(words, _OPEN_PHRASES)
    at = next((at for at, word in enumerate(words) if word.casefold() in _WITH_WORDS or "@" in word), len(words))
    game, left = parse_game(words[:at])
    if not any("@" in word for word in words[at : at + 1]):
        # Directly before an address, it would be a name.
        left = _skip_misspelt_name(game, left)
    left += [word for word in words[at:] if word.casefold() not in _WITH_WORDS]
    reading = _Parser(game, host, left, [], {}, [], [])
    while reading.remaining:
        reading.parse_word(reading.remaining.pop(0))
    if reading.pending:
        if level := _stray_level(reading.pending, words):
            raise robot_seats.unknown_level(level[:MAX_NAME_LENGTH], game, "seats")
        named = [word for before, word in pairwise(words) if before.casefold() in _WITH_WORDS and not word.isdecimal()]
        if reading.pending[0] in named:
            normalise_email(reading.pending[0], "address")
        raise Refused(_unknown_option(game, " ".join(reading.pending)[:MAX_NAME_LENGTH]), "options")
    public = not folded & _PRIVATE_WORDS
    rated = public and not folded & _UNRATED_WORDS
    terms = Terms(
        reading.clock or time_controls.DEFAULT,
        reading.on_time,
        reading.reliable,
        rated,
        public,
        bot_policy,
        is_open_if_declined,
    )
    return MatchRequest(
        game.key, reading.options, reading.seated, terms, reading.open_seats, creator_seat=1, there_and_back=is_pair
    )


def create_match(ctx: Context, wanted: MatchRequest, player: Player | None, *, known: bool, mail: str | None) -> Match:
    """Create a match requested by mail, a short one by default; `mail` is the Message-ID."""
    if player is not None:
        hit_daily_limit(ctx, player, known=known)
    options = {**match_lengths.SHORT_OPTIONS.get(wanted.game, {}), **wanted.options}
    return create.create_match(ctx, replace(wanted, options=options, known=known, message_id=mail))


def hit_daily_limit(ctx: Context, player: Player, *, known: bool = True) -> None:
    """Count a match towards the player's daily limit; raises Refused if that is reached.

    Requests whose sender is not `known` to be the player have their own limit, as somebody else may have sent them.
    """
    if not known:
        if hit(ctx, Limit("match asked for", str(player.id), most := MAX_UNVERIFIED_PER_DAY, SECONDS_PER_DAY)):
            sentence = _("{count} matches were requested in your name today. Try again tomorrow.", count=most)
            raise Refused(sentence, code=Code.DAILY_LIMIT)
    elif hit(ctx, Limit("match made", str(player.id), MAX_MATCHES_PER_DAY, SECONDS_PER_DAY)):
        sentence = _("You created {count} matches today. Try again tomorrow.", count=MAX_MATCHES_PER_DAY)
        raise Refused(sentence, code=Code.DAILY_LIMIT)


def parse_game(words: Sequence[str]) -> tuple[Game[object], list[str]]:
    """Find the game that the first words name, leniently; return it with the words after its name."""
    front = [word[:MAX_NAME_LENGTH].casefold() for word in words[:_MAX_NAME_WORDS]]
    for matches in (lambda typed, key: typed in key, _is_similar):
        for some in range(len(front), 0, -1):
            typed = _NOT_A_LETTER.sub("", "".join(front[:some]))
            found = [key for key in GAMES if len(typed) >= _MIN_NAME_LENGTH and matches(typed, key.replace("-", ""))]
            if len(found) == 1:
                return GAMES[found[0]], [*words[some:]]
    names = series([game.name for game in GAMES.values()])
    if not words:
        raise Refused(_("Write a game after “new”. Choose one of: {games}.", games=names), "game")
    typed = " ".join(words)[:MAX_NAME_LENGTH]
    refusal = _("Unknown game “{game}”. Choose one of: {games}.", game=typed, games=names)
    raise Refused(refusal, "game")


def _skip_phrase(words: list[str], phrases: Collection[tuple[str, ...]]) -> tuple[list[str], bool]:
    """Return the words without the first of some phrases, and whether one was there."""
    folded = [word.casefold() for word in words]
    found = ((at, len(one)) for at in range(len(words)) for one in phrases if (*folded[at : at + len(one)],) == one)
    at, length = next(found, (0, 0))
    return [*words[:at], *words[at + length :]], length > 0


def _skip_bot_policy(words: list[str]) -> tuple[list[str], str]:
    """Return the words without “bots rated” and the like, and what the match allows bots.

    After a number, an article, a level or “with”, bots are robots that take a seat.
    """
    folded = [word.casefold() for word in words]
    for at, (word, policy) in enumerate(pairwise(folded)):
        before = folded[at - 1] if at else ""
        seats_robots = before.isdecimal() or before in _ROBOTS_FOLLOW or parse_level(before) is not None
        if word in _BOT_WORDS and policy in _BOT_POLICY_NAMES and not seats_robots:
            return [*words[:at], *words[at + 2 :]], _BOT_POLICY_NAMES[policy]
    return words, bots.NONE


def _skip_misspelt_name(game: Game[object], words: Sequence[str]) -> list[str]:
    """Return the words after a game's name, without those that misspell a part of it, such as “bufet”."""
    parts, options = game.name.split(), {option.casefold() for option in game.options}
    for at, word in enumerate(words):
        typed = word[:MAX_NAME_LENGTH].casefold()
        if typed in options or max(nearness.likeness(part, typed) for part in parts) < _MIN_SIMILARITY:
            return [*words[at:]]
    return []


def _begins_a_player(following: Sequence[str]) -> bool:
    """Return whether the word before these belongs to them: to a robot as its level, or to an address as a name."""
    return any(word.casefold() in ROBOT_WORDS or "@" in word for word in following)


def _stray_level(pending: Sequence[str], words: Sequence[str]) -> str:
    """Return the word before a robot that is the name of no level; empty if there is none."""
    before_robots = [word for word, robot in pairwise(words) if robot.casefold() in ROBOT_WORDS]
    return next((word for word in pending if word in before_robots), "")


def _unknown_option(game: Game[object], stray: str) -> str:
    """Return the sentence that a game has no such option, and which it has."""
    if len(game.options) == 1:
        (only,) = game.options
        return _("{game} has no option “{stray}”; its only option is “{only}”.", game=game.name, stray=stray, only=only)
    known = series([*game.options]) or _("none")
    return _("{game} has no option “{stray}”. Its options: {known}.", stray=stray, game=game.name, known=known)


def _is_similar(typed: str, key: str) -> bool:
    # A part of several names is ambiguous.
    is_part = any(typed in other.replace("-", "") for other in GAMES)
    return not is_part and nearness.likeness(key, typed) >= _MIN_SIMILARITY


def _option_with_value(game: Game[object], word: str) -> dict[str, object]:
    """Return the option and value for a word such as “long”, if it is a value of exactly one option."""
    found: dict[str, object] = {
        option: value
        for option, values in game.options.items()
        for value in values
        if isinstance(value, str) and value.casefold() == word.casefold()
    }
    return found if len(found) == 1 else {}


def _parse_value(game: Game[object], option: str, typed: str) -> object:
    for value in game.options[option]:
        texts = {True: _YES_WORDS, False: _NO_WORDS}[value] if isinstance(value, bool) else {str(value).casefold()}
        if typed.casefold() in texts:
            return value
    words = {True: _("yes"), False: _("no")}
    values = series([words[value] if isinstance(value, bool) else str(value) for value in game.options[option]])
    raise Refused(_("Write one of these after “{option}”: {values}.", option=option, values=values), "options")


def _find_clock(days: int) -> str:
    """Return the clock with this many days per move; raises Refused if there is none."""
    found = time_controls.find_per_move(days)
    if found is None:
        clocks = time_controls.PRESETS.items()
        plain = [it.days for key, it in clocks if it.days and time_controls.find_per_move(it.days) == key]
        offered = series([several("one day", "{count} days", count) for count in plain])
        raise Refused(_("Times per move: {clocks}.", clocks=offered), "clock")
    return found


def default_name(email: str) -> str:
    """Return a default name made from the first part of an address."""
    local = re.split(r"[.+_-]", email.partition("@")[0])[0]
    return local.capitalize()[:MAX_NAME_LENGTH] or _("Somebody")
