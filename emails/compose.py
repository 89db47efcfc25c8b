"""From a notice to the bytes of its mail; the same notice gives the same bytes, however often it is sent."""

from __future__ import annotations

from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, formataddr
from typing import TYPE_CHECKING

from emails.letters import Reader, letter
from emails.markup import as_html
from emails.parts import Board
from emails.picture import png
from emails.text import as_text
from pbem.db.models import Holder, Letter
from pbem.play import links
from pbem.words import speaking

if TYPE_CHECKING:
    from emails import parts
    from pbem.config import Config
    from pbem.db.models import Notice
    from pbem.play.table import Table

ANSWERS = {
    "receipt", "rejected", "nothing typed", "stale", "wrong sender", "board", "help", "rules", "resign?",
    "draw offered", "accepted", "invited", "declined",
}  # fmt: skip
"""The kinds of notice that answer a mail of their reader's."""


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail ready to be handed on: its envelope and its bytes."""

    sender: str
    recipient: str
    raw: bytes


def compose(table: Table, notice: Notice) -> Mail:
    """Write the mail of a notice."""
    if notice.kind == "letter":
        return _forwarded(table, notice)
    holder = table.session.get_one(Holder, notice.holder_id)
    config, facts = table.config, notice.facts
    link, reply = (
        links.token_of(table, holder, kind, notice.ply or 0, facts["key"]) for kind in (links.LINK, links.REPLY)
    )
    message = _begun(notice, config, facts["name"])
    message["Reply-To"] = formataddr(("Slow games", config.reply_address(reply)))
    with speaking(holder.player.language):
        content = letter(notice.kind, Reader(facts, config, link, reply))
        message["Subject"] = content.subject
        _thread(message, notice, config)
        message["Auto-Submitted"] = "auto-replied" if notice.kind in ANSWERS else "auto-generated"
        message["List-Id"] = f"<{facts['game']}.{config.mail_domain}>"
        _fill(message, content, notice)
    return Mail(config.service_address, notice.recipient, message.as_bytes())


def _forwarded(table: Table, notice: Notice) -> Mail:
    """Write the mail that brings a letter to whoever runs the service."""
    facts = notice.facts
    original = table.session.get_one(Letter, facts["letter"])
    message = _begun(notice, table.config, "Operator")
    message["Subject"] = f"A letter to {facts['recipient']}"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(f"{facts['sender']} wrote to {facts['recipient']}. The letter is attached as it came.\n")
    message.add_attachment(original.raw, "application", "octet-stream", filename="letter.eml")
    message.set_boundary(f"letter-{original.id}")
    return Mail(table.config.service_address, notice.recipient, message.as_bytes())


def _begun(notice: Notice, config: Config, name: str) -> EmailMessage:
    """Begin a mail with the headers that all have."""
    message = EmailMessage(policy=SMTP)
    message["From"] = formataddr(("Slow games", config.service_address))
    message["To"] = formataddr((name, notice.recipient))
    message["Date"] = format_datetime(notice.created_at)
    message["Message-ID"] = notice.message_id
    message["X-Auto-Response-Suppress"] = "All"
    return message


def _thread(message: EmailMessage, notice: Notice, config: Config) -> None:
    root = f"<match.{notice.match_id}.{notice.facts['seat']}@{config.mail_domain}>"
    message["In-Reply-To"] = notice.answers or root
    message["References"] = f"{root} {notice.answers}" if notice.answers else root


def _fill(message: EmailMessage, content: parts.Letter, notice: Notice) -> None:
    name = notice.message_id.strip("<>").partition("@")[0]
    picture = f"board.{name}"
    message.set_content(as_text(content.parts))
    message.add_alternative(as_html(content.subject, content.parts, picture), subtype="html")
    board = next((part for part in content.parts if isinstance(part, Board)), None)
    if board:
        html = list(message.iter_parts())[1]
        html.add_related(png(board.svg), "image", "png", cid=f"<{picture}>", filename="board.png", disposition="inline")
        html.set_boundary(f"related-{name}")
    message.set_boundary(f"alternative-{name}")
