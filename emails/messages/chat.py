"""Mails about the chat of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Links
from emails.messages.endings import brief_ending
from emails.messages.kinds import MessageKind
from emails.messages.shared import chat_lines
from pbem.i18n import _, marked

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _chat_message(reader: MessageContext) -> list[Block]:
    names = list(dict.fromkeys(one["name"] for one in reader.facts["talk"]))
    lead = _("{name} says something to the table.", name=names[-1]) if names else _("Something was said at your table.")
    how = _("To answer, reply with the word “say” and your words behind it.")
    page = Links(((_("All that was said; mute or report somebody"), f"{reader.turn_page}/talk"),))
    return [lead, *chat_lines(reader), how, *brief_ending(reader), page]


def _message_sent(reader: MessageContext) -> list[Block]:
    return [_("Your words went to the table."), *chat_lines(reader), *brief_ending(reader)]


def _message_refused(reader: MessageContext) -> list[Block]:
    return [_("Nothing went to the table."), reader.facts["reason"], *brief_ending(reader)]


def _ask_to_share(reader: MessageContext) -> list[Block]:
    lead = _("Your move was played. Shall the table read what you write below your moves?")
    wrote = _("This time you wrote: “{text}” Nobody has read it yet.", text=reader.facts["words"])
    how = _(
        "Reply with the word “yes” and it goes to {others} with the next mail, and so do the words below your later "
        "moves. Reply with “no”, or not at all, and nobody reads them. You are asked only once in this match.",
        others=reader.others,
    )
    return [lead, wrote, how, *brief_ending(reader)]


def _sharing_on(reader: MessageContext) -> list[Block]:
    lead = _("From now on what you write below your moves goes to {others}.", others=reader.others)
    waited = [_("What you wrote last goes with the next mail.")] if reader.facts["waited"] else []
    how = _("Your signature stays behind. If you change your mind, reply with the word “no”.")
    return [lead, *waited, how, *brief_ending(reader)]


def _sharing_off(reader: MessageContext) -> list[Block]:
    lead = _("Nobody reads what you write below your moves.")
    how = _("To say something to the table, reply with the word “say” and your words behind it.")
    again = _("If you change your mind, reply with the word “yes”.")
    return [lead, how, again, *brief_ending(reader)]


def _muted(reader: MessageContext) -> list[Block]:
    name = reader.facts["whom"]
    lead = _("You are told nothing more of what {name} says, at any table. {name} is not told of this.", name=name)
    return [lead, _("To hear {name} again, reply “unmute {name}”.", name=name), *brief_ending(reader)]


def _unmuted(reader: MessageContext) -> list[Block]:
    return [_("You are told again what {name} says.", name=reader.facts["whom"]), *brief_ending(reader)]


def _reported(reader: MessageContext) -> list[Block]:
    lead = _("Thank you. Whoever runs this service will read it; {name} and the table are not told.",
             name=reader.facts["whom"])  # fmt: skip
    mute = _("To be told nothing more of what {name} says, reply “mute {name}”.", name=reader.facts["whom"])
    return [lead, mute, *brief_ending(reader)]


def _name_needed(reader: MessageContext) -> list[Block]:
    lead = _("Nothing was done: say whom you mean, by name.")
    return [lead, _("With you at the table: {others}.", others=reader.others), *brief_ending(reader)]


def _report_to_operator(reader: MessageContext) -> list[Block]:
    """Build the report of a message for the operator, who alone gets the addresses."""
    facts = reader.facts
    by, about = (f"{name} <{email}>" for name, email in (facts["by"], facts["about"]))
    said = [f"What was said: “{facts['said']}”"] if facts["said"] else []
    wrote = [f"{facts['by'][0]} writes: {facts['text']}"] if facts["text"] else []
    return [f"{by} reports {about}, in match {facts['match']}.", *said, *wrote]


KINDS = (
    MessageKind("said", _chat_message, summary=marked("Something was said at your table of {game}.")),
    MessageKind("said so", _message_sent, summary=marked("Your words went to the table of {game}.")),
    MessageKind("not said", _message_refused, is_unredacted=True),
    MessageKind(
        "talks?",
        _ask_to_share,
        summary=marked(
            "Your move in {game} was played. Shall the table read what you write below your moves? "
            "Reply with “yes” or “no”."
        ),
    ),
    MessageKind("talks", _sharing_on, is_unredacted=True),
    MessageKind("talks not", _sharing_off, is_unredacted=True),
    MessageKind("muted", _muted, is_unredacted=True),
    MessageKind("unmuted", _unmuted, is_unredacted=True),
    MessageKind("reported", _reported, is_unredacted=True),
    MessageKind("whom?", _name_needed, is_unredacted=True),
    MessageKind("report", _report_to_operator, subject=marked("A report from a table")),
)
