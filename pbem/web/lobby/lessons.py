"""Lessons: a game learned by a few moves on prepared positions. Nothing of them is stored: the address has the step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, abort, render_template, request, url_for

from pbem.boards import drawing_for
from pbem.boards.lessons import lessons, playing
from pbem.games import GAMES, GameError
from pbem.i18n import _, refusal_text
from pbem.play.lobby import lessons as taught
from pbem.play.matches import descriptions, previews
from pbem.robots import Level
from pbem.web.common import move_choices
from pbem.web.common.messages import UNKNOWN_GAME
from pbem.web.request import csrf

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from pbem.boards.lessons import Lesson, Stand, Step

pages = Blueprint("lessons", __name__)


@pages.app_context_processor
def on_every_page() -> dict[str, Any]:
    """Add the number of steps of a game's lesson, 0 without one."""
    return {"lesson_steps": lambda game: len(lessons()[game].steps) if game in lessons() else 0}


@pages.get("/learn")
def every() -> str:
    """List the games that have a lesson."""
    leads = {game: _(lessons()[game].lead) for game in taught.taught()}
    return render_template("lobby/lessons.html", leads=leads, lessons=lessons())


@pages.get("/learn/<game>")
def lesson(game: str) -> str:
    """Show what a lesson is about, and its steps."""
    return render_template("lobby/lesson.html", lesson=_find(game), game=GAMES[game])


@pages.get("/learn/<game>/<int:number>")
def step(game: str, number: int) -> str:
    """Show the position of a step, and what may be played there; with `chosen` a move that is begun."""
    return _step_page(game, number)


@pages.post("/learn/<game>/<int:number>")
def attempt(game: str, number: int) -> ResponseReturnValue:
    """Judge a move, and show what it did and why it is right or not."""
    if not csrf.is_valid(f"learn {game} {number}"):
        return _step_page(game, number, typed=request.form.get("move", ""), wrong=_(csrf.OLD_FORM)), 400
    return _step_page(game, number, typed=request.form.get("move", "").strip())


def _step_page(game: str, number: int, typed: str = "", wrong: str = "") -> str:
    found, shown = _find(game), _find_step(game, number)
    at, names = playing.stand(GAMES[game], shown), playing.names(shown)
    verdict: dict[str, Any] | None = None
    if typed and not wrong:
        try:
            verdict = taught.attempt_facts(at, shown, typed)
        except GameError as refused:
            wrong = refusal_text(refused)
    is_done = verdict is not None and verdict["right"]
    view = verdict["view"] if verdict and is_done else taught.view(at, at.position)
    choosing = previews.follow_pieces(at, at.seat, () if typed else request.args.getlist("chosen"))
    drawing = drawing_for(game)
    return render_template(
        "lobby/lesson_step.html",
        lesson=found,
        game=GAMES[game],
        step=shown,
        number=number,
        names=names,
        you=int(at.seat),
        view=view | {"text": drawing.text(view["board"], names, at.seat)},
        verdict=verdict,
        news=descriptions.log_sentences(game, verdict["news"], names, at.seat) if verdict else [],
        wrong=wrong,
        typed=typed,
        legend=drawing.legend,
        practice=_practice_url(game),
        **_choosing_facts(found, number, at, choosing),
    )


def _choosing_facts(found: Lesson, number: int, at: Stand, choosing: previews.PartialMove) -> dict[str, Any]:
    def address(chosen: tuple[str, ...]) -> str:
        return url_for("lessons.step", game=found.game, number=number, chosen=[*chosen] or None)

    return move_choices.template_facts(at, at.seat, at.game.board(at.position, at.seat), choosing, address)


def _find(game: str) -> Lesson:
    if game not in GAMES:
        abort(404, description=UNKNOWN_GAME)
    found = lessons().get(game)
    if found is None:
        abort(404, description=_("There is no lesson of {game}. Its rules explain it.", game=GAMES[game].name))
    return found


def _find_step(game: str, number: int) -> Step:
    found = taught.find_step(game, number)
    if found is None:
        abort(404, description=_("This lesson has no such step."))
    return found


def _practice_url(game: str) -> str:
    """Return the URL of the form of a first match: against easy robots at all other seats."""
    others: dict[str, Any] = {f"sits-{seat}": "robot" for seat in range(2, GAMES[game].seats[0] + 1)}
    level: dict[str, Any] = {"level": Level.EASY.value} if others else {}
    return url_for("home.new", game=game, **others, **level)
