"""The lobby: open tables that wait for players, and joining one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, abort, redirect, render_template, request, url_for

from pbem import time_format
from pbem.db.models import Player
from pbem.games import GAMES
from pbem.games.chain import typed_entropy
from pbem.i18n import _, several
from pbem.play.clocks import match_lengths, time_controls, timeout_policies
from pbem.play.core.errors import Refused
from pbem.play.lobby import joining, open_tables, seating
from pbem.play.matches import descriptions
from pbem.play.matches.seats import holders
from pbem.play.players import bots, reliability
from pbem.play.ratings import standings as rating_standings
from pbem.play.ratings import wording as rating_wording
from pbem.play.timeouts import substitutes
from pbem.play.weekly import weeks
from pbem.states import MatchState
from pbem.web.common import cursors
from pbem.web.common.messages import UNKNOWN_TABLE
from pbem.web.common.urls import turn_page
from pbem.web.request import csrf, current_user
from pbem.web.request.context import transaction
from pbem.web.request.read_replica import may_use_replica

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from flask.typing import ResponseReturnValue

    from pbem.db.models import Match
    from pbem.play.core.context import Context

pages = Blueprint("open_tables", __name__)

PAGE_SIZE = 20
"""Maximum tables on a page."""

_SEAT_COUNTS = range(2, 1 + max(game.seats[-1] for game in GAMES.values()))


@pages.app_context_processor
def on_every_page() -> dict[str, Any]:
    """Add the functions that describe an open table to all templates."""
    return {
        "clocks": time_controls,
        "lengths": match_lengths,
        "terms": timeout_policies,
        "describe_bots": bots.describe,
        "standing": reliability,
        "rated_sentence": rating_wording.rated_sentence,
        "day": _format_day,
    }


@pages.get("/lobby", endpoint="lobby")
@may_use_replica
def waiting() -> str:
    """List the open tables that match the filters."""
    typed = {name: request.args.get(name, "") for name in ("game", "seats", "clock")}
    wanted, place = _parse_filters(typed), cursors.decode(request.args.get("after", ""))
    reader = current_user.player_id()
    with transaction() as ctx:
        after_place = open_tables.Cursor(*place) if place else None
        page = open_tables.list_page(ctx, wanted, after_place, most=PAGE_SIZE, reader=reader)
        sought = substitutes.has_open_seats(ctx, reader)
        weekly = weeks.present(ctx)
    filters: dict[str, Any] = {name: value for name, value in typed.items() if value}
    after = page.after and url_for(
        "open_tables.lobby", **filters, after=cursors.encode(page.after.at, page.after.match)
    )
    return render_template(
        "lobby/open_tables.html",
        tables=page.tables,
        after=after,
        wanted=wanted,
        filtered=wanted != open_tables.TableFilter(),
        sizes=_SEAT_COUNTS,
        seats_sought=sought,
        weekly=weekly,
    )


@pages.get("/join/<typed>")
def look(typed: str) -> str:
    """Show a table that can be joined, or its present state; nothing happens before a form is sent."""
    with transaction() as ctx:
        return _page(ctx, _find_table(ctx, typed), typed)


@pages.post("/join/<typed>")
def join(typed: str) -> ResponseReturnValue:
    """Join a table; the player may add a text of their own to the deal."""
    visitor = current_user.visitor()
    if visitor is None:
        return redirect(url_for("sign_in.ask", then=url_for("open_tables.look", typed=typed)), 303)
    entropy = request.form.get("entropy", "").strip()
    with transaction() as ctx:
        match = _find_table(ctx, typed)
        if not csrf.is_valid(f"join {match.id}"):
            return _page(ctx, match, typed, entropy, _(csrf.OLD_FORM)), 400
        try:
            holder = joining.join(ctx, match, ctx.session.get_one(Player, visitor.player), entropy)
        except Refused as refused:
            return _page(ctx, match, typed, entropy, str(refused)), 409
        seat = match.seats[holder.seat - 1]
        present = holders(ctx, match)
        return render_template(
            "lobby/accepted.html",
            match=match,
            game=GAMES[match.game],
            seat=seat,
            open_seats=match.open_seats,
            waited=_awaited_players(match, {other.seat: other.name for other in present}),
            go_on=turn_page(ctx, match, holder) if match.state == MatchState.RUNNING else None,
            own=entropy if seat.entropy and typed_entropy(entropy) == seat.entropy else "",
            drawn=entropy == request.form.get("drawn"),
            by_us=seat.entropy is None,
        )


@pages.post("/lobby/seat")
def seat_anywhere() -> ResponseReturnValue:
    """Seat the player at the open table that starts soonest, or at one of their own."""
    visitor = current_user.visitor()
    if visitor is None:
        return redirect(url_for("sign_in.ask", then=url_for("open_tables.lobby")), 303)
    if not csrf.is_valid("seat me"):
        return _seat_refused(_(csrf.OLD_FORM)), 400
    game = _parse_filters({"game": request.form.get("game", ""), "seats": "", "clock": ""}).game
    try:
        with transaction() as ctx:
            seated = seating.seat(ctx, ctx.session.get_one(Player, visitor.player), game)
            match = seated.match
            return render_template(
                "lobby/seated.html",
                match=match,
                game=GAMES[match.game],
                sentence=seating.describe(ctx, seated),
                turn=turn_page(ctx, match, seated.holder) if match.state == MatchState.RUNNING else None,
                own_turn=seated.holder.seat in match.to_move,
            )
    except Refused as refused:
        return _seat_refused(str(refused)), 409


def _seat_refused(wrong: str) -> str:
    return render_template("lobby/not_seated.html", wrong=wrong)


def _format_day(at: datetime) -> str:
    """Format a day in the visitor's time zone."""
    visitor = current_user.visitor()
    return time_format.format_day(at, visitor.zone if visitor else "UTC")


