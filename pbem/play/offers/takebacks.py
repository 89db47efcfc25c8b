"""Takebacks: void a seat's last move and all moves after it, but never past anything that was revealed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import update

from pbem.db.models import SeatHolder
from pbem.games import Move, Seat
from pbem.games.chain import MoveEntry
from pbem.games.record import effective_moves, replay
from pbem.i18n import _
from pbem.play.core.errors import Refused
from pbem.play.deadlines import turn_deadlines
from pbem.play.matches import descriptions
from pbem.play.matches.match_state import append_event, load_match
from pbem.play.matches.views import player_names
from pbem.play.offers import open_offers
from pbem.states import Withheld

if TYPE_CHECKING:
    from pbem.db.models import Match
    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import LoadedMatch


def first_ply(ctx: Context, course: LoadedMatch, seat: int) -> int:
    """Return the first ply that a takeback of a seat's last move would void; raises Refused if there can be none."""
    if course.match.withheld == Withheld.TABLE and len(course.match.seats) == 1:
        # Everybody plays the deal of the week once: who could try each line would find the best one.
        raise Refused(_("In the Minimax of the week no sowing can be taken back."))
    ply = last_ply(course, seat)
    if ply is None:
        raise Refused(_("You have not moved yet, so there is nothing to take back."))
    shown = first_reveal(course, ply)
    if shown is not None:
        names = player_names(ctx, course.match)
        entry: Any = course.game.view(course.position, Seat(seat)).log[shown]
        sentence = descriptions.log_sentences(course.match.game, [entry], names, seat)[0]
        raise Refused(
            _("That move cannot be taken back, because something was revealed or drawn: {told}", told=sentence)
        )
    return ply


def last_ply(course: LoadedMatch, seat: int) -> int | None:
    """Return the ply of a seat's last move that was not taken back; moves from a forked match do not count."""
    own = effective_moves(course.log)[course.inherited :]
    return next((move.ply for move in reversed(own) if move.seat == seat), None)


def first_reveal(course: LoadedMatch, ply: int) -> int | None:
    """Return the index in a View's log of the first move from a ply on that revealed or drew something, or None."""
    game, position = course.game, course.first_position
    for place, step in enumerate(replay(game, position, effective_moves(course.log), course.chance)):
        entry = step.entry
        if (
            isinstance(entry, MoveEntry)
            and entry.ply >= ply
            and game.reveals(position, Move(entry.move), step.position)
        ):
            return place
        position = step.position
    return None


def apply(ctx: Context, match: Match, ply: int, by: str) -> LoadedMatch:
    """Void all moves from a ply on, and reset the match's row to the position before them."""
    append_event(ctx, match, "taken_back", seat=None, by=by, detail={"from": ply})
    # The stage gets a number that no link, mail or deadline has used.
    match.next_ply = max(match.next_ply, match.ply + 1)
    match.ply = match.next_ply
    course = load_match(ctx, match)
    match.to_move = [int(seat) for seat in course.game.to_move(course.position)]
    open_offers.close(ctx, match)
    # Premoves were meant for positions that are gone.
    ctx.session.execute(update(SeatHolder).where(SeatHolder.match_id == match.id).values(premove=None))
    turn_deadlines.sync(ctx, match)
    return course
