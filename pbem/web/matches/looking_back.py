"""Looking back at a finished match: asked for under its replay, and asked about before it answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, abort, redirect, render_template, request

from pbem.boards.prose import clean_name
from pbem.games import GAMES, Seat
from pbem.i18n import _
from pbem.play.analysis import looking_back_words as words
from pbem.play.analysis import requests
from pbem.play.analysis.looking_back import KIND
from pbem.play.archive import replays
from pbem.play.core.errors import Refused
from pbem.play.matches.match_state import load_match
from pbem.play.matches.views import player_names
from pbem.web.common.page_reload import reload_seconds
from pbem.web.matches import looking_back_section
from pbem.web.matches.replay_reader import find_public_reader, find_seat_reader
from pbem.web.request import csrf
from pbem.web.request.context import transaction
from pbem.web.request.read_replica import may_use_replica

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from pbem.play.analysis.looking_back import TurningPoint
    from pbem.play.core.context import Context
    from pbem.web.matches.replay_reader import Reader

pages = Blueprint("looking_back", __name__)


@pages.post("/matches/<match_id>/replay/look-back")
def match_ask(match_id: str) -> ResponseReturnValue:
    """Look back at a match for a signed-in player who had a seat."""
    with transaction() as ctx:
        return _ask(ctx, find_public_reader(ctx, match_id))


@pages.get("/matches/<match_id>/replay/look-back")
def match_wait(match_id: str) -> ResponseReturnValue:
    """Show how far looking back at a match has got."""
    with transaction() as ctx:
        return _wait(ctx, find_public_reader(ctx, match_id))


@pages.get("/matches/<match_id>/replay/look-back/<int:ply>")
@may_use_replica
def match_question(match_id: str, ply: int) -> ResponseReturnValue:
    """Ask a visitor what they would have played at a turning point."""
    with transaction() as ctx:
        return _question(ctx, find_public_reader(ctx, match_id), ply)


@pages.post("/m/<token>/replay/look-back")
def own_ask(token: str) -> ResponseReturnValue:
    """Look back at a match for a seat's player."""
    with transaction() as ctx:
        return _ask(ctx, find_seat_reader(ctx, token))


@pages.get("/m/<token>/replay/look-back")
def own_wait(token: str) -> ResponseReturnValue:
    """Show a seat how far looking back at its match has got."""
    with transaction() as ctx:
        return _wait(ctx, find_seat_reader(ctx, token))


@pages.get("/m/<token>/replay/look-back/<int:ply>")
def own_question(token: str, ply: int) -> ResponseReturnValue:
    """Ask a seat's player what they would have played at a turning point."""
    with transaction() as ctx:
        return _question(ctx, find_seat_reader(ctx, token), ply)


def _ask(ctx: Context, reader: Reader) -> ResponseReturnValue:
    if reader.player is None:
        return redirect(looking_back_section.replay_url(reader), 303)
    if not csrf.is_valid(looking_back_section.purpose(reader.match)):
        return _refused(reader, _(csrf.OLD_FORM)), 400
    try:
        requests.ask(ctx, reader.match, KIND, reader.player, anew=True)
    except requests.LimitReachedError as limit:
        return _refused(reader, f"{limit} {looking_back_section.when(limit.until, reader)}"), 429
    except Refused as refused:
        return _refused(reader, str(refused)), 422
    return redirect(looking_back_section.url(reader, "wait"), 303)


def _refused(reader: Reader, reason: str) -> str:
    back = looking_back_section.replay_url(reader)
    return render_template("matches/looking_back_refused.html", game=GAMES[reader.match.game], reason=reason, back=back)


def _wait(ctx: Context, reader: Reader) -> ResponseReturnValue:
    newest = requests.find(ctx, reader.match, KIND)
    back = looking_back_section.replay_url(reader)
    if newest is None or newest.done_at is not None:
        return redirect(back, 303)
    again = reload_seconds(newest.asked_at, ctx.now)
    game = GAMES[reader.match.game]
    return render_template("matches/looking_back_wait.html", game=game, row=newest, back=back, reload_after=again)


# -- asking first --------------------------------------------------------------------------------------


def _question(ctx: Context, reader: Reader, ply: int) -> ResponseReturnValue:
    """Show the position before a turning point with some moves, and after the choice what each would have kept."""
    course = load_match(ctx, reader.match)
    found = looking_back_section.find_shown(ctx, reader.match, course.log)
    asked = found.ordered_points(reader.seat) if found else []
    number = next((at for at, point in enumerate(asked, 1) if point.ply == ply), None)
    if found is None or number is None:
        abort(404)
    point, names = asked[number - 1], player_names(ctx, reader.match)
    step_number, sitters = found.step(point), replays.seat_history(ctx, reader.match)
    step = replays.get_step(course, Seat(point.seat), names, step_number, sitters)
    choices = sorted(point.choices, key=lambda one: one.move)
    chosen = next((one for one in choices if one.move == request.args.get("choice")), None)
    return render_template(
        "matches/looking_back_question.html",
        game=GAMES[reader.match.game],
        match=reader.match,
        number=number,
        count=len(asked),
        point=point,
        question=_ask_sentence(point, step.names, reader),
        step=step,
        view=step.view(reader.match.game, point.seat),
        choices=[(one.move, looking_back_section.url(reader, "question", ply=ply, choice=one.move)) for one in choices],
        answers=[(one.move, words.kept(found, one.value), _marks(point, one.move)) for one in point.choices],
        chosen=chosen,
        following=looking_back_section.url(reader, "question", ply=asked[number].ply) if number < len(asked) else "",
        back=looking_back_section.replay_url(reader),
    )


def _ask_sentence(point: TurningPoint, names: tuple[str, ...], reader: Reader) -> str:
    if point.seat == reader.seat:
        return _("Move {ply} was yours. What would you play now?", ply=point.ply)
    name = clean_name(names[point.seat - 1])
    return _("Move {ply} was that of {name}. What would you play in that seat?", ply=point.ply, name=name)


def _marks(point: TurningPoint, move: str) -> str:
    """Return what is to be said of a move that could be chosen."""
    if move == point.best:
        return _("the best for what could be known")
    return _("played in the match") if move == point.played else ""
