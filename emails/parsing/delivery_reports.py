"""Reports about our mails: that one was not delivered, or that somebody complained about it.

Supports delivery reports (RFC 3464), complaints (RFC 5965), and bounces in prose. No report is proof: callers must know
from the address that it arrived at that the mail was ours, and to whom it was sent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.parser import HeaderParser
from email.policy import compat32
from typing import TYPE_CHECKING, Literal, cast

from emails.parsing import body, limits
from emails.parsing.headers import header, sender, subject
from emails.parsing.languages import word_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator
    from email.message import Message


@dataclass(frozen=True, slots=True)
class RecipientStatus:
    """The delivery status of one recipient.

    `action` is a word of RFC 3464: failed, delayed, delivered, relayed or expanded; failed for a complaint. `status` is
    the code of RFC 3463, such as `5.1.1`, or "" if there is none; its first digit is 5 for permanent and 4 for
    temporary failures. `text` is what the receiving server said, or "".
    """

    address: str
    action: str
    status: str
    text: str


@dataclass(frozen=True, slots=True)
class Report:
    """A report with the recipients that it names, if any."""

    kind: Literal["delivery", "complaint"]
    recipients: tuple[RecipientStatus, ...]

    @property
    def failed(self) -> tuple[RecipientStatus, ...]:
        """The recipients that failed permanently."""
        return tuple(one for one in self.recipients if one.action == "failed")

    @property
    def unreached(self) -> tuple[str, ...]:
        """The addresses that the mail has not reached, for now or for good."""
        return tuple(one.address for one in self.recipients if one.action in {"failed", "delayed"})


_ACTIONS = {"failed", "delayed", "delivered", "relayed", "expanded"}
_DELIVERY = {"message/delivery-status", "message/global-delivery-status"}
_REPORT_TYPE = re.compile(r"report-type\s*=\s*\"?([\w-]+)", re.IGNORECASE)
_ADDRESS = re.compile(r"[^\s<>;,:\"'()\[\]=*|]{1,256}@[^\s<>;,:\"'()\[\]=*|]{1,255}")
_STATUS = re.compile(r"[245]\.\d{1,3}\.\d{1,3}(?!\d)")
_STATUS_IN_TEXT = re.compile(r"(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?![\d.])")
_REPLY_CODE = re.compile(r"(?<![\d.-])([45])[0-7]\d(?=[\s-])")
_BOUNCER = re.compile(
    r"(?:mailer?[-_.]?daemon|mail[-_.]?daemon|post[-_.]?master|mdaemon|bounces?|majordomo|mail[-_.]?delivery[-_.]?\w*)"
    r"(?:[-+_.@]|$)"
)
_BOUNCE_SUBJECT = re.compile(word_pattern("returned"), re.IGNORECASE)
_COPY_START = re.compile(
    r"\W{0,40}(?:(?:this|attached|below this line) is a copy|(?:the )?(?:original|returned|unsent|bounced) (?:message|"
    r"mail)|(?:headers|copy|text) of (?:the|your)|message headers?|(?:return-path|received): )",
    re.IGNORECASE,
)
"""The start of the copy of a bounced mail."""
_ADDRESS_LEAD_IN = re.compile(
    r"\W*$|.*(?:recipient|user|user ?id|address|mailbox|to|for|attempts)\s?:?\W*$", re.IGNORECASE
)
_DELAY_PHRASES = re.compile(
    r"delay|warning|temporar|still (?:trying|being)|will (?:be retried|keep trying)", re.IGNORECASE
)
_MAX_TEXT_LENGTH = 400
_MAX_REASON_LINES = 6
_MAX_DEPTH = 20
_MAX_BLOCKS = 100
"""Maximum recipients that are parsed; each of our mails has one."""


def parse(raw: bytes) -> Report | None:
    """Parse a report, or return None for any other mail; never raises, whatever the bytes."""
    return parse_message(limits.parse_within_limits(limits.normalize_newlines(raw)))


def parse_message(message: Message) -> Report | None:
    """Return the report in a parsed mail, or None for any other mail."""
    named = _REPORT_TYPE.search(header(message, "content-type"))
    kind = named[1].lower() if named else ""
    parts = list(_walk_parts(message))
    if kind == "feedback-report" or message.get("feedback-type") is not None:
        return Report("complaint", tuple(_parse_complaint(parts)))
    if stated := _merge_by_address(_parse_delivery_status(parts)):
        return Report("delivery", stated)
    failed = _ADDRESS.findall(header(message, "x-failed-recipients"))
    # French servers put their verdict behind the subject: `Re: Your turn : non remis`.
    titles = (subject(message), subject(message).rpartition(" : ")[2])
    says = bool(failed) or _BOUNCER.match(sender(message)) or any(map(_BOUNCE_SUBJECT.match, titles))
    if kind == "delivery-status" or (says and not kind):
        return Report("delivery", tuple(_parse_prose(message, parts, failed)))
    return None


def _walk_parts(message: Message, depth: int = 0) -> Iterator[Message]:
    """Yield the parts of a mail, but not those of embedded mails."""
    if message.get_content_maintype() != "multipart":
        yield message
    elif message.is_multipart() and depth < _MAX_DEPTH:
        for part in cast("list[Message]", message.get_payload()):
            yield from _walk_parts(part, depth + 1)


def _field_blocks(parts: list[Message], kinds: set[str]) -> Iterator[Message]:
    """Yield the blocks of fields in the parts of some types: the parser takes them for headers of mails."""
    for part in parts:
        if part.get_content_type() in kinds and part.is_multipart():
            yield from cast("list[Message]", part.get_payload())[:_MAX_BLOCKS]


def _parse_delivery_status(parts: list[Message]) -> Iterator[RecipientStatus]:
    """Parse the fields of RFC 3464: one block per recipient."""
    for fields in _field_blocks(parts, _DELIVERY):
        # Some servers write `Original-Recipient: rfc822;`, without an address.
        named = [header(fields, f"{which}-recipient") for which in ("original", "final")]
        found = [_ADDRESS.search(one.partition(";")[2] or one) for one in named]
        if address := next(filter(None, found), None):
            text = header(fields, "diagnostic-code")
            status = _STATUS.search(header(fields, "status"))
            yield _complete_status(address[0], header(fields, "action").lower(), status[0] if status else "", text)


def _merge_by_address(statuses: Iterator[RecipientStatus]) -> tuple[RecipientStatus, ...]:
    """Return one status per address, that of a failure if there is one."""
    merged: dict[str, RecipientStatus] = {}
    for one in statuses:
        if one.address not in merged or one.action == "failed":
            merged[one.address] = one
    return tuple(merged.values())


def _parse_complaint(parts: list[Message]) -> Iterator[RecipientStatus]:
    """Parse the fields of RFC 5965: the recipients whose mail was complained about."""
    fields = list(_field_blocks(parts, {"message/feedback-report"}))
    named = [address for block in fields for value in block.get_all("original-rcpt-to", [])
             for address in _ADDRESS.findall(str(value))]  # fmt: skip
    for address in dict.fromkeys(map(str.lower, named or _original_recipients(parts))):
        yield RecipientStatus(address, "failed", "", header(fields[0], "feedback-type") if fields else "")


def _parse_prose(message: Message, parts: list[Message], failed: list[str]) -> Iterator[RecipientStatus]:
    """Parse a report in prose."""
    lines = body.lines(message)
    end = next((at for at, line in enumerate(lines) if _COPY_START.match(line)), len(lines))
    text = " ".join(lines[:end])
    later = _DELAY_PHRASES.search(subject(message)) or _DELAY_PHRASES.search(text)
    ours = {sender(message), *map(str.lower, _ADDRESS.findall(header(message, "to")))}
    found = failed or _addresses_in_prose(lines[:end], ours)
    for address in dict.fromkeys(map(str.lower, found or _original_recipients(parts))):
        at = next((at for at, line in enumerate(lines[:end]) if address in line.lower()), 0)
        reason = " ".join(" ".join(lines[at : min(end, at + _MAX_REASON_LINES)]).split())
        yield _complete_status(address, "", "", reason, "delayed" if later else "failed")


def _addresses_in_prose(lines: list[str], ours: set[str]) -> list[str]:
    """Find the addresses that a report in prose is about: those that a phrase introduces, else the first."""
    found = [(line[: one.start()], one[0].lower()) for line in lines for one in _ADDRESS.finditer(line)]
    found = [(before, address) for before, address in found if address not in ours]
    domains = tuple(one[one.rfind("@") :] for one in ours if one)
    found = [one for one in found if not one[1].endswith(domains)] or found
    return [address for before, address in found if _ADDRESS_LEAD_IN.match(before)] or [one for _, one in found[:1]]


def _original_recipients(parts: list[Message]) -> list[str]:
    """Find the recipients of the bounced mail, in its copy."""
    for part in parts:
        kind = part.get_content_type()
        copy: Message | None = next(_field_blocks([part], {"message/rfc822", "message/global"}), None)
        if kind == "text/rfc822-headers":
            copy = HeaderParser(policy=compat32).parsestr(str(part.get_payload()))
        if copy is not None:
            return _ADDRESS.findall(header(copy, "to"))
    return []


def _complete_status(address: str, action: str, status: str, text: str, otherwise: str = "failed") -> RecipientStatus:
    """Fill in what a report left out: the status from the text, the action from the status."""
    if not status:
        code, reply = _STATUS_IN_TEXT.search(text), _REPLY_CODE.search(text)
        status = code[0] if code else f"{reply[1]}.0.0" if reply else ""
    if action not in _ACTIONS:
        action = {"4": "delayed", "5": "failed"}.get(status[:1], otherwise)
    return RecipientStatus(address.lower().strip("."), action, status, text[:_MAX_TEXT_LENGTH])
