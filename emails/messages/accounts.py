"""Mails about an account: a sign-in link, an address to confirm, and its deletion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Button
from emails.messages.kinds import MessageKind
from pbem.i18n import _, marked
from pbem.play.accounts import deletion, sign_in, user_agents

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _sign_in(reader: MessageContext) -> list[Block]:
    config, facts = reader.config, reader.facts
    lead = _("This link signs you in at {host}. It works once, within {count} minutes.",
             host=config.host, count=sign_in.LINK_MINUTES)  # fmt: skip
    token = sign_in.link_token(config, facts["sign in"], facts["key"])
    return [
        lead,
        Button(_("Sign in"), f"{config.base_url}/sign-in/{token}"),
        _("It was requested just now with {browser}.", browser=user_agents.describe(facts["browser"])),
        _("If that was not you, ignore this mail: nobody can sign in without it."),
    ]


def _address(reader: MessageContext) -> list[Block]:
    host, name = reader.config.host, reader.facts["name"]
    page = Button(_("This address is mine"), f"{reader.config.base_url}/address/{reader.facts['confirm']}")
    if reader.facts.get("account"):
        return [
            _("{name} wants to add this address to their account at {host}.", name=name, host=host),
            _("If that is you, open this page in a browser where you are signed in:"),
            page,
            _("If it is not you, ignore this mail: nothing will change."),
        ]
    if reader.facts.get("guest"):
        return [
            _("{name} plays at {host} as a guest and would like to get the next turns at this address.",
              name=name, host=host),
            _("If that is you, confirm it on this page. Your next turns then come by mail, and you can reply with your "
              "moves:"),
            page,
            _("If it is not you, ignore this mail: nothing will change."),
        ]  # fmt: skip
    return [
        _("{name} plays at {host} and says that this address is theirs too.", name=name, host=host),
        _("If that is you, confirm it on this page. Mail from this address can then play for you:"),
        page,
        _("If it is not you, ignore this mail. We will not write to you again."),
    ]


def _confirm_deletion(reader: MessageContext) -> list[Block]:
    config, facts = reader.config, reader.facts
    token = deletion.link_token(config, facts["player"], facts["asked"], facts["key"])
    return [
        _("Do you want to delete your account at {host}? Confirm it on this page:", host=config.host),
        Button(_("Delete my account"), f"{config.base_url}/leave/{token}"),
        _("The link works for {count} hours. Opening it changes nothing yet.", count=deletion.LINK_HOURS),
        _("If you did not ask for this, or would rather stay, ignore this mail."),
    ]


def _deleted(reader: MessageContext) -> list[Block]:
    return [
        _("Your account at {host} is deleted, and your name and addresses with it.", host=reader.config.host),
        _("The matches you finished stay for the other players, without your name."),
        _("This is our last mail to you. Thank you for playing; you are welcome back at any time."),
    ]


KINDS = (
    MessageKind(sign_in.KIND, _sign_in, subject=marked("Your sign-in link")),
    MessageKind("address", _address, subject=marked("Is this your address?")),
    MessageKind(deletion.CONFIRMATION_KIND, _confirm_deletion, subject=marked("Do you want to delete your account?")),
    MessageKind(deletion.GOODBYE_KIND, _deleted, subject=marked("Goodbye")),
)
