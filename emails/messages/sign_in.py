"""The mail with a sign-in link."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Button, Say
from pbem.i18n import _
from pbem.play.accounts import sign_in, user_agents

if TYPE_CHECKING:
    from emails.content.blocks import Part
    from emails.messages.context import Reader


def _sign_in(reader: Reader) -> list[Part]:
    config, facts = reader.config, reader.facts
    page = f"{config.base_url}/sign-in/{sign_in.signed(config, facts['sign in'], facts['key'])}"
    lead = _("This link signs you in at {host}, once, for {count} minutes.", host=config.host, count=sign_in.MINUTES)
    return [
        Say(lead),
        Button(_("Sign in"), page),
        Say(_("Somebody asked for it just now with {browser}.", browser=user_agents.named(facts["browser"]))),
        Say(_("If that was not you, do nothing: without this mail nobody gets in.")),
    ]


LETTERS = {sign_in.KIND: _sign_in}
