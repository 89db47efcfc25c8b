"""Mails about unsubscribing, and about subscribing again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.messages.kinds import MessageKind
from pbem.i18n import _

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _ask(reader: MessageContext) -> list[Block]:
    parts: list[Block] = [
        _("Which mail shall stop? Nothing has happened yet."),
        _("For no more mail about this match, reply with the words “stop match”."),
        _("For no more mail from here at all, reply with the words “stop all yes”."),
    ]
    if reader.view["board"] and not reader.view["outcome"]:
        give_up = _("Both leave you in the match. To leave it for good, reply with the word “resign”.")
        parts.append(give_up)
    return parts


def _ask_for_all(_reader: MessageContext) -> list[Block]:
    return [
        _("Shall all mail from here stop? Nothing has happened yet."),
        _("You would hear of none of your matches any more, while their clocks run on."),
        _("If that is what you want, reply with the words “stop all yes”."),
        _("For no more mail about this match alone, reply with the words “stop match”."),
    ]


def _stopped(reader: MessageContext) -> list[Block]:
    parts: list[Block] = [
        _("You get no more mail about this match of {game}, except one when it is over.", game=reader.game),
        _("You are still in it: you may go on playing by the mails you have, and what you send is answered."),
        _("To get its mail again, reply to this or any earlier mail with the word “start”."),
    ]
    return parts


def _stopped_all(_reader: MessageContext) -> list[Block]:
    return [
        _("This is the last mail to this address."),
        _("You are still in your matches, and answers to what you send do come."),
        _("To get mail again, reply to this or any earlier mail with the word “start”."),
    ]


def _subscribed_again(reader: MessageContext) -> list[Block]:
    lead = _("You are mailed again about your match of {game}.", game=reader.game)
    if reader.their_turn:
        return [lead, _("It is your turn. Reply with the word “board” to see the position.")]
    return [lead]


KINDS = (
    MessageKind("stop?", _ask, is_unredacted=True),
    MessageKind("stop all?", _ask_for_all, is_unredacted=True),
    MessageKind("stopped", _stopped, is_unredacted=True),
    MessageKind("stopped all", _stopped_all, is_unredacted=True, is_answer=True),
    MessageKind("started", _subscribed_again, is_unredacted=True),
)
