"""What one viewer may see of a match: the only form in which a match leaves this package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, select

from pbem.boards import drawing_for
from pbem.boards.prose import clean_name as visible
from pbem.db.models import Match, MatchSeat, SeatHolder
from pbem.games import Eye, Seat
from pbem.games.chain import EventEntry
from pbem.i18n import _, marked
from pbem.play.matches import seats
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Collection

    from pbem.games import Json, View, Viewer
    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import LoadedMatch

MAX_FOREIGN_NAME_LENGTH = 40
"""Maximum characters shown of a name from another server."""
_NOT_BEGUN = marked("The match has not begun yet: not everybody has accepted.")
_ABORTED = marked("The match was called off before it began.")


class MatchNotOverError(Exception):
    """The hidden cards of a running match cannot be shown."""


def player_names(ctx: Context, match: Match) -> tuple[str, ...]:
    """Return the names of a match's players, in seat order; an open seat has an empty name."""
    return tuple(
        _display_name(holder.name if holder else None, seat.imported_name)
        for seat, holder in seats.with_holders(ctx, match)
    )


def player_names_by_match(ctx: Context, matches: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Return the names of the players of some matches, including matches played elsewhere, in one query.

    A name from elsewhere is cleaned of characters that would turn or hide the words around it; its record is unchanged.
    """
    sits = and_(
        SeatHolder.match_id == MatchSeat.match_id, SeatHolder.seat == MatchSeat.seat, SeatHolder.left_at.is_(None)
    )
    places = select(MatchSeat.match_id, SeatHolder.name, MatchSeat.imported_name).outerjoin(SeatHolder, sits)
    wanted = places.where(MatchSeat.match_id.in_(matches)).order_by(MatchSeat.match_id, MatchSeat.seat)
    names: dict[str, list[str]] = {}
    for match, here, elsewhere in ctx.session.execute(wanted):
        names.setdefault(match, []).append(_display_name(here, elsewhere))
    return {match: tuple(named) for match, named in names.items()}


def _display_name(here: str | None, elsewhere: str | None) -> str:
    return here or (visible(elsewhere, MAX_FOREIGN_NAME_LENGTH) if elsewhere else "")


def view_for(course: LoadedMatch, viewer: Viewer) -> View:
    """Return a viewer's view of a match that has begun; hidden cards are shown to all only when it is over."""
    over = course.match.state == MatchState.OVER
    if viewer is Eye.OPEN and not over:
        raise MatchNotOverError("The hidden cards are open when the match is over.")
    return course.game.view(course.position, viewer)


def render_view(course: LoadedMatch, viewer: Viewer, names: tuple[str, ...]) -> dict[str, Any]:
    """Return a viewer's view of a match that has begun, in the format of the API."""
    match, view = course.match, view_for(course, viewer)
    running = match.state == MatchState.RUNNING
    you = None if isinstance(viewer, Eye) else int(viewer)
    return _common_fields(match, you) | {
        "to_move": [int(seat) for seat in view.to_move] if running else [],
        "moves": list(view.moves) if running else [],
        "moves_are_all": view.moves_are_all,
        "board": view.board,
        "text": drawing_for(match.game).text(view.board, names, you),
        "log": view.log,
        "names": list(names),
    }


def render_revealed(course: LoadedMatch, names: tuple[str, ...]) -> dict[str, Any]:
    """Return all of a match as it was when an operator revealed it, and at no other time.

    The last entry of the log must therefore be the event of the reveal.
    """
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
    empty: dict[str, Json] = {}
    said = _NOT_BEGUN if match.state == MatchState.INVITING else _ABORTED
    return _common_fields(match, seat) | {
        "to_move": [],
        "moves": [],
        "moves_are_all": True,
        "board": empty,
        "text": _(said),
        "log": [],
        "names": list(names),
    }


def _common_fields(match: Match, seat: int | None) -> dict[str, Any]:
    return {
        "match": match.id,
        "game": match.game,
        "options": match.options,
        "seat": seat,
        "ply": match.ply,
        "outcome": match.result,
        "commitment": match.commitment.hex(),
        "head": match.chain_head.hex(),
    }
