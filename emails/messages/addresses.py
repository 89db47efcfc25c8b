"""Mails to an address that somebody claims as theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Button, Say
from pbem.i18n import _

if TYPE_CHECKING:
    from emails.content.blocks import Part
    from emails.messages.context import Reader


def _address(reader: Reader) -> list[Part]:
    host, facts = reader.config.host, reader.facts
    if facts.get("account"):
        return _account(reader)
    lead = _("{name} plays at {host} and says that this address is theirs too.", name=facts["name"], host=host)
    page = f"{reader.config.base_url}/address/{facts['confirm']}"
    return [
        Say(lead),
        Say(_("If that is you, say so on this page; mails from here may then play for you:")),
        Button(_("This address is mine"), page),
        Say(_("If it is not, do nothing. You are not written to again.")),
    ]


def _account(reader: Reader) -> list[Part]:
    host, facts = reader.config.host, reader.facts
    return [
        Say(_("{name} wants to add this address to their account at {host}.", name=facts["name"], host=host)),
        Say(_("If that is you, open this page in a browser where you are signed in:")),
        Button(_("This address is mine"), f"{reader.config.base_url}/address/{facts['confirm']}"),
        Say(_("If it is not you, do nothing: then nothing changes.")),
    ]


LETTERS = {"address": _address}
