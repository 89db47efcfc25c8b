"""Mails about the deletion of an account: the confirmation, and the goodbye."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Button
from emails.messages.kinds import MessageKind
from pbem.i18n import _, marked
from pbem.play.accounts import deletion

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _confirm_deletion(reader: MessageContext) -> list[Block]:
    config, facts = reader.config, reader.facts
    signed = deletion.link_token(config, facts["player"], facts["asked"], facts["key"])
    return [
        _("You want to leave {host} for good? This page does it, at the press of a button:", host=config.host),
        Button(_("Leave for good"), f"{config.base_url}/leave/{signed}"),
        _("It holds for {count} hours. Opening it changes nothing yet.", count=deletion.LINK_HOURS),
        _("If it was not you who asked, or if you would rather stay, do nothing."),
    ]


def _deleted(reader: MessageContext) -> list[Block]:
    return [
        _(
            "It is done: your account at {host} is deleted, and your name and addresses with it.",
            host=reader.config.host,
        ),
        _("The matches that you finished stay for those who played them with you, without your name."),
        _("This is the last mail that you get from here. Thank you for playing; you are welcome again at any time."),
    ]


KINDS = (
    MessageKind(deletion.CONFIRMATION_KIND, _confirm_deletion, subject=marked("Do you want to leave?")),
    MessageKind(deletion.GOODBYE_KIND, _deleted, subject=marked("Goodbye")),
)
