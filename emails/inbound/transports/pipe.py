"""Inbound mail through a pipe: a mail server runs a command for each mail and reads its exit status.

Every failure here is reported as temporary, so that the mail server keeps the mail and tries again.
"""

from __future__ import annotations

import logging
import os
import syslog
from typing import TYPE_CHECKING

from emails.inbound.accept import accept, accept_delivered
from emails.inbound.mailboxes import is_local_address
from emails.inbound.smtp_replies import TRY_LATER
from emails.parsing.limits import MAX_MAIL_BYTES
from pbem import env_file
from pbem.config import ConfigError, from_environment
from pbem.db import disk_check, metric_store
from pbem.db.session import connect
from pbem.task_queue import bind

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import BinaryIO

    from emails.inbound.smtp_replies import SmtpReply
    from pbem.config import Config

log = logging.getLogger(__name__)

_NULL_SENDERS = {"<>", "mailer-daemon"}
"""The null sender, as mail servers write it on a command line."""


def accept_stream(
    mail: BinaryIO | None,
    recipient: str | None,
    sender: str | None,
    environment: Mapping[str, str],
    settings: Path | None,
) -> SmtpReply:
    """Accept one mail; the envelope comes from the options, else from the environment, else from the mail.

    `settings` is a file of `NAME=value` lines, since mail servers start commands with an empty environment.
    """
    try:
        raw = _read_stream(mail) if mail else b""
        if raw:
            config = _load_config(environment, settings)
            bind(config)
            return _accept(config, raw, recipient, sender, environment)
        log.error("There is no mail on standard input.")
    except ConfigError as wrong:
        log.error("%s", wrong)  # noqa: TRY400 (the sentence is enough)
    except Exception:
        log.exception("the mail could not be accepted")
    return TRY_LATER


class SyslogHandler(logging.Handler):
    """Logs to syslog, and remembers the first error as one sentence.

    Mail servers log what a command prints, and send it to the author when they give up.
    """

    def __init__(self) -> None:
        super().__init__()
        self.cause = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Log one record, line by line."""
        if record.levelno >= logging.WARNING:
            self.cause = self.cause or _cause(record)
        for line in self.format(record).splitlines():
            syslog.syslog(syslog.LOG_MAIL | syslog.LOG_WARNING, line)


def _read_stream(mail: BinaryIO) -> bytes:
    raw = mail.read(MAX_MAIL_BYTES + 1)
    while mail.read(MAX_MAIL_BYTES):
        # A mail server takes a pipe that is closed early for a failure.
        pass
    return raw


def _cause(record: logging.LogRecord) -> str:
    """Return in one line what went wrong; for a database error, only what the database answered."""
    fault = record.exc_info[1] if record.exc_info else None
    if fault is None:
        return record.getMessage()
    known = getattr(fault, "orig", None)
    said = (str(known or fault).strip().splitlines() or [""])[0].rpartition(" failed: ")[2]
    what = "The database cannot be used" if known else f"{record.getMessage()}: {type(fault).__name__}"
    return f"{what}: {said}"


def _load_config(environment: Mapping[str, str], settings: Path | None) -> Config:
    """Load the settings from a file and the environment, which mail servers leave empty."""
    try:
        settings_read = env_file.read(settings) if settings else {}
    except OSError as unread:
        raise ConfigError(f"The settings file {settings} cannot be read: {unread.strerror}.") from unread
    except UnicodeError as unread:
        raise ConfigError(f"The settings file {settings} cannot be read: it is not text.") from unread
    try:
        # This command signs nothing, and its user need not be able to read the key.
        known = {**environment, **settings_read}
        return from_environment({name: value for name, value in known.items() if not name.startswith("PBEM_DKIM_")})
    except ConfigError as wrong:
        where = f"In {settings}" if settings else "Without --settings=FILE, in the environment alone"
        raise ConfigError(f"{where}: {wrong}") from wrong


def exit_status(answer: SmtpReply) -> int:
    """Return the exit status that tells a mail server the result."""
    if answer.is_accepted:
        return os.EX_OK
    return os.EX_TEMPFAIL if answer.is_temporary else os.EX_UNAVAILABLE


def _accept(
    config: Config, raw: bytes, recipient: str | None, sender: str | None, environment: Mapping[str, str]
) -> SmtpReply:
    engine = connect(config.database_url, pool_size=1)
    try:
        # Postfix and Exim pass the envelope in variables when an alias runs a command.
        named = [environment.get(name, "") for name in ("ORIGINAL_RECIPIENT", "RECIPIENT")]
        to = recipient or next((each for each in named if is_local_address(config, each)), None)
        disk_check.check(engine, config)
        if to is None:
            return accept_delivered(engine, config, raw)
        by = environment.get("SENDER", "") if sender is None else sender
        return accept(engine, config, raw, to, "" if by.lower() in _NULL_SENDERS else by)
    finally:
        metric_store.flush(engine)
        engine.dispose()
