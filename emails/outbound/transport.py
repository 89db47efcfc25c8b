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

from emails.outbound.maildir import maildir_path
from emails.outbound.smtp_clients import LmtpClient, SmtpClient, SmtpsClient

if TYPE_CHECKING:
    from pbem.config import Config

TIMEOUT_SECONDS = 30
MAX_MAILS_PER_CONNECTION = 50
"""Maximum mails per connection: many servers close the connection of a client that sends more."""
CODE_OK, CODE_CLOSING, CODE_PERMANENT = 250, 421, 500


class DeliveryError(Exception):
    """A mail was not accepted; `permanent` if retrying is useless.

    `code` is the reply of the receiving server to the mail, 0 if there was none.
    """

    def __init__(self, message: str, *, permanent: bool, code: int = 0) -> None:
        super().__init__(message)
        self.permanent = permanent
        self.code = code


class UnreachableError(DeliveryError):
    """No server could be reached that accepts mail: no mail is to blame, and all of them wait."""

    def __init__(self, message: str) -> None:
        super().__init__(message, permanent=False)


class Transport(Protocol):
    """A transport, kept open for several mails."""

    @property
    def is_reusable(self) -> bool:
        """Whether the transport is open and worth keeping for the next mails."""

    def open(self) -> None:
        """Prepare for sending as far as possible without a mail, or raise UnreachableError."""

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Send one mail, or raise DeliveryError; UnreachableError if the mail is not to blame."""

    def close(self) -> None:
        """Close what is open."""


class MaildirTransport:
    """Delivers to one Maildir per address, for mail that stays on this machine."""

    is_reusable = False

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
        path = maildir_path(self._root, recipient)
        return_path = f"Return-Path: <{sender}>\n".encode()
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            mailbox.Maildir(path, factory=None, create=True).add(return_path + raw.replace(b"\r\n", b"\n"))
        except OSError as fault:
            raise DeliveryError(str(fault), permanent=False) from fault

    def close(self) -> None:
        """Do nothing: nothing is open."""


class SmtpTransport:
    """Sends over one SMTP or LMTP connection, opened when first needed and again after it dropped."""

    def __init__(self, url: str, own_name: str) -> None:
        self._url = urlsplit(url)
        self._own_name = own_name
        self._smtp: smtplib.SMTP | None = None
        self._sent = 0

    @property
    def is_reusable(self) -> bool:
        """Whether the connection is open."""
        return self._smtp is not None

    def open(self) -> None:
        """Connect and complete the handshake; a reused connection is checked first."""
        if self._smtp is not None and not self._is_alive(self._smtp):
            self.close()
        self._connect()

    @property
    def is_encrypted(self) -> bool:
        """Whether the open connection is encrypted."""
        return self._smtp is not None and isinstance(self._smtp.sock, ssl.SSLSocket)

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Send one mail and wait for its 250."""
        if self._sent >= MAX_MAILS_PER_CONNECTION:
            self.close()
        smtp = self._connect()
        try:
            smtp.sendmail(sender, recipient, raw)
            self._sent += 1
        except (smtplib.SMTPDataError, smtplib.SMTPRecipientsRefused) as refused:
            code, text = _smtp_reply(refused)
            if code == CODE_CLOSING or smtp.sock is None:
                self.close()
            raise DeliveryError(text, permanent=code >= CODE_PERMANENT, code=code) from refused
        except (OSError, smtplib.SMTPException) as broken:
            # Also a refused sender: that is our fault to fix, and must lose no mail.
            self.close()
            raise DeliveryError(str(broken), permanent=False) from broken

    def close(self) -> None:
        """Close the connection, with QUIT if the server still listens."""
        with suppress(OSError, smtplib.SMTPException):
            if self._smtp:
                self._smtp.quit()
        self._smtp, self._sent = None, 0

    def _is_alive(self, smtp: smtplib.SMTP) -> bool:
        """Return whether the server still answers: it may have closed an idle connection."""
        try:
            return smtp.noop()[0] == CODE_OK
        except (OSError, smtplib.SMTPException):
            return False

    def _connect(self) -> smtplib.SMTP:
        if self._smtp is not None:
            return self._smtp
        try:
            self._smtp = smtp = self._open_smtp(self._url.hostname or "")
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

    def _open_smtp(self, host: str) -> smtplib.SMTP:
        # Our own name is passed, since looking it up may take seconds without a name server.
        if self._url.scheme == "lmtp":
            return LmtpClient(host, self._url.port or 24, local_hostname=self._own_name)
        kind = SmtpsClient if self._url.scheme == "smtps" else SmtpClient
        port = self._url.port or (465 if self._url.scheme == "smtps" else 25)
        return kind(host, port, local_hostname=self._own_name, timeout=TIMEOUT_SECONDS)


def create_transport(config: Config) -> Transport:
    """Return the configured transport."""
    split = urlsplit(config.smtp_url)
    return (
        MaildirTransport(unquote(split.path))
        if split.scheme == "maildir"
        else SmtpTransport(config.smtp_url, config.mail_domain)
    )


def _smtp_reply(refused: smtplib.SMTPDataError | smtplib.SMTPRecipientsRefused) -> tuple[int, str]:
    if isinstance(refused, smtplib.SMTPDataError):
        code, text = refused.smtp_code, refused.smtp_error
    else:
        code, text = next(iter(refused.recipients.values()))
    return code, text.decode("utf-8", "replace") if isinstance(text, bytes) else text
