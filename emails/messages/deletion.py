"""Mails about the deletion of an account: the confirmation, and the goodbye."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Button, Say
from pbem.i18n import _
from pbem.play.accounts import deletion

if TYPE_CHECKING:
    from emails.content.blocks import Part
    from emails.messages.context import Reader


def _sure(reader: Reader) -> list[Part]:
    config, facts = reader.config, reader.facts
    signed = deletion.signed(config, facts["player"], facts["asked"], facts["key"])
    return [
        Say(_("You want to leave {host} for good? This page does it, at the press of a button:", host=config.host)),
        Button(_("Leave for good"), f"{config.base_url}/leave/{signed}"),
        Say(_("It holds for {count} hours. Opening it changes nothing yet.", count=deletion.HOURS)),
        Say(_("If it was not you who asked, or if you would rather stay, do nothing.")),
    ]


def _done(reader: Reader) -> list[Part]:
    return [
        Say(
            _(
                "It is done: your account at {host} is deleted, and your name and addresses with it.",
                host=reader.config.host,
            )
        ),
        Say(_("The matches that you finished stay for those who played them with you, without your name.")),
        Say(
            _("This is the last mail that you get from here. Thank you for playing; you are welcome again at any time.")
        ),
    ]


LETTERS = {deletion.KIND: _sure, deletion.PARTED: _done}
