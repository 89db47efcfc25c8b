"""Snapshots: one position of a match, drawn for sharing outside the service, with a caption."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.boards import drawing_for
from pbem.games import Eye, Seat
from pbem.i18n import _, marked
from pbem.play.archive.replays import get_step, seat_history, step_number
from pbem.play.matches import descriptions
from pbem.play.matches.match_state import load_match
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.boards import Board
    from pbem.db.models import Match
    from pbem.games import Viewer
    from pbem.play.core.context import Context

NOT_STARTED = marked("This match has not started, so there is no position to draw yet.")
NO_STEP = marked("This match has no such step.")
NO_SEAT = marked("This match has no such seat.")
STILL_HIDDEN = marked("What a player has seen is visible to others when the match is over.")


class SnapshotError(Exception):
    """Refuses a snapshot; the message is marked for translation, but not translated."""


@dataclass(frozen=True, slots=True)
class SnapshotRequest:
    """Requested snapshot: a step, a ply or, without either, the latest step; from the view of `seat` if given."""

    step: int | None = None
    ply: int | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A drawn position: the number of its step and of the last one, the board, its description and a caption."""

    step: int
    last: int
    board: Board
    svg: str
    description: str
    caption: str


def draw(ctx: Context, match: Match, names: tuple[str, ...], wanted: SnapshotRequest) -> Snapshot:
    """Draw a position as a spectator may see it, with all hands open once the match is over; raises SnapshotError."""
    viewer = spectator_view(match, wanted.seat)
    course = load_match(ctx, match)
    if wanted.ply is not None:
        number = step_number(course, wanted.ply)
    else:
        number = len(course.log) if wanted.step is None else wanted.step
    if number is None or not 0 <= number <= len(course.log):
        raise SnapshotError(NO_STEP)
    step = get_step(course, viewer, names, number, seat_history(ctx, match))
    drawing = drawing_for(match.game)
    words = " ".join(drawing.words(step.board, step.names, wanted.seat).split())
    svg = drawing.svg(step.board, step.names, wanted.seat, step.turn)
    if number == len(course.log):
        text = caption(match, names, step.to_move)
    else:
        text = " ".join(step.told) if number else _("The deal.")
    return Snapshot(number, len(course.log), step.board, svg, words, text)


def spectator_view(match: Match, seat: int | None) -> Viewer:
    """Return the viewer as whom a spectator may look at a match; raises SnapshotError if that is not allowed."""
    if match.seed is None:
        raise SnapshotError(NOT_STARTED)
    if seat is None:
        return Eye.OPEN if match.state == MatchState.OVER else Eye.PUBLIC
    if not 0 < seat <= len(match.seats):
        raise SnapshotError(NO_SEAT)
    if match.state != MatchState.OVER:
        raise SnapshotError(STILL_HIDDEN)
    return Seat(seat)


def caption(match: Match, names: tuple[str, ...], to_move: Sequence[int]) -> str:
    """Return a caption for a match: how it has ended, or whose turn it is."""
    return descriptions.ending(match.result, names) if match.result else descriptions.turn({"to_move": to_move}, names)
