"""The page that creates a practice match from a step of a finished match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, redirect, render_template, request, url_for

from pbem.db.models import Match, Player
from pbem.games import GAMES, Eye
from pbem.i18n import _
from pbem.play.archive import replays
from pbem.play.clocks import time_controls
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import forks
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.lobby import request_parser
from pbem.play.matches import share_keys
from pbem.play.matches.match_state import load_match
from pbem.play.matches.seats import holders
from pbem.play.matches.views import player_names
from pbem.play.players.registry import unique_name, verified_address
from pbem.web.common import lookup, robot_levels
from pbem.web.common.urls import turn_page
from pbem.web.request import csrf, current_user, form_fields, throttling
from pbem.web.request.context import service, transaction

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask.typing import ResponseReturnValue

    from pbem.play.core.context import Context
    from pbem.play.lifecycle.match_requests import ForkStart
    from pbem.robots import Level


pages = Blueprint("forks", __name__)

ALONE, ROBOTS, FRIENDS = "alone", "robots", "friends"
"""Form values: who plays the other seats of a fork."""


@pages.app_context_processor
def on_every_page() -> dict[str, Any]:
    """Add the function that returns the URL for a fork to all templates."""
    return {"play_on": _fork_url}


@pages.get("/matches/<match_id>/fork")
def ask(match_id: str) -> ResponseReturnValue:
    """Show the form for a fork."""
    _require_player()
    with transaction() as ctx:
        match = lookup.open_match(ctx, match_id)
        try:
            fork = forks.find_start(ctx, match, _step())
        except Refused as refused:
            return _refused(match, str(refused)), 422
        return _page(ctx, fork)


@pages.post("/matches/<match_id>/fork")
def make(match_id: str) -> ResponseReturnValue:
    """Create a fork; without other people it leads straight to its first turn."""
    _require_player()
    visitor = current_user.visitor()
    with transaction() as ctx:
        match = lookup.open_match(ctx, match_id)
        throttling.hit(ctx, throttling.per_network("match", throttling.MAX_MATCHES_PER_HOUR))
        try:
            fork = forks.find_start(ctx, match, _step())
        except Refused as refused:
            return _refused(match, str(refused)), 422
        if not csrf.is_valid(f"fork {match_id}"):
            return _page(ctx, fork, _(csrf.OLD_FORM)), 400
        try:
            with ctx.session.begin_nested():
                host = ctx.session.get_one(Player, visitor.player) if visitor else None
                made = _create(ctx, fork, host)
        except Refused as refused:
            return _page(ctx, fork, str(refused)), 422
        own = (one for one in holders(ctx, made) if one.player_id == made.host_id)
        mover = next((one for one in own if one.seat in made.to_move), None)
        then = url_for("home.made", match_id=made.id, own=csrf.proof(f"made {made.id}"))
        response = redirect(turn_page(ctx, made, mover) if mover else then, 303)
        robot_levels.remember(response, [_level(match)] if request.form.get("others") == ROBOTS else [])
        return response


def _create(ctx: Context, fork: ForkStart, host: Player | None) -> Match:
    typed: Mapping[str, str] = request.form
    if host:
        request_parser.hit_daily_limit(ctx, host)
        you = Invitee(host.name, verified_address(ctx, host))
    else:
        you = Invitee(typed.get("name", ""), typed.get("email", ""))
    seats = range(1, len(fork.match.seats) + 1)
    number = form_fields.get_number("seat")
    seat = number if number is not None and number in seats else int(fork.to_move[0])
    others = typed.get("others", ALONE)
    if others == ROBOTS:
        against = forks.seat_against_robots(fork, you, seat, _level(fork.match))
        return forks.create_match(ctx, fork, against, creator_seat=seat, host=host)
    if others != FRIENDS:
        return forks.create_match(ctx, fork, forks.seat_alone(fork, you), creator_seat=1, host=host)
    guests = [you if number == seat else _parse_friend(typed, number, you) for number in seats]
    clock = typed.get("clock", time_controls.DEFAULT)
    return forks.create_match(
        ctx, fork, guests, creator_seat=seat, host=host, time_control=clock, invitation_text=typed.get("words", "")
    )


def _parse_friend(typed: Mapping[str, str], number: int, you: Invitee) -> Invitee:
    email = typed.get(f"email-{number}", "")
    name = typed.get(f"name-{number}", "") or unique_name(request_parser.default_name(email), [you.name])
    return Invitee(name, email)


def _page(ctx: Context, fork: ForkStart, wrong: str = "") -> str:
    match, visitor = fork.match, current_user.visitor()
    own = (one.seat for one in holders(ctx, match) if visitor and one.player_id == visitor.player)
    names = player_names(ctx, match)
    step = replays.get_step(load_match(ctx, match), Eye.OPEN, names, fork.step, replays.seat_history(ctx, match))
    return render_template(
        "lobby/fork.html",
        match=match,
        game=GAMES[match.game],
        fork=fork,
        names=names,
        step=step,
        view=step.view(match.game),
        key=_access_key(match),
        typed=request.form,
        seat=request.form.get("seat", str(next(own, fork.to_move[0]))),
        others=request.form.get("others", ALONE),
        levels=robot_levels.choices(match.game, len(names)),
        level=_level(match),
        clocks_offered={key: time_controls.description(key) for key in time_controls.PRESETS},
        clock=request.form.get("clock", time_controls.DEFAULT),
        wrong=wrong,
    )


def _level(match: Match) -> Level:
    """Return the level of the robots that was chosen, or else is offered first."""
    return robot_levels.parse(match.game, request.form.get("level"), robot_levels.preferred(match.game))


def _refused(match: Match, reason: str) -> str:
    back = url_for("replay.match", match_id=match.id, key=_access_key(match))
    return render_template("lobby/fork_refused.html", game=GAMES[match.game], reason=reason, back=back)


def _require_player() -> None:
    """Redirect visitors who are not signed in to the sign-in page, unless anonymous visitors may create matches."""
    if not service().config.allow_anonymous:
        current_user.require()


def _fork_url(match: Match, step: int) -> str:
    return url_for("forks.ask", match_id=match.id, step=step, key=_access_key(match))


def _access_key(match: Match) -> str | None:
    return None if match.public else share_keys.shared_key(match)


def _step() -> int:
    """Return the step to fork from; -1 if none is given."""
    found = form_fields.get_number("step")
    return -1 if found is None else found
