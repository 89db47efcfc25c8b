"""The page that creates a practice match from a step of a finished match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, redirect, render_template, request, url_for

from pbem.boards import drawing_of
from pbem.db.models import Match, Player
from pbem.games import GAMES, Eye
from pbem.i18n import _
from pbem.play.archive import replays
from pbem.play.clocks import time_controls
from pbem.play.lifecycle import create, forks
from pbem.play.lobby import joining, request_parser
from pbem.play.matches import access
from pbem.play.matches.match_state import course_of
from pbem.play.matches.views import names_of
from pbem.play.players.registry import apart
from pbem.web.common import csrf, current_user, form_fields, lookup, throttling
from pbem.web.common.context import service, transaction
from pbem.web.common.urls import turn_page

if TYPE_CHECKING:
    from collections.abc import Mapping

    from werkzeug import Response as BaseResponse

    from pbem.play.core.context import Context
    from pbem.play.lifecycle.requests import Fork

    Page = BaseResponse | tuple[str, int] | str

pages = Blueprint("forks", __name__)

ALONE, ROBOTS, FRIENDS = "alone", "robots", "friends"
"""Who has the other seats of a fork."""


@pages.app_context_processor
def on_every_page() -> dict[str, Any]:
    """Add the function that returns the URL for a fork to all templates."""
    return {"play_on": _address}


@pages.get("/matches/<match_id>/fork")
def ask(match_id: str) -> Page:
    """Show the form for a fork."""
    _must_be_somebody()
    with transaction() as ctx:
        match = lookup.open_match(ctx, match_id)
        try:
            fork = forks.at(ctx, match, _step())
        except create.MatchError as refused:
            return _refused(match, str(refused)), 422
        return _page(ctx, fork)


@pages.post("/matches/<match_id>/fork")
def make(match_id: str) -> Page:
    """Create a fork; without other people it leads straight to its first turn."""
    _must_be_somebody()
    guest = current_user.visitor()
    with transaction() as ctx:
        match = lookup.open_match(ctx, match_id)
        throttling.spend(ctx, throttling.from_here("match", throttling.MATCHES_FROM_A_NETWORK))
        try:
            fork = forks.at(ctx, match, _step())
        except create.MatchError as refused:
            return _refused(match, str(refused)), 422
        if not csrf.is_ours(f"fork {match_id}"):
            return _page(ctx, fork, _(csrf.OLD_FORM)), 400
        try:
            with ctx.session.begin_nested():
                host = ctx.session.get_one(Player, guest.player) if guest else None
                made = _made(ctx, fork, host)
        except create.MatchError as refused:
            return _page(ctx, fork, str(refused)), 422
        own = [one for one in create.holders(ctx, made) if one.player_id == made.host_id]
        mover = next((one for one in own if one.seat in made.to_move), None)
        if mover:
            return redirect(turn_page(ctx, made, mover), 303)
    return redirect(url_for("home.made", match_id=made.id, own=csrf.proof(f"made {made.id}")), 303)


def _made(ctx: Context, fork: Fork, host: Player | None) -> Match:
    typed: Mapping[str, str] = request.form
    if host:
        request_parser.count_one(ctx, host)
        you = create.Guest(host.name, joining.mailed_at(ctx, host))
    else:
        you = create.Guest(typed.get("name", ""), typed.get("email", ""))
    seats = range(1, len(fork.match.seats) + 1)
    wanted = form_fields.sent("seat")
    seat = wanted if wanted is not None and wanted in seats else int(fork.to_move[0])
    others = typed.get("others", ALONE)
    if others == ROBOTS:
        return forks.make(ctx, fork, forks.against_robots(fork, you, seat), creator=seat, host=host)
    if others != FRIENDS:
        return forks.make(ctx, fork, forks.alone(fork, you), creator=1, host=host)
    guests = [you if number == seat else _friend(typed, number, you) for number in seats]
    clock = typed.get("clock", time_controls.USUAL)
    return forks.make(ctx, fork, guests, creator=seat, host=host, clock=clock, words=typed.get("words", ""))


def _friend(typed: Mapping[str, str], number: int, you: create.Guest) -> create.Guest:
    email = typed.get(f"email-{number}", "")
    name = typed.get(f"name-{number}", "") or apart(request_parser.name_of(email), [you.name])
    return create.Guest(name, email)


def _page(ctx: Context, fork: Fork, wrong: str = "") -> str:
    match = fork.match
    guest = current_user.visitor()
    seated = create.holders(ctx, match)
    sat = next((one.seat for one in seated if guest and one.player_id == guest.player), int(fork.to_move[0]))
    names = names_of(ctx, match)
    step = replays.step_of(course_of(ctx, match), Eye.OPEN, names, fork.step, replays.sitters_of(ctx, match))
    return render_template(
        "fork.html",
        match=match,
        game=GAMES[match.game],
        fork=fork,
        names=names,
        step=step,
        view={"game": match.game, "board": step.board, "text": drawing_of(match.game).text(step.board, names, None)},
        key=_key(match),
        typed=request.form,
        seat=request.form.get("seat", str(sat)),
        others=request.form.get("others", ALONE),
        clocks_offered={key: time_controls.about(key) for key in time_controls.CLOCKS},
        clock=request.form.get("clock", time_controls.USUAL),
        wrong=wrong,
    )


def _refused(match: Match, reason: str) -> str:
    back = url_for("replay.match", match_id=match.id, key=_key(match))
    return render_template("no_fork.html", game=GAMES[match.game], reason=reason, back=back)


def _must_be_somebody() -> None:
    """Redirect visitors who are not signed in to the sign-in page, unless this is an open house."""
    if not service().config.open_house:
        current_user.needed()


def _address(match: Match, step: int) -> str:
    return url_for("forks.ask", match_id=match.id, step=step, key=_key(match))


def _key(match: Match) -> str | None:
    return None if match.public else access.shared_key(match)


def _step() -> int:
    """Return the step that is forked from; -1 if there is none."""
    found = form_fields.sent("step")
    return -1 if found is None else found
