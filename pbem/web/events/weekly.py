"""The deal of the week on pages: taking part, the table of each week that is over, and mail when one begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, abort, redirect, render_template, request, url_for

from pbem.db.models import Player
from pbem.i18n import _, marked
from pbem.play.accounts import guests
from pbem.play.core.errors import Refused
from pbem.play.inbox import commands, weekly_mail
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.matches.seats import holders
from pbem.play.players import registry
from pbem.play.weekly import calendar, entries, results, standing, stop_links, weeks
from pbem.play.weekly.standing import Standing
from pbem.states import MatchState
from pbem.time_format import format_day
from pbem.web.common.messages import UNKNOWN_LINK
from pbem.web.common.urls import turn_page
from pbem.web.request import csrf, current_user, form_fields, throttling
from pbem.web.request.context import service, transaction
from pbem.web.request.read_replica import may_use_replica

if TYPE_CHECKING:
    from datetime import datetime

    from flask.typing import ResponseReturnValue

    from pbem.db.models import DealSet, Match
    from pbem.play.core.context import Context

pages = Blueprint("weekly", __name__)

UNKNOWN_WEEK = marked("There is no such week.")


@pages.get("/weekly")
def present() -> str:
    """Show the running week and the next one, with the visitor's own part in them."""
    with transaction() as ctx:
        return _page(ctx, asked=request.args.get("asked", ""), kept="kept" in request.args)


@pages.post("/weekly")
def enter() -> ResponseReturnValue:
    """Enter the visitor into a week, and lead to their turn if it has begun."""
    number = form_fields.get_number("week") or 0
    visitor = current_user.visitor()
    with transaction() as ctx:
        if not csrf.is_valid("weekly"):
            return _page(ctx, wrong=_(csrf.OLD_FORM)), 400
        throttling.hit(ctx, throttling.per_network("match", throttling.MAX_MATCHES_PER_HOUR))
        try:
            with ctx.session.begin_nested():
                if visitor and not visitor.guest:
                    player = ctx.session.get_one(Player, visitor.player)
                    match = entries.enter(ctx, number, player, text=request.form.get("entropy", ""))
                    return redirect(_next_page(ctx, match), 303)
                return redirect(_invite(ctx, number), 303)
        except Refused as refused:
            return _page(ctx, wrong=str(refused), field=refused.field), 422


@pages.post("/weekly/mail")
def choose_mail() -> ResponseReturnValue:
    """Store whether the player is mailed when a week begins."""
    visitor = current_user.require()
    with transaction() as ctx:
        if not csrf.is_valid("weekly mail"):
            return _page(ctx, wrong=_(csrf.OLD_FORM)), 400
        ctx.session.get_one(Player, visitor.player).weekly_mail = "weekly_mail" in request.form
    return redirect(url_for("weekly.present", kept=1), 303)


@pages.get("/weekly/stop/<signed>")
def ask_to_stop(signed: str) -> str:
    """Show the button that stops the mail about each week; looking changes nothing."""
    with transaction() as ctx:
        player = _find_subscriber(ctx, signed)
        return render_template("events/weekly_stop.html", signed=signed, stopped=not player.weekly_mail)


@pages.post("/weekly/stop/<signed>")
def stop(signed: str) -> str:
    """Stop that mail at once, as mail programs and providers send neither cookie nor nonce (RFC 8058)."""
    with transaction() as ctx:
        _find_subscriber(ctx, signed).weekly_mail = False
    return render_template("events/weekly_stop.html", signed=signed, stopped=True)


@pages.get("/weekly/<int(max=99999):number>")
def week(number: int) -> ResponseReturnValue:
    """Show the table of a week that is over; lead to the page of those that are not."""
    with transaction() as ctx:
        found = weeks.find(ctx, number)
        if found is None:
            abort(404, description=_(UNKNOWN_WEEK))
        if found.opened_at is None:
            return redirect(url_for("weekly.present"), 303)
        return _table_page(ctx, found)


@pages.post("/weekly/<int(max=99999):number>")
def play_for_fun(number: int) -> ResponseReturnValue:
    """Create a private match of a week's deal for the visitor, and lead to its first turn."""
    visitor = current_user.require()
    with transaction() as ctx:
        found = weeks.find(ctx, number)
        if found is None:
            abort(404, description=_(UNKNOWN_WEEK))
        if found.opened_at is None:
            return redirect(url_for("weekly.present"), 303)
        if not csrf.is_valid(f"weekly {number}"):
            return _table_page(ctx, found, _(csrf.OLD_FORM)), 400
        throttling.hit(ctx, throttling.per_network("match", throttling.MAX_MATCHES_PER_HOUR))
        player = ctx.session.get_one(Player, visitor.player)
        try:
            with ctx.session.begin_nested():
                you = guests.invitee(player) if visitor.guest else _invitee(ctx, player)
                match = entries.play_for_fun(ctx, found, you, player)
                return redirect(turn_page(ctx, match, holders(ctx, match)[0]), 303)
        except Refused as refused:
            return _table_page(ctx, found, str(refused)), 422


