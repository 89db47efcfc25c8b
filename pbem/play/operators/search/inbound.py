"""Search of inbound mail: submissions to seats and mail to the service, with the reasons for their outcome.

What a player typed may reveal what they hold. So while a match runs, neither the text of its submissions nor the answer
to them is shown, except where the answer is the same whatever anybody holds. Private notes are shown never.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import Select, or_, select
from sqlalchemy.orm import joinedload

from pbem.db.models import Address, Match, SeatHolder, ServiceMail, Submission
from pbem.play.inbox import note_lines
from pbem.play.matches import withheld
from pbem.play.notifications import operator_mail
from pbem.play.operators.search.pagination import Cursor, Order, Page, load_page, parse_number
from pbem.play.submissions import verdicts
from pbem.states import MatchState, ServiceMailStatus, SubmissionStatus
from pbem.telemetry import logs

if TYPE_CHECKING:
    from pbem.play.core.context import Context

STATUSES = tuple(status for status in SubmissionStatus if status != SubmissionStatus.HELD)
LETTERS = tuple(ServiceMailStatus)
_REASONS = {
    SubmissionStatus.PENDING: "It is waiting to be judged.",
    SubmissionStatus.PLAYED: "It was a legal move, in time, and was played.",
    SubmissionStatus.REJECTED: "It was rejected, and its sender was told why.",
    SubmissionStatus.ALREADY_PLAYED: "It came for a turn that was over.",
    SubmissionStatus.DONE: "It was a command, and was carried out or answered.",
    SubmissionStatus.FAILED: "It could not be judged, because of an error of the service. Its raw mail is kept.",
}
_ERASED_REASON = "Its player’s account was deleted, and what it said with it."
_LOOP_REASON = "It is a mail of this service that came back: it was stored, and not judged."
_UNCONFIRMED_REASON = "It may not come from the seat’s player, and is not read until they confirm it."
_SERVICE_MAIL_REASONS = {
    ServiceMailStatus.PENDING: "It is waiting to be read.",
    ServiceMailStatus.STORED: "It holds no known command, so it was stored.",
    ServiceMailStatus.DONE: "It was carried out and answered.",
    ServiceMailStatus.FAILED: "It could not be read, because of an error of the service.",
}
_OPERATOR_REASONS = (verdicts.IGNORED_AUTOMATIC, verdicts.IGNORED_DUPLICATE)
_SAFE_STATUSES = {SubmissionStatus.ALREADY_PLAYED, SubmissionStatus.IGNORED, SubmissionStatus.FAILED}
"""Statuses whose answer is the same whatever anybody holds."""
RECENT = timedelta(days=3)
"""Age up to which everybody's submissions are listed, unless only pending or failed ones are."""
_MIN_ID_LENGTH = 8
_MAX_ID_LENGTH = 26


@dataclass(frozen=True, slots=True)
class SubmissionDetails:
    """A submission with the reason for its outcome, and its text where that may be shown.

    `name` is as much of its id as others than its sender may know: the whole id is the key to its verdict.
    """

    submission: Submission
    name: str
    match: Match
    why: str
    answer: str
    text: str
    hidden: bool
    size: int


def submissions(
    ctx: Context,
    status: str = "",
    match: str = "",
    player: int | None = None,
    sender: str = "",
    after: Cursor | None = None,
) -> Page[SubmissionDetails]:
    """List submissions, newest first, optionally by status, match, player, or sender address."""
    wanted = (
        select(Submission, Match).join(Match, Match.id == Submission.match_id).options(joinedload(Submission.holder))
    )
    if status:
        wanted = wanted.where(Submission.status == status)
    seats = _select_seats(match, player, sender)
    if seats is not None:
        wanted = wanted.where(Submission.holder_id.in_(seats))
    elif status not in {SubmissionStatus.PENDING, SubmissionStatus.FAILED}:
        wanted = wanted.where(Submission.received_at > ctx.now - RECENT)
    rows = load_page(ctx, wanted, Order(Submission.received_at, Submission.id), after, _details)
    # A shortened id sorts right before the whole one, so that the next page continues correctly.
    return Page(rows.rows, rows.after and (rows.after[0], logs.shorten_id(rows.after[1])))


