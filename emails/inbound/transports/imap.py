"""Inbound mail from a mailbox at a mail provider, polled by IMAP."""

from __future__ import annotations

import imaplib
import logging
import re
import ssl
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlsplit

from sqlalchemy.dialects.postgresql import insert

from emails.inbound.accept import accept_delivered
from emails.inbound.smtp_replies import TOO_LARGE
from emails.parsing.limits import MAX_MAIL_BYTES
from pbem.db.models import ImapCursor
from pbem.play.core.context import transaction

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from urllib.parse import SplitResult

    from sqlalchemy import Engine

    from emails.inbound.smtp_replies import SmtpReply
    from pbem.config import Config

log = logging.getLogger(__name__)

TIMEOUT_SECONDS = 30
"""Timeout of the mail provider, in seconds."""
MAX_MAILS_PER_POLL = 200
"""Maximum mails per poll; the others follow in the next ones."""

_SIZE = re.compile(rb"RFC822\.SIZE (\d+)")


class PollError(Exception):
    """The mail provider refused a command; nothing is lost, and the next poll tries again."""


def poll(engine: Engine, config: Config, url: str) -> int:
    """Accept the mails that arrived since the last poll; return how many were accepted or refused for good.

    A mail is marked as read, or moved to the folder in the URL (`?move=Taken`), only after it was stored. How far the
    mailbox has been read is stored too; mails that must wait are tried again by the next poll.
    """
    split = urlsplit(url)
    box, move = _mailbox_name(split), parse_qs(split.query).get("move", [None])[0]
    name = f"{split.scheme}://{split.username}@{split.hostname}/{box}"
    settled, waiting = 0, False
    with _connection(split) as imap:
        validity = _select(imap, box)
        last = _last_uid(engine, config, name, validity)
        for uid in _new_uids(imap, last)[:MAX_MAILS_PER_POLL]:
            answer = _accept(engine, config, imap, uid)
            if answer.is_temporary:
                log.warning("mail %s of %s must wait: %s", uid, name, answer)
                waiting = True
                continue
            if answer.is_accepted:
                _mark_read(imap, uid, move)
            else:
                log.warning("mail %s of %s was refused: %s", uid, name, answer)
            settled += 1
            if not waiting:
                _store_last_uid(engine, config, name, validity, uid)
    return settled


def check_mailbox(url: str) -> int:
    """Check that a mailbox can be opened, without changing it, and return how many mails it holds."""
    split = urlsplit(url)
    with _connection(split) as imap:
        return int(_require_ok(imap.select(_quote(_mailbox_name(split)), readonly=True))[0] or 0)


@contextmanager
def _connection(split: SplitResult) -> Iterator[imaplib.IMAP4]:
    context = ssl.create_default_context()
    host = split.hostname or ""
    imap: imaplib.IMAP4
    if split.scheme == "imaps":
        imap = imaplib.IMAP4_SSL(host, split.port or 993, ssl_context=context, timeout=TIMEOUT_SECONDS)
    else:
        imap = imaplib.IMAP4(host, split.port or 143, timeout=TIMEOUT_SECONDS)
    try:
        if split.scheme == "imap" and "STARTTLS" in imap.capabilities:
            imap.starttls(context)
        imap.login(unquote(split.username or ""), unquote(split.password or ""))
        yield imap
    except imaplib.IMAP4.error as refused:
        raise PollError(_response_text(refused.args)) from refused
    finally:
        with suppress(OSError, imaplib.IMAP4.error):
            imap.logout()


def _select(imap: imaplib.IMAP4, box: str) -> int:
    _require_ok(imap.select(_quote(box)))
    validity = imap.response("UIDVALIDITY")[1][0]
    if not isinstance(validity, bytes):
        raise PollError("the server names no UIDVALIDITY")
    return int(validity)


def _mailbox_name(split: SplitResult) -> str:
    return unquote(split.path.strip("/")) or "INBOX"


def _quote(box: str) -> str:
    quoted = box.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}"'


def _new_uids(imap: imaplib.IMAP4, last: int) -> list[int]:
    found = _require_ok(imap.uid("SEARCH", f"UID {last + 1}:*"))
    # The server returns the last mail even if its UID is lower.
    return sorted(uid for uid in map(int, (found[0] or b"").split()) if uid > last)


def _accept(engine: Engine, config: Config, imap: imaplib.IMAP4, uid: int) -> SmtpReply:
    size = _SIZE.search(repr(_require_ok(imap.uid("FETCH", str(uid), "(RFC822.SIZE)"))).encode())
    if size and int(size[1]) > MAX_MAIL_BYTES:
        return TOO_LARGE
    parts = _require_ok(imap.uid("FETCH", str(uid), "(BODY.PEEK[])"))
    raw = next((part[1] for part in parts if isinstance(part, tuple)), b"")
    return accept_delivered(engine, config, raw)


def _mark_read(imap: imaplib.IMAP4, uid: int, move: str | None) -> None:
    """Mark a stored mail as read; if that fails, the mail is recognised as a copy by the next poll."""
    imap.uid("STORE", str(uid), "+FLAGS.SILENT", "(\\Seen)")
    if move:
        copied, _ = imap.uid("COPY", str(uid), f'"{move}"')
        if copied == "OK":
            imap.uid("STORE", str(uid), "+FLAGS.SILENT", "(\\Deleted)")
            imap.expunge()


def _response_text(parts: Iterable[Any]) -> str:
    """Return a server's response as text, whether its parts are bytes or not."""
    return " ".join(one.decode("utf-8", "replace") if isinstance(one, bytes) else str(one) for one in parts)


def _require_ok(answer: tuple[str, Any]) -> list[Any]:
    status, data = answer
    if status != "OK":
        raise PollError(_response_text(data))
    return list(data)


def _last_uid(engine: Engine, config: Config, name: str, validity: int) -> int:
    with transaction(engine, config) as ctx:
        known = ctx.session.get(ImapCursor, name)
        return known.last_uid if known and known.uid_validity == validity else 0


def _store_last_uid(engine: Engine, config: Config, name: str, validity: int, uid: int) -> None:
    with transaction(engine, config) as ctx:
        row = {"uid_validity": validity, "last_uid": uid}
        written = insert(ImapCursor).values(mailbox=name, **row)
        ctx.session.execute(written.on_conflict_do_update(index_elements=["mailbox"], set_=row))
