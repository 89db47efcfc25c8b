"""The judge of a match's pending submissions, one after another, under the lock of the match's row."""

from __future__ import annotations

import logging
from bisect import insort
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError

from pbem.db.session import call_after_commit
from pbem.i18n import _, use_locale
from pbem.play.accounts import email_confirmation
from pbem.play.core import match_features
from pbem.play.deadlines import turn_deadlines
from pbem.play.inbox import commands, note_lines, plain_answers, questions, receipts
from pbem.play.inbox.commands import conditional_moves, notes
from pbem.play.inbox.moves import JudgedSubmission, find_move, holds_move, judge_move, starts_with_move
from pbem.play.lifecycle import agreements, autoplay, turn_mails
from pbem.play.matches import seats
from pbem.play.matches.match_state import lock_match
from pbem.play.moderation import bans
from pbem.play.players import registry
from pbem.play.submissions import permissions, queue, sender_policy
from pbem.play.submissions.permissions import Permission, Right, credential_of
from pbem.play.submissions.queue import API, CHAT, MAIL
from pbem.play.submissions.sender_policy import Alignment, Trust
from pbem.play.submissions.verdicts import IGNORED_AUTOMATIC, IGNORED_DUPLICATE, Verdict
from pbem.play.timeouts import reclaims, substitutes
from pbem.states import MatchState, SubmissionStatus
from pbem.telemetry import logs, metrics

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pbem.db.models import Match, Submission
    from pbem.play.core.context import Context
    from pbem.play.submissions.permissions import Credential

    JudgeOne = Callable[[Context, Match, Submission], Verdict | None]

log = logging.getLogger(__name__)


MAX_ATTEMPTS = 3
"""Maximum attempts, if the service itself fails, before a submission is set aside with its raw mail."""


class ParsedMail(Protocol):
    """What the judge needs to know about a mail: who wrote it, whether a person did, and what they typed."""

    @property
    def kind(self) -> str:
        """Either `reply`, or a kind of mail that no person wrote."""

    @property
    def typed(self) -> tuple[str, ...]:
        """The typed lines, in order."""

    @property
    def sender(self) -> str:
        """The address that it claims to be from, in lower case."""

    @property
    def alignment(self) -> Alignment:
        """Whether our own mail server vouches for that address."""

    @property
    def message_id(self) -> str:
        """Its Message-ID, empty if it has none."""

    @property
    def answers(self) -> tuple[str, ...]:
        """The Message-IDs of the mails that it claims to answer."""


def judge(ctx: Context, match_id: str, read: Callable[[bytes], ParsedMail]) -> int:
    """Judge all pending submissions to a match in order of receipt; return how many were judged.

    `read` parses a raw mail. All resulting mail is enqueued in the same transaction.
    """
    match = lock_match(ctx, match_id)
    return judge_waiting(ctx, match, queue.due(ctx, match_id), partial(_judge_safely, read=read))


def judge_waiting(ctx: Context, match: Match, waiting: list[Submission], judge_one: JudgeOne) -> int:
    """Judge some submissions to a locked match, each by `judge_one`, and enqueue the mails that follow."""
    judged: list[str] = []
    ply, length = match.ply, match.log_length
    answers: dict[int, str] = {}
    played: dict[str, Any] = {}
    while waiting:
        submission = waiting.pop(0)
        if submission.status != SubmissionStatus.PENDING:
            # An earlier submission withdrew or replaced it.
            continue
        begun = match.log_length
        with logs.bound_fields(submission=logs.shorten_id(submission.id), match=match.id):
            verdict = judge_one(ctx, match, submission)
        if verdict is None:
            break
        if match.log_length != begun:
            # A later submission may ask about the deadline of the player who is to move now.
            turn_deadlines.sync(ctx, match)
        if verdict.status == SubmissionStatus.HELD:
            if submission.hold_until and submission.hold_until <= ctx.now:
                insort(waiting, submission, key=queue.sort_key)
            continue
        judged.append(logs.shorten_id(submission.id))
        _log_verdict(ctx, submission)
        if verdict.status == SubmissionStatus.PLAYED and submission.via == MAIL and submission.message_id:
            answers[submission.holder.seat] = submission.message_id
            played[str(submission.holder.seat)] = {"played": verdict.reason, "wrote": verdict.chat_message}
    with logs.bound_fields(submission=",".join(judged) or None):
        if match.log_length != length and _may_be_played_for(ctx, match):
            autoplay.play_due_moves(ctx, match, answers)
            reclaims.seat_waiting_players(ctx, match)
        if match.state == MatchState.RUNNING and match.ply != ply:
            receipts.merge(ctx, match, answers, played)
            mailed = turn_mails.enqueue(ctx, match, answers, **played)
        else:
            is_asking = answers and match.state == MatchState.RUNNING
            mailed = turn_mails.seats_to_mail(ctx, match) if is_asking else set()
        unanswered = {seat: mail for seat, mail in answers.items() if seat not in mailed}
        receipts.enqueue(ctx, match, unanswered, played)
    return len(judged)


