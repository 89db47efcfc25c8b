"""Judgement of typed lines as a move: whether they are one, whether it is in time, and playing it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from pbem.games import IllegalMove, Seat
from pbem.i18n import _
from pbem.play.chat import trailing_lines
from pbem.play.inbox import commands, questions
from pbem.play.inbox.commands import yes_no
from pbem.play.inbox.refusals import refuse
from pbem.play.lifecycle import endings, held_moves
from pbem.play.matches.match_state import load_match, play_move
from pbem.play.notifications import page_use
from pbem.play.notifications.replies import answer, source_mail
from pbem.play.submissions import move_finder, permissions, suggestion_numbers
from pbem.play.submissions.permissions import Permission, Right
from pbem.play.submissions.verdicts import Verdict
from pbem.states import MatchState, SubmissionStatus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.db.models import Match, Submission
    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import LoadedMatch
    from pbem.play.submissions.permissions import Credential


@dataclass(frozen=True, slots=True)
class JudgedSubmission:
    """A submission being judged, with its sender's credential and the Message-IDs of the mails that it answers."""

    ctx: Context
    match: Match
    submission: Submission
    credential: Credential
    answers: tuple[str, ...]

    @property
    def answered_kind(self) -> str:
        """The kind of our mail that it answers, or an empty string."""
        return questions.answered_kind(self.ctx, self.submission.holder, self.answers)


def judge_move(sent: JudgedSubmission, lines: Sequence[str]) -> Verdict:
    """Judge typed lines as a move of a match, whatever its state."""
    ctx, match, submission = sent.ctx, sent.match, sent.submission
    if match.state != MatchState.RUNNING:
        return _refuse_not_running(ctx, match, submission)
    course = load_match(ctx, match)
    if late := _check_stage(course, submission):
        if asked := _ask_about_offer(sent):
            return asked
        # A move for an earlier turn is never played in this one, but may be suggested for it.
        now = find_move(ctx, match, submission, lines)
        answer(ctx, match, submission, "stale", reason=late.reason, now=now)
        return late
    return _play_moves(sent, course, lines)


def find_move(ctx: Context, match: Match, submission: Submission, lines: Sequence[str]) -> str:
    """Return the move that lines would be in their author's current turn; empty if they are none."""
    found = _search_move(ctx, match, submission, lines)
    return found.move if isinstance(found, move_finder.Found) else ""


def holds_move(ctx: Context, match: Match, submission: Submission, lines: Sequence[str]) -> bool:
    """Return whether lines hold a move of their author's current turn, or what has the form of one."""
    found = _search_move(ctx, match, submission, lines)
    return isinstance(found, move_finder.Found) or (found is not None and isinstance(found.reason, IllegalMove))


def starts_with_move(ctx: Context, match: Match, submission: Submission, lines: Sequence[str]) -> bool:
    """Return whether lines begin with a move of their author's current turn, or with what has the form of one."""
    seat = Seat(submission.holder.seat)
    if match.state != MatchState.RUNNING or seat not in match.to_move:
        return False
    return move_finder.starts_with_move(lines, suggestion_numbers.move_parser(load_match(ctx, match), seat, submission))


def _search_move(
    ctx: Context, match: Match, submission: Submission, lines: Sequence[str]
) -> move_finder.Found | move_finder.NotFound | None:
    """Search lines for a move of their author's current turn; return None if it is not their turn."""
    seat = Seat(submission.holder.seat)
    if match.state != MatchState.RUNNING or seat not in match.to_move:
        return None
    return move_finder.find(lines, suggestion_numbers.move_parser(load_match(ctx, match), seat, submission))


def _check_stage(course: LoadedMatch, submission: Submission) -> Verdict | None:
    """Return the verdict on a submission for another stage, or out of turn; None if it is in time."""
    match, seat = course.match, Seat(submission.holder.seat)
    claimed = submission.claimed_ply if submission.claimed_ply is not None else submission.ply
    if submission.ply == match.ply and claimed > match.ply:
        reason = _("Move {claimed} has not been reached: the match is at move {ply}.", claimed=claimed, ply=match.ply)
        return Verdict(SubmissionStatus.REJECTED, reason)
    has_moved = seat not in match.to_move and (seat, course.game.stage(course.position)) in course.turns
    if submission.ply != match.ply or claimed != match.ply or has_moved:
        reason = _("That turn has already been played.")
        return Verdict(SubmissionStatus.ALREADY_PLAYED, reason)
    if seat not in match.to_move:
        return Verdict(SubmissionStatus.REJECTED, _("It is not your turn yet. You will get a mail when it is."))
    return None


def _play_moves(sent: JudgedSubmission, course: LoadedMatch, lines: Sequence[str]) -> Verdict:
    ctx, submission = sent.ctx, sent.submission
    seat = Seat(submission.holder.seat)
    found = move_finder.find(lines, suggestion_numbers.move_parser(course, seat, submission))
    if isinstance(found, move_finder.NotFound):
        is_prose = found.line and not isinstance(found.reason, IllegalMove)
        return (_ask_about_offer(sent) if is_prose else None) or refuse(ctx, course, submission, found)
    if submission.holder.player.hold_minutes and (held := held_moves.hold(ctx, course.match, submission, found.move)):
        return held
    moves: list[str] = []
    before, rest = course, tuple[str, ...]()
    while isinstance(found, move_finder.Found):
        before, rest = course, found.rest
        course = play_move(ctx, course, seat, found.move, submission.received_at)
        moves.append(found.move)
        # Lines below a move are tried as the next one while only the same seat is to move.
        if not rest or course.game.to_move(course.position) != (seat,):
            break
        found = move_finder.find(rest, partial(course.game.read, course.position, seat))
    page_use.record_move(ctx, course.match, submission)
    chat_message = trailing_lines.store(ctx, before, course, submission, rest)
    if course.game.outcome(course.position) is not None:
        endings.finish(ctx, course, source_mail(submission))
    return Verdict(SubmissionStatus.PLAYED, "; ".join(moves), chat_message)


def _refuse_not_running(ctx: Context, match: Match, submission: Submission) -> Verdict:
    if match.state == MatchState.INVITING:
        accepted = match.seats[submission.holder.seat - 1].accepted_at is not None
        answer(ctx, match, submission, "invited", accepted=accepted)
        return Verdict(SubmissionStatus.REJECTED, _("The match has not started: not everybody has accepted yet."))
    answer(ctx, match, submission, "stale", reason=_("The match is over."))
    return Verdict(SubmissionStatus.ALREADY_PLAYED, _("The match is over."))


def _ask_about_offer(sent: JudgedSubmission) -> Verdict | None:
    """Ask for a clear answer where text that is no move replies to an open offer; return None if it does not."""
    permission = permissions.PERMISSIONS[sent.credential][Right.ACT]
    if permission is not Permission.GRANTED or sent.answered_kind != questions.OFFER:
        return None
    return yes_no.ask_which(commands.Invocation(sent.ctx, sent.match, sent.submission, "", answers=sent.answers))
