"""Lookups of what a URL names; a 404 if it does not exist or the visitor may not see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import abort, request

from pbem.db.models import Match
from pbem.games import GAMES
from pbem.play.accounts import dashboard
from pbem.play.core import tokens
from pbem.play.events import listing
from pbem.play.ladders import open_ladders
from pbem.play.leagues import overview
from pbem.play.lobby import open_tables
from pbem.play.matches import share_keys, withheld
from pbem.play.matches.match_state import lock_match
from pbem.play.timeouts import reclaims
from pbem.web.common.messages import UNKNOWN_EVENT, UNKNOWN_GAME, UNKNOWN_LINK, UNKNOWN_MATCH, UNKNOWN_SEASON
from pbem.web.request import form_fields

if TYPE_CHECKING:
    from pbem.db.models import Event, SeatHolder, Token
    from pbem.play.core.context import Context
    from pbem.play.events.listing import ListedEvent
    from pbem.play.leagues.overview import Season


def link(ctx: Context, typed: str) -> Token:
    """Return the token of a seat's link."""
    found = tokens.find(ctx, typed, tokens.LINK)
    if found is None:
        abort(404, description=UNKNOWN_LINK)
    return found


def link_and_match(ctx: Context, typed: str) -> tuple[Token, Match]:
    """Return the token of a seat's link, and its match."""
    found = link(ctx, typed)
    return found, found.holder.match


def lock_seat(ctx: Context, found: Token) -> Match:
    """Lock the match of a seat's link; 404 if its holder has just left the seat, or has just renewed the links."""
    match = lock_match(ctx, found.holder.match_id)
    if found.holder.left_at is not None or found.holder.generation != found.generation:
        abort(404, description=UNKNOWN_LINK)
    return match


def known_match(ctx: Context, match_id: str) -> Match:
    """Return a match that anyone may know of, or whose key the request contains; its table may be withheld."""
    match = ctx.session.get(Match, match_id)
    if match is None or not share_keys.is_open(match, request.values.get("key", "")):
        abort(404, description=UNKNOWN_MATCH)
    return match


def open_match(ctx: Context, match_id: str) -> Match:
    """Return a match whose table anyone may see, or whose key the request contains."""
    match = known_match(ctx, match_id)
    check_table(ctx, match)
    return match


def public_match(ctx: Context, match_id: str) -> Match:
    """Return a match whose table anyone may see."""
    match = ctx.session.get(Match, match_id)
    if match is None or not match.public:
        abort(404, description=UNKNOWN_MATCH)
    check_table(ctx, match)
    return match


def check_table(ctx: Context, match: Match) -> None:
    """Refuse what shows the table of a match while it is withheld, with the reason."""
    if withheld.hides_table(match):
        abort(404, description=withheld.explain(ctx, match))


def check_visible(ctx: Context, match: Match, reader: int | None) -> None:
    """Refuse a match that is hidden from a reader, like one that does not exist."""
    if open_tables.is_hidden(ctx, match, reader):
        abort(404, description=UNKNOWN_MATCH)


def reclaimable_match(ctx: Context, match_id: str, player: int) -> Match:
    """Return a match in which a player may reclaim a seat from the robot."""
    match = ctx.session.get(Match, match_id)
    if match is None or match not in reclaims.list_matches(ctx, player):
        abort(404, description=UNKNOWN_MATCH)
    return match


def own_seat(ctx: Context, match_id: str, player: int) -> SeatHolder:
    """Return the seat that a player has in a match, or had last."""
    holder = dashboard.find_holder(ctx, match_id, player)
    if holder is None:
        abort(404, description=UNKNOWN_MATCH)
    return holder


def event(ctx: Context, typed: str) -> ListedEvent:
    """Return an event of any kind."""
    number = form_fields.parse_number(typed, form_fields.MAX_ID_DIGITS)
    found = None if number is None else listing.find(ctx, number)
    if found is None:
        abort(404, description=UNKNOWN_EVENT)
    return found


def ladder(ctx: Context, game: str) -> Event:
    """Return the ladder of a game."""
    if game not in GAMES:
        abort(404, description=UNKNOWN_GAME)
    found = open_ladders.find(ctx, game)
    if found is None:
        abort(404, description=open_ladders.no_ladder(GAMES[game]))
    return found


def season(ctx: Context, typed: str, reader: int | None) -> Season:
    """Return a season of a league as a reader sees it, with their own entry."""
    number = form_fields.parse_number(typed, form_fields.MAX_ID_DIGITS)
    found = None if number is None else overview.season(ctx, number, reader)
    if found is None:
        abort(404, description=UNKNOWN_SEASON)
    return found
