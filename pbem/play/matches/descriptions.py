"""Descriptions of a match for mails and pages: whose turn it is, how it ended, what an option means."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pbem.boards import drawing_for
from pbem.boards.prose import reader_name as spoken_to
from pbem.boards.prose import series
from pbem.games import GAMES
from pbem.i18n import _, marked, several
from pbem.robots import Level
from pbem.time_format import format_moment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from pbem.boards import Guide

_ENDINGS = {
    "finished": marked("The match is over."),
    "resigned": marked("The match is over by resignation."),
    "timed_out": marked("The match is over on time."),
    "agreed": marked("The match is over by agreement."),
    "abandoned": marked("The match is over, abandoned by all."),
    "aborted": marked("The match is over, called off."),
}
_SENTENCE_ENDS = re.compile(r"(?<=[.?!]) (?=[A-ZÄÖÜ“„])")

OPTION_TEXTS: dict[str, dict[str, tuple[str, tuple[str, ...]]]] = {
    "minimax": {
        "size": (
            marked("How long?"),
            (marked("Small: 12 pyramids, a handful of turns"), marked("Long: 24 pyramids, much more to plan")),
        ),
    },
    "martian-whist": {
        "sets": (
            marked("How long?"),
            (marked("The full game: 20 trees, then ten tricks"), marked("The short game: 10 trees, then five tricks")),
        ),
    },
    "amazonian-buffet": {
        "compare": (
            marked("How are equal kinds of hands compared?"),
            (marked("Card by card, from the highest down"), marked("As poker players do: pairs and the like first")),
        ),
    },
    "martian-trickery": {
        "prizes": (marked("The prizes"), (marked("One Treehouse set"), marked("Two stashes of pyramids"))),
        "out": (marked("The colour left out"), (marked("Blue"), marked("Red"), marked("Yellow"), marked("Green"))),
        "hands": (
            marked("How many hands?"),
            (marked("Four hands"), marked("One hand"), marked("Two hands"), marked("Three hands")),
        ),
    },
    "montauk": {
        "rounds": (marked("How many rounds?"), (marked("12, the full match"), *map(str, range(1, 12)))),
    },
}
"""Every known option as text: its question, and each of its values in the order of the rules."""


def option_question(game: str, option: str) -> str:
    """Return the question that asks for an option."""
    known = OPTION_TEXTS.get(game, {}).get(option)
    return _(known[0]) if known else option.replace("_", " ").capitalize()


def option_value(game: str, option: str, value: object) -> str:
    """Describe a value of an option."""
    known = OPTION_TEXTS.get(game, {}).get(option)
    values = GAMES[game].options.get(option, ())
    if known and value in values and len(known[1]) == len(values):
        return _(known[1][values.index(value)])
    return _("yes") if value is True else _("no") if value is False else str(value)


def player_count(game: str) -> str:
    """Describe the numbers of players of a game."""
    numbers = GAMES[game].seats
    first, last = numbers[0], numbers[-1]
    if first == last:
        return several("for one player", "for {number} players", first)
    return _("for {first} to {last} players", first=first, last=last)


_LEVELS = {
    Level.EASY: marked("easy"),
    Level.FAIR: marked("fair"),
    Level.STRONG: marked("strong"),
    Level.BEST: marked("best"),
}
_ROBOTS_BY_LEVEL = {
    Level.EASY: marked("{name} (easy robot)"),
    Level.FAIR: marked("{name} (fair robot)"),
    Level.STRONG: marked("{name} (strong robot)"),
    Level.BEST: marked("{name} (best robot)"),
}


def player_list(names: Sequence[str]) -> str:
    """List players as a sentence does; those without a name are open seats."""
    named = [name for name in names if name]
    vacant = len(names) - len(named)
    return series([*named, several("an open seat", "{number} open seats", vacant)] if vacant else named)


def mark_robots(names: Sequence[str], robots: Mapping[int, str]) -> tuple[str, ...]:
    """Return the names of a match's players as a list of them shows them; `robots` are the levels by seat."""
    return tuple(list_name(name, robots.get(seat)) for seat, name in enumerate(names, 1))


def list_name(name: str, robot_level: str | None = None) -> str:
    """Return a player's name as a list of players shows it, with the level if it is a robot's."""
    return _(_ROBOTS_BY_LEVEL[Level(robot_level)], name=name) if robot_level else name


def late_thoughts(names: Sequence[str], late: Sequence[int]) -> list[str]:
    """Describe that the robots at some seats have moved without thinking."""
    return [
        _("{name} did not finish thinking in time, and played what the game suggests.", name=names[seat - 1])
        for seat in late
    ]


def postponed_move(name: str, moves_at: datetime, zone: str) -> str:
    """Describe when a robot moves that has reached the limits of a day."""
    return _("{name} has thought a lot today, and moves {moment}.", name=name, moment=format_moment(moves_at, zone))


def level_name(level: Level) -> str:
    """Return the name of a robot's level."""
    return _(_LEVELS[level])


def last_move(names: Sequence[str], moved: int | None, you: int, when: str) -> str:
    """Describe who moved last in a match that has begun, and how long ago."""
    if moved is None:
        return _("It began {away}.", away=when)
    if moved == you:
        return _("You moved {away}.", away=when)
    return _("{name} moved {away}.", name=names[moved - 1], away=when)