def _may_be_played_for(ctx: Context, match: Match) -> bool:
    """Return whether the service might play for a seat of a match."""
    return any(match_features.may_be_played_for(ctx, holder) for holder in seats.holders(ctx, match))


def _log_verdict(ctx: Context, submission: Submission) -> None:
    """Log and count a verdict after commit."""

    def record() -> None:
        waited = datetime.now(UTC) - queue.sort_key(submission)[0]
        metrics.count(metrics.JUDGEMENTS, submission.via, submission.status)
        metrics.observe(metrics.JUDGEMENT_SECONDS, max(waited.total_seconds(), 0.0))
        log.info("judged: %s", submission.status)

    with logs.bound_fields(submission=logs.shorten_id(submission.id), match=submission.match_id):
        call_after_commit(ctx.session, record)


def judge_one(
    ctx: Context, match: Match, submission: Submission, *, read: Callable[[bytes], ParsedMail]
) -> Verdict | None:
    """Judge one submission, and store the verdict."""
    with use_locale(submission.holder.player.language):
        return _store_verdict(ctx, submission, _judge_submission(ctx, match, submission, read))


def _judge_safely(
    ctx: Context, match: Match, submission: Submission, *, read: Callable[[bytes], ParsedMail]
) -> Verdict | None:
    """Judge one submission so that a fault of ours affects no other; return None if it will be tried again."""
    try:
        with ctx.session.begin_nested():
            return judge_one(ctx, match, submission, read=read)
    except Exception as fault:
        # An unreachable database is not this submission's fault; data that it does not accept is, or a missing row.
        if isinstance(fault, DBAPIError) and not isinstance(fault, DataError | IntegrityError):
            raise
        log.exception("could not judge submission %s", logs.shorten_id(submission.id))
        submission.attempts += 1
        if submission.attempts < MAX_ATTEMPTS:
            return None
        with use_locale(submission.holder.player.language):
            reason = _("The service failed to process this. Nothing was played, and the operator has been told.")
        return _store_verdict(ctx, submission, Verdict(SubmissionStatus.FAILED, reason))


def _store_verdict(ctx: Context, submission: Submission, verdict: Verdict) -> Verdict:
    """Store a verdict with its submission, in the same transaction as its effects; a held one has none yet."""
    if verdict.status != SubmissionStatus.HELD:
        submission.status, submission.reason, submission.judged_at = verdict.status, verdict.reason, ctx.now
    return verdict


def _judge_submission(
    ctx: Context, match: Match, submission: Submission, read: Callable[[bytes], ParsedMail]
) -> Verdict:
    if refusal := _refuse_sender(ctx, submission, read):
        return refusal
    if submission.via == MAIL:
        return _judge_mail(ctx, match, submission, read(submission.raw or b""))
    credential = credential_of(ctx, match, submission)
    if submission.via == CHAT:
        if permissions.PERMISSIONS[credential][Right.ACT] is not Permission.GRANTED:
            return Verdict(SubmissionStatus.REJECTED, _(agreements.MATCH_CHANGED))
        return agreements.judge(ctx, match, submission)
    return _judge_lines(ctx, match, submission, [submission.text or ""], credential)


def _judge_mail(ctx: Context, match: Match, submission: Submission, mail: ParsedMail) -> Verdict:
    submission.message_id = mail.message_id or None
    if mail.kind != "reply":
        return Verdict(SubmissionStatus.IGNORED, IGNORED_AUTOMATIC)
    flags = queue.mail_flags(ctx, submission, mail.message_id, mail.sender)
    if flags.is_duplicate:
        return Verdict(SubmissionStatus.IGNORED, IGNORED_DUPLICATE)
    own = sender_policy.is_own_address(ctx, submission.holder, mail.sender)
    if not submission.confirmed_at:
        if sender_policy.decide_trust(submission.holder.player.mail_policy, mail.alignment, own=own) is Trust.ASKS:
            email_confirmation.ask_player(ctx, match, submission, mail.sender)
            return Verdict(SubmissionStatus.IGNORED, _("It waits until the player in this seat confirms it."))
        if own and flags.is_unconfirmed:
            registry.mark_verified(ctx, mail.sender)
    vouched = bool(submission.confirmed_at) or (own and mail.alignment is Alignment.PASS)
    credential = credential_of(ctx, match, submission, vouched=vouched)
    return _judge_lines(ctx, match, submission, mail.typed, credential, mail.answers)


def _refuse_sender(ctx: Context, submission: Submission, read: Callable[[bytes], ParsedMail]) -> Verdict | None:
    """Refuse a submission from a banned player, or from one whose seat another player has taken."""
    holder = submission.holder
    if holder.player.banned_at:
        if submission.via == MAIL and read(submission.raw or b"").kind == "reply":
            bans.answer_mail(ctx, holder.player, holder.email)
        return Verdict(SubmissionStatus.REJECTED, bans.refusal(ctx, holder.player))
    return substitutes.reject_late(ctx, submission) if holder.left_at is not None and holder.leave_reason else None


