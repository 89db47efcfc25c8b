"""Handing mails on: over SMTP or LMTP with one kept connection, or into folders on this machine."""

from __future__ import annotations

import mailbox
import smtplib
import ssl
from contextlib import suppress
from typing import Protocol
from urllib.parse import unquote, urlsplit

from emails.maildir import folder_of

SECONDS = 30
PERMANENT = 500


class NotSentError(Exception):
    """Says that a mail was not taken; `permanent` where trying again is useless."""

    def __init__(self, message: str, *, permanent: bool) -> None:
        super().__init__(message)
        self.permanent = permanent


class Way(Protocol):
    """A way out, kept open for several mails."""

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Hand on one mail, or raise NotSentError."""

    def close(self) -> None:
        """Let go of what is kept open."""


class Folders:
    """Delivers to one Maildir per address, where mail stays on this machine."""

    def __init__(self, root: str) -> None:
        self._root = root

    def send(self, sender: str, recipient: str, raw: bytes) -> None:  # noqa: ARG002
        """Put the mail into the recipient's folder, as delivery does: whole or not at all."""
        path = folder_of(self._root, recipient)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        mailbox.Maildir(path, factory=None, create=True).add(raw.replace(b"\r\n", b"\n"))

    def close(self) -> None:
        """Nothing is kept open."""


class Line:
    """Sends over one SMTP or LMTP connection, opened when first needed and again when it has dropped."""

    def __init__(self, url: str) -> None:
        self._url = urlsplit(url)
        self._smtp: smtplib.SMTP | None = None

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Send one mail and wait for its 250."""
        try:
            self._connected().sendmail(sender, [recipient], raw)
        except smtplib.SMTPResponseException as refused:
            self._reset()
            raise NotSentError(_sentence(refused.smtp_error), permanent=refused.smtp_code >= PERMANENT) from refused
        except smtplib.SMTPRecipientsRefused as refused:
            self._reset()
            code, text = refused.recipients[recipient]
            raise NotSentError(_sentence(text), permanent=code >= PERMANENT) from refused
        except (OSError, smtplib.SMTPException) as broken:
            self.close()
            raise NotSentError(str(broken), permanent=False) from broken

    def close(self) -> None:
        """Say goodbye, if anybody still listens."""
        with suppress(OSError, smtplib.SMTPException):
            if self._smtp:
                self._smtp.quit()
        self._smtp = None

    def _connected(self) -> smtplib.SMTP:
        if self._smtp is None:
            url = self._url
            kind = {"smtps": smtplib.SMTP_SSL, "lmtp": smtplib.LMTP}.get(url.scheme, smtplib.SMTP)
            port = url.port or {"smtps": 465, "lmtp": 24}.get(url.scheme, 25)
            smtp = (
                kind(url.hostname or "", port, timeout=SECONDS)
                if kind is not smtplib.LMTP
                else smtplib.LMTP(url.hostname or "", port)
            )
            smtp.ehlo_or_helo_if_needed()
            if smtp.has_extn("starttls") and url.scheme == "smtp":
                smtp.starttls(context=ssl.create_default_context())
                smtp.ehlo()
            if url.username:
                smtp.login(unquote(url.username), unquote(url.password or ""))
            self._smtp = smtp
        return self._smtp

    def _reset(self) -> None:
        try:
            if self._smtp:
                self._smtp.rset()
        except (OSError, smtplib.SMTPException):
            self.close()


def way_out(url: str) -> Way:
    """Open the way out that PBEM_SMTP_URL names."""
    split = urlsplit(url)
    return Folders(unquote(split.path)) if split.scheme == "maildir" else Line(url)


def _sentence(text: bytes | str) -> str:
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else text
