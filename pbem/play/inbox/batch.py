"""Judgement of many matches in one transaction, where each has one ordinary submission: load, decide, write.

What is not ordinary is left to `judge`, one match after another; the same functions decide in both.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from pbem.db import pending_rows
from pbem.play.core import match_features
from pbem.play.deadlines import turn_deadlines
from pbem.play.inbox import commands
from pbem.play.inbox.judge import judge_one, judge_waiting
from pbem.play.matches import seats
from pbem.play.matches.match_state import load_matches, lock_free_matches
from pbem.play.submissions import queue
from pbem.play.submissions.queue import CHAT, MAIL
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from pbem.db.models import Match, Submission
    from pbem.play.core.context import Context
    from pbem.play.inbox.judge import ParsedMail

MAX_BYTES = 100_000
"""Maximum size of a mail that is judged together with others: what takes long must not hold them up."""
MAX_LOG_LENGTH = 1_000
"""Maximum entries in the log of a match that is judged together with others."""


@dataclass(frozen=True, slots=True)
class Task:
    """A match with the only submission that waits there, and the mail in it, if it is one."""

    match: Match
    submission: Submission
    mail: ParsedMail | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The matches of a batch that were judged, those to be judged alone, and those for which there was no time."""

    judged: tuple[str, ...]
    extraordinary: tuple[str, ...]
    postponed: tuple[str, ...] = ()


def judge_batch(
    ctx: Context, match_ids: Collection[str], read: Callable[[bytes], ParsedMail], may_go_on: Callable[[], bool]
) -> Outcome:
    """Read and judge the ordinary submissions of some matches, at least one and while `may_go_on` returns True.

    A fault at one match is raised, and nothing may be committed then: each is to be judged alone.
    """
    tasks, unread = _load(ctx, match_ids, read, may_go_on)
    judged = _decide(ctx, tasks, read, may_go_on)
    pending_rows.write(ctx.session)
    ordinary = tuple(task.match.id for task in tasks)
    others = tuple(match for match in match_ids if match not in {*ordinary, *unread})
    return Outcome(ordinary[:judged], others, (*ordinary[judged:], *unread))


def _decide(
    ctx: Context, tasks: Sequence[Task], read: Callable[[bytes], ParsedMail], may_go_on: Callable[[], bool]
) -> int:
    """Judge what was loaded, and return how much of it; an ordinary move asks the database nothing more.

    What follows is set in the loaded rows and added as pending ones.
    """
    for judged, task in enumerate(tasks):
        if judged and not may_go_on():
            return judged
        judge_waiting(ctx, task.match, [task.submission], partial(judge_one, read=read))
    return len(tasks)


def _load(
    ctx: Context, match_ids: Collection[str], read: Callable[[bytes], ParsedMail], may_go_on: Callable[[], bool]
) -> tuple[list[Task], list[str]]:
    """Lock and load matches that have one ordinary submission each, with all that judging it usually needs.

    Matches whose submissions there was no time to read come second.
    """
    free = {match.id: match for match in lock_free_matches(ctx, match_ids) if _is_short(match)}
    waiting = queue.due_of_several(ctx, free)
    single = [free[match] for match, submissions in waiting.items() if len(submissions) == 1]
    seats.load(ctx, single)
    tasks: list[Task] = []
    unread = [match.id for match in single]
    while unread and (not tasks or may_go_on()):
        match_id = unread.pop(0)
        if task := _ordinary_task(ctx, free[match_id], waiting[match_id][0], read):
            tasks.append(task)
    matches = [task.match for task in tasks]
    if tasks:
        queue.load_mail_flags(
            ctx, [(one.submission, one.mail.message_id, one.mail.sender) for one in tasks if one.mail]
        )
        match_features.load_all(ctx, [match.id for match in matches])
        turn_deadlines.load(ctx, matches)
        load_matches(ctx, matches)
    return tasks, unread


def _is_short(match: Match) -> bool:
    return match.state == MatchState.RUNNING and match.log_length <= MAX_LOG_LENGTH and match.forked_from_id is None


def _ordinary_task(
    ctx: Context, match: Match, submission: Submission, read: Callable[[bytes], ParsedMail]
) -> Task | None:
    """Return the task of judging a submission if it is a move of a present player, and nothing else as far as seen."""
    if submission.holder_id not in {holder.id for holder in seats.holders(ctx, match)}:
        return None
    if submission.holder.player.banned_at or submission.attempts or submission.hold_until:
        return None
    if submission.via != MAIL:
        is_move = submission.via != CHAT and not _is_command([submission.text or ""])
        return Task(match, submission, None) if is_move else None
    raw = submission.raw or b""
    mail = read(raw) if len(raw) <= MAX_BYTES else None
    return Task(match, submission, mail) if mail and mail.kind == "reply" and not _is_command(mail.typed) else None


def _is_command(lines: Sequence[str]) -> bool:
    return commands.parse(lines) is not None
