"""Challenges by page: offered from a ladder, and answered there or by the link of a mail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, abort, redirect, render_template, request, url_for

from pbem.db.models import Event, LadderChallenge, Player
from pbem.i18n import _
from pbem.play.clocks import time_controls, timeout_policies
from pbem.play.core.errors import Refused
from pbem.play.ladders import challenges, ladder_mails, names, obstacles, overview
from pbem.states import ChallengeState
from pbem.web.common import lookup
from pbem.web.common.messages import UNKNOWN_CHALLENGE
from pbem.web.events import ladders
from pbem.web.request import csrf, current_user, form_fields
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask.typing import ResponseReturnValue

    from pbem.play.core.context import Context

pages = Blueprint("ladder_challenges", __name__)

ANSWERS: dict[str, Callable[[Context, int, Player], object]] = {
    "accept": challenges.accept,
    "decline": challenges.decline,
    "take-back": challenges.take_back,
}
"""What can be done with a challenge that waits, by the word in the address."""


@pages.get("/ladders/<game>/challenge")
def ask(game: str) -> ResponseReturnValue:
    """Show whom the player would challenge, and on which terms, before it is done."""
    current_user.require()
    with transaction() as ctx:
        return _ask_page(ctx, lookup.ladder(ctx, game), request.args.get("name", ""))


@pages.post("/ladders/<game>/challenge")
def challenge(game: str) -> ResponseReturnValue:
    """Challenge somebody on a ladder."""
    signed_in = current_user.require()
    name = request.form.get("name", "")
    with transaction() as ctx:
        event = lookup.ladder(ctx, game)
        if not csrf.is_valid(f"challenge {event.id}"):
            return _ask_page(ctx, event, name, _(csrf.OLD_FORM)), 400
        try:
            challenged = names.find(ctx, event, name)
            challenges.challenge(ctx, event, ctx.session.get_one(Player, signed_in.player), challenged)
        except Refused as refused:
            return ladders.page(ctx, event, str(refused)), 409
    return redirect(url_for("ladders.one", game=game, kept="challenged"), 303)


@pages.post("/ladders/<game>/challenges/<number>/<what>")
def answer(game: str, number: str, what: str) -> ResponseReturnValue:
    """Accept or decline a challenge to the signed-in player, or take back one of theirs."""
    signed_in = current_user.require()
    found = form_fields.parse_number(number, form_fields.MAX_ID_DIGITS)
    if what not in ANSWERS or found is None:
        abort(404, description=UNKNOWN_CHALLENGE)
    with transaction() as ctx:
        event = lookup.ladder(ctx, game)
        if not csrf.is_valid(f"challenge {found}"):
            return ladders.page(ctx, event, _(csrf.OLD_FORM)), 400
        try:
            ANSWERS[what](ctx, found, ctx.session.get_one(Player, signed_in.player))
        except Refused as refused:
            return ladders.page(ctx, event, str(refused)), 409
    return redirect(url_for("ladders.one", game=game, kept=what), 303)


@pages.get("/challenges/<signed>")
def linked(signed: str) -> str:
    """Show a challenge to one of its players, who has the link of a mail."""
    with transaction() as ctx:
        return _linked_page(ctx, signed)


@pages.post("/challenges/<signed>")
def answer_linked(signed: str) -> ResponseReturnValue:
    """Answer a challenge by the link of a mail."""
    what = request.form.get("answer", "")
    with transaction() as ctx:
        row, player = _find_linked(ctx, signed)
        if not csrf.is_valid(f"challenge {row.id}") or what not in ANSWERS:
            return _linked_page(ctx, signed, _(csrf.OLD_FORM)), 400
        try:
            ANSWERS[what](ctx, row.id, player)
        except Refused as refused:
            return _linked_page(ctx, signed, str(refused)), 409
    return redirect(url_for("ladder_challenges.linked", signed=signed), 303)


def _ask_page(ctx: Context, event: Event, name: str, wrong: str = "") -> str:
    try:
        challenged = names.find(ctx, event, name)
    except Refused as refused:
        abort(404, description=str(refused))
    player = ctx.session.get_one(Player, current_user.require().player)
    return render_template(
        "events/ladder_challenge.html",
        event=event,
        challenged=challenged,
        obstacle=obstacles.refusal(ctx, event, player, challenged),
        policy=timeout_policies.describe_policy(event.time_control, timeout_policies.LOSS),
        clock=time_controls.short_description(event.time_control),
        wrong=wrong,
    )


def _linked_page(ctx: Context, signed: str, wrong: str = "") -> str:
    row, player = _find_linked(ctx, signed)
    event = ctx.session.get_one(Event, row.event_id)
    (found,) = overview.summarise(ctx, event, [row], player.id)
    return render_template(
        "events/ladder_answer.html",
        event=event,
        one=found,
        signed=signed,
        waits=row.state == ChallengeState.OFFERED,
        loses_place=found.is_in and challenges.would_lose_place(ctx, event, player.id),
        policy=timeout_policies.describe_policy(event.time_control, timeout_policies.LOSS),
        clock=time_controls.short_description(event.time_control),
        zone=player.time_zone,
        wrong=wrong,
    )


def _find_linked(ctx: Context, signed: str) -> tuple[LadderChallenge, Player]:
    found = ladder_mails.load_signed(ctx, signed)
    row = ctx.session.get(LadderChallenge, found[0]) if found else None
    player = ctx.session.get(Player, found[1]) if found else None
    if row is None or player is None:
        abort(404, description=UNKNOWN_CHALLENGE)
    return row, player
