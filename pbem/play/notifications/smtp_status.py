"""Classification of refused mail, by the status code and the text of the refusing server.

The code is that of RFC 3463, such as `5.1.1`; many servers send the wrong one or none, so their text counts too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from pbem.i18n import _, marked

if TYPE_CHECKING:
    from collections.abc import Mapping

Kind = Literal["soft", "hard", "complaint", "policy"]

SOFT: Kind = "soft"
"""Temporary, or because of this mail."""
HARD: Kind = "hard"
"""Permanent: there is no such mailbox."""
COMPLAINT: Kind = "complaint"
"""The recipient reported our mail as unwanted."""
POLICY: Kind = "policy"
"""Because of the sender, not the recipient: the address is not to blame."""

REASONS: Mapping[str, str] = {
    "unknown": marked("mailbox unknown"),
    "full": marked("mailbox full"),
    "complaint": marked("reported as unwanted"),
    "later": marked("temporarily refused"),
    "refused": marked("refused by their mail server"),
}
"""Why mail does not arrive: a key and the text for people."""

_STATUS = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])")
_GREY = re.compile(r"gr[ae]y[- ]?list", re.IGNORECASE)
_UNKNOWN = re.compile(
    r"unknown|no such|not exist|doesn.t exist|no mailbox|not found|invalid (?:recipient|mailbox|address|user)|"
    r"(?:account|mailbox|user)\b.{0,30}\b(?:disabled|inactive|unavailable|closed|deleted)|no longer|not a valid",
    re.IGNORECASE,
)
_FULL = re.compile(r"quota|(?:mail ?box|storage|disk)\b.{0,20}\bfull|insufficient (?:system )?storage", re.IGNORECASE)
_POLICY = re.compile(
    r"block(?:ed|[- ]?list)|black[- ]?list|deny[- ]?list|ban(?:ned| list)|\bdnsbl|\brbl\b|spam|junk|unsolicited|"
    r"reputation|polic(?:y|ies)|\brates?\b|rate[- ]?limit|throttl|too many (?:mail|message|connection|recipient)|"
    r"barracuda|sorbs|senderscore|\bdmarc\b|\bspf\b|\bdkim\b|unauthenticated|not authenticated",
    re.IGNORECASE,
)
_SENDER_CODES = {("1", "7"), ("1", "8")}
"""Subject and detail of codes about the sender's address."""
_TEMPORARY_CODES = {("2", "2"), ("2", "3"), ("3", "1"), ("3", "4"), ("4", "1"), ("4", "5"), ("4", "7")}
"""Subject and detail of codes that are temporary despite a 5: a full mailbox, a mail too large, a timeout."""
_CONTENT, _SECURITY = "6", "7"


def parse_status(code: int, text: str) -> str:
    """Return the RFC 3463 code in an SMTP reply, or one that has only the first digit of the reply code."""
    found = _STATUS.search(text)
    return found[0] if found else f"{code // 100}.0.0"


def classify(status: str, text: str) -> Kind:
    """Classify a refusal; an unknown one is temporary."""
    found = _STATUS.fullmatch(status)
    first, subject, detail = found.groups() if found else (status[:1], "", "")
    if _GREY.search(text):
        return SOFT
    if subject == _SECURITY or (subject, detail) in _SENDER_CODES:
        return POLICY
    if _POLICY.search(text) and not (subject == "1" and _UNKNOWN.search(text)):
        return POLICY
    temporary = first == "4" or (subject, detail) in _TEMPORARY_CODES or subject == _CONTENT or _FULL.search(text)
    return HARD if not temporary and (first == "5" or _UNKNOWN.search(text)) else SOFT


def reason_key(kind: Kind, status: str, text: str) -> str:
    """Return the key in `REASONS` for why a mail did not arrive."""
    if kind == COMPLAINT:
        return "complaint"
    if _FULL.search(text) or ".2.2" in status:
        return "full"
    if kind == SOFT:
        return "later"
    return "unknown" if ".1." in status or _UNKNOWN.search(text) else "refused"


def reason_text(reason: str | None) -> str:
    """Return the text for why mail does not arrive."""
    return _(REASONS.get(reason or "", REASONS["refused"]))


def redact(email: str) -> str:
    """Redact an address so that only its owner recognises it: `a…@example.org`."""
    local, _at, domain = email.rpartition("@")
    return f"{local[:1]}…@{domain}"
