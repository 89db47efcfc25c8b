"""Mails about what the operator did to a match or to an account."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Button
from emails.messages.kinds import MessageKind
from emails.messages.shared import current_position, operator_reason
from pbem.i18n import _, marked
from pbem.play.moderation import bans
from pbem.play.operators import notify

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _hidden_state_revealed(reader: MessageContext) -> list[Block]:
    return [
        _("The operator has looked at what is hidden in this match."),
        *operator_reason(reader),
        _("They saw the position at move {ply}. If they look again later, we tell you again.", ply=reader.view["ply"]),
        *current_position(reader),
    ]


def _banned(reader: MessageContext) -> list[Block]:
    return [
        _("You are banned from the matches at {host}.", host=reader.config.host),
        _("The operator says: “{sentence}”", sentence=reader.facts["sentence"]),
        _("You cannot sign in, move or start matches, and others play on in your place."),
        _("If this is a mistake, write to {address}.", address=f"postmaster@{reader.config.mail_domain}"),
    ]


def _ban_lifted(reader: MessageContext) -> list[Block]:
    return [
        _("You may play at {host} again. Welcome back!", host=reader.config.host),
        Button(_("Sign in"), f"{reader.config.base_url}/sign-in"),
    ]


def _renamed(reader: MessageContext) -> list[Block]:
    return [_("The operator has changed your name to {name}.", name=reader.facts["name"]), *operator_reason(reader)]


def _merged(reader: MessageContext) -> list[Block]:
    return [
        _("The operator has merged your two accounts at {host}.", host=reader.config.host),
        _("You keep the matches of both, and you can sign in with the addresses of both."),
        *operator_reason(reader),
    ]


KINDS = (
    MessageKind(
        notify.REVEALED,
        _hidden_state_revealed,
        subject=marked("The operator has looked"),
        summary=marked("The operator has looked at what is hidden in your match of {game}."),
        is_previewed=True,
    ),
    MessageKind(bans.BANNED_MAIL, _banned, subject=marked("You are banned")),
    MessageKind(bans.LIFTED_MAIL, _ban_lifted, subject=marked("You may play again")),
    MessageKind(notify.RENAMED, _renamed, subject=marked("Your name")),
    MessageKind(notify.MERGED, _merged, subject=marked("Your accounts")),
)
