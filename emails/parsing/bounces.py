"""What a report means for the address that one of our mails went to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from emails.parsing import auto_submitted, delivery_reports, limits
from emails.parsing.headers import subject
from emails.parsing.languages import words
from pbem.play.notifications import smtp_status

if TYPE_CHECKING:
    from email.message import Message

    from emails.parsing.delivery_reports import Report
    from pbem.config import Config
    from pbem.play.notifications.smtp_status import Kind

_NO_COMPLAINT = {"not-spam", "auth-failure", "dmarc", "dkim"}
"""Feedback types (RFC 5965, RFC 6591) that do not report unwanted mail."""
_FEEDBACK = re.compile(rb"^feedback-type:[ \t]*([\w-]{1,40})", re.IGNORECASE | re.MULTILINE)
_RETURNED = re.compile(words("returned"), re.IGNORECASE)
_TOLD = {"failed", "delayed"}
_NOT_NAMED = delivery_reports.Failure("", "failed", "", "")
_NAMED_AT_MOST = 5


@dataclass(frozen=True, slots=True)
class Told:
    """A report about one mail: the kind of failure, its status code and the server's text.

    `lost` is whether the mail will never arrive.
    """

    kind: Kind
    status: str
    text: str
    lost: bool = True


def told(raw: bytes) -> Told | None:
    """Parse a mail to the envelope sender of one of our mails; return None if it reports no failure.

    The recipient that the report names does not matter: a mail may have been forwarded, and only its envelope is proof.
    """
    message = limits.parsed(limits.with_lf(raw))
    report = delivery_reports.of(message)
    if report is None:
        return None
    if report.kind == "complaint":
        found = _FEEDBACK.search(raw)
        said = found[1].decode("ascii", "replace").lower() if found else ""
        return None if said in _NO_COMPLAINT else Told(smtp_status.COMPLAINT, "", said)
    if message.get_content_type() != "multipart/report" and _is_no_report(message, report):
        return None
    failed = [one for one in report.recipients if one.action in _TOLD] if report.recipients else [_NOT_NAMED]
    if not failed:
        return None
    one = min(failed, key=lambda one: one.action != "failed")
    kind = smtp_status.kind_of(one.status, one.text)
    lost = one.action == "failed"
    return Told(kind if lost or kind != smtp_status.HARD else smtp_status.SOFT, one.status, one.text, lost)


def _is_no_report(message: Message, report: Report) -> bool:
    """Return whether an apparent report is none, such as an out-of-office reply from a bounce address."""
    nothing = not report.recipients and not _RETURNED.match(subject(message))
    return nothing or auto_submitted.is_away(message)


def named(config: Config, raw: bytes) -> tuple[list[str], list[str]]:
    """Find the tokens and Message-IDs of our mails in a report that arrived at another mailbox."""
    domain = re.escape(config.mail_domain.encode())
    tokens = re.findall(rb"bounce[+-]([0-9a-z]{26})@" + domain, raw, re.IGNORECASE)
    ids = re.findall(rb"<[0-9a-z]{24}@" + domain + rb">", raw)
    return _first({token.decode().lower(): None for token in tokens}), _first({one.decode(): None for one in ids})


def _first(found: dict[str, None]) -> list[str]:
    return list(found)[:_NAMED_AT_MOST]
