"""The mail with a sign-in link."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Button
from emails.messages.kinds import MessageKind
from pbem.i18n import _, marked
from pbem.play.accounts import sign_in, user_agents

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _sign_in(reader: MessageContext) -> list[Block]:
    config, facts = reader.config, reader.facts
    page = f"{config.base_url}/sign-in/{sign_in.link_token(config, facts['sign in'], facts['key'])}"
    lead = _(
        "This link signs you in at {host}, once, for {count} minutes.", host=config.host, count=sign_in.LINK_MINUTES
    )
    return [
        lead,
        Button(_("Sign in"), page),
        _("Somebody asked for it just now with {browser}.", browser=user_agents.describe(facts["browser"])),
        _("If that was not you, do nothing: without this mail nobody gets in."),
    ]


KINDS = (MessageKind(sign_in.KIND, _sign_in, subject=marked("Your link to sign in")),)
