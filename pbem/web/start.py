"""The first page, and starting a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for

from pbem.boards import DARK_CSS
from pbem.boards.prose import possessive, series
from pbem.db.models import Match
from pbem.games import GAMES
from pbem.moments import moment
from pbem.play import links, matches, telling
from pbem.web import forms, pictures
from pbem.web.api import UNKNOWN_MATCH
from pbem.web.here import here, table
from pbem.words import _, marked

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from werkzeug import Response as BaseResponse

    from pbem.db.models import Holder
    from pbem.play.table import Table

pages = Blueprint("start", __name__)

UNKNOWN_GAME = marked("There is no such game here. The first page lists those that can be played.")

_FEW = 4
"""So many values of an option are shown side by side; more are a list to choose from."""
_NAMES = ("Robin", "Sam", "Alex", "Kim")
_ADDRESSES = ("you@example.org", "friend@example.org", "another@example.org", "third@example.org")


@dataclass(frozen=True, slots=True)
class Question:
    """One option of a game as a form asks for it; values go by their number."""

    name: str
    words: str
    answers: tuple[str, ...]
    chosen: int

    @property
    def few(self) -> bool:
        """Whether all answers may be shown at once."""
        return len(self.answers) <= _FEW


@dataclass(frozen=True, slots=True)
class Place:
    """One seat of the form: what was typed, and what is wrong with it."""

    number: int
    name: str
    email: str
    needed: bool
    wrong: str = ""


@pages.app_context_processor
def on_every_page() -> dict[str, Any]:
    """Give all templates what they may say anywhere."""
    config = here().config
    return {
        "stays_here": config.stays_here,
        "mailbox": bool(config.mailbox),
        "nonce": forms.nonce,
        "telling": telling,
        "pictures": pictures,
        "series": series,
        "possessive": possessive,
        "moment": moment,
        "GAMES": GAMES,
    }


@pages.get("/")
def first() -> str:
    """Say what this is, and offer to begin."""
    others = [key for key in GAMES if key not in {"minimax", "martian-whist"}]
    return render_template("start.html", local=_local(), others=others, quick=_places("minimax", {}, prefill=True)[0])


@pages.get("/boards.css")
def dark_boards() -> Response:
    """Give the dark colours of the pictures, for readers whose device asks for them."""
    return Response(DARK_CSS, content_type="text/css; charset=utf-8", headers={"Cache-Control": "max-age=3600"})


@pages.get("/new/<game>")
def new(game: str) -> str:
    """Show the form for a match of a game."""
    if game not in GAMES:
        abort(404, description=UNKNOWN_GAME)
    places = _places(game, {}, prefill=_local())
    return render_template("new.html", game=GAMES[game], questions=_questions(game, {}), places=places)


@pages.post("/new/<game>")
def make(game: str) -> BaseResponse | tuple[str, int]:
    """Make a match; a solo one leads straight to its first turn where no mail could be misled."""
    if game not in GAMES:
        abort(404, description=UNKNOWN_GAME)
    if not forms.is_ours(f"new {game}"):
        return _again(game, _(forms.OLD_FORM), "", 400)
    typed = [place for place in _places(game, request.form) if place.needed or place.name or place.email]
    guests = [matches.Guest(place.name, place.email) for place in typed]
    options = {
        question.name: GAMES[game].options[question.name][question.chosen]
        for question in _questions(game, request.form)
        # The rest are the defaults, which some choices exclude.
        if question.chosen
    }
    open_house = here().config.open_house
    try:
        with table() as at:
            match = matches.make(at, game, options, guests, creator=1, known=open_house)
            if open_house and len(guests) == 1:
                return redirect(turn_page(at, match, matches.holders(at, match)[0]), 303)
    except matches.MatchError as refused:
        field, _dot, number = refused.field.partition(".")
        where = f"seats.{typed[int(number)].number}" if number else field
        return _again(game, str(refused), where, 422)
    return redirect(url_for("start.made", match_id=match.id), 303)


@pages.get("/made/<match_id>")
def made(match_id: str) -> str:
    """Tell whoever has made a match what happens now."""
    with table() as at:
        match = at.session.get(Match, match_id)
        if match is None or not match.public:
            abort(404, description=UNKNOWN_MATCH)
        present = matches.holders(at, match)
        waited = [holder for holder in present if match.seats[holder.seat - 1].accepted_at is None]
        return render_template(
            "made.html",
            match=match,
            holders=present,
            waited=waited,
            game=GAMES[match.game],
            sender=here().config.service_address,
        )


def turn_page(at: Table, match: Match, holder: Holder) -> str:
    """Give the address at which a seat may act in the present stage; only for whoever has shown that it is theirs."""
    key = links.key_name(here().config.secret_keys[-1])
    token = links.token_of(at, holder, links.LINK, match.ply, key)
    return url_for("seats.seat", token=token)


def _again(game: str, wrong: str, field: str, status: int) -> tuple[str, int]:
    """Show the form once more with all that was typed, and the sentence where it belongs."""
    places = _places(game, request.form, wrong=(field, wrong))
    at_place = any(place.wrong for place in places)
    page = render_template(
        "new.html",
        game=GAMES[game],
        questions=_questions(game, request.form),
        places=places,
        wrong="" if at_place else wrong,
        field=field,
    )
    return page, status


def _questions(game: str, typed: Mapping[str, str]) -> list[Question]:
    questions = []
    for name, values in GAMES[game].options.items():
        number = typed.get(f"option-{name}", "0")
        chosen = int(number) if number.isascii() and number.isdigit() and int(number) < len(values) else 0
        answers = tuple(telling.choice(game, name, value) for value in values)
        questions.append(Question(name, telling.question(game, name), answers, chosen))
    return questions


def _places(
    game: str, typed: Mapping[str, str], *, prefill: bool = False, wrong: Sequence[str] = ("", "")
) -> list[Place]:
    seats = GAMES[game].seats
    places = []
    for number in range(1, seats[-1] + 1):
        needed = number <= seats[0]
        name = typed.get(f"name-{number}", _NAMES[(number - 1) % 4] if prefill and needed else "").strip()
        email = typed.get(f"email-{number}", _ADDRESSES[(number - 1) % 4] if prefill and needed else "").strip()
        places.append(Place(number, name, email, needed, wrong[1] if wrong[0] == f"seats.{number}" else ""))
    return places


def _local() -> bool:
    """Tell whether all of this is one person's own machine."""
    return here().config.stays_here and here().config.mailbox is not None
