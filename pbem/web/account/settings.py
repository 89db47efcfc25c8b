"""Pages of account settings: profile, addresses, mail, appearance, and signed-in browsers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, redirect, render_template, request, url_for

from pbem.db.models import Player
from pbem.i18n import LANGUAGES, _
from pbem.play.accounts import email_confirmation, login_sessions, profile, user_agents
from pbem.play.accounts.profile import Profile
from pbem.play.core.errors import Refused
from pbem.play.core.rate_limits import SECONDS_PER_DAY, Limit
from pbem.play.players import digest_schedule, preferences, registry, reliability
from pbem.play.submissions import sender_policy
from pbem.play.timeouts import absences
from pbem.web.account.mail_preferences import INVALID_CHOICE, parse_choices, zones_by_continent
from pbem.web.request import csrf, current_user, throttling
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue
    from werkzeug import Response as BaseResponse

    from pbem.play.accounts.login_sessions import CurrentUser
    from pbem.play.core.context import Context


pages = Blueprint("settings", __name__)

MAX_ADDED_PER_DAY = 10
"""Maximum addresses mailed per day for one account, and from one network."""
MAX_MAILS_PER_DAY = 3
"""Maximum confirmation mails per day to one address."""
MAX_RENEWALS_PER_DAY = 5
"""Maximum renewals of links per day for one account; each mails every unfinished match."""


@pages.get("/me")
def me() -> ResponseReturnValue:
    """Show the player's profile, and links to the rest of their account."""
    with transaction() as ctx:
        return _profile_page(ctx, current_user.require())


@pages.post("/me")
def describe() -> ResponseReturnValue:
    """Store the player's profile."""
    signed_in, form = current_user.require(), request.form
    you = Profile(form.get("name", ""), form.get("language", ""), form.get("zone", ""))
    with transaction() as ctx:
        if not csrf.is_valid("me"):
            return _profile_page(ctx, signed_in, you, _(csrf.OLD_FORM)), 400
        if you.language not in LANGUAGES or you.zone not in digest_schedule.time_zones():
            return _profile_page(ctx, signed_in, None, _(INVALID_CHOICE)), 400
        try:
            profile.save(_player(ctx, signed_in), you)
            absences.recheck_deadlines(ctx, _player(ctx, signed_in))
        except Refused as refused:
            return _profile_page(ctx, signed_in, you, name_wrong=str(refused)), 422
    return _redirect_saved("settings.me")


@pages.post("/me/links")
def renew_links() -> ResponseReturnValue:
    """Renew the links and reply addresses of all the player's seats, and mail the new ones."""
    signed_in = current_user.require()
    with transaction() as ctx:
        if not csrf.is_valid("my links"):
            return _profile_page(ctx, signed_in, wrong=_(csrf.OLD_FORM)), 400
        throttling.hit(ctx, Limit("new links", str(signed_in.player), MAX_RENEWALS_PER_DAY, SECONDS_PER_DAY))
        profile.renew_links(ctx, _player(ctx, signed_in))
    return _redirect_saved("settings.me", renewed=1)


def _profile_page(
    ctx: Context, signed_in: CurrentUser, typed: Profile | None = None, wrong: str = "", name_wrong: str = ""
) -> str:
    player = _player(ctx, signed_in)
    you = typed or Profile(player.name, player.language, player.time_zone)
    return _page(
        "account/profile.html",
        you=you,
        name_wrong=name_wrong,
        wrong=wrong,
        longest=registry.MAX_NAME_LENGTH,
        now=ctx.now,
        zone=player.time_zone,
        zones=zones_by_continent(you.zone if you.zone in digest_schedule.time_zones() else player.time_zone),
        languages=LANGUAGES,
        main=profile.main_address(ctx, player),
        renewed="renewed" in request.args,
        own=reliability.for_player(ctx, player.id),
    )


@pages.get("/me/addresses")
def addresses() -> ResponseReturnValue:
    """List the player's addresses."""
    with transaction() as ctx:
        return _addresses_page(ctx, current_user.require())


@pages.post("/me/addresses")
def change_addresses() -> ResponseReturnValue:
    """Add an address, choose the main one, or remove one."""
    signed_in, action = current_user.require(), request.form.get("do")
    typed = request.form.get("email", "")
    with transaction() as ctx:
        if not csrf.is_valid("my addresses"):
            return _addresses_page(ctx, signed_in, typed, _(csrf.OLD_FORM)), 400
        player = _player(ctx, signed_in)
        try:
            email = registry.normalise_email(typed)
            if action == "add":
                throttling.hit(
                    ctx,
                    Limit("own address", str(player.id), MAX_ADDED_PER_DAY, SECONDS_PER_DAY),
                    Limit("asked whose", email, MAX_MAILS_PER_DAY, SECONDS_PER_DAY),
                    throttling.per_network("own address", MAX_ADDED_PER_DAY, SECONDS_PER_DAY),
                )
                profile.add(ctx, player, email)
            elif action == "main":
                profile.set_main(ctx, player, email)
            elif action == "remove":
                profile.remove(ctx, player, email)
            else:
                return _addresses_page(ctx, signed_in, typed, _(INVALID_CHOICE)), 422
        except Refused as refused:
            return _addresses_page(ctx, signed_in, typed, str(refused), at_field=action == "add"), 422
    return _redirect_saved("settings.addresses", sent=email if action == "add" else None)


