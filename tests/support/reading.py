"""The readers of typed text, each as a function of nothing but the text."""

from __future__ import annotations

import contextlib
from datetime import date
from random import Random
from typing import TYPE_CHECKING, Any

from werkzeug.exceptions import HTTPException

from pbem.games import GAMES, GameError, Seat
from pbem.games.chance import Chance
from pbem.play.conditional_moves.parser import Grammar
from pbem.play.conditional_moves.plans import PlanError
from pbem.play.core.actors import Action
from pbem.play.lifecycle.create import Invitee
from pbem.web.lobby import new_match_form
from pbem.web.operators.action_registry import Field

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Rows = dict[str, Callable[[str], object]]

PLIES = 12
WRAPPED = 998
"""No line of a mail is longer."""
BEHIND = {
    "games.amazonian_buffet.AmazonianBuffet.parse": "games.game.Game.read",
    "games.amazonian_buffet_layouts._typed_hand": "games.game.Game.read",
    "games.amazonian_buffet_layouts.parse": "games.game.Game.read",
    "games.amazonian_buffet_turns.parse": "games.game.Game.read",
    "games.game.Game.parse": "games.game.Game.read",
    "games.martian_trickery.MartianTrickery.parse": "games.game.Game.read",
    "games.martian_whist.MartianWhist.parse": "games.game.Game.read",
    "games.minimax.Minimax.parse": "games.game.Game.read",
    "games.montauk.Montauk.parse": "games.game.Game.read",
    "games.montauk_track.read_steps": "games.game.Game.read",
    "games.martian_whist_foresight._number": "play.plan_lines.read",
    "games.cards.fold": "play.talk.words",
    "games.pyramids.fold": "play.talk.words",
    "games.typed.fold": "games.typed.attempt",
    "play.dates._day": "play.dates.read",
    "play.suggested.read": "games.game.Game.read",
    "play.commands.advance.parted": "play.plan_lines.parted",
}
"""What is given only what another reader has let through."""
NO_TYPED_TEXT = {
    "games.record_text._number": "of a record, in the shell",
    "games.record_text.read_text": "of a record, in the shell",
    "play.confirming._read": "signed here",
    "play.naming._may_be_asked": "asks for somebody",
    "moments.day": "writes one",
    "web.incoming._parsed": "of the mail service, which has shown its key",
    "web.talk.read": "a page",
}
"""What is called like a reader and is none of what somebody typed at a page or in a mail, with why."""


def rows(found: dict[str, tuple[Callable[..., Any], str]]) -> Rows:
    """Return the readers by name."""
    host = Invitee("Ann", "ann@example.org")
    act = Action("pause", "match", needs_reason=True)
    given: dict[str, Callable[[str], tuple[Any, ...]]] = {
        "play.dates.read": lambda text: (text, date(2026, 8, 1)),
        "play.openings.read": lambda text: (text, host),
        "play.replacing.read": lambda text: (text, ("Ann", "Bob")),
        "play.operating.acting.tidy_reason": lambda text: (text, act),
        "web.operators.ways._number": lambda text: (text, "That is no number."),
        "web.sharing._number": lambda text: (text, "There is no such step."),
        "web.operators.ways._typed": lambda text: (Field("days", "Days", "number", "", 9), text),
        "games.typed.attempt": lambda text: (text, "-", str),
    }
    alone = {
        "play.finding.paging.number", "play.links.tidy", "play.naming.read", "play.openings.name_of", "play.votes.read",
        "play.operating.acting.tidy_sentence", "play.operating.mail_acts._tidy", "play.people.tidy_email",
        "play.people.tidy_name", "play.talk.tidy", "play.webhook_urls.parsed", "web.fields.number", "web.places.read",
        "web.times._day",
    }  # fmt: skip
    made: Rows = {name: with_text(found[name][0], texts) for name, texts in given.items()}
    made |= {name: found[name][0] for name in alone}
    made |= {name: of_lines(found[name][0], *more) for name, more in lines_of().items()}
    made["play.plan_lines.is_planned"] = of_lines(one_line(found["play.plan_lines.is_planned"][0]), tongue())
    made["games.game.Game.read"] = made["games.amazonian_buffet.AmazonianBuffet.read"] = moves()
    made["web.match_form.read"] = form
    return {name: refusing(read) for name, read in made.items()}


def refusing(read: Callable[[str], object]) -> Callable[[str], object]:
    """Return a reader that ends without a word where it understands nothing."""

    def tried(text: str) -> None:
        with contextlib.suppress(ValueError, GameError, PlanError, HTTPException):
            read(text)

    return tried


def with_text(read: Callable[..., object], given: Callable[[str], tuple[Any, ...]]) -> Callable[[str], object]:
    """Read a text together with what else the reader needs."""
    return lambda text: read(*given(text))


def of_lines(read: Callable[..., object], *more: object) -> Callable[[str], object]:
    """Read a text as one line, as forms send it, and as the many of a mail."""

    def both(text: str) -> None:
        for lines in ([text], [text[at : at + WRAPPED] for at in range(0, len(text), WRAPPED)]):
            with contextlib.suppress(ValueError, GameError, PlanError, HTTPException):
                read(lines, *more)

    return both


def lines_of() -> dict[str, tuple[object, ...]]:
    """Return the readers of lines, with what else they need."""
    return {
        "play.commands.read": (),
        "play.plan_lines.may_be_planned": (),
        "play.plan_lines.parted": (tongue(),),
        "play.plan_lines.read": (tongue(),),
        "play.talk.words": ("Ann",),
    }


def tongue() -> Grammar:
    """Return what the words of a plan are measured by in a game with cards."""
    game = GAMES["montauk"]
    view = game.view(game.setup(2, {}, Chance(bytes(32))), Seat(1))
    return Grammar(lambda text: game.meets(view, text), str, ())


def moves() -> Callable[[str], object]:
    """Read a text as a move of every game, at some positions of each."""
    positions = []
    for game in GAMES.values():
        random, chance = Random(1), Chance(bytes(32))
        position: Any = game.setup(game.seats[0], {}, chance)
        for _ply in range(PLIES):
            if not game.to_move(position):
                break
            seat = game.to_move(position)[0]
            positions.append((game, position, seat))
            legal = [move for move, _n in zip(game.moves(position, seat), range(50), strict=False)]
            position = game.apply(position, seat, random.choice(legal), chance)

    def read(text: str) -> None:
        for game, position, seat in positions:
            with contextlib.suppress(ValueError, GameError, PlanError, HTTPException):
                game.read(position, seat, text)

    return read


def form(text: str) -> None:
    """Read a text as every field of the form of a new match."""
    fields = ("name-1", "email-1", "name-2", "email-2", "seats", "words", "clock", "watched", "reliable", "on_time")
    new_match_form.parse("martian-whist", dict.fromkeys(fields, text))


def one_line(read: Callable[..., object]) -> Callable[[Sequence[str], Any], object]:
    """Make a reader of several lines of a reader of one."""
    return lambda lines, tongue: [read(line, tongue) for line in lines]
