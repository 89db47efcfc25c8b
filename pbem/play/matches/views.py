"""What one viewer may see of a match: the only form in which a match leaves this package."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from pbem.boards import drawing_for
from pbem.boards.prose import clean_name as visible
from pbem.db import conditions
from pbem.db.models import Match, MatchSeat, SeatHolder
from pbem.games import Eye, Seat
from pbem.games.chain import EventEntry
from pbem.i18n import _
from pbem.play.matches import seats, withheld
from pbem.robots import Level
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Collection

    from pbem.games import View, Viewer
    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import LoadedMatch

MAX_FOREIGN_NAME_LENGTH = 40
"""Maximum characters shown of a name from another server."""

_NAMES = (
    select(MatchSeat.match_id, SeatHolder.name, MatchSeat.imported_name)
    .outerjoin(SeatHolder, seats.IS_CURRENT)
    .where(conditions.is_any_of(MatchSeat.match_id, "matches"))
    .order_by(MatchSeat.match_id, MatchSeat.seat)
)


class MatchNotOverError(Exception):
    """The hidden cards of a running match cannot be shown."""


class TableWithheldError(Exception):
    """A table whose deal is still played elsewhere cannot be shown to anybody but its seats."""


def player_names(ctx: Context, match: Match) -> tuple[str, ...]:
    """Return the names of a match's players, in seat order; an open seat has an empty name."""
    return tuple(
        _display_name(holder.name if holder else None, seat.imported_name)
        for seat, holder in seats.with_holders(ctx, match)
    )


def robot_levels(ctx: Context, match: Match) -> dict[int, str]:
    """Return the levels of a match's robots, by seat."""
    present = seats.holders(ctx, match)
    return {holder.seat: holder.player.robot_level or Level.FAIR for holder in present if holder.player.is_robot}


def player_names_by_match(ctx: Context, matches: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Return the names of the players of some matches in one query; those from other servers are cleaned."""
    rows = ctx.session.execute(_NAMES, {"matches": [*matches]})
    by_match = groupby(rows, key=lambda row: row.match_id)
    return {match: tuple(_display_name(here, elsewhere) for _, here, elsewhere in found) for match, found in by_match}


def _display_name(here: str | None, elsewhere: str | None) -> str:
    return here or (visible(elsewhere, MAX_FOREIGN_NAME_LENGTH) if elsewhere else "")


def view_for(course: LoadedMatch, viewer: Viewer) -> View:
    """Return a viewer's view of a match that has begun; hidden cards are shown to all only when it is over."""
    check_viewer(course.match, viewer)
    return course.game.view(course.position, viewer)


def check_viewer(match: Match, viewer: Viewer) -> None:
    """Raise an error if a match cannot be shown to all, or not with all hands open."""
    if isinstance(viewer, Eye) and withheld.hides_table(match):
        raise TableWithheldError("Only its seats may see this table until its deal is open.")
    if viewer is Eye.OPEN and match.state != MatchState.OVER:
        raise MatchNotOverError("The hidden cards are open when the match is over.")


def render_view(course: LoadedMatch, viewer: Viewer, names: tuple[str, ...]) -> dict[str, Any]:
    """Return a viewer's view of a match that has begun, in the format of the API."""
    seen = render_position(course, viewer, names)
    return seen | {"text": drawing_for(course.match.game).text(seen["board"], names, seen["seat"])}


def render_position(course: LoadedMatch, viewer: Viewer, names: tuple[str, ...]) -> dict[str, Any]:
    """Return the same without the text of the board, which is drawn from the rest."""
    match, view = course.match, view_for(course, viewer)
    running = match.state == MatchState.RUNNING
    you = None if isinstance(viewer, Eye) else int(viewer)
    return _common_fields(match, you, names) | {
        "to_move": [int(seat) for seat in view.to_move] if running else [],
        "moves": list(view.moves) if running else [],
        "moves_are_all": view.moves_are_all,
        "board": view.board,
        "log": view.log,
    }


def render_revealed(course: LoadedMatch, names: tuple[str, ...]) -> dict[str, Any]:
    """Return all of a match whose last event is that an operator revealed it, and of no other."""
    last = course.log[-1] if course.log else None
    if not (isinstance(last, EventEntry) and last.event == "opened"):
        raise MatchNotOverError("The hidden cards are open when the match is over.")
    view = course.game.view(course.position, Eye.OPEN)
    return {
        "match": course.match.id,
        "game": course.match.game,
        "opened": last.at,
        "to_move": [int(seat) for seat in view.to_move],
        "board": view.board,
        "text": drawing_for(course.match.game).text(view.board, names, None),
        "log": view.log,
        "names": list(names),
    }


def render_before_start(match: Match, seat: Seat | None, names: tuple[str, ...]) -> dict[str, Any]:
    """Return a match that has not begun, in the format of the API."""
    if match.state == MatchState.INVITING:
        text = _("The match has not begun yet: not everybody has accepted.")
        if match.event_id is not None:
            text = _("The match has not begun yet.")
    else:
        text = _("The match was called off before it began.")
    nothing: dict[str, Any] = {"to_move": [], "moves": [], "moves_are_all": True, "board": {}, "text": text, "log": []}
    return _common_fields(match, seat, names) | nothing


def _common_fields(match: Match, seat: int | None, names: tuple[str, ...]) -> dict[str, Any]:
    return {
        "match": match.id,
        "game": match.game,
        "options": match.options,
        "seat": seat,
        "ply": match.ply,
        "outcome": match.result,
        "commitment": match.commitment.hex(),
        "head": match.chain_head.hex(),
        "names": list(names),
    }
