"""Feeds of a player's matches: Atom and a calendar, at URLs that only the player knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, Response, abort, request

from pbem.boards.prose import series
from pbem.games import GAMES
from pbem.i18n import _, marked
from pbem.play.accounts import feeds
from pbem.play.matches import descriptions
from pbem.time_format import moment
from pbem.web.account import atom, icalendar
from pbem.web.common.context import service, transaction
from pbem.web.common.locale import speak_to
from pbem.web.common.urls import outside

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.db.models import Player
    from pbem.play.accounts.dashboard import Standing
    from pbem.play.core.context import Context

pages = Blueprint("feeds", __name__)

UNKNOWN_FEED = marked("There is no feed at this address. The page with your own games has the present one.")

_YEAR = 2026
"""Year in the ids of entries (RFC 4151); it never changes."""


@pages.get("/feed/<token>.atom")
def feed(token: str) -> Response:
    """Return the Atom feed of what waits for a player, and what has ended."""
    with transaction() as ctx:
        player = _reader(ctx, token)
        present, over = feeds.read(ctx, player)
    waiting = [_turn(one, player.zone) for one in present if one.waits]
    ended = [_ended(one) for one in over]
    # An entry leaves the feed only by a move, an end or a start.
    updated = max((player.created_at, *(one.since for one in (*present, *over)), *(each.updated for each in ended)))
    title = _("My games at {host}", host=service().config.host)
    own, page = outside("feeds.feed", token=token), outside("dashboard.mine")
    body = atom.written(_name("feed", str(player.id)), title, own, page, updated, [*waiting, *ended])
    return _answer(body, "application/atom+xml; charset=utf-8", updated)


@pages.get("/calendar/<token>.ics")
def calendar(token: str) -> Response:
    """Return the calendar of a player's deadlines."""
    with transaction() as ctx:
        player = _reader(ctx, token)
        present, _over = feeds.read(ctx, player)
    deadlines = [_due(one, one.due_at) for one in present if one.waits and one.due_at]
    body = icalendar.written(_("My games at {host}", host=service().config.host), deadlines)
    return _answer(body, "text/calendar; charset=utf-8")


def called(one: Standing) -> str:
    """Return the title of a match: its game, and who else plays."""
    game = GAMES[one.game].name
    return _("{game} with {others}", game=game, others=series(one.others)) if one.others else game


def _reader(ctx: Context, token: str) -> Player:
    player = feeds.reader_of(ctx, token)
    if player is None:
        abort(404, description=UNKNOWN_FEED)
    speak_to(player)
    return player


def _turn(one: Standing, zone: str) -> atom.Entry:
    if not one.begun:
        title, text = _("You are invited to {match}", match=called(one)), _("It begins when everybody has accepted.")
    else:
        title = _("It is your turn in {match}", match=called(one))
        text = _("Your move is due on {moment}.", moment=moment(one.due_at, zone)) if one.due_at else title
    name = _name("turn", one.match, str(one.seat), str(one.stage))
    return atom.Entry(name, title, text, _page(one), one.since)


def _ended(one: Standing) -> atom.Entry:
    title = _("{match} is over", match=called(one))
    text = descriptions.ending(one.result, one.in_seat_order, one.seat) if one.result else title
    return atom.Entry(_name("over", one.match, str(one.seat)), title, text, _page(one), one.ended_at or one.since)


def _due(one: Standing, at: datetime) -> icalendar.Due:
    title = _("Your move in {match} is due", match=called(one))
    text = _("By then your move is to be made: by answering the mail of your turn, or on its page.")
    uid = f"{one.match}.{one.seat}.{one.ply}@{service().config.host}"
    return icalendar.Due(uid, title, text, _page(one), at, max(one.asked_at or one.since, one.since), one.length)


def _page(one: Standing) -> str:
    # This page requires signing in: a feed passes through machines that nobody should be able to play from.
    return outside("dashboard.turn", match_id=one.match)


def _name(*parts: str) -> str:
    return f"tag:{service().config.host},{_YEAR}:{'/'.join(parts)}"


def _answer(body: bytes, content_type: str, updated: datetime | None = None) -> Response:
    response = Response(body, content_type=content_type)
    response.headers["Cache-Control"] = "private, no-cache"
    response.last_modified = updated
    response.add_etag()
    response.make_conditional(request)
    return response
