"""Transports for outbound mail: SMTP or LMTP over one connection, or local Maildirs."""

from __future__ import annotations

import mailbox
import smtplib
import ssl
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Protocol
from urllib.parse import unquote, urlsplit

from emails.outbound.maildir import folder_of

if TYPE_CHECKING:
    from pbem.config import Config

SECONDS = 30
MAILS_A_LINE = 50
"""Maximum mails per connection: many servers close the connection of a client that sends more."""
TAKEN, FORWARDED, GOODBYE, PERMANENT = 250, 251, 421, 500


class NotSentError(Exception):
    """A mail was not accepted; `permanent` if retrying is useless.

    `code` is the reply of the receiving server to the mail, 0 if there was none.
    """

    def __init__(self, message: str, *, permanent: bool, code: int = 0) -> None:
        super().__init__(message)
        self.permanent = permanent
        self.code = code


class UnreachableError(NotSentError):
    """No server could be reached that accepts mail: no mail is to blame, and all of them wait."""

    def __init__(self, message: str) -> None:
        super().__init__(message, permanent=False)


class Way(Protocol):
    """A transport, kept open for several mails."""

    @property
    def stays(self) -> bool:
        """Whether the transport is open and worth keeping for the next mails."""

    def open(self) -> None:
        """Prepare for sending as far as possible without a mail, or raise UnreachableError."""

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Send one mail, or raise NotSentError; UnreachableError if the mail is not to blame."""

    def close(self) -> None:
        """Close what is open."""


class Folders:
    """Delivers to one Maildir per address, for mail that stays on this machine."""

    stays = False

    def __init__(self, root: str) -> None:
        self._root = root

    def open(self) -> None:
        """Check that folders can be created."""
        try:
            Path(self._root).mkdir(mode=0o700, parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=self._root).close()
        except OSError as fault:
            raise UnreachableError(str(fault)) from fault

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Add the mail to the recipient's Maildir, atomically and with a Return-Path, as delivery does."""
        path = folder_of(self._root, recipient)
        noted = f"Return-Path: <{sender}>\n".encode()
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            mailbox.Maildir(path, factory=None, create=True).add(noted + raw.replace(b"\r\n", b"\n"))
        except OSError as fault:
            raise NotSentError(str(fault), permanent=False) from fault

    def close(self) -> None:
        """Do nothing: nothing is open."""


class Line:
    """Sends over one SMTP or LMTP connection, opened when first needed and again after it dropped."""

    def __init__(self, url: str, own_name: str) -> None:
        self._url = urlsplit(url)
        self._own_name = own_name
        self._smtp: smtplib.SMTP | None = None
        self._sent = 0

    @property
    def stays(self) -> bool:
        """Whether the connection is open."""
        return self._smtp is not None

    def open(self) -> None:
        """Connect and complete the handshake; a reused connection is checked first."""
        if self._smtp is not None and not self._holds(self._smtp):
            self.close()
        self._connected()

    @property
    def encrypted(self) -> bool:
        """Whether the open connection is encrypted."""
        return self._smtp is not None and isinstance(self._smtp.sock, ssl.SSLSocket)

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Send one mail and wait for its 250."""
        if self._sent >= MAILS_A_LINE:
            self.close()
        smtp = self._connected()
        try:
            _handed(smtp, sender, recipient, raw)
            self._sent += 1
        except (smtplib.SMTPDataError, smtplib.SMTPRecipientsRefused) as refused:
            code, said = _answer(refused)
            if code == GOODBYE:
                self.close()
            else:
                self._reset()
            raise _refusal(code, said) from refused
        except (OSError, smtplib.SMTPException) as broken:
            # Also a refused sender: that is our fault to fix, and must lose no mail.
            self.close()
            raise NotSentError(str(broken), permanent=False) from broken

    def close(self) -> None:
        """Close the connection, with QUIT if the server still listens."""
        with suppress(OSError, smtplib.SMTPException):
            if self._smtp:
                self._smtp.quit()
        self._smtp, self._sent = None, 0

    def _holds(self, smtp: smtplib.SMTP) -> bool:
        """Return whether the server still answers: it may have closed an idle connection."""
        try:
            return smtp.noop()[0] == TAKEN
        except (OSError, smtplib.SMTPException):
            return False

    def _connected(self) -> smtplib.SMTP:
        if self._smtp is not None:
            return self._smtp
        try:
            self._smtp = smtp = self._opened(self._url.hostname or "")
            smtp.ehlo_or_helo_if_needed()
            if self._url.scheme == "smtp" and smtp.has_extn("starttls"):
                smtp.starttls(context=ssl.create_default_context())
                smtp.ehlo()
            if self._url.username:
                smtp.login(unquote(self._url.username), unquote(self._url.password or ""))
        except (OSError, smtplib.SMTPException) as broken:
            # Also a refused password: that is our fault to fix, and must lose no mail.
            self.close()
            raise UnreachableError(str(broken)) from broken
        return smtp

    def _opened(self, host: str) -> smtplib.SMTP:
        # Our own name is passed, since looking it up may take seconds without a name server.
        if self._url.scheme == "lmtp":
            return smtplib.LMTP(host, self._url.port or 24, local_hostname=self._own_name)
        kind = smtplib.SMTP_SSL if self._url.scheme == "smtps" else smtplib.SMTP
        port = self._url.port or (465 if self._url.scheme == "smtps" else 25)
        return kind(host, port, local_hostname=self._own_name, timeout=SECONDS)

    def _reset(self) -> None:
        try:
            if self._smtp:
                self._smtp.rset()
        except (OSError, smtplib.SMTPException):
            self.close()


def way_out(config: Config) -> Way:
    """Return the configured transport."""
    split = urlsplit(config.smtp_url)
    return Folders(unquote(split.path)) if split.scheme == "maildir" else Line(config.smtp_url, config.mail_domain)


def _handed(smtp: smtplib.SMTP, sender: str, recipient: str, raw: bytes) -> None:
    """Send one mail over a connection, or raise the SMTP error."""
    _enveloped(smtp, sender, recipient)
    code, said = smtp.data(raw)
    if code != TAKEN:
        raise smtplib.SMTPDataError(code, said)


def _enveloped(smtp: smtplib.SMTP, sender: str, recipient: str) -> None:
    """Send the sender and the recipient, both at once if the server supports PIPELINING."""
    if smtp.has_extn("pipelining"):
        lines = f"MAIL FROM:{smtplib.quoteaddr(sender)}", f"RCPT TO:{smtplib.quoteaddr(recipient)}"
        smtp.send("".join(f"{line}\r\n" for line in lines).encode("ascii"))
        from_whom, for_whom = smtp.getreply(), smtp.getreply()
    else:
        from_whom = smtp.mail(sender)
        for_whom = smtp.rcpt(recipient) if from_whom[0] == TAKEN else from_whom
    if from_whom[0] != TAKEN:
        raise smtplib.SMTPSenderRefused(*from_whom, sender)
    if for_whom[0] not in {TAKEN, FORWARDED}:
        raise smtplib.SMTPRecipientsRefused({recipient: for_whom})


def _answer(refused: smtplib.SMTPDataError | smtplib.SMTPRecipientsRefused) -> tuple[int, bytes | str]:
    if isinstance(refused, smtplib.SMTPDataError):
        return refused.smtp_code, refused.smtp_error
    return next(iter(refused.recipients.values()))


def _refusal(code: int, text: bytes | str) -> NotSentError:
    said = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    return NotSentError(said, permanent=code >= PERMANENT, code=code)