def _parse_filters(typed: Mapping[str, str]) -> open_tables.TableFilter:
    """Parse the filters of the lobby; an unknown value filters nothing."""
    seats = typed["seats"]
    return open_tables.TableFilter(
        game=typed["game"] if typed["game"] in GAMES else "",
        seats=int(seats) if seats in {str(size) for size in _SEAT_COUNTS} else None,
        clock=typed["clock"] if typed["clock"] in time_controls.PRESETS else "",
    )


def _find_table(ctx: Context, typed: str) -> Match:
    match = open_tables.find_for_join_page(ctx, typed, current_user.player_id())
    if match is None:
        abort(404, description=UNKNOWN_TABLE)
    return match


def _page(ctx: Context, match: Match, typed: str, entropy: str = "", wrong: str = "") -> str:
    present = holders(ctx, match)
    visitor = current_user.visitor()
    names = {holder.seat: holder.name for holder in present}
    listed = {holder.seat: descriptions.list_name(holder.name, holder.player.robot_level) for holder in present}
    standings = reliability.for_holders(ctx, present)
    reader = visitor.player if visitor else None
    ratings = rating_standings.for_seats(ctx, match, present, reader)
    newer = joining.find_replacement(ctx, match, reader)
    others = open_tables.list_page(ctx, open_tables.TableFilter(game=match.game), most=3, reader=reader).tables
    return render_template(
        "lobby/join.html",
        typed=typed,
        match=match,
        game=GAMES[match.game],
        places=[
            (
                listed.get(place.seat, ""),
                bool(place.accepted_at),
                standings.get(place.seat),
                ratings.get(place.seat, ""),
            )
            for place in match.seats
        ],
        rating_note=rating_wording.rating_note(match, present) if match.state == MatchState.INVITING else "",
        host=names.get(match.creator_seat or 0, ""),
        waited=_awaited_players(match, names),
        sits=visitor is not None and any(holder.player_id == visitor.player for holder in present),
        # The invitation link of a private table leads on to the one that replaced it.
        newer=newer and (open_tables.invitation_code(ctx.config, newer.id) if "-" in typed else newer.id),
        others=[one for one in others if one.match != match.id],
        entropy=entropy,
        wrong=wrong,
    )


def _awaited_players(match: Match, names: Mapping[int, str]) -> list[str]:
    """List the players that a match waits for; the open seats are one entry."""
    people = [names.get(place.seat, "") for place in match.seats if place.accepted_at is None]
    vacant = people.count("")
    more = [several("somebody at the open seat", "{number} more players", vacant)] if vacant else []
    return [*filter(None, people), *more]
