"""Operators' pages of inbound mail: submissions to seats, mail to the service, and why each ended as it did."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import abort

from emails.parsing.reader import read
from pbem.play.core.actors import LETTER, SUBMISSION
from pbem.play.operators import audit, inbound_actions
from pbem.play.operators.search import inbound
from pbem.web.common.context import service, transaction
from pbem.web.operators.access import after, asked, listing, numbered, page, pages, scrub
from pbem.web.operators.action_registry import links

if TYPE_CHECKING:
    from emails.parsing.reader import Reading

FEW = 5
LINES = 100
"""Maximum lines of a mail that are shown."""


@pages.get("/submissions")
def submissions() -> str:
    """List submissions to seats."""
    status, match, player, sender = (
        asked("status", inbound.STATUSES),
        asked("match"),
        numbered("player"),
        asked("sender"),
    )
    with transaction() as ctx:
        rows = inbound.submissions(ctx, status, match, player, sender, after())
        asks = {"status": status, "match": match, "player": player, "sender": sender}
        days = inbound.LATELY.days
        return listing("submissions.html", rows, choices=inbound.STATUSES, days=days, **asks)


@pages.get("/submissions/<name>")
def submission(name: str) -> str:
    """Show a submission, and why it ended as it did."""
    with transaction() as ctx:
        found = inbound.submission(ctx, name)
        if found is None:
            abort(404)
        row = found.submission
        reading = _read(row.raw) if row.raw else None
        judged_again = row.status in inbound_actions.AGAIN | {inbound.PENDING}
        return page(
            "submission.html",
            found=found,
            row=row,
            reading=reading,
            typed=_typed(reading) if reading and not found.hidden else "",
            ways_to_act=links(found.name, "retry-submission") if judged_again else [],
            acts=audit.newest(ctx, FEW, subject=(SUBMISSION, found.name)),
        )


@pages.get("/letters")
def letters() -> str:
    """List mail to the service itself."""
    status, sender = asked("status", inbound.LETTERS), asked("sender")
    with transaction() as ctx:
        rows = inbound.letters(ctx, status, sender, after())
        return listing("letters.html", rows, choices=inbound.LETTERS, status=status, sender=sender)


@pages.get("/letters/<number>")
def letter(number: str) -> str:
    """Show a mail to the service, without what it quotes of other mails."""
    with transaction() as ctx:
        found = inbound.letter(ctx, number)
        if found is None:
            abort(404)
        reading = _read(found.raw)
        return page(
            "letter.html",
            letter=found,
            why=scrub(inbound.story(ctx, found)),
            reading=reading,
            typed=_typed(reading),
            ways_to_act=links(found.id, "retry-letter", "forward"),
            acts=audit.newest(ctx, FEW, subject=(LETTER, number)),
        )


def _read(raw: bytes) -> Reading:
    return read(raw, service().config.mail_server)


def _typed(reading: Reading) -> str:
    return scrub("\n".join(reading.typed[:LINES]))
