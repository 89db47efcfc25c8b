"""Sentences that mails and pages say about any match: whose turn it is, how it ended, what an option means."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pbem.boards import drawing_of
from pbem.boards.prose import counted, series
from pbem.games import GAMES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.boards import Guide

_HOW = {
    "finished": "",
    "resigned": " by resignation",
    "timed_out": " on time",
    "agreed": " by agreement",
    "abandoned": ", abandoned by all",
    "aborted": ", called off",
}
_YOU_INSIDE = re.compile(r"(?<=[\w,;:] )You\b")
_SENTENCE_ENDS = re.compile(r"(?<=[.?!]) (?=[A-Z“])")

CHOICES: dict[str, dict[str, tuple[str, tuple[str, ...]]]] = {
    "minimax": {
        "size": ("How long?", ("Small: 12 pyramids, a handful of turns", "Long: 24 pyramids, much more to plan")),
    },
    "martian-whist": {
        "sets": (
            "How long?",
            ("The full game: 20 trees, then ten tricks", "The short game: 10 trees, then five tricks"),
        ),
    },
    "amazonian-buffet": {
        "compare": (
            "How are equal kinds of hands compared?",
            ("Card by card, from the highest down", "As poker players do: pairs and the like first"),
        ),
    },
    "martian-trickery": {
        "prizes": ("The prizes", ("One Treehouse set", "Two stashes of pyramids")),
        "out": ("The colour left out", ("Blue", "Red", "Yellow", "Green")),
        "hands": ("How many hands?", ("Four hands", "One hand", "Two hands", "Three hands")),
    },
    "montauk": {
        "rounds": ("How many rounds?", ("12, the full match", *map(str, range(1, 12)))),
    },
}
"""Every known option in words: its question, and each of its values in the order of the rules."""


def possessive(name: str) -> str:
    """Say whose."""
    return f"{name}’" if name.endswith("s") else f"{name}’s"


def question(game: str, option: str) -> str:
    """Ask for an option in words."""
    known = CHOICES.get(game, {}).get(option)
    return known[0] if known else option.replace("_", " ").capitalize()


def choice(game: str, option: str, value: object) -> str:
    """Say what an option's value means."""
    known = CHOICES.get(game, {}).get(option)
    values = GAMES[game].options.get(option, ())
    if known and value in values and len(known[1]) == len(values):
        return known[1][values.index(value)]
    return "yes" if value is True else "no" if value is False else str(value)


def seats(game: str) -> str:
    """Say for how many players a game is."""
    numbers = GAMES[game].seats
    first, last = numbers[0], numbers[-1]
    if first == last:
        return "for one player" if first == 1 else f"for {counted(first, 'player')}"
    return f"for {first} to {last} players"


def turn(view: Mapping[str, Any], names: Sequence[str], you: int | None = None) -> str:
    """Say whose turn it is."""
    movers = view["to_move"]
    if not movers:
        return ""
    if you in movers:
        others = [names[seat - 1] for seat in movers if seat != you]
        return f"It is your turn, and {series(others)} may move too." if others else "It is your turn."
    return f"It is {possessive(series([names[seat - 1] for seat in movers]))} turn."


def ending(result: Mapping[str, Any], names: Sequence[str], you: int | None = None) -> str:
    """Say how a match ended, who has won and with what score."""
    over = f"The match is over{_HOW[result['ending']]}."
    return over if result["ending"] == "aborted" else f"{over} {won(result, names, you)}"


def won(result: Mapping[str, Any], names: Sequence[str], you: int | None = None) -> str:
    """Say who has won, and with what score."""
    winners = [names[seat - 1] for seat in result["winners"]]
    if len(names) == 1:
        said = "You have won it." if winners and you else "It is won." if winners else "It is not won this time."
    elif len(winners) > 1:
        said = f"It is a draw between {series(winners)}."
    elif winners:
        said = "You have won." if you in result["winners"] else f"{winners[0]} has won."
    else:
        said = "Nobody has won."
    return f"{said} {score(result['scores'], names)}".rstrip()


def would_end(result: Mapping[str, Any], names: Sequence[str], you: int) -> str:
    """Say what a move that ends the game by the rules would end it with."""
    points = result["scores"]
    if len(names) == 1:
        wins = "and wins it" if result["winners"] else "but does not win it"
        return f"This ends the game with {counted(points['1'], 'point')}, {wins}."
    if len(result["winners"]) > 1:
        said = f"in a draw between {series([names[seat - 1] for seat in result['winners']])}"
    else:
        said = "and you win" if you in result["winners"] else f"and {names[result['winners'][0] - 1]} wins"
    return f"This ends the game, {said}. {score(points, names)}"


def score(scores: Mapping[str, int] | None, names: Sequence[str]) -> str:
    """Tell the scores in seat order."""
    if not scores:
        return ""
    return f"The score: {', '.join(f'{name} {scores[str(seat)]}' for seat, name in enumerate(names, 1))}."


def told(game: str, entries: Sequence[Mapping[str, Any]], names: Sequence[str], you: int | None = None) -> list[str]:
    """Tell entries of a log in sentences, to a seat as one speaks to somebody."""
    drawing, called = drawing_of(game), _called(names, you)
    return [_spoken(drawing.tell(entry, called)) for entry in entries]


def beside(near: Sequence[str], reason: str) -> str:
    """Give the reason of a refusal as it stands beside moves that may have been meant, so that each is named once.

    Its first sentence says what is wrong; one that goes on to name some of those moves is left out.
    """
    first, *others = _SENTENCE_ENDS.split(reason)
    return " ".join([first, *(sentence for sentence in others if not any(_names(sentence, move) for move in near))])


def _names(sentence: str, move: str) -> bool:
    return re.search(rf"(?<![\w/]){re.escape(move)}(?![\w/])", sentence) is not None


def guide(game: str, board: Mapping[str, Any], names: Sequence[str], you: int) -> Guide:
    """Sort out under headings what the choice of a seat that is to move depends on."""
    headed = drawing_of(game).guide(board, _called(names, you), you)
    return tuple((heading, tuple(map(_spoken, lines))) for heading, lines in headed)


def brings(game: str, board: Mapping[str, Any], names: Sequence[str], you: int, move: str) -> list[str]:
    """Tell a seat what a move would bring, by the board before it."""
    return [_spoken(line) for line in drawing_of(game).brings(board, _called(names, you), you, move)]


def what(game: str, board: Mapping[str, Any], names: Sequence[str], you: int, place: str) -> list[str]:
    """Tell a seat what a place, a card or a pyramid is; nothing where the game has none of that name."""
    return [_spoken(line) for line in drawing_of(game).what(board, _called(names, you), you, place)]


def held(game: str, board: Mapping[str, Any], you: int) -> list[str]:
    """Tell a seat what it holds."""
    return [*drawing_of(game).held(board, you)]


def _called(names: Sequence[str], you: int | None) -> tuple[str, ...]:
    return tuple("You" if seat == you else name for seat, name in enumerate(names, 1))


def _spoken(sentence: str) -> str:
    return _YOU_INSIDE.sub("you", sentence)
