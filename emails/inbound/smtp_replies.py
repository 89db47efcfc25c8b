"""SMTP replies to a mail, for every transport."""

from __future__ import annotations

from dataclasses import dataclass

from emails.parsing.limits import MAX_MAIL_BYTES

_CODE_OK = 250
_TEMPORARY_CODES = range(400, 500)


@dataclass(frozen=True, slots=True)
class SmtpReply:
    """An SMTP code and its text."""

    code: int
    text: str

    @property
    def is_accepted(self) -> bool:
        """Whether the mail was accepted."""
        return self.code == _CODE_OK

    @property
    def is_temporary(self) -> bool:
        """Whether the sender is to try again later."""
        return self.code in _TEMPORARY_CODES

    def __str__(self) -> str:
        return f"{self.code} {self.text}"


OK = SmtpReply(_CODE_OK, "2.0.0 Accepted")
RECIPIENT_OK = SmtpReply(_CODE_OK, "2.1.5 Go ahead")
UNKNOWN_MAILBOX = SmtpReply(550, "5.1.1 No such mailbox here; use the reply address of your newest mail")
RELAY_DENIED = SmtpReply(550, "5.7.1 This server accepts mail for its own games only")
TOO_LARGE = SmtpReply(
    552, f"5.3.4 The mail is larger than {MAX_MAIL_BYTES} bytes; send only the move, without attachments"
)
RATE_LIMITED = SmtpReply(450, "4.7.1 Too much mail from one place in a short time; try again later")
PROOF_REUSED = SmtpReply(550, "5.7.1 This proof was already used for another mail")
MAIL_LOOP = SmtpReply(554, "5.4.6 Too many hops: this mail seems to be in a loop")
DISK_FULL = SmtpReply(452, "4.3.1 No space for new mail right now; try again later")
TRY_LATER = SmtpReply(451, "4.3.0 The mail cannot be stored right now; try again later")
