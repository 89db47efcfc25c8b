"""Refusals of texts that are not legal moves, with suggestions of what could follow or was meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.games import Seat, typed_text
from pbem.games.game import END_OF_MOVE
from pbem.i18n import _, refusal_text
from pbem.play.matches import descriptions, previews
from pbem.play.notifications.replies import answer
from pbem.play.submissions.verdicts import Verdict
from pbem.states import SubmissionStatus

if TYPE_CHECKING:
    from pbem.db.models import Submission
    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import LoadedMatch
    from pbem.play.submissions.move_finder import NotFound

MAX_BUTTONS = 12
"""Maximum continuations offered as buttons."""
MAX_LISTED = 100
"""Maximum continuations listed."""


def refuse(ctx: Context, course: LoadedMatch, submission: Submission, found: NotFound) -> Verdict:
    """Answer a text that is not a legal move; the start of a move is answered with what may follow."""
    reason = refusal_text(found.reason)
    if not found.line:
        answer(ctx, course.match, submission, "nothing typed", reason=reason)
        return Verdict(SubmissionStatus.REJECTED, reason)
    seat = Seat(submission.holder.seat)
    begun = previews.parse_move_start(course, seat, found.line)
    if begun and not begun.rest:
        onward = _continuations(course, seat, begun)
        answer(ctx, course.match, submission, "start", reason=reason, begun=begun.text, onward=onward)
        return Verdict(
            SubmissionStatus.REJECTED, _("So far so good: “{begun}”. {reason}", begun=begun.text, reason=reason)
        )
    near = [*course.game.nearest(course.position, seat, found.line[: typed_text.MAX_LENGTH])]
    # After a mistake at the end of a long move, its correct start need not be typed again.
    good = begun.text if begun and len(begun.choosing.chosen) > 1 else ""
    beside = descriptions.shorten_refusal(near, reason)
    answer(ctx, course.match, submission, "rejected", reason=beside, line=found.line, near=near, good=good)
    return Verdict(SubmissionStatus.REJECTED, reason)


def _continuations(course: LoadedMatch, seat: Seat, begun: previews.MoveStart) -> list[dict[str, Any]]:
    """List the pieces that may follow, with the resulting texts, and whether these are complete moves."""
    chosen, found = begun.choosing.chosen, []
    for number, piece in enumerate(begun.choosing.pieces[:MAX_LISTED]):
        complete = number < MAX_BUTTONS and not course.game.steps(course.position, seat, (*chosen, piece))
        onward = previews.format_pieces(course, seat, (*chosen, piece)) if number < MAX_BUTTONS else ""
        found.append({"piece": piece, "text": onward, "complete": complete or piece == END_OF_MOVE})
    return found
