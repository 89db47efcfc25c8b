"""Mails about resigning, and about offers that all players must accept."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from emails.content.blocks import Button
from emails.messages.kinds import MessageKind
from emails.messages.shared import operator_reason, position, your_turn
from pbem.i18n import _, marked
from pbem.play.inbox import commands
from pbem.play.offers import wording

if TYPE_CHECKING:
    from collections.abc import Mapping

    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _resign(reader: MessageContext) -> list[Block]:
    lead = _("Do you want to resign? Nothing has happened yet.")
    then = _("To give up this match for good, reply with the words “resign yes” alone on the first line.")
    return [lead, then, *position(reader)]


def _offer(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    known = commands.by_name()
    how = _(
        "To agree, reply with “{word}” alone on the first line; if you would rather not, with “{no}”. "
        "It stands until somebody moves.",
        word=known[facts["offer"]].word,
        no=known["no"].word,
    )
    lead = wording.proposal_text(facts["offer"], facts["by"], facts["detail"])
    page = Button(_("Agree or refuse on its page"), f"{reader.turn_page}/agreements")
    return [lead, how, page, *_current_position(reader)]


def _answered(reader: MessageContext) -> list[Block]:
    return [reader.facts["came"], *_current_position(reader)]


def _offer_refused(reader: MessageContext) -> list[Block]:
    return [wording.declined_text(reader.facts["offer"], reader.facts["by"]), *_current_position(reader)]


def _not_agreed(reader: MessageContext) -> list[Block]:
    # The reason may reveal a move, so it is not in the first sentence, which inboxes show.
    return [_("Nothing was done."), reader.facts["reason"], *_current_position(reader)]


def _takeback(reader: MessageContext) -> list[Block]:
    return [takeback_sentence(reader.facts["took"], reader.facts["seat"]), *_current_position(reader)]


def _paused(reader: MessageContext) -> list[Block]:
    until = datetime.fromisoformat(reader.facts["until"])
    operated = _("Whoever runs this service has stopped the clocks for a while.")
    lead = operated if reader.facts.get("operated") else _("Everybody agrees to stop the clocks for a while.")
    how = _("Moves are welcome all the same. To let the clocks go on sooner, reply with the word “{word}”.",
            word=commands.by_name()["resume"].word)  # fmt: skip
    if reader.facts.get("operated"):
        how = _("Moves are welcome all the same.")
    return [lead, *operator_reason(reader), wording.pause_text(until, reader.zone), how, *_current_position(reader)]


def _resumed(reader: MessageContext) -> list[Block]:
    if reader.facts.get("operated"):
        lead = _("Whoever runs this service has let the clocks of this match go on.")
        return [lead, *operator_reason(reader), *_current_position(reader)]
    return [
        _("The clocks of this match go on: {name} has said so.", name=reader.facts["by"]),
        *_current_position(reader),
    ]


def _extended(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    name, own = reader.names[facts["whose"] - 1], facts["whose"] == facts["seat"]
    lead = wording.extension_text(name, facts["days"], facts.get("giver", ""), own=own)
    return [lead, *operator_reason(reader), *_current_position(reader)]


def takeback_sentence(took: Mapping[str, Any], seat: int) -> str:
    """Return the sentence about a takeback for a seat."""
    return wording.takeback_text(took["name"], own=took["seat"] == seat, alone=took["alone"])


def _current_position(reader: MessageContext) -> list[Block]:
    return your_turn(reader) if reader.their_turn else position(reader)


KINDS = (
    MessageKind(
        "resign?",
        _resign,
        summary=marked("Do you want to resign from {game}? Nothing has happened yet; the page asks you once more."),
        is_answer=True,
    ),
    MessageKind(
        "offer",
        _offer,
        summary=marked("Somebody proposes something to the table in your match of {game}."),
        is_previewed=True,
    ),
    MessageKind(
        "agreeing",
        _answered,
        summary=marked("You have answered what was proposed in your match of {game}."),
        is_previewed=True,
        is_answer=True,
    ),
    MessageKind(
        "offer refused",
        _offer_refused,
        summary=marked("Somebody does not agree to what you proposed in your match of {game}."),
        is_previewed=True,
    ),
    MessageKind(
        "not agreed",
        _not_agreed,
        summary=marked("Nothing was done in your match of {game}: the page says why."),
        is_previewed=True,
        is_answer=True,
    ),
    MessageKind(
        "taken back", _takeback, summary=marked("A move was taken back in your match of {game}."), is_previewed=True
    ),
    MessageKind(
        "paused",
        _paused,
        summary=marked("The clocks of your match of {game} stand still for a while."),
        is_previewed=True,
    ),
    MessageKind("resumed", _resumed, summary=marked("The clocks of your match of {game} go on."), is_previewed=True),
    MessageKind(
        "extended",
        _extended,
        summary=marked("There is more time for a move in your match of {game}."),
        is_previewed=True,
    ),
)
