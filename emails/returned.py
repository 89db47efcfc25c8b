"""What a report means for the address that one mail of ours went to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from emails import automatic, limits, reports
from pbem.play import failures

if TYPE_CHECKING:
    from pbem.config import Config
    from pbem.play.failures import Kind

_NO_COMPLAINT = {"not-spam", "auth-failure", "dmarc", "dkim"}
"""Kinds of feedback (RFC 5965, RFC 6591) by which nobody says that our mail is unwanted."""
_FEEDBACK = re.compile(rb"^feedback-type:[ \t]*([\w-]{1,40})", re.IGNORECASE | re.MULTILINE)
_TOLD = {"failed", "delayed"}
_NOT_NAMED = reports.Failure("", "failed", "", "")
_NAMED_AT_MOST = 5


@dataclass(frozen=True, slots=True)
class Told:
    """What a report says of one mail: the kind of failure, its code and the words of the machine."""

    kind: Kind
    status: str
    text: str


def told(raw: bytes) -> Told | None:
    """Give what a mail to the envelope sender of one of ours reports, or None where it reports no failure.

    Whom the report names does not matter: a mail may have been forwarded, and only its envelope is proof.
    """
    message = limits.parsed(limits.with_lf(raw))
    report = reports.of(message)
    if report is None:
        return None
    if report.kind == "complaint":
        found = _FEEDBACK.search(raw)
        said = found[1].decode("ascii", "replace").lower() if found else ""
        return None if said in _NO_COMPLAINT else Told(failures.COMPLAINT, "", said)
    if automatic.is_away(message) and message.get_content_maintype() != "multipart":
        # Written in the name of who returns mail, where there is one address for all that machines write.
        return None
    failed = [one for one in report.recipients if one.action in _TOLD] if report.recipients else [_NOT_NAMED]
    if not failed:
        return None
    one = min(failed, key=lambda one: one.action != "failed")
    kind = failures.kind_of(one.status, one.text)
    # What is only late may still arrive.
    kind = failures.SOFT if one.action == "delayed" and kind == failures.HARD else kind
    return Told(kind, one.status, one.text)


def named(config: Config, raw: bytes) -> tuple[list[str], list[str]]:
    """Find what tells mails of ours in a report that came to another mailbox: envelope tokens and Message-IDs."""
    domain = re.escape(config.mail_domain.encode())
    tokens = re.findall(rb"bounce[+-]([0-9a-z]{26})@" + domain, raw, re.IGNORECASE)
    ids = re.findall(rb"<[0-9a-z]{24}@" + domain + rb">", raw)
    return _first({token.decode().lower(): None for token in tokens}), _first({one.decode(): None for one in ids})


def _first(found: dict[str, None]) -> list[str]:
    return list(found)[:_NAMED_AT_MOST]
