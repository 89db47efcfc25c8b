"""Judging: a match's pending submissions, one after another, under the lock of its row."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from sqlalchemy import select
from sqlalchemy.exc import DataError, SQLAlchemyError

from pbem.db.models import Match, Submission
from pbem.games import Seat
from pbem.play import commands, endings, matches, notices, people, typed_moves
from pbem.play.history import course_of, lock, play_move
from pbem.play.submissions import API, MAIL

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pbem.games import Move
    from pbem.play.history import Course
    from pbem.play.table import Table

log = logging.getLogger(__name__)

TRIES = 3
"""After so many failures of the service itself a submission is set aside, with its raw mail."""


class Reading(Protocol):
    """What the judge needs to know of a mail: who wrote it, whether by hand, and what they typed."""

    @property
    def kind(self) -> str:
        """Either `reply`, or what no person wrote."""

    @property
    def typed(self) -> tuple[str, ...]:
        """The lines that were typed, in order."""

    @property
    def sender(self) -> str:
        """The address it says it is from, in lower case."""

    @property
    def message_id(self) -> str:
        """Its Message-ID, empty if it has none."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a submission: its status and the sentence for its sender."""

    status: str
    reason: str | None = None


_ASKED_FOR = {"help", "board", "rules"}
"""The commands that are answered at any time, each with a notice of that kind."""

PLAYED = "played"
REJECTED = "rejected"
ALREADY_PLAYED = "already_played"
IGNORED = "ignored"
DONE = "done"
FAILED = "failed"


def judge(table: Table, match_id: str, read: Callable[[bytes], Reading]) -> int:
    """Judge all that is pending at a match, in the order received; returns how many that was.

    `read` reads a raw mail. Whatever is owed to anybody is written in the same transaction.
    """
    match = lock(table, match_id)
    pending = (
        select(Submission)
        .where(Submission.match_id == match_id, Submission.status == "pending")
        .order_by(Submission.received_at, Submission.id)
    )
    judged = 0
    ply = match.ply
    answers: dict[int, str] = {}
    played: dict[str, Any] = {}
    for submission in table.session.scalars(pending).all():
        verdict = _survived(table, match, submission, read)
        if verdict is None:
            break
        submission.status, submission.reason, submission.judged_at = verdict.status, verdict.reason, table.now
        judged += 1
        if verdict.status == PLAYED and submission.via == MAIL and submission.message_id:
            answers[submission.holder.seat] = submission.message_id
            played[str(submission.holder.seat)] = {"played": verdict.reason}
    if match.state == "running" and match.ply != ply:
        matches.owe_turns(table, match, answers, **played)
    _owe_receipts(table, match, answers, played)
    return judged


def _survived(table: Table, match: Match, submission: Submission, read: Callable[[bytes], Reading]) -> Verdict | None:
    """Judge one submission so that a fault of ours harms nothing else; None where it is to be tried again."""
    try:
        with table.session.begin_nested():
            return _judged(table, match, submission, read)
    except Exception as fault:
        # A database that is away is no fault of this submission; data that it will not hold is.
        if isinstance(fault, SQLAlchemyError) and not isinstance(fault, DataError):
            raise
        log.exception("could not judge submission %s", submission.id)
        submission.attempts += 1
        if submission.attempts < TRIES:
            return None
        return Verdict(FAILED, "The service could not judge this. Nothing was played; its operator has been told.")


def _judged(table: Table, match: Match, submission: Submission, read: Callable[[bytes], Reading]) -> Verdict:
    if submission.via != MAIL:
        return _judged_lines(table, match, submission, [submission.text or ""])
    reading = read(submission.raw or b"")
    submission.message_id = reading.message_id or None
    if reading.kind != "reply" or _seen_before(table, submission):
        return Verdict(IGNORED)
    if not people.owns(table, submission.holder.player_id, reading.sender):
        _answer(table, match, submission, "wrong sender", sender=reading.sender)
        return Verdict(IGNORED, "It came from an address that is not this player's.")
    people.confirm(table, reading.sender)
    return _judged_lines(table, match, submission, reading.typed)


def _seen_before(table: Table, submission: Submission) -> bool:
    """Tell whether a relay changed the bytes of a mail that was judged already."""
    if not submission.message_id:
        return False
    same = select(Submission.id).where(
        Submission.holder_id == submission.holder_id,
        Submission.message_id == submission.message_id,
        Submission.id != submission.id,
        Submission.ply == submission.ply,
        Submission.status != "pending",
    )
    return table.session.scalar(same.limit(1)) is not None


def _judged_lines(table: Table, match: Match, submission: Submission, lines: Sequence[str]) -> Verdict:
    command = None if submission.via == API else commands.read(lines)
    if command:
        return _commanded(table, match, submission, command)
    if match.state != "running":
        return _not_running(table, match, submission)
    course = course_of(table, match)
    late = _late(course, submission)
    if late:
        _answer(table, match, submission, "stale", reason=late.reason)
        return late
    return _moved(table, course, submission, lines)


