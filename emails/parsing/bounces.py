"""What a report means for the address that one of our mails went to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from emails.parsing import auto_submitted, delivery_reports, limits
from emails.parsing.headers import subject
from emails.parsing.languages import word_pattern
from pbem.play.notifications import smtp_status

if TYPE_CHECKING:
    from email.message import Message

    from emails.parsing.delivery_reports import Report
    from pbem.config import Config
    from pbem.play.notifications.smtp_status import Kind

_HARMLESS_FEEDBACK = {"not-spam", "auth-failure", "dmarc", "dkim"}
"""Feedback types (RFC 5965, RFC 6591) that do not report unwanted mail."""
_FEEDBACK = re.compile(rb"^feedback-type:[ \t]*([\w-]{1,40})", re.IGNORECASE | re.MULTILINE)
_BOUNCE_SUBJECT = re.compile(word_pattern("returned"), re.IGNORECASE)
_FAILED_ACTIONS = {"failed", "delayed"}
_UNNAMED_RECIPIENT = delivery_reports.RecipientStatus("", "failed", "", "")
_MAX_REFERENCES = 5


@dataclass(frozen=True, slots=True)
class ParsedBounce:
    """A report about one mail: the kind of failure, its status code and the server's text.

    `lost` is whether the mail will never arrive.
    """

    kind: Kind
    status: str
    text: str
    lost: bool = True


def parse_bounce(raw: bytes) -> ParsedBounce | None:
    """Parse a mail to the envelope sender of one of our mails; return None if it reports no failure.

    The recipient that the report names does not matter: a mail may have been forwarded, and only its envelope is proof.
    """
    message = limits.parse_within_limits(limits.normalize_newlines(raw))
    report = delivery_reports.parse_message(message)
    if report is None:
        return None
    if report.kind == "complaint":
        found = _FEEDBACK.search(raw)
        feedback = found[1].decode("ascii", "replace").lower() if found else ""
        return None if feedback in _HARMLESS_FEEDBACK else ParsedBounce(smtp_status.COMPLAINT, "", feedback)
    if message.get_content_type() != "multipart/report" and _is_not_a_bounce(message, report):
        return None
    failed = (
        [one for one in report.recipients if one.action in _FAILED_ACTIONS]
        if report.recipients
        else [_UNNAMED_RECIPIENT]
    )
    if not failed:
        return None
    one = min(failed, key=lambda one: one.action != "failed")
    kind = smtp_status.classify(one.status, one.text)
    lost = one.action == "failed"
    return ParsedBounce(kind if lost or kind != smtp_status.HARD else smtp_status.SOFT, one.status, one.text, lost)


def _is_not_a_bounce(message: Message, report: Report) -> bool:
    """Return whether an apparent report is none, such as an out-of-office reply from a bounce address."""
    nothing = not report.recipients and not _BOUNCE_SUBJECT.match(subject(message))
    return nothing or auto_submitted.is_out_of_office(message)


def find_references(config: Config, raw: bytes) -> tuple[list[str], list[str]]:
    """Find the tokens and Message-IDs of our mails in a report that arrived at another mailbox."""
    domain = re.escape(config.mail_domain.encode())
    tokens = re.findall(rb"bounce[+-]([0-9a-z]{26})@" + domain, raw, re.IGNORECASE)
    ids = re.findall(rb"<[0-9a-z]{24}@" + domain + rb">", raw)
    found = dict.fromkeys(token.decode().lower() for token in tokens), dict.fromkeys(one.decode() for one in ids)
    return list(found[0])[:_MAX_REFERENCES], list(found[1])[:_MAX_REFERENCES]
