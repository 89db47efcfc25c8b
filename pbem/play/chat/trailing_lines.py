"""Lines below a move: a chat message or a premove."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.games import GameError, InvalidMove, Seat
from pbem.play.chat import messages
from pbem.play.notifications.replies import answer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.db.models import SeatHolder, Submission
    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import LoadedMatch


def store(ctx: Context, before: LoadedMatch, course: LoadedMatch, submission: Submission, lines: Sequence[str]) -> str:
    """Store the lines below a move that was played, as a premove or message; returns the message that is sent.

    A message is sent only if its author has agreed to that. A line that has the form of a move never is: it may reveal
    what others must not know.
    """
    seat, holder = Seat(submission.holder.seat), submission.holder
    premove = None
    if course.game.to_move(course.position) == (seat,):
        typed = (course.game.ahead(course.position, seat, line) for line in lines if line.strip())
        premove = next(filter(None, typed), None) or holder.premove
        premove = None if _is_legal(before, seat, premove or "") else premove
    if holder.premove != premove:
        holder.premove = premove
    if len(course.match.seats) == 1 or holder.shares_text is False:
        return ""
    text = messages.message_text([line for line in lines if not _is_move(before, course, seat, line)], holder.name)
    if not text:
        return ""
    if holder.shares_text:
        return text if messages.store(ctx, course.match, holder, text, submission.id) else ""
    has_asked = messages.has_held(ctx, holder)
    if messages.store(ctx, course.match, holder, text, submission.id, held=True) and not has_asked:
        answer(ctx, course.match, submission, "talks?", words=text)
    return ""


def premove_facts(course: LoadedMatch, holder: SeatHolder) -> dict[str, Any]:
    """Return the facts about a premove for a mail: the move, and whether it may be played now."""
    seat, premove = Seat(holder.seat), holder.premove
    if not premove:
        return {}
    is_legal = _is_legal(course, seat, premove)
    if not is_legal and not course.game.ahead(course.position, seat, premove):
        return {}
    return {"proposal": premove, "proposal_now": is_legal}


def _is_legal(course: LoadedMatch, seat: Seat, text: str) -> bool:
    try:
        course.game.read(course.position, seat, text)
    except GameError:
        return False
    return True


def _is_move(before: LoadedMatch, course: LoadedMatch, seat: Seat, line: str) -> bool:
    """Return whether a line has the form of a move of the author's last phase or of a later one."""
    if course.game.ahead(before.position, seat, line) or course.game.ahead(course.position, seat, line):
        return True
    try:
        course.game.read(before.position, seat, line)
    except GameError as reason:
        return not isinstance(reason, InvalidMove)
    return True
