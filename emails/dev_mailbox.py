"""Reading the local mailboxes: which addresses have mail on this machine, and what it says."""

from __future__ import annotations

import re
from base64 import b64encode
from contextlib import suppress
from dataclasses import dataclass
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP, default
from email.utils import formatdate, make_msgid, parsedate_to_datetime
from html import escape, unescape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit

from emails.outbound.maildir import folder_name
from emails.parsing.reply_marker import is_marker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

MAX_LISTED_MAILS = 50
"""Maximum mails listed of a mailbox, the newest."""
_NEW_FOLDER, _CUR_FOLDER = "new", "cur"
_MAILTO = re.compile(r'href="mailto:([^"]*)"')
_HEAD = re.compile(r"<head[^>]*>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LocalMailbox:
    """The mailbox of one address: how many mails it holds, how many are unread, and when the newest arrived."""

    address: str
    path: Path
    mails: int
    unread: int
    newest: float


@dataclass(frozen=True, slots=True)
class StoredMail:
    """One mail of a mailbox; its `key` stays the same when the mail is marked as read."""

    key: str
    path: Path
    unread: bool
    arrived: float

    def message(self) -> EmailMessage:
        """Read and parse the mail."""
        message = message_from_bytes(self.path.read_bytes(), policy=default)
        if not isinstance(message, EmailMessage):  # pragma: no cover (that policy always makes one)
            raise TypeError("not a mail")
        return message


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file that is attached to a mail."""

    name: str
    kind: str
    data: bytes

    @property
    def size(self) -> int:
        """The size in bytes."""
        return len(self.data)


def list_mailboxes(root: str) -> list[LocalMailbox]:
    """List all mailboxes, the one with the newest mail first."""
    home = Path(root)
    folders = [path for path in home.iterdir() if path.is_dir()] if home.is_dir() else []
    found = []
    for path in folders:
        address = unquote(path.name)
        items = list(_iter_mails(path))
        if folder_name(address) == path.name and items:
            unread = sum(item.unread for item in items)
            found.append(LocalMailbox(address, path, len(items), unread, max(item.arrived for item in items)))
    return sorted(found, key=lambda box: (-box.newest, box.address))


def find_mailbox(root: str, address: str) -> LocalMailbox | None:
    """Find the mailbox of an address among the existing ones; the input is never used as a path."""
    return next((box for box in list_mailboxes(root) if box.address == address.lower()), None)


def list_mails(box: LocalMailbox) -> list[StoredMail]:
    """List the newest mails of a mailbox, the newest first."""
    return sorted(_iter_mails(box.path), key=lambda item: (item.arrived, item.key), reverse=True)[:MAX_LISTED_MAILS]


def find_mail(box: LocalMailbox, key: str) -> StoredMail | None:
    """Find a mail of a mailbox by its key; the input is never used as a path."""
    return next((item for item in _iter_mails(box.path) if item.key == key), None)


def mark_read(item: StoredMail) -> StoredMail:
    """Mark a mail as read, as mail programs do, and return it with its new path."""
    if not item.unread:
        return item
    folder = item.path.parent.parent / _CUR_FOLDER
    seen = folder / f"{item.key}:2,S"
    item.path.rename(seen)
    return StoredMail(item.key, seen, unread=False, arrived=item.arrived)


def _iter_mails(path: Path) -> Iterator[StoredMail]:
    for name in (_NEW_FOLDER, _CUR_FOLDER):
        folder = path / name
        for file in folder.iterdir() if folder.is_dir() else ():
            key, _, flags = file.name.partition(":2,")
            with suppress(FileNotFoundError):
                # Another process may have just marked it as read; the next listing finds it there.
                yield StoredMail(key, file, name == _NEW_FOLDER or "S" not in flags, file.stat().st_mtime)


# -- contents of a mail -----------------------------------------------------------------------------


def plain_text(message: EmailMessage) -> str:
    """Return the text part of a mail."""
    part = message.get_body(("plain",))
    return str(part.get_content()) if part else ""


def preview_line(message: EmailMessage) -> str:
    """Return the line that a list of mails shows beside the subject."""
    lines = (line.strip() for line in plain_text(message).splitlines())
    return next((line for line in lines if line and not is_marker(line)), "")


def attachments(message: EmailMessage) -> list[AttachedFile]:
    """List the attached files of a mail; the pictures in its HTML are none."""
    parts = (part for part in message.walk() if part.get_content_disposition() == "attachment")
    return [AttachedFile(part.get_filename() or "", part.get_content_type(), _file_bytes(part)) for part in parts]


def _file_bytes(part: EmailMessage) -> bytes:
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else part.as_bytes()


def sent_at(message: EmailMessage) -> datetime | None:
    """Return when a mail was sent, by its Date header."""
    try:
        return parsedate_to_datetime(str(message["Date"]))
    except (TypeError, ValueError):
        return None


def html_page(message: EmailMessage, reply: Callable[[str], str]) -> str | None:
    """Return the HTML part of a mail as a self-contained page.

    Inline pictures become data URLs; `mailto:` links lead to the page that `reply` returns for a text.
    """
    part = message.get_body(("related", "html"))
    if part is None:
        return None
    html = part.get_body(("html",)) if part.get_content_type() == "multipart/related" else part
    if html is None:
        return None
    page = str(html.get_content())
    for picture in message.walk():
        if picture.get_content_maintype() == "image" and picture["Content-ID"]:
            data = b64encode(bytes(picture.get_payload(decode=True) or b"")).decode()
            page = page.replace(
                f"cid:{str(picture['Content-ID']).strip('<>')}", f"data:{picture.get_content_type()};base64,{data}"
            )
    page = _MAILTO.sub(lambda link: f'href="{escape(reply(_mailto_body(unescape(link[1]))))}"', page)
    return _HEAD.sub(lambda head: f'{head[0]}<base target="_top">', page, count=1)


def quote_mail(message: EmailMessage) -> str:
    """Quote a mail below a reply, as mail programs do."""
    lines = "\n".join(f"> {line}".rstrip() for line in plain_text(message).rstrip().splitlines())
    return f"On {message['Date']}, {message['From']} wrote:\n{lines}\n"


def build_reply(message: EmailMessage, sender: str, typed: str) -> EmailMessage:
    """Build a reply to a mail."""
    reply = EmailMessage(policy=SMTP)
    subject = str(message["Subject"] or "")
    reply["From"] = sender
    reply["To"] = reply_recipient(message)
    reply["Subject"] = subject if subject.lower().startswith("re:") else f"Re: {subject}"
    reply["Date"] = formatdate()
    reply["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2])
    if message["Message-ID"]:
        reply["In-Reply-To"] = str(message["Message-ID"])
        reply["References"] = " ".join(filter(None, (message["References"], message["Message-ID"])))
    reply.set_content("\n".join(typed.splitlines()) + "\n")
    return reply


def reply_recipient(message: EmailMessage) -> str:
    """Return the address that a reply goes to."""
    header = message["Reply-To"] or message["From"]
    addresses = getattr(header, "addresses", ())
    return str(addresses[0].addr_spec) if addresses else ""


def _mailto_body(mailto: str) -> str:
    return parse_qs(urlsplit(f"mailto:{mailto}").query).get("body", [""])[0]
