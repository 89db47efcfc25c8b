"""Mails that answer commands, as they are kept beside those of a match: lessons, private notes, and seats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.boards.lessons import lessons, playing
from pbem.games import GAMES
from pbem.i18n import current_locale
from pbem.play.core import tokens
from pbem.play.lobby import lesson_mail
from pbem.play.lobby import lessons as taught
from pbem.play.lobby.lesson_mail import Place
from pbem.play.lobby.lobby_mail import JOIN_REFUSED
from tests.support.house import address

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pbem.config import Config
    from pbem.games import Game

    Answer = tuple[str, str, dict[str, Any]]
    """Name of a mail, its kind, and its facts."""

DAY = 739_000
"""Day of the lessons."""
NOTED = [{"name": None, "lines": ["Ann plays twins early.", "Watch for the kings."]}]
ON_BOB = [{"name": "Bob", "lines": ["He owes me a cake."]}]


def of_lesson(game: Game[Any], config: Config) -> Iterator[Answer]:
    """Yield the mails of a lesson: its first step, the answers to a wrong and to a right move there, and its end."""
    first, count = _place(game, 1), len(lessons()[game.key].steps)
    second, last = _place(game, 2), _place(game, count)
    for name, facts in (
        ("lesson step", lesson_mail.step_facts(first)),
        ("lesson wrong", lesson_mail.step_facts(first) | _verdict(first, right=False)),
        ("lesson right", lesson_mail.step_facts(second) | _verdict(first, right=True)),
        ("lesson end", lesson_mail.end_facts(last) | _verdict(last, right=True)),
    ):
        yield name, lesson_mail.STEP, facts | _reader(config)


def about_lessons(config: Config) -> Iterator[Answer]:
    """Yield the list of lessons, and what answers a reply to a step of long ago."""
    # Games of other packages are not ours to keep.
    games = [key for key in taught.taught() if type(GAMES[key]).__module__.startswith("pbem.games.")]
    yield "lessons", lesson_mail.LIST, {"games": games, "unknown": False} | _reader(config)
    yield "lessons unknown", lesson_mail.LIST, {"games": games, "unknown": True} | _reader(config)
    yield "lesson refused", lesson_mail.REFUSED, _reader(config)


def of_notes(shown: Mapping[str, Any]) -> Iterator[Answer]:
    """Yield the mails about notes on a match."""
    reason = "There is no room: a note has at most 2000 characters."
    yield "noted", "noted", {**shown, "noted": [*NOTED, *ON_BOB]}
    yield "not noted", "not noted", {**shown, "refused": NOTED, "noted": ON_BOB, "reason": reason}
    yield "notes", "notes", {**shown, "noted": [*NOTED, *ON_BOB]}
    yield "notes none", "notes", {**shown, "noted": []}


def of_seats(invited: Mapping[str, Any]) -> Iterator[Answer]:
    """Yield the answers to somebody who asks for a seat anywhere: at a table of Ann, at one of their own, and none."""
    names, view = invited["names"], invited["view"]
    yield "seat joined", "invitation", {**invited, "joined": True, "seat": 2}
    alone = {"names": [names[0], *[""] * (len(names) - 1)], "creator": True, "made": True, "found_none": True}
    yield "seat opened", "invitation", {**invited, **alone, "view": {**view, "names": alone["names"]}}


def without_seat(config: Config) -> Iterator[Answer]:
    """Yield the refusal of a seat anywhere, with the tables that are open."""
    game = "martian-whist"
    table = {
        "match": "abcdefghjk0123456789", "code": "abcd", "game": game, "options": dict(GAMES[game].settle(2, {})),
        "clock": "3 days", "on_time": "", "reliable": None, "rated": True, "seated": ["Cyd"], "standings": [],
        "size": 2,
    }  # fmt: skip
    reason = "Unknown game “chess”."
    yield "seat refused", JOIN_REFUSED, {"reason": reason, "tables": [table]} | _reader(config)


def _place(game: Game[Any], number: int) -> Place:
    return Place(game.key, number, current_locale(), DAY)


def _verdict(place: Place, *, right: bool) -> dict[str, Any]:
    """Return what a mail says of the first move that is right or wrong at a step."""
    at = playing.stand(GAMES[place.game], place.step)
    facts = (taught.attempt_facts(at, place.step, move) for move in at.game.moves(at.position, at.seat))
    found = next(one for one in facts if one["right"] is right)
    return {"verdict": {name: found[name] for name in ("right", "why", "news")}}


def _reader(config: Config) -> dict[str, Any]:
    key = tokens.key_id(config.secret_keys[-1])
    return {"name": "Ann", "language": current_locale(), "email": address("Ann"), "key": key}
