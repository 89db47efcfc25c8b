"""Feeds of a player's matches: Atom and a calendar, at URLs that only the player knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, abort

from pbem.boards.prose import series
from pbem.games import GAMES
from pbem.i18n import _, marked
from pbem.play.accounts import feeds
from pbem.play.matches import descriptions
from pbem.time_format import format_moment
from pbem.web.account import icalendar
from pbem.web.common import atom
from pbem.web.common.feed_responses import ATOM, entry_id, respond
from pbem.web.common.urls import absolute_url
from pbem.web.request.context import service, transaction
from pbem.web.request.locale import use_language_of

if TYPE_CHECKING:
    from datetime import datetime

    from flask import Response
    from icalendar import Event

    from pbem.db.models import Player
    from pbem.play.accounts.dashboard import MatchSummary
    from pbem.play.core.context import Context

pages = Blueprint("feeds", __name__)

UNKNOWN_FEED = marked("There is no feed at this address. Your current feed address is on the page “My games”.")


@pages.get("/feed/<token>.atom")
def feed(token: str) -> Response:
    """Return the Atom feed of a player's turns and finished matches."""
    with transaction() as ctx:
        player = _find_player(ctx, token)
        present, over = feeds.load_matches(ctx, player)
    waiting = [_turn_entry(one, player.time_zone) for one in present if one.waits]
    ended = [_ended_entry(one) for one in over]
    # An entry leaves the feed only by a move, an end or a start.
    updated = max((player.created_at, *(one.since for one in (*present, *over)), *(each.updated for each in ended)))
    title = _("My games at {host}", host=service().config.host)
    own, page = absolute_url("feeds.feed", token=token), absolute_url("dashboard.mine")
    body = atom.render(entry_id("feed", str(player.id)), title, own, page, updated, [*waiting, *ended])
    return respond(body, ATOM, updated)


@pages.get("/calendar/<token>.ics")
def calendar(token: str) -> Response:
    """Return the calendar of a player's deadlines."""
    with transaction() as ctx:
        player = _find_player(ctx, token)
        present, _over = feeds.load_matches(ctx, player)
    events = [_deadline_event(one, one.due_at) for one in present if one.waits and one.due_at]
    body = icalendar.render(_("My games at {host}", host=service().config.host), events)
    return respond(body, "text/calendar; charset=utf-8")


def match_title(one: MatchSummary) -> str:
    """Return the title of a match: its game, and who else plays."""
    game, others = GAMES[one.game].name, one.others
    return _("{game} with {others}", game=game, others=series(others)) if others else game


def _find_player(ctx: Context, token: str) -> Player:
    player = feeds.find_owner(ctx, token)
    if player is None:
        abort(404, description=UNKNOWN_FEED)
    use_language_of(player)
    return player


def _turn_entry(one: MatchSummary, zone: str) -> atom.Entry:
    if not one.begun:
        title = _("You are invited to {match}", match=match_title(one))
        text = _("It begins when everybody has accepted.")
    else:
        title = _("It is your turn in {match}", match=match_title(one))
        text = _("Your move is due on {moment}.", moment=format_moment(one.due_at, zone)) if one.due_at else title
    name = entry_id("turn", one.match, str(one.seat), str(one.stage))
    return atom.Entry(name, title, text, _page_url(one), one.since)


def _ended_entry(one: MatchSummary) -> atom.Entry:
    title = _("{match} is over", match=match_title(one))
    text = descriptions.ending(one.result, one.all_names, one.seat) if one.result else title
    return atom.Entry(
        entry_id("over", one.match, str(one.seat)), title, text, _page_url(one), one.ended_at or one.since
    )


def _deadline_event(one: MatchSummary, at: datetime) -> Event:
    title = _("Your move in {match} is due", match=match_title(one))
    text = _("Move by then: reply to your turn mail, or use its page.")
    uid = f"{one.match}.{one.seat}.{one.ply}@{service().config.host}"
    revised = max(one.asked_at or one.since, one.since)
    return icalendar.deadline_event(uid, title, text, _page_url(one), at=at, revised=revised, sequence=one.length)


def _page_url(one: MatchSummary) -> str:
    # This page requires signing in: a feed passes through machines that nobody should be able to play from.
    return absolute_url("dashboard.turn", match_id=one.match)
