"""Mails about unsubscribing, and about subscribing again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Say
from pbem.i18n import _

if TYPE_CHECKING:
    from emails.content.blocks import Part
    from emails.messages.context import Reader


def _ask(reader: Reader) -> list[Part]:
    parts: list[Part] = [
        Say(_("Which mail shall stop? Nothing has happened yet.")),
        Say(_("For no more mail about this match, reply with the words “stop match”.")),
        Say(_("For no more mail from here at all, reply with the words “stop all yes”.")),
    ]
    if reader.view["board"] and not reader.view["outcome"]:
        give_up = _("Both leave you in the match. To leave it for good, reply with the word “resign”.")
        parts.append(Say(give_up))
    return parts


def _ask_for_all(_reader: Reader) -> list[Part]:
    return [
        Say(_("Shall all mail from here stop? Nothing has happened yet.")),
        Say(_("You would hear of none of your matches any more, while their clocks run on.")),
        Say(_("If that is what you want, reply with the words “stop all yes”.")),
        Say(_("For no more mail about this match alone, reply with the words “stop match”.")),
    ]


def _stopped(reader: Reader) -> list[Part]:
    parts: list[Part] = [
        Say(_("You get no more mail about this match of {game}, except one when it is over.", game=reader.game)),
        Say(_("You are still in it: you may go on playing by the mails you have, and what you send is answered.")),
        Say(_("To get its mail again, reply to this or any earlier mail with the word “start”.")),
    ]
    return parts


def _stopped_all(_reader: Reader) -> list[Part]:
    return [
        Say(_("This is the last mail to this address.")),
        Say(_("You are still in your matches, and answers to what you send do come.")),
        Say(_("To get mail again, reply to this or any earlier mail with the word “start”.")),
    ]


def _started(reader: Reader) -> list[Part]:
    lead = _("You are mailed again about your match of {game}.", game=reader.game)
    if reader.their_turn:
        return [Say(lead), Say(_("It is your turn. Reply with the word “board” to see the position."))]
    return [Say(lead)]


LETTERS = {
    "stop?": _ask,
    "stop all?": _ask_for_all,
    "stopped": _stopped,
    "stopped all": _stopped_all,
    "started": _started,
}