def _addresses_page(
    ctx: Context, signed_in: CurrentUser, typed: str = "", wrong: str = "", *, at_field: bool = False
) -> str:
    theirs = profile.addresses(ctx, _player(ctx, signed_in))
    verified = sum(one.verified_at is not None for one in theirs)
    return _page(
        "account/addresses.html",
        addresses=theirs,
        removable=[one.email for one in theirs if verified > (one.verified_at is not None)],
        typed=typed if at_field else "",
        wrong="" if at_field else wrong,
        field_wrong=wrong if at_field else "",
        sent=request.args.get("sent", ""),
        days=email_confirmation.ADDRESS_LINK_DAYS,
    )


@pages.get("/me/mail")
def mail() -> ResponseReturnValue:
    """Show what mail the player gets, and which mail may play for them."""
    with transaction() as ctx:
        return _mail_page(ctx, current_user.require())


@pages.post("/me/mail")
def choose_mail() -> ResponseReturnValue:
    """Store what mail the player wants, and which mail may play for them."""
    signed_in, policy = current_user.require(), request.form.get("mail_policy")
    with transaction() as ctx:
        if not csrf.is_valid("my mail"):
            return _mail_page(ctx, signed_in, _(csrf.OLD_FORM)), 400
        player = _player(ctx, signed_in)
        chosen = parse_choices(player)
        if chosen is None or policy not in sender_policy.POLICIES:
            return _mail_page(ctx, signed_in, _(INVALID_CHOICE)), 400
        preferences.save(ctx, player, chosen)
        player.mail_policy = policy
        absences.recheck_deadlines(ctx, player)
    return _redirect_saved("settings.mail")


def _mail_page(ctx: Context, signed_in: CurrentUser, wrong: str = "") -> str:
    player = _player(ctx, signed_in)
    return _page(
        "account/mail.html",
        player=player,
        hours=preferences.DIGEST_HOURS,
        zones=zones_by_continent(player.time_zone),
        vouched=bool(ctx.config.authserv_id),
        policies=sender_policy.POLICIES,
        wrong=wrong,
    )


@pages.get("/me/look")
def look() -> ResponseReturnValue:
    """Show the appearance of pages and mails for the player."""
    with transaction() as ctx:
        return _appearance_page(ctx, current_user.require())


@pages.post("/me/look")
def choose_look() -> ResponseReturnValue:
    """Store the appearance of pages and mails."""
    signed_in = current_user.require()
    with transaction() as ctx:
        if not csrf.is_valid("my look"):
            return _appearance_page(ctx, signed_in, _(csrf.OLD_FORM)), 400
        player = _player(ctx, signed_in)
        player.text_first = "text_first" in request.form
        player.distinct_colours = "distinct_colours" in request.form
    return _redirect_saved("settings.look")


def _appearance_page(ctx: Context, signed_in: CurrentUser, wrong: str = "") -> str:
    return _page("account/appearance.html", player=_player(ctx, signed_in), wrong=wrong)


@pages.get("/me/browsers")
def where() -> ResponseReturnValue:
    """List the browsers where the player is signed in."""
    with transaction() as ctx:
        return _browsers_page(ctx, current_user.require())


@pages.post("/me/browsers")
def end() -> ResponseReturnValue:
    """Sign out one browser, or all but this one."""
    signed_in, target = current_user.require(), request.form.get("end", "")
    with transaction() as ctx:
        if not csrf.is_valid("my browsers"):
            return _browsers_page(ctx, signed_in, _(csrf.OLD_FORM)), 400
        present = [visit.id for visit in login_sessions.active(ctx, _player(ctx, signed_in))]
        ended = [
            one for one in present if (one != signed_in.login_session if target == "others" else str(one) == target)
        ]
        login_sessions.end(ctx, *ended)
    if signed_in.login_session not in ended:
        return _redirect_saved("settings.where")
    response = redirect(url_for("home.first"), 303)
    current_user.delete_cookie(response)
    return response


def _browsers_page(ctx: Context, signed_in: CurrentUser, wrong: str = "") -> str:
    return _page(
        "account/browsers.html",
        visits=[
            (visit, user_agents.describe(visit.user_agent))
            for visit in login_sessions.active(ctx, _player(ctx, signed_in))
        ],
        present=signed_in.login_session,
        zone=signed_in.zone,
        wrong=wrong,
    )


def _player(ctx: Context, signed_in: CurrentUser) -> Player:
    return ctx.session.get_one(Player, signed_in.player)


def _page(template: str, **parts: Any) -> str:
    return render_template(template, kept="kept" in request.args, **parts)


def _redirect_saved(page: str, **more: Any) -> BaseResponse:
    return redirect(url_for(page, kept=1, **more), 303)
