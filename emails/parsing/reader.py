"""Reading mail: from raw bytes to what a person typed.

Which typed line is a move is for the game to say. Reading never raises, whatever the bytes, and its time
grows with the length of the mail and no faster.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from emails.parsing import auth_results, auto_submitted, body, delivery_reports, limits, quotes
from emails.parsing.display_names import message_id
from emails.parsing.headers import answered, sender, subject
from pbem.play.submissions.sender_policy import Alignment

if TYPE_CHECKING:
    from emails.parsing.auto_submitted import Kind


@dataclass(frozen=True, slots=True)
class Reading:
    """What a mail says: who sent it, and the lines newly typed, "" between paragraphs.

    `sender` is the address of From in lower case, "" where there is none or where there are several From
    headers; `recipients` are the addresses that a delivery report names as not reached. A mail that is
    no `reply` has nothing typed. `alignment` is whether our own mail server vouches for From; `answers` are
    the Message-IDs of the mails that it says it answers.
    """

    kind: Kind
    typed: tuple[str, ...]
    sender: str
    message_id: str
    subject: str
    first_line: str | None
    recipients: tuple[str, ...]
    alignment: Alignment = Alignment.NONE
    answers: tuple[str, ...] = ()


def read(raw: bytes, server: str = "") -> Reading:
    """Read a mail as it came over the wire; one that the limits refuse has nothing typed.

    `server` names our own mail server, whose word of a mail's From is believed.
    """
    message = limits.parsed(limits.with_lf(raw))
    report = delivery_reports.of(message)
    kind = auto_submitted.kind(message, report)
    typed = quotes.typed(body.lines(message)) if kind == "reply" else ()
    first, unreached = typed[0] if typed else None, report.unreached if report else ()
    author, number = sender(message), message_id(message)
    vouched = auth_results.alignment(message, author, server)
    return Reading(kind, typed, author, number, subject(message), first, unreached, vouched, answered(message))
