"""The page of a seat's webhooks: which programs are called about the match, which fail, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, redirect, render_template, request, url_for

from pbem.db.models import Match
from pbem.games import GAMES
from pbem.i18n import _
from pbem.play.core.errors import Refused
from pbem.play.notifications import chat_forms, webhooks
from pbem.play.notifications.webhook_client import encode_secret
from pbem.states import WebhookForm
from pbem.web.common import lookup
from pbem.web.request import csrf, current_user
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from werkzeug import Response as BaseResponse

    from pbem.db.models import SeatHolder
    from pbem.play.accounts.login_sessions import CurrentUser
    from pbem.play.core.context import Context

pages = Blueprint("webhooks", __name__)


@pages.get("/mine/<match_id>/webhooks")
def page(match_id: str) -> str:
    """Show a seat's webhooks."""
    visitor = current_user.require()
    with transaction() as ctx:
        return _page(ctx, visitor, *_find_seat(ctx, match_id, visitor))


@pages.post("/mine/<match_id>/webhooks")
def change(match_id: str) -> BaseResponse | tuple[str, int]:
    """Add a webhook, or retry, test or remove one."""
    visitor = current_user.require()
    with transaction() as ctx:
        match, holder = _find_seat(ctx, match_id, visitor)
        if not csrf.is_valid(f"webhooks {match_id}"):
            return _page(ctx, visitor, match, holder, _(csrf.OLD_FORM)), 400
        try:
            done = _perform(ctx, match, holder)
        except Refused as refused:
            return _page(ctx, visitor, match, holder, str(refused)), 422
    return redirect(url_for("webhooks.page", match_id=match_id, done=done), 303)


def _perform(ctx: Context, match: Match, holder: SeatHolder) -> str | None:
    """Perform the action of a form; return which note the page then shows, if any."""
    action = request.form.get("do")
    if action == "add":
        form = request.form.get("form", "")
        wanted = WebhookForm(form) if form in {*WebhookForm} else WebhookForm.JSON
        webhooks.add(ctx, holder, request.form.get("url", ""), wanted, request.form.get("mention", ""))
        return None
    chosen = {one.id: one for one in webhooks.for_seat(ctx, holder)}.get(request.form.get("webhook", ""))
    if chosen is None:
        return None
    if action == "remove":
        webhooks.remove(ctx, chosen)
        return None
    if action == "test":
        webhooks.send_test(ctx, chosen, holder, match)
    elif action == "again":
        webhooks.retry(ctx, chosen, holder)
    return "called"


def _find_seat(ctx: Context, match_id: str, visitor: CurrentUser) -> tuple[Match, SeatHolder]:
    holder = lookup.own_seat(ctx, match_id, visitor.player)
    return ctx.session.get_one(Match, match_id), holder


def _page(ctx: Context, visitor: CurrentUser, match: Match, holder: SeatHolder, wrong: str = "") -> str:
    hooks = webhooks.for_seat(ctx, holder)
    return render_template(
        "seat/webhooks.html",
        match=match,
        game=GAMES[match.game],
        webhooks=hooks,
        secrets={one.id: encode_secret(one.secret) for one in hooks},
        pending=webhooks.count_pending(ctx, hooks),
        max_webhooks=webhooks.MAX_PER_SEAT,
        zone=visitor.zone,
        forms=chat_forms.NAMES,
        typed=request.form if wrong else {},
        called=request.args.get("done") == "called",
        wrong=wrong,
    )