def turn(view: Mapping[str, Any], names: Sequence[str], you: int | None = None) -> str:
    """Describe whose turn it is."""
    movers = view["to_move"]
    if not movers:
        return ""
    others = [names[seat - 1] for seat in movers if seat != you]
    if you in movers:
        if not others:
            return _("It is your turn.")
        return several(
            "It is your turn, and {names} may move too.",
            "It is your turn, and {names} may move too.",
            len(others),
            names=series(others),
        )
    text = series(others)
    if text.endswith("s"):
        return several("It is {names}’ turn.", "It is {names}’ turn.", len(others), names=text)
    return several("It is {names}’s turn.", "It is {names}’s turn.", len(others), names=text)


def ending(result: Mapping[str, Any], names: Sequence[str], you: int | None = None) -> str:
    """Describe how a match ended, who has won and with what score."""
    how = result["ending"]
    over = _(_ENDINGS[how])
    return over if how == "aborted" else f"{over} {winner_and_score(result, names, you)}"


def winner_and_score(result: Mapping[str, Any], names: Sequence[str], you: int | None = None) -> str:
    """Describe who has won, and with what score."""
    winners = [names[seat - 1] for seat in result["winners"]]
    if len(names) == 1:
        won_it = _("You have won it.") if you else _("It is won.")
        text = won_it if winners else _("It is not won this time.")
    elif len(winners) > 1:
        text = _("It is a draw between {names}.", names=series(winners))
    elif winners:
        text = _("You have won.") if you in result["winners"] else _("{name} has won.", name=winners[0])
    else:
        text = _("Nobody has won.")
    return f"{text} {score(result['scores'], names)}".rstrip()


def ending_by_move(result: Mapping[str, Any], names: Sequence[str], you: int) -> str:
    """Describe the result of a move that ends the game."""
    points = result["scores"]
    if len(names) == 1:
        many = several("one point", "{number} points", points["1"])
        if result["winners"]:
            return _("This ends the game with {points}, and wins it.", points=many)
        return _("This ends the game with {points}, but does not win it.", points=many)
    winners = [names[seat - 1] for seat in result["winners"]]
    if len(winners) > 1:
        text = _("This ends the game, in a draw between {names}.", names=series(winners))
    elif you in result["winners"]:
        text = _("This ends the game, and you win.")
    else:
        text = _("This ends the game, and {name} wins.", name=winners[0])
    return f"{text} {score(points, names)}"


def score(scores: Mapping[str, int] | None, names: Sequence[str]) -> str:
    """Format the scores in seat order."""
    if not scores:
        return ""
    each = ", ".join(f"{name} {scores[str(seat)]}" for seat, name in enumerate(names, 1))
    return _("The score: {scores}.", scores=each)


def log_sentences(
    game: str, entries: Sequence[Mapping[str, Any]], names: Sequence[str], you: int | None = None
) -> list[str]:
    """Describe entries of a log, addressed to the seat `you` if given."""
    drawing, called = drawing_for(game), _names_for(names, you)
    return [_lowercase_you(drawing.tell(entry, called)) for entry in entries]


def shorten_refusal(near: Sequence[str], reason: str) -> str:
    """Shorten the reason of a refusal beside suggested moves: later sentences that name one of them are left out."""
    first, *others = _SENTENCE_ENDS.split(reason)
    named = re.compile("|".join(rf"(?<![\w/]){re.escape(move)}(?![\w/])" for move in near) or "(?!)")
    return " ".join([first, *(sentence for sentence in others if not named.search(sentence))])


def guide(game: str, board: Mapping[str, Any], names: Sequence[str], you: int) -> Guide:
    """List by heading the facts that a seat's choice of a move depends on."""
    headed = drawing_for(game).guide(board, _names_for(names, you), you)
    return tuple((heading, tuple(map(_lowercase_you, lines))) for heading, lines in headed)


def move_effects(game: str, board: Mapping[str, Any], names: Sequence[str], you: int, move: str) -> list[str]:
    """Describe to a seat what a move would gain, from the board before it."""
    return [_lowercase_you(line) for line in drawing_for(game).brings(board, _names_for(names, you), you, move)]


def piece_description(game: str, board: Mapping[str, Any], names: Sequence[str], you: int, place: str) -> list[str]:
    """Describe a place, a card or a pyramid to a seat; empty if the game has none of that name."""
    return [_lowercase_you(line) for line in drawing_for(game).what(board, _names_for(names, you), you, place)]


def held_items(game: str, board: Mapping[str, Any], you: int) -> list[str]:
    """Describe to a seat what it holds."""
    return [*drawing_for(game).held(board, you)]


def _names_for(names: Sequence[str], you: int | None) -> tuple[str, ...]:
    return tuple(spoken_to() if seat == you else name for seat, name in enumerate(names, 1))


def _lowercase_you(sentence: str) -> str:
    """Write the word for “you” in lower case within a sentence."""
    name = spoken_to()
    if name not in sentence[1:]:
        return sentence
    return re.sub(rf"(?<=[\w,;:] ){name}\b", name.lower(), sentence)
