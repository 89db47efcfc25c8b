"""Mails about unsubscribing, and about subscribing again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.messages.kinds import MessageKind
from pbem.i18n import _, marked

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _ask(reader: MessageContext) -> list[Block]:
    give_up = _("Both leave you in the match. To leave it for good, reply “resign”.")
    return [
        _("Which mail do you want to stop? Nothing has happened yet."),
        _("To get no more mail about this match, reply “stop match”."),
        _("To get no more mail from here at all, reply “stop all yes”."),
        *([give_up] if reader.view["board"] and not reader.view["outcome"] else []),
    ]


def _ask_for_all(_reader: MessageContext) -> list[Block]:
    return [
        _("Do you want to stop all mail from here? Nothing has happened yet."),
        _("You would no longer hear of any of your matches, while their clocks run on."),
        _("If that is what you want, reply “stop all yes”."),
        _("To get no more mail about this match alone, reply “stop match”."),
    ]


def _stopped(reader: MessageContext) -> list[Block]:
    return [
        _("You get no more mail about this match of {game}, except one when it is over.", game=reader.game),
        _("You are still in it: you can play on with the mails you have, and we answer what you send."),
        _("To get its mail again, reply “start” to this or any earlier mail."),
    ]


def _stopped_all(_reader: MessageContext) -> list[Block]:
    return [
        _("This is the last mail to this address."),
        _("You are still in your matches, and we still answer what you send."),
        _("To get mail again, reply “start” to this or any earlier mail."),
    ]


def _subscribed_again(reader: MessageContext) -> list[Block]:
    lead = _("You get mail about your match of {game} again.", game=reader.game)
    turn = _("It is your turn. Reply “board” to see the position.")
    return [lead, turn] if reader.their_turn else [lead]


KINDS = (
    MessageKind("stop?", _ask, subject=marked("Which mail to stop?"), is_unredacted=True),
    MessageKind("stop all?", _ask_for_all, subject=marked("Stop all mail?"), is_unredacted=True),
    MessageKind("stopped", _stopped, subject=marked("No more mail"), is_unredacted=True),
    MessageKind("stopped all", _stopped_all, subject=marked("No more mail at all"), is_unredacted=True, is_answer=True),
    MessageKind("started", _subscribed_again, subject=marked("You get mail again"), is_unredacted=True),
)
