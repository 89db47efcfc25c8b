"""Mails about what the operator did to a match or to an account."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Button, Say
from emails.messages.shared import position, reason, your_turn
from pbem.i18n import _
from pbem.play.moderation import bans
from pbem.play.operators import notify

if TYPE_CHECKING:
    from emails.content.blocks import Part
    from emails.messages.context import Reader


def _opened(reader: Reader) -> list[Part]:
    lead = _("Whoever runs this service has looked at what is hidden in this match.")
    what = _("They saw it as it stands at ply {ply}. Later cards are hidden from them, or you are told again.",
             ply=reader.view["ply"])  # fmt: skip
    stands = your_turn(reader) if reader.their_turn else position(reader)
    return [Say(lead), *reason(reader), Say(what), *stands]


def _banned(reader: Reader) -> list[Part]:
    return [
        Say(_("You are shut out of the matches at {host}.", host=reader.config.host)),
        Say(_("Whoever runs this service says: “{sentence}”", sentence=reader.facts["sentence"])),
        Say(_("You cannot sign in, move or start matches, and others play on in your stead.")),
        Say(_("If this is a mistake, write to {address}.", address=f"postmaster@{reader.config.mail_domain}")),
    ]


def _welcome_again(reader: Reader) -> list[Part]:
    return [
        Say(_("You may play at {host} again. Welcome back!", host=reader.config.host)),
        Button(_("Sign in"), f"{reader.config.base_url}/sign-in"),
    ]


def _renamed(reader: Reader) -> list[Part]:
    lead = _("You are called {name} from now on: whoever runs this service has changed your name.",
             name=reader.facts["name"])  # fmt: skip
    return [Say(lead), *reason(reader)]


def _merged(reader: Reader) -> list[Part]:
    return [
        Say(_("Your two accounts at {host} are one now.", host=reader.config.host)),
        Say(_("Its matches are those of both, and you may sign in with the addresses of both.")),
        *reason(reader),
    ]


LETTERS = {
    notify.OPENED: _opened,
    bans.KIND: _banned,
    bans.LIFTED: _welcome_again,
    notify.RENAMED: _renamed,
    notify.MERGED: _merged,
}
