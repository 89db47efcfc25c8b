"""The form for a new match: its questions and the typed answers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pbem.games import GAMES
from pbem.i18n import _, marked
from pbem.play.clocks import match_lengths, time_controls, timeout_policies
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import match_requests, there_and_back
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.lobby import request_parser
from pbem.play.matches import descriptions
from pbem.play.players import bots
from pbem.play.players.registry import unique_name
from pbem.web.common import robot_levels
from pbem.web.request import form_fields

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.robots import Level
    from pbem.web.common.robot_levels import LevelChoice

PUBLIC, FRIENDLY, PRIVATE = "public", "friendly", "private"
INVITE, OPEN, ROBOT, NOBODY = "invite", "open", "robot", "nobody"

_MAX_BUTTONS = 4
"""Maximum answers shown side by side; more become a drop-down list."""
_NAMES = ("Robin", "Sam", "Alex", "Kim")
_ADDRESSES = ("you@example.org", "friend@example.org", "another@example.org", "third@example.org")

_VISIBILITIES = {
    PUBLIC: marked("Anybody; the result is rated"),
    FRIENDLY: marked("Anybody; the result is not rated"),
    PRIVATE: marked("Only the players; not listed, not rated"),
}
_SOLO_VISIBILITIES = {PUBLIC: marked("Anybody"), PRIVATE: marked("Only you")}
_SEAT_CHOICES = {
    INVITE: marked("Somebody I invite"),
    OPEN: marked("Open to anybody"),
    ROBOT: marked("The robot"),
    NOBODY: marked("Nobody"),
}


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a question: its form value, its label, and its effect."""

    value: str
    words: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A multiple-choice question of a form."""

    name: str
    words: str
    answers: tuple[Answer, ...]
    chosen: str

    @property
    def few(self) -> bool:
        """True if all answers fit side by side."""
        return len(self.answers) <= _MAX_BUTTONS


@dataclass(frozen=True, slots=True)
class Place:
    """A seat of the form: its player as typed, and an error. `level` is the robot's, if one is chosen."""

    number: int
    name: str
    email: str
    needed: bool
    level: Level
    sits: str = INVITE
    wrong: str = ""

    @property
    def choices(self) -> list[Answer]:
        """Choices of who sits there."""
        offered = [INVITE, OPEN, ROBOT] if self.needed else [NOBODY, INVITE, OPEN, ROBOT]
        return [Answer(value, _(_SEAT_CHOICES[value])) for value in offered]


@dataclass(frozen=True, slots=True)
class Form:
    """The whole form as typed; `you` is the signed-in player, if known."""

    game: str
    places: tuple[Place, ...]
    options: Mapping[str, object]
    clock: str
    on_time: str
    reliable: str
    bots: str
    watched: str
    words: str
    there_and_back: bool = False
    open_if_declined: bool = False
    you: Invitee | None = None

    @property
    def can_return(self) -> bool:
        """True for a game of which two players can play one deal there and back."""
        return there_and_back.is_possible(GAMES[self.game])

    @property
    def alone(self) -> bool:
        """True for a game of one player."""
        return GAMES[self.game].seats[-1] == 1

    @property
    def unaccompanied(self) -> bool:
        """True if no other person plays; then no clock runs."""
        return all(place.sits == ROBOT for place in self.used_places[1:])

    @property
    def used_places(self) -> tuple[Place, ...]:
        """Seats that are in use, by a known player or not."""
        return tuple(place for place in self.places if place.sits != NOBODY)

    @property
    def levels(self) -> list[LevelChoice]:
        """The levels of the game's robots."""
        return robot_levels.choices(self.game, len(self.used_places))

    @property
    def robots(self) -> list[Level]:
        """The levels of the robots that are chosen."""
        return [place.level for place in self.used_places if place.sits == ROBOT]

    @property
    def chosen_options(self) -> dict[str, object]:
        """The chosen options, without the defaults, which some choices exclude."""
        offered = GAMES[self.game].options
        return {option: value for option, value in self.options.items() if offered[option].index(value)}

    @property
    def length(self) -> str:
        """Expected length of the match, in words."""
        return self._lasts(self.options, self.clock)

    @property
    def is_special(self) -> bool:
        """True if a seat beyond those that the game needs is in use."""
        return any(not place.needed for place in self.used_places)

    @property
    def summary(self) -> str:
        """Clock and visibility, in a few words."""
        watched = _("private") if self.watched == PRIVATE else _("public")
        if not self.unaccompanied and self.watched != PRIVATE:
            has_robot = any(place.sits == ROBOT for place in self.used_places)
            watched += f", {_('friendly') if has_robot or self.watched == FRIENDLY else _('rated')}"
        return watched if self.unaccompanied else f"{time_controls.short_description(self.clock)} · {watched}"

    def guests(self) -> list[Invitee | None]:
        """Return the invitee of each seat; raises Refused for a seat without a player."""
        guests: list[Invitee | None] = []
        for at, place in enumerate(self.used_places):
            if place.number == 1 and self.you:
                guests.append(self.you)
            elif place.sits != INVITE:
                guests.append(match_requests.robot(place.level) if place.sits == ROBOT else None)
            elif place.name or (place.number == 1 and not place.email):
                guests.append(Invitee(place.name, place.email))
            elif not place.email:
                raise Refused(_("Enter their mail address, or leave the seat open to anybody."), f"seats.{at}")
            else:
                taken = [guest.name for guest in guests if guest]
                guests.append(Invitee(unique_name(request_parser.default_name(place.email), taken), place.email))
        return guests

    def with_error(self, field: str, wrong: str) -> Form:
        """Return the form with an error at its seat, if it concerns a seat of this form."""
        _seats, _dot, at = field.partition(".")
        if not at:
            return self
        number = self.used_places[int(at)].number
        places = (replace(place, wrong=wrong) if place.number == number else place for place in self.places)
        return replace(self, places=tuple(places))

    @property
    def questions(self) -> list[Question]:
        """Questions about the game's options, with the length of the match where it differs."""
        return [self._question(option, values) for option, values in GAMES[self.game].options.items()]

    @property
    def clocks(self) -> Question:
        """Question about the time control."""
        answers = tuple(Answer(key, time_controls.description(key)) for key in time_controls.PRESETS)
        return Question("clock", _("How fast?"), answers, self.clock)

    @property
    def timeout_question(self) -> Question:
        """Question about the timeout policy."""
        answers = (
            Answer("", _("As usual: friends decide together; at a table with open seats somebody else may take over.")),
            *(Answer(key, _(text)) for key, text in timeout_policies.POLICIES.items()),
        )
        return Question("on_time", _("What happens when time runs out?"), answers, self.on_time)

    @property
    def joining(self) -> Question:
        """Question about who may take an open seat."""
        answers = tuple(
            Answer(str(percent), timeout_policies.describe_reliability(percent))
            for percent in timeout_policies.RELIABILITY_REQUIREMENTS
        )
        return Question(
            "reliable", _("Who may take an open seat?"), (Answer("", _("Anybody")), *answers), self.reliable
        )

    @property
    def bot_question(self) -> Question:
        """Question about bots."""
        answers = tuple(Answer(key, _(text)) for key, text in bots.POLICIES.items())
        return Question("bots", _("May programs of other people play (bots)?"), answers, self.bots)

    @property
    def watching(self) -> Question:
        """Question about who may watch."""
        texts = _SOLO_VISIBILITIES if self.alone else _VISIBILITIES
        return Question(
            "watched", _("Who may watch?"), tuple(Answer(key, _(texts[key])) for key in texts), self.watched
        )

    def _lasts(self, options: Mapping[str, object], clock: str) -> str:
        """Return the expected length of a match, in words."""
        return match_lengths.describe(
            self.game, len(self.used_places), options, time_controls.UNLIMITED if self.unaccompanied else clock
        )

    def _question(self, option: str, values: Sequence[object]) -> Question:
        takes = [self._lasts({**self.options, option: value}, self.clock) for value in values]
        differs = len(set(takes)) > 1
        answers = [
            Answer(str(number), descriptions.option_value(self.game, option, value), takes[number] if differs else "")
            for number, value in enumerate(values)
        ]
        short = _short_game_index(self.game, option)
        # Numbers in their order; otherwise the value for a short game first.
        numbers = [value if type(value) is int else 0 for value in values]
        answers.sort(key=lambda answer: numbers[int(answer.value)] if any(numbers) else answer.value != short)
        chosen = str(values.index(self.options[option]))
        return Question(f"option-{option}", descriptions.option_question(self.game, option), tuple(answers), chosen)


