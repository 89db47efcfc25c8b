"""The page of the devices that are notified of a player's turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, redirect, render_template, request, url_for

from pbem.db.models import Player, PushSubscription
from pbem.i18n import _
from pbem.play.accounts import user_agents
from pbem.play.core.errors import Refused
from pbem.play.notifications import push_subscriptions, vapid
from pbem.web.request import csrf, current_user, form_fields
from pbem.web.request.context import is_https, service, transaction
from pbem.web.request.security_headers import LOOPBACK_HOSTS

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from pbem.play.accounts.login_sessions import CurrentUser
    from pbem.play.core.context import Context

pages = Blueprint("devices", __name__)


@pages.get("/me/devices")
def show() -> str:
    """List the player's devices."""
    with transaction() as ctx:
        return _page(ctx, current_user.require())


@pages.post("/me/devices")
def change() -> ResponseReturnValue:
    """Add this device, test or forget one, or choose whether turns are also mailed."""
    signed_in = current_user.require()
    with transaction() as ctx:
        if not csrf.is_valid("my devices"):
            return _page(ctx, signed_in, _(csrf.OLD_FORM)), 400
    try:
        with transaction() as ctx:
            done = _perform(ctx, signed_in)
    except Refused as refused:
        with transaction() as ctx:
            return _page(ctx, signed_in, str(refused)), 422
    return redirect(url_for("devices.show", done=done), 303)


def _perform(ctx: Context, signed_in: CurrentUser) -> str:
    """Perform the action of a form; return which note the page then shows."""
    form = request.form
    action = form.get("do")
    if action == "add":
        device = push_subscriptions.parse(form.get("subscription", ""), form.get("signed_by", ""))
        name = user_agents.describe(request.user_agent.string)
        push_subscriptions.add(ctx, signed_in.player, signed_in.login_session, device, name)
    elif action == "choose":
        ctx.session.get_one(Player, signed_in.player).push_replaces_mail = form.get("mail") == "instead"
    else:
        number = form_fields.get_number("device", form_fields.MAX_ID_DIGITS)
        chosen = {one.id: one for one in push_subscriptions.for_player(ctx, signed_in.player)}.get(number or 0)
        if chosen is not None and action == "test":
            push_subscriptions.send_test(ctx, chosen)
            return "tested"
        if chosen is not None and action == "forget":
            push_subscriptions.forget(ctx, PushSubscription.id == chosen.id)
    return "saved"


def _page(ctx: Context, signed_in: CurrentUser, wrong: str = "") -> str:
    config = service().config
    devices = push_subscriptions.for_player(ctx, signed_in.player)
    return render_template(
        "account/devices.html",
        devices=devices,
        present=signed_in.login_session,
        is_here=any(one.login_session_id == signed_in.login_session and not one.disabled_at for one in devices),
        possible=is_https() or config.host in LOOPBACK_HOSTS,
        public_key=vapid.public_key(config.secret_keys[-1]),
        signed_by=push_subscriptions.newest_key(ctx),
        player=ctx.session.get_one(Player, signed_in.player),
        zone=signed_in.zone,
        done=request.args.get("done", ""),
        wrong=wrong,
    )
