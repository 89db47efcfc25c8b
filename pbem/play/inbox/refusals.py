"""Refusals of texts that are not legal moves, with suggestions of what could follow or was meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.games import Seat, typed
from pbem.i18n import _, refusal
from pbem.play.matches import descriptions, previews
from pbem.play.notifications.replies import answer
from pbem.play.submissions.verdicts import REJECTED, Verdict

if TYPE_CHECKING:
    from pbem.db.models import Submission
    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import Course
    from pbem.play.submissions.move_finder import NotFound

OFFERED = 12
"""Maximum continuations offered as buttons."""
LISTED = 100
"""Maximum continuations listed."""


def refused(ctx: Context, course: Course, submission: Submission, found: NotFound) -> Verdict:
    """Answer a text that is not a legal move; the start of a move is answered with what may follow."""
    reason = refusal(found.reason)
    if not found.line:
        answer(ctx, course.match, submission, "nothing typed", reason=reason)
        return Verdict(REJECTED, reason)
    seat = Seat(submission.holder.seat)
    begun = previews.start(course, seat, found.line)
    if begun and not begun.rest:
        onward = _onward(course, seat, begun)
        answer(ctx, course.match, submission, "start", reason=reason, begun=begun.text, onward=onward)
        return Verdict(REJECTED, _("So far so good: “{begun}”. {reason}", begun=begun.text, reason=reason))
    near = [*course.game.nearest(course.position, seat, found.line[: typed.LONGEST])]
    # After a mistake at the end of a long move, its correct start need not be typed again.
    good = begun.text if begun and len(begun.choosing.chosen) > 1 else ""
    beside = descriptions.beside(near, reason)
    answer(ctx, course.match, submission, "rejected", reason=beside, line=found.line, near=near, good=good)
    return Verdict(REJECTED, reason)


def _onward(course: Course, seat: Seat, begun: previews.Start) -> list[dict[str, Any]]:
    """List the pieces that may follow, with the resulting texts, and whether these are complete moves."""
    chosen, following = begun.choosing.chosen, []
    for number, piece in enumerate(begun.choosing.pieces[:LISTED]):
        complete = number < OFFERED and not course.game.steps(course.position, seat, (*chosen, piece))
        onward = previews.written(course, seat, (*chosen, piece)) if number < OFFERED else ""
        following.append({"piece": piece, "text": onward, "complete": complete or piece == previews.DONE})
    return following
