"""Mails about what the operator did to a match or to an account."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Button
from emails.messages.kinds import MessageKind
from emails.messages.shared import operator_reason, position, your_turn
from pbem.i18n import _, marked
from pbem.play.moderation import bans
from pbem.play.operators import notify

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _hidden_state_revealed(reader: MessageContext) -> list[Block]:
    lead = _("Whoever runs this service has looked at what is hidden in this match.")
    what = _("They saw it as it stands at ply {ply}. Later cards are hidden from them, or you are told again.",
             ply=reader.view["ply"])  # fmt: skip
    stands = your_turn(reader) if reader.their_turn else position(reader)
    return [lead, *operator_reason(reader), what, *stands]


def _banned(reader: MessageContext) -> list[Block]:
    return [
        _("You are shut out of the matches at {host}.", host=reader.config.host),
        _("Whoever runs this service says: “{sentence}”", sentence=reader.facts["sentence"]),
        _("You cannot sign in, move or start matches, and others play on in your stead."),
        _("If this is a mistake, write to {address}.", address=f"postmaster@{reader.config.mail_domain}"),
    ]


def _ban_lifted(reader: MessageContext) -> list[Block]:
    return [
        _("You may play at {host} again. Welcome back!", host=reader.config.host),
        Button(_("Sign in"), f"{reader.config.base_url}/sign-in"),
    ]


def _renamed(reader: MessageContext) -> list[Block]:
    lead = _("You are called {name} from now on: whoever runs this service has changed your name.",
             name=reader.facts["name"])  # fmt: skip
    return [lead, *operator_reason(reader)]


def _merged(reader: MessageContext) -> list[Block]:
    return [
        _("Your two accounts at {host} are one now.", host=reader.config.host),
        _("Its matches are those of both, and you may sign in with the addresses of both."),
        *operator_reason(reader),
    ]


KINDS = (
    MessageKind(
        notify.REVEALED,
        _hidden_state_revealed,
        summary=marked("Whoever runs this service has looked at what is hidden in your match of {game}."),
        is_previewed=True,
    ),
    MessageKind(bans.BANNED_MAIL, _banned, subject=marked("You are shut out")),
    MessageKind(bans.LIFTED_MAIL, _ban_lifted, subject=marked("You may play again")),
    MessageKind(notify.RENAMED, _renamed, subject=marked("Your name")),
    MessageKind(notify.MERGED, _merged, subject=marked("Your accounts")),
)
