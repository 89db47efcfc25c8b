"""Operators' pages of inbound mail: submissions and service mails, with the reason of each state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import abort

from emails.parsing.reader import parse_mail
from pbem.play.core.actors import LETTER, SUBMISSION
from pbem.play.inbox import note_lines
from pbem.play.operators import inbound_actions
from pbem.play.operators.search import inbound
from pbem.states import SubmissionStatus
from pbem.web.operators.access import (
    number_filter,
    page_cursor,
    pages,
    recent_actions,
    render_list,
    render_page,
    scrub,
    text_filter,
)
from pbem.web.operators.action_registry import links
from pbem.web.request.context import service, transaction

if TYPE_CHECKING:
    from emails.parsing.reader import ParsedMail

MAX_LINES = 100
"""Maximum lines of a mail that are shown."""


@pages.get("/submissions")
def submissions() -> str:
    """List submissions."""
    filters: dict[str, Any] = {
        "status": text_filter("status", inbound.STATUSES),
        "match": text_filter("match"),
        "player": number_filter("player"),
        "sender": text_filter("sender"),
    }
    with transaction() as ctx:
        rows = inbound.submissions(ctx, **filters, after=page_cursor())
        days = inbound.RECENT.days
        return render_list("submissions.html", rows, choices=inbound.STATUSES, days=days, **filters)


@pages.get("/submissions/<name>")
def submission(name: str) -> str:
    """Show a submission, with the reason for its state."""
    with transaction() as ctx:
        found = inbound.submission(ctx, name)
        if found is None:
            abort(404)
        row = found.submission
        reading = _parse(row.raw) if row.raw else None
        judged_again = row.status in inbound_actions.RETRYABLE_STATUSES | {SubmissionStatus.PENDING}
        return render_page(
            "submission.html",
            found=found,
            row=row,
            reading=reading,
            typed=_typed_text(reading) if reading and not found.hidden else "",
            actions=links(found.name, "retry-submission") if judged_again else [],
            acts=recent_actions(ctx, SUBMISSION, found.name),
        )


@pages.get("/letters")
def letters() -> str:
    """List service mails."""
    status, sender = text_filter("status", inbound.LETTERS), text_filter("sender")
    with transaction() as ctx:
        rows = inbound.service_mails(ctx, status, sender, page_cursor())
        return render_list("letters.html", rows, choices=inbound.LETTERS, status=status, sender=sender)


@pages.get("/letters/<number>")
def letter(number: str) -> str:
    """Show a service mail without its quotes of other mails."""
    with transaction() as ctx:
        found = inbound.service_mail(ctx, number)
        if found is None:
            abort(404)
        reading = _parse(found.raw)
        return render_page(
            "letter.html",
            letter=found,
            why=scrub(inbound.explain_forwarding(ctx, found)),
            reading=reading,
            typed=_typed_text(reading),
            actions=links(found.id, "retry-letter", "forward"),
            acts=recent_actions(ctx, LETTER, number),
        )


def _parse(raw: bytes) -> ParsedMail:
    return parse_mail(raw, service().config.authserv_id)


def _typed_text(reading: ParsedMail) -> str:
    return scrub("\n".join(note_lines.leave_out(reading.typed[:MAX_LINES])))