def _judge_lines(
    ctx: Context,
    match: Match,
    submission: Submission,
    lines: Sequence[str],
    credential: Credential,
    answers: Sequence[str] = (),
) -> Verdict:
    """Judge typed lines by what their sender may do; `answers` are the Message-IDs of the mails that they answer."""
    sent = JudgedSubmission(ctx, match, submission, credential, tuple(answers))
    if permissions.PERMISSIONS[credential][Right.ACT] is not Permission.GRANTED:
        return _judge_command_or_move(sent, lines)
    noted, others = _split_notes(sent, lines)
    if noted and not any(map(str.strip, others)):
        return noted
    lines = others
    planned, others = conditional_moves.split_lines(ctx, match, submission, lines)
    if not planned or (
        conditional_moves.starts_with_plan(lines, others) and not find_move(ctx, match, submission, others)
    ):
        return _judge_command_or_move(sent, lines)
    verdict = _judge_command_or_move(sent, others)
    if verdict.status in {SubmissionStatus.PLAYED, SubmissionStatus.DONE} and match.state == MatchState.RUNNING:
        # The mail about the move shows the plan, too.
        conditional_moves.add_lines(ctx, match, submission, planned, alone=verdict.status == SubmissionStatus.DONE)
    return verdict


def _split_notes(sent: JudgedSubmission, lines: Sequence[str]) -> tuple[Verdict | None, Sequence[str]]:
    """Keep the private notes among typed lines; return the verdict on them, None without any, and the other lines."""
    ctx, match, submission = sent.ctx, sent.match, sent.submission
    if submission.via == API or not note_lines.may_contain_note(lines):
        return None, lines
    texts, others = note_lines.split(lines, partial(starts_with_move, ctx, match, submission))
    if not texts:
        # The word alone is a command.
        return None, lines
    # Notes beside a held move were kept before the move was held.
    is_new = submission.hold_until is None
    call = commands.Invocation(ctx, match, submission, "", answers=sent.answers)
    return notes.write(call, texts) if is_new else None, others


def _judge_command_or_move(sent: JudgedSubmission, lines: Sequence[str]) -> Verdict:
    ctx, match, submission = sent.ctx, sent.match, sent.submission
    parsed = None if submission.via == API else commands.parse(lines) or _parse_plain_answer(sent, lines)
    if parsed is None:
        return judge_move(sent, lines)
    command, below = parsed.command, parsed.below
    if command.gives_way_to_moves and holds_move(ctx, match, submission, below):
        return judge_move(sent, lines)
    if submission.hold_until:
        # A command above a held move was carried out before the move was held.
        return judge_move(sent, below if command.allows_move_below else lines)
    permission = permissions.PERMISSIONS[sent.credential][command.right]
    if permission is Permission.REFUSED:
        return judge_move(sent, lines)
    if command.allows_move_below and permission is Permission.GRANTED and find_move(ctx, match, submission, below):
        # The command is on one line, and the move is below it.
        _run_command(sent, replace(parsed, below=()), permission)
        return judge_move(sent, below)
    return _run_command(sent, parsed, permission) or judge_move(sent, lines)


def _parse_plain_answer(sent: JudgedSubmission, lines: Sequence[str]) -> commands.ParsedCommand | None:
    """Parse a yes or no in plain words, in reply to a mail that asks something; elsewhere words are just words."""
    if sent.submission.via != MAIL or (found := plain_answers.parse(lines)) is None:
        return None
    if sent.match.state != MatchState.INVITING and sent.answered_kind not in questions.KINDS:
        return None
    return commands.ParsedCommand(commands.by_name()["yes" if found.agrees else "no"], found.rest, below=found.below)


def _run_command(sent: JudgedSubmission, parsed: commands.ParsedCommand, permission: Permission) -> Verdict | None:
    """Run a command; return None if it was not meant as one."""
    command, match, submission = parsed.command, sent.match, sent.submission
    call = commands.Invocation(sent.ctx, match, submission, parsed.text, parsed.below, sent.answers)
    if command.is_possible(match) and (submission.ply == 0 or match.state != MatchState.INVITING):
        if permission is Permission.CONFIRM:
            return _ask_again(call, command)
        if command.needs_confirmation and not parsed.confirmed:
            call.answer(f"{command.name}?", consequence=command.consequence(match) if command.consequence else "")
            return Verdict(SubmissionStatus.DONE, _("Please confirm this first."))
        return command.handler(call)
    if match.state == MatchState.INVITING and parsed.text:
        # A question or a remark that begins like a command of a running match, such as “When do we begin?”.
        return None
    over = match.state == MatchState.OVER
    call.answer(
        "stale", reason=_("The match is over.") if over else _("“{word}” is not possible now.", word=command.word)
    )
    return Verdict(SubmissionStatus.DONE)


def _ask_again(call: commands.Invocation, command: commands.Command) -> Verdict:
    """Request the command once more: the earlier mail that it answers may have been forwarded."""
    reason = _(
        "You wrote “{word}” in reply to a mail about an earlier turn, which others may have seen. "
        "If it was you, reply to this mail with the same line.",
        word=command.word,
    )
    return call.reject("earlier mail", reason, line=command.word, answered=[*call.answers])