def parse(game: str, typed: Mapping[str, str], level: Level, *, prefill: bool = False) -> Form:
    """Parse the form; anything missing or invalid is as the form offers it, robots of this level."""
    watched = _SOLO_VISIBILITIES if GAMES[game].seats[-1] == 1 else _VISIBILITIES
    numbers = range(1, GAMES[game].seats[-1] + 1)
    return Form(
        game,
        tuple(_parse_place(game, number, typed, level, prefill=prefill) for number in numbers),
        {option: _chosen_value(game, option, typed) for option in GAMES[game].options},
        _one_of(tuple(time_controls.PRESETS), typed.get("clock"), time_controls.DEFAULT),
        _one_of(tuple(timeout_policies.POLICIES), typed.get("on_time"), ""),
        _one_of(tuple(map(str, timeout_policies.RELIABILITY_REQUIREMENTS)), typed.get("reliable"), ""),
        _one_of(tuple(bots.POLICIES), typed.get("bots"), bots.NONE),
        _one_of(tuple(watched), typed.get("watched"), next(iter(watched))),
        typed.get("words", "").strip(),
        bool(typed.get("there_and_back")),
        bool(typed.get("open_if_declined")),
    )


def _parse_place(game: str, number: int, typed: Mapping[str, str], usual_level: Level, *, prefill: bool) -> Place:
    needed = number <= GAMES[game].seats[0]
    name = typed.get(f"name-{number}", _NAMES[(number - 1) % 4] if prefill and needed else "").strip()
    email = typed.get(f"email-{number}", _ADDRESSES[(number - 1) % 4] if prefill and needed else "").strip()
    usual = INVITE if needed or name or email else NOBODY
    offered = (INVITE,) if number == 1 else (INVITE, OPEN, ROBOT) if needed else (INVITE, OPEN, ROBOT, NOBODY)
    sits = _one_of(offered, typed.get(f"sits-{number}"), usual)
    # The home page asks for one level for all seats.
    level = robot_levels.parse(game, typed.get(f"level-{number}", typed.get("level")), usual_level)
    # A name or an address means an invitee.
    return Place(number, name, email, needed, level, INVITE if sits == NOBODY and (name or email) else sits)


def _chosen_value(game: str, option: str, typed: Mapping[str, str]) -> object:
    values = GAMES[game].options[option]
    number = form_fields.parse_number(typed.get(f"option-{option}", _short_game_index(game, option))) or 0
    return values[number if number < len(values) else 0]


def _short_game_index(game: str, option: str) -> str:
    """Return the index of the value that makes a game short, else that of the default."""
    value = match_lengths.SHORT_OPTIONS.get(game, {}).get(option)
    return "0" if value is None else str(GAMES[game].options[option].index(value))


def _one_of(offered: Sequence[str], typed: str | None, usual: str) -> str:
    return typed if typed is not None and typed in offered else usual
