"""Mails to an address that somebody claims as theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Button
from emails.messages.kinds import MessageKind
from pbem.i18n import _, marked

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _address(reader: MessageContext) -> list[Block]:
    host, facts = reader.config.host, reader.facts
    if facts.get("account"):
        return _address_of_account(reader)
    lead = _("{name} plays at {host} and says that this address is theirs too.", name=facts["name"], host=host)
    page = f"{reader.config.base_url}/address/{facts['confirm']}"
    return [
        lead,
        _("If that is you, say so on this page; mails from here may then play for you:"),
        Button(_("This address is mine"), page),
        _("If it is not, do nothing. You are not written to again."),
    ]


def _address_of_account(reader: MessageContext) -> list[Block]:
    host, facts = reader.config.host, reader.facts
    return [
        _("{name} wants to add this address to their account at {host}.", name=facts["name"], host=host),
        _("If that is you, open this page in a browser where you are signed in:"),
        Button(_("This address is mine"), f"{reader.config.base_url}/address/{facts['confirm']}"),
        _("If it is not you, do nothing: then nothing changes."),
    ]


KINDS = (MessageKind("address", _address, subject=marked("Is this your address?")),)
