"""The letter that brings a link to sign in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.parts import Button, Say
from pbem.play import browsers, signing_in
from pbem.words import _

if TYPE_CHECKING:
    from emails.letters.reader import Reader
    from emails.parts import Part


def _sign_in(reader: Reader) -> list[Part]:
    config, facts = reader.config, reader.facts
    page = f"{config.base_url}/sign-in/{signing_in.signed(config, facts['sign in'], facts['key'])}"
    lead = _("This link signs you in at {host}, once, for {count} minutes.", host=config.host, count=signing_in.MINUTES)
    return [
        Say(lead),
        Button(_("Sign in"), page),
        Say(_("Somebody asked for it just now with {browser}.", browser=browsers.named(facts["browser"]))),
        Say(_("If that was not you, do nothing: without this mail nobody gets in.")),
    ]


LETTERS = {signing_in.KIND: _sign_in}