def _late(course: Course, submission: Submission) -> Verdict | None:
    """Tell what is wrong with the stage that a submission speaks of, if anything."""
    match, seat = course.match, Seat(submission.holder.seat)
    said = submission.said_ply if submission.said_ply is not None else submission.ply
    if submission.ply == match.ply and said > match.ply:
        return Verdict(REJECTED, f"Ply {said} has not been reached: the match is at ply {match.ply}.")
    acted = seat not in match.to_move and (seat, course.game.stage(course.position)) in course.turns
    if submission.ply != match.ply or said != match.ply or acted:
        return Verdict(ALREADY_PLAYED, f"That turn has been played already: the match is at ply {match.ply}.")
    if seat not in match.to_move:
        return Verdict(REJECTED, "It is not your turn yet; you will be mailed when it is.")
    return None


def _moved(table: Table, course: Course, submission: Submission, lines: Sequence[str]) -> Verdict:
    seat = Seat(submission.holder.seat)
    found = typed_moves.find(lines, _reader(course, seat))
    if isinstance(found, typed_moves.NotFound):
        kind = "rejected" if found.line else "nothing typed"
        near = course.game.nearest(course.position, seat, found.line)
        _answer(table, course.match, submission, kind, reason=str(found.reason), line=found.line, near=[*near])
        return Verdict(REJECTED, str(found.reason))
    moves: list[str] = []
    while isinstance(found, typed_moves.Found):
        course = play_move(table, course, seat, found.move, submission.received_at)
        moves.append(found.move)
        # Lines below a move are tried as the next one while nobody else is to act.
        if not found.rest or course.game.to_move(course.position) != (seat,):
            break
        found = typed_moves.find(found.rest, _reader(course, seat))
    if course.game.outcome(course.position) is not None:
        endings.finish(table, course, _mail_of(submission))
    return Verdict(PLAYED, "; ".join(moves))


def _reader(course: Course, seat: Seat) -> Callable[[str], Move]:
    return lambda line: course.game.read(course.position, seat, line)


def _not_running(table: Table, match: Match, submission: Submission) -> Verdict:
    if match.state == "inviting":
        _answer(table, match, submission, "invited", ply=0)
        return Verdict(REJECTED, "The match has not begun: it waits for everybody to accept.")
    _answer(table, match, submission, "stale", reason="The match is over.")
    return Verdict(ALREADY_PLAYED, "The match is over.")


def _commanded(table: Table, match: Match, submission: Submission, command: commands.Command) -> Verdict:
    holder = submission.holder
    if command.name == "accept" and match.state == "inviting" and submission.ply == 0:
        return _accepted(table, match, submission, command.text)
    if command.name == "decline" and match.state == "inviting" and submission.ply == 0:
        matches.decline(table, match, holder)
        _answer(table, match, submission, "declined", ply=0)
        return Verdict(DONE)
    if command.name == "resign" and match.state == "running":
        if not command.sure:
            _answer(table, match, submission, "resign?")
            return Verdict(DONE, "To resign for good, confirm it.")
        endings.resign(table, course_of(table, match), holder, _mail_of(submission))
        return Verdict(DONE, "You have resigned.")
    if command.name == "draw" and match.state == "running" and len(match.seats) > 1:
        if not endings.offer_draw(table, course_of(table, match), holder, _mail_of(submission)):
            _answer(table, match, submission, "draw offered")
        return Verdict(DONE, "You have offered a draw.")
    kind = command.name if command.name in _ASKED_FOR else "stale"
    reason = "The match is over." if match.state == "over" else f"“{command.name}” has no place here now."
    # Whoever is still invited may accept in answer to what they asked for.
    ply = 0 if match.state == "inviting" else None
    _answer(table, match, submission, kind, ply, reason=reason)
    return Verdict(DONE)


def _accepted(table: Table, match: Match, submission: Submission, text: str) -> Verdict:
    seat = matches.accept(table, match, submission.holder, text, submission.message_id)
    if match.state == "inviting":
        deal = matches.entropy_facts(seat, text)
        _answer(table, match, submission, "accepted", ply=0, **deal)
    return Verdict(DONE)


def _owe_receipts(table: Table, match: Match, answers: dict[int, str], played: dict[str, Any]) -> None:
    """Owe "your move was played" to those who sent it by mail and get no other mail for it."""
    course = None
    for holder in matches.holders(table, match):
        turn_mail = match.state == "running" and holder.seat in match.to_move
        if holder.seat in answers and not turn_mail and match.state != "over":
            course = course or course_of(table, match)
            facts = notices.position_facts(table, course, holder) | played[str(holder.seat)]
            mail = answers[holder.seat]
            notices.owe(
                table, "receipt", holder, match, facts, once=f"receipt {match.id} {holder.id} {mail}", answers=mail
            )


def _answer(table: Table, match: Match, submission: Submission, kind: str, ply: int | None = None, **more: Any) -> None:
    """Owe the sender of a mail an answer, at the seat's own address; links and the API show the verdict."""
    if submission.via != MAIL:
        return
    holder = submission.holder
    if match.seed is None:
        facts = notices.waiting_facts(table, match, holder)
    else:
        facts = notices.position_facts(table, course_of(table, match), holder)
    once = f"answer {submission.id}"
    notices.owe(table, kind, holder, match, facts | more, once=once, ply=ply, answers=submission.message_id)


def _mail_of(submission: Submission) -> tuple[int, str] | None:
    """Give the seat and Message-ID of the mail by which something was done, if it was a mail."""
    if submission.via == MAIL and submission.message_id:
        return submission.holder.seat, submission.message_id
    return None