def submission(ctx: Context, name: str) -> SubmissionDetails | None:
    """Find a submission by as much of its id as logs and pages show, or more."""
    return next(iter(starting_with(ctx, name, 1)), None) if len(name) >= logs.SHORT_ID_LENGTH else None


def starting_with(ctx: Context, start: str, most: int) -> list[SubmissionDetails]:
    """Find the submissions whose ids begin with what logs show of them."""
    if not _MIN_ID_LENGTH <= len(start) <= _MAX_ID_LENGTH or not start.isalnum() or not start.isascii():
        return []
    between = Submission.id >= start, Submission.id <= start + "z" * (_MAX_ID_LENGTH - len(start))
    near = select(Submission, Match).join(Match, Match.id == Submission.match_id)
    rows = ctx.session.execute(near.where(*between, Submission.id.startswith(start, autoescape=True)).limit(most))
    return [_details(*row) for row in rows]


def by_fingerprint(ctx: Context, fingerprint: bytes) -> tuple[Submission | None, ServiceMail | None]:
    """Find the submission and the service mail with a fingerprint, which is their idempotency key."""
    submission = ctx.session.scalar(select(Submission).where(Submission.idempotency_key == fingerprint))
    return submission, ctx.session.scalar(select(ServiceMail).where(ServiceMail.idempotency_key == fingerprint))


def service_mails(ctx: Context, status: str = "", sender: str = "", after: Cursor | None = None) -> Page[ServiceMail]:
    """List service mail, newest first, optionally by status or sender."""
    wanted = select(ServiceMail)
    if status:
        wanted = wanted.where(ServiceMail.status == status)
    if sender:
        wanted = wanted.where(ServiceMail.sender == sender.strip().lower())
    return load_page(ctx, wanted, Order(ServiceMail.received_at, ServiceMail.id, numbered=True), after, lambda row: row)


def service_mail(ctx: Context, name: str) -> ServiceMail | None:
    """Find a service mail by its number."""
    row = parse_number(name)
    return None if row is None else ctx.session.get(ServiceMail, row)


def explain_service_mail(found: ServiceMail) -> str:
    """Return the reason for a service mail's outcome."""
    return _SERVICE_MAIL_REASONS[found.status]


def explain_forwarding(ctx: Context, found: ServiceMail) -> str:
    """Return the reason for a service mail's outcome, and whether it reached the operator if it should have."""
    why = explain_service_mail(found)
    if found.status in {ServiceMailStatus.STORED, ServiceMailStatus.FAILED}:
        return f"{why} {operator_mail.describe_outcome(ctx, found)}"
    return why


def _select_seats(match: str, player: int | None, sender: str) -> Select[int] | None:
    """Select the seats whose submissions are listed; None for all."""
    if not (match or player is not None or sender):
        return None
    seats = select(SeatHolder.id)
    if match:
        seats = seats.where(SeatHolder.match_id == match)
    if player is not None:
        seats = seats.where(SeatHolder.player_id == player)
    if sender:
        email = sender.strip().lower()
        theirs = select(Address.player_id).where(Address.email == email)
        seats = seats.where(or_(SeatHolder.email == email, SeatHolder.player_id.in_(theirs)))
    return seats


def _explain(row: Submission) -> str:
    """Return the reason for a submission's outcome."""
    if row.status != SubmissionStatus.IGNORED:
        return _REASONS.get(row.status, row.status)
    if row.judged_at is None:
        return _LOOP_REASON
    if row.reason in _OPERATOR_REASONS:
        return row.reason
    return _UNCONFIRMED_REASON if row.reason else _ERASED_REASON


def _details(row: Submission, match: Match) -> SubmissionDetails:
    hidden = match.state != MatchState.OVER or withheld.hides_table(match)
    answer = row.reason if row.reason and row.reason not in _OPERATOR_REASONS else ""
    return SubmissionDetails(
        submission=row,
        name=logs.shorten_id(row.id),
        match=match,
        why=_explain(row),
        answer="" if hidden and row.status not in _SAFE_STATUSES else answer,
        text="" if hidden else "\n".join(note_lines.leave_out([row.text or ""])),
        hidden=hidden,
        size=len(row.raw or b""),
    )
