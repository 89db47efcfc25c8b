"""The page where a player chooses what mail they get; every mail leads to it by its seat's link."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from flask import Blueprint, redirect, render_template, request, url_for

from pbem.games import GAMES
from pbem.i18n import LANGUAGES, _, marked
from pbem.play.core import tokens
from pbem.play.players import digest_schedule, preferences
from pbem.play.players.preferences import MailPreferences
from pbem.states import MatchState
from pbem.web.common.seat_link import render_old_link, resolve_seat
from pbem.web.request import csrf
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue
    from werkzeug import Response as BaseResponse

    from pbem.db.models import Player, Token

pages = Blueprint("mail_preferences", __name__)

INVALID_CHOICE = marked("This choice is not available. Nothing was changed.")


@pages.get("/mail/<token>")
def lead(token: str) -> BaseResponse:
    """Redirect from the URL that mails print: only mails about a turn print one that begins like a turn's page."""
    return redirect(url_for("mail_preferences.mail", token=token))


@pages.get("/m/<token>/mail")
def mail(token: str) -> str:
    """Show a player's choices; looking changes nothing."""
    with transaction() as ctx:
        found = resolve_seat(ctx, token)
        if not tokens.is_current(ctx, found, found.holder.match):
            return render_old_link(found.holder.match, token)
        return _page(found, token, kept="kept" in request.args)


@pages.post("/m/<token>/mail")
def choose(token: str) -> ResponseReturnValue:
    """Store a player's choices, or stop or resume the mail of this match."""
    with transaction() as ctx:
        found = resolve_seat(ctx, token)
        if not tokens.is_current(ctx, found, found.holder.match):
            return redirect(url_for("mail_preferences.mail", token=token), 303)
        if not csrf.is_valid(f"mail {token}"):
            return _page(found, token, wrong=_(csrf.OLD_FORM)), 400
        action = request.form.get("do")
        if action == "stop":
            preferences.stop_mail(ctx, [found.holder])
        elif action == "start":
            preferences.resume_mail(ctx, [found.holder])
        elif chosen := parse_choices(found.holder.player):
            preferences.save(ctx, found.holder.player, chosen)
        else:
            return _page(found, token, wrong=_(INVALID_CHOICE)), 400
    return redirect(url_for("mail_preferences.mail", token=token, kept=1), 303)


def parse_choices(player: Player) -> MailPreferences | None:
    """Parse the form; None if it has what the page does not offer. The language may be missing."""
    form = request.form
    hour, language = form.get("digest_hour", ""), form.get("language", player.language)
    offered = (
        form.get("receipts") in preferences.RECEIPT_CHOICES,
        form.get("mail_when") in preferences.DELIVERY_CHOICES,
        hour in map(str, preferences.DIGEST_HOURS),
        form.get("zone") in digest_schedule.time_zones(),
        language in LANGUAGES,
    )
    if not all(offered):
        return None
    return MailPreferences(
        form["receipts"],
        form["mail_when"],
        int(hour),
        form["zone"],
        language,
        link_only="link_only" in form,
        replay_along="replay_along" in form,
        compares_with_robot="compares_with_robot" in form,
    )


def _page(found: Token, token: str, wrong: str = "", *, kept: bool = False) -> str:
    match, player = found.holder.match, found.holder.player
    return render_template(
        "account/mail_preferences.html",
        token=token,
        game=GAMES[match.game],
        player=player,
        email=found.holder.email,
        zones=zones_by_continent(player.time_zone),
        hours=preferences.DIGEST_HOURS,
        languages=LANGUAGES,
        stopped=bool(found.holder.mail_stopped_at),
        over=match.state == MatchState.OVER,
        kept=kept,
        wrong=wrong,
    )


def zones_by_continent(present: str) -> list[tuple[str, list[str]]]:
    """Group the time zones by continent; the present one is always among them."""
    names = sorted({*digest_schedule.offered_time_zones(), present})
    return [(continent, [*zones]) for continent, zones in groupby(names, lambda name: name.partition("/")[0])]