@pages.get("/weekly/archive")
@may_use_replica
def archive() -> str:
    """List the weeks that are over, the newest first."""
    with transaction() as ctx:
        found = weeks.list_opened(ctx, form_fields.get_number("before"))
        shown, more = found[: weeks.WEEKS_PER_PAGE], found[weeks.WEEKS_PER_PAGE :]
        return render_template("events/weekly_archive.html", weeks=shown, older=shown[-1].number if more else None)


def lead(_ctx: Context, deal_set: DealSet) -> ResponseReturnValue:
    """Redirect from the page of a shared deal to that of its week."""
    return redirect(url_for("weekly.week", number=deal_set.week))


def _page(ctx: Context, *, wrong: str = "", field: str = "", asked: str = "", kept: bool = False) -> str:
    number = calendar.number_at(ctx.now)
    last = weeks.find(ctx, number - 1)
    visitor = current_user.visitor()
    player = visitor.player if visitor and not visitor.guest else None
    return render_template(
        "events/weekly.html",
        running=_shown(ctx, number, player),
        coming=_shown(ctx, number + 1, player),
        last=last.week if last and last.opened_at and last.seed else None,
        mailed=player is not None and ctx.session.get_one(Player, player).weekly_mail,
        guest=visitor.guest if visitor else False,
        typed={name: request.form.get(name, "") for name in ("name", "email", "entropy")},
        wrong=wrong,
        field=field,
        asked=asked,
        kept=kept,
        word=commands.by_name()[weekly_mail.TAKE_PART].word,
        sender=service().config.service_address,
    )


def _shown(ctx: Context, number: int, player: int | None) -> dict[str, object] | None:
    """Return a week as its page shows it: numbers of people, and the visitor's own part; None if there is none."""
    found = weeks.summary(ctx, number)
    if found is None or found.deal_set.starts_at is None or found.deal_set.closes_at is None:
        return None
    entry = weeks.entry_of(ctx, found.deal_set, player) if player else None
    state = standing.of_match(entry) if entry else None
    begins, closes = _day(found.deal_set.starts_at), _day(found.deal_set.closes_at)
    own = standing.sentence(state, standing.points(entry), closes, begins) if entry and state else ""
    return {
        "number": number,
        "people": found.people,
        "finished": found.finished,
        "is_dealt": found.deal_set.seed is not None,
        "begins": begins,
        "closes": closes,
        "deal_set": found.deal_set,
        "own": own,
        "match": entry.id if entry and state is Standing.RUNNING else None,
        "is_asked": state is Standing.ASKED,
    }


def _table_page(ctx: Context, deal_set: DealSet, wrong: str = "") -> str:
    table, reader = results.table(ctx, deal_set), current_user.player_id()
    after = form_fields.get_number("after") or 0
    return render_template(
        "events/weekly_table.html",
        number=deal_set.week,
        deal_set=deal_set,
        table=table,
        rows=table.page(after),
        before=max(0, after - results.ROWS_PER_PAGE) if after else None,
        next=table.next(after),
        first=after + 1,
        best=table.best,
        own=table.own(reader),
        own_page=table.page_of(reader),
        first_day=_day(deal_set.starts_at) if deal_set.starts_at else "",
        game=weeks.GAME,
        wrong=wrong,
    )


def _invite(ctx: Context, number: int) -> str:
    """Invite the address that a newcomer typed; return the page that follows."""
    name, email = (request.form.get(field, "").strip() for field in ("name", "email"))
    known = service().config.allow_anonymous
    match = entries.invite(ctx, number, name, email, known=known)
    (holder,) = holders(ctx, match)
    if holder.player.created_at == ctx.now:
        registry.adopt_zone(holder.player, request.form.get("zone", ""))
    return turn_page(ctx, match, holder) if known else url_for("weekly.present", asked=holder.email)


def _next_page(ctx: Context, match: Match) -> str:
    """Return the page after taking part: the turn, if there is one."""
    if match.state == MatchState.RUNNING:
        return turn_page(ctx, match, holders(ctx, match)[0])
    return url_for("weekly.present")


def _invitee(ctx: Context, player: Player) -> Invitee:
    return Invitee(player.name, registry.verified_address(ctx, player))


def _find_subscriber(ctx: Context, signed: str) -> Player:
    player = stop_links.find(ctx, signed)
    if player is None:
        abort(404, description=_(UNKNOWN_LINK))
    return player


def _day(moment: datetime) -> str:
    return format_day(moment, "UTC")
