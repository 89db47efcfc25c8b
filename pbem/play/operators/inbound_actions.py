"""What operators do about mail that came in: have it judged or read once more, and forward letters to people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.db.models import Letter, Submission
from pbem.db.session import after_commit
from pbem.play.core.actors import LETTER, SUBMISSION, ActError, Actor, Done
from pbem.play.inbox.service_mail import READ
from pbem.play.notifications import operator_mail
from pbem.play.operators import lookup
from pbem.play.operators.perform import act
from pbem.play.submissions.queue import JUDGE, MAIL
from pbem.play.submissions.verdicts import FAILED, IGNORED, REJECTED
from pbem.telemetry import logs

if TYPE_CHECKING:
    from pbem.play.core.context import Table

AGAIN = {FAILED, IGNORED, REJECTED}
"""How a submission ended that may be judged once more: nothing came of it."""


@act("retry submission", SUBMISSION, needs_reason=False)
def retry(table: Table, _actor: Actor, name: str, _reason: str, /) -> Done:
    """Have a submission judged once more, as if it came only now behind the others; nobody vouches for it by that."""
    if len(name) < logs.SHORT:
        raise ActError(f"There is no submission {name} here.")
    whole = lookup.submission(table, name)
    submission = table.session.get_one(Submission, whole, with_for_update=True, populate_existing=True)
    short = logs.short(submission.id)
    if submission.status == "pending":
        after_commit(table.session, JUDGE, submission.match_id)
        held = submission.hold_until and submission.hold_until > table.now
        said = "is held until its sender can take it back no more" if held else "waits to be judged, which is tried now"
        return Done(f"Submission {short} {said}.", changed=False)
    if submission.status not in AGAIN:
        raise ActError(f"Submission {short} was judged ({submission.status}); that stands.")
    if submission.raw is None if submission.via == MAIL else submission.text is None:
        raise ActError("What it said is kept no more.")
    before = submission.status
    submission.status, submission.reason, submission.judged_at, submission.attempts = "pending", None, None, 0
    after_commit(table.session, JUDGE, submission.match_id)
    return Done(f"Submission {short}, which was {before}, is judged once more.", detail={"before": before})


@act("retry letter", LETTER, needs_reason=False)
def retry_letter(table: Table, _actor: Actor, number: int, _reason: str, /) -> Done:
    """Have a letter to the service read once more."""
    letter = lookup.locked(table, Letter, number, "letter")
    if letter.status == "pending":
        after_commit(table.session, READ, number)
        return Done(f"Letter {number} waits to be read, which is tried now.", changed=False)
    if letter.status == "done":
        raise ActError(f"What letter {number} asked for was done; that stands.")
    if letter.recipient != table.config.service_address:
        raise ActError(f"Letter {number} went to {letter.recipient}, where people read: forward it.")
    before, letter.status = letter.status, "pending"
    after_commit(table.session, READ, number)
    return Done(f"Letter {number} is read once more.", detail={"before": before})


@act("forward", LETTER, needs_reason=False)
def forward(table: Table, _actor: Actor, number: int, _reason: str, /) -> Done:
    """Mail a letter, as it came, to the operator's address; one that is on its way or was sent goes no second time."""
    lookup.locked(table, Letter, number, "letter")
    return forwarded(table, number)


def forwarded(table: Table, number: int) -> Done:
    """Owe a letter to the operator's address, unless it went there."""
    letter, operator = table.session.get_one(Letter, number), operator_mail.goes_to(table.config)
    if not operator:
        raise ActError(
            "PBEM_OPERATOR_EMAIL is not set to an address outside of this service, so there is nobody to forward it to."
        )
    known = operator_mail.mails_of(table, number)
    if len(known) == operator_mail.TIMES:
        raise ActError(f"Letter {number} was sent {len(known)} times, and never arrived: mend that address first.")
    back = operator_mail.came_back(table, known)
    for notice in known:
        if notice.state not in operator_mail.LOST and notice.id not in back:
            said = "was forwarded" if notice.state == "sent" else "is on its way"
            return Done(f"Letter {number} {said} already, as mail {notice.id}.", changed=False)
    operator_mail.owe(table, letter, operator, f"letter {number} {len(known)}" if known else f"letter {number}")
    return Done(f"Letter {number} is forwarded to the operator’s address.")
