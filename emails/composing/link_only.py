"""Link-only mails, for players who want no secrets in their mailbox: one sentence and the link."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Block, Button, MailContent
from emails.messages import subjects
from emails.messages.shared import deadline
from pbem.i18n import _

if TYPE_CHECKING:
    from emails.messages import MessageContext, MessageKind


def summary(kind: MessageKind, reader: MessageContext) -> str:
    """Return what a mail is about, without anything that only its reader may know."""
    return _(kind.summary, game=reader.game)


def redact(kind: MessageKind, reader: MessageContext, content: MailContent) -> MailContent:
    """Reduce a mail to one sentence and the link, without hands, boards and moves."""
    if kind.is_unredacted:
        return content
    turn = [_("It is your turn.")] if reader.their_turn and kind.name != "turn" else []
    page = Button(_("Look at the match"), reader.turn_page)
    due = deadline(reader) if reader.their_turn else []
    parts: tuple[Block, ...] = (" ".join([summary(kind, reader), *turn]), page, *due)
    return MailContent(subjects.redacted_subject(kind, reader), parts, content.proof)
