"""Mails about the chat of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Links
from emails.messages.kinds import MessageKind
from emails.messages.shared import brief_ending, chat_lines
from pbem.i18n import _, marked

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _chat_message(reader: MessageContext) -> list[Block]:
    names = list(dict.fromkeys(one["name"] for one in reader.facts["talk"]))
    lead = _("{name} wrote to the table.", name=names[-1]) if names else _("There is a new message at your table.")
    how = _("To answer, reply “say” followed by your message.")
    page = Links(((_("All messages; mute or report somebody"), f"{reader.turn_page}/talk"),))
    return [lead, *chat_lines(reader), how, *brief_ending(reader), page]


def _message_sent(reader: MessageContext) -> list[Block]:
    return [_("Your message went to the table."), *chat_lines(reader), *brief_ending(reader)]


def _message_refused(reader: MessageContext) -> list[Block]:
    return [_("Your message was not sent."), reader.facts["reason"], *brief_ending(reader)]


def _ask_to_share(reader: MessageContext) -> list[Block]:
    return [
        _("Your move was played. May the table read what you write below your moves?"),
        _("This time you wrote: “{text}” Nobody has read it yet.", text=reader.facts["words"]),
        _(
            "Reply “yes” to send it to {others} with the next mail, and what you write below later moves too. Reply "
            "“no”, or not at all, to keep it to yourself. We ask only once per match.",
            others=reader.others,
        ),
        *brief_ending(reader),
    ]


def _sharing_on(reader: MessageContext) -> list[Block]:
    return [
        _("From now on what you write below your moves goes to {others}.", others=reader.others),
        *([_("What you wrote last goes with the next mail.")] if reader.facts["waited"] else []),
        _("Your signature is left out. If you change your mind, reply “no”."),
        *brief_ending(reader),
    ]


def _sharing_off(reader: MessageContext) -> list[Block]:
    return [
        _("Nobody reads what you write below your moves."),
        _("To write to the table, reply “say” followed by your message."),
        _("If you change your mind, reply “yes”."),
        *brief_ending(reader),
    ]


def _muted(reader: MessageContext) -> list[Block]:
    name = reader.facts["whom"]
    lead = _("You no longer get messages from {name}, at any table. {name} does not see this.", name=name)
    return [lead, _("To hear {name} again, reply “unmute {name}”.", name=name), *brief_ending(reader)]


def _unmuted(reader: MessageContext) -> list[Block]:
    return [_("You get messages from {name} again.", name=reader.facts["whom"]), *brief_ending(reader)]


def _reported(reader: MessageContext) -> list[Block]:
    name = reader.facts["whom"]
    lead = _("Thank you. The operator will read your report; {name} and the table do not see it.", name=name)
    mute = _("To get no more messages from {name}, reply “mute {name}”.", name=name)
    return [lead, mute, *brief_ending(reader)]


def _name_needed(reader: MessageContext) -> list[Block]:
    lead = _("Nothing was done. Add the name of the player you mean.")
    return [lead, _("With you at the table: {others}.", others=reader.others), *brief_ending(reader)]


def _report_to_operator(reader: MessageContext) -> list[Block]:
    """Build the report of a message for the operator, who alone gets the addresses."""
    facts = reader.facts
    by, about = (f"{name} <{email}>" for name, email in (facts["by"], facts["about"]))
    said = [f"What was said: “{facts['said']}”"] if facts["said"] else []
    wrote = [f"{facts['by'][0]} writes: {facts['text']}"] if facts["text"] else []
    return [f"{by} reports {about}, in match {facts['match']}.", *said, *wrote]


KINDS = (
    MessageKind(
        "said",
        _chat_message,
        subject=marked("New message"),
        summary=marked("There is a new message at your table of {game}."),
    ),
    MessageKind(
        "said so",
        _message_sent,
        subject=marked("Message sent"),
        summary=marked("Your message went to the table of {game}."),
    ),
    MessageKind("not said", _message_refused, subject=marked("Message not sent"), is_unredacted=True),
    MessageKind(
        "talks?",
        _ask_to_share,
        subject=marked("May the table read your words?"),
        summary=marked(
            "Your move in {game} was played. May the table read what you write below your moves? Reply “yes” or “no”."
        ),
    ),
    MessageKind("talks", _sharing_on, subject=marked("The table reads your words"), is_unredacted=True),
    MessageKind("talks not", _sharing_off, subject=marked("Your words stay private"), is_unredacted=True),
    MessageKind("muted", _muted, subject=marked("Muted"), is_unredacted=True),
    MessageKind("unmuted", _unmuted, subject=marked("No longer muted"), is_unredacted=True),
    MessageKind("reported", _reported, subject=marked("Thank you for your report"), is_unredacted=True),
    MessageKind("whom?", _name_needed, subject=marked("Nothing was done"), is_unredacted=True),
    MessageKind("report", _report_to_operator, subject=marked("A report from a table")),
)
