"""Take-backs: a seat's last move, and all that was played after it, made void; never past anything that was shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import update

from pbem.db.models import Holder
from pbem.games import Move, Seat
from pbem.games.record import replay
from pbem.play import deadlines, offers, telling
from pbem.play.history import course_of, enter_event, opened, standing
from pbem.play.offers import OfferError
from pbem.play.views import names_of
from pbem.words import _

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.db.models import Match
    from pbem.games.chain import Played
    from pbem.play.history import Course
    from pbem.play.table import Table


def first_ply(table: Table, course: Course, seat: int) -> int:
    """Give the ply from which a seat's last move would be taken back; raises OfferError where it cannot be."""
    moves = standing(course.log)
    at = next((at for at in reversed(range(len(moves))) if moves[at].seat == seat), None)
    if at is None:
        raise OfferError(_("You have not moved yet, so there is nothing to take back."))
    shown = _first_that_shows(course, moves, at)
    if shown is not None:
        names = names_of(table, course.match)
        entry = course.game.view(course.position, Seat(seat)).log[shown]
        told = telling.told(course.match.game, [entry], names, seat)[0]  # type: ignore[list-item]
        raise OfferError(_("That cannot be taken back, because something has been shown or drawn: {told}", told=told))
    return moves[at].ply


def take_back(table: Table, match: Match, ply: int, by: str) -> Course:
    """Make void all moves from a ply on, and bring the match's row to the position that stands again."""
    enter_event(table, match, "taken_back", seat=None, by=by, detail={"from": ply})
    # The stage gets a number that no link, mail or deadline has ever spoken of.
    match.next_ply = max(match.next_ply, match.ply + 1)
    match.ply = match.next_ply
    course = course_of(table, match)
    match.to_move = [int(seat) for seat in course.game.to_move(course.position)]
    offers.settle(table, match)
    _forget_what_was_said_ahead(table, match)
    deadlines.ask(table, match)
    return course


def _first_that_shows(course: Course, moves: Sequence[Played], at: int) -> int | None:
    """Find the first move from one on by which something hidden became known, or something was drawn."""
    game, chance, position = opened(course.match)
    for number, step in enumerate(replay(game, position, moves, chance)):
        if number >= at and game.reveals(position, Move(moves[number].move), step.position):
            return number
        position = step.position
    return None


def _forget_what_was_said_ahead(table: Table, match: Match) -> None:
    """Drop moves that were typed ahead: they were meant for positions that are gone."""
    table.session.execute(update(Holder).where(Holder.match_id == match.id).values(proposal=None))
