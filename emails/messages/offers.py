"""Mails about resigning, and about offers that all players must accept."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from emails.content.blocks import Button, TitledList
from emails.messages.kinds import MessageKind
from emails.messages.shared import current_position, operator_reason, position
from emails.messages.subjects import with_match
from pbem.i18n import _, marked
from pbem.play.offers import wording

if TYPE_CHECKING:
    from collections.abc import Mapping

    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


_OFFERED: Mapping[str, str] = {
    wording.DRAW: marked("Draw offered"),
    wording.TAKEBACK: marked("Take-back requested"),
    wording.PAUSE: marked("Pause requested"),
    wording.MORE_TIME: marked("More time requested"),
    wording.ABANDON: marked("Abandon the match?"),
}
"""The news of each offer, for the subject."""


def _resign(reader: MessageContext) -> list[Block]:
    lead = _("Do you want to resign? Nothing has happened yet.")
    then = _("To give up this match for good, reply “resign yes” alone on the first line.")
    return [*filter(None, (lead, reader.facts.get("consequence"))), then, *position(reader)]


def _offer(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    how = _(
        "To agree, reply “{word}” alone on the first line; to decline, reply “{no}”. The offer stands until somebody "
        "moves.",
        word=reader.word(facts["offer"]),
        no=reader.word("no"),
    )
    lead = wording.proposal_text(facts["offer"], facts["by"], facts["detail"])
    page = Button(_("Agree or decline on its page"), f"{reader.turn_page}/agreements")
    return [lead, how, page, *current_position(reader)]


def _offer_subject(reader: MessageContext) -> str:
    return with_match(_(_OFFERED[reader.facts["offer"]]), reader)


def _answered(reader: MessageContext) -> list[Block]:
    return [reader.facts["came"], *current_position(reader)]


def _offer_refused(reader: MessageContext) -> list[Block]:
    return [wording.declined_text(reader.facts["offer"], reader.facts["by"]), *current_position(reader)]


def _not_agreed(reader: MessageContext) -> list[Block]:
    # The reason may reveal a move, so it is not in the first sentence, which inboxes show.
    return [_("Nothing was done."), reader.facts["reason"], *current_position(reader)]


def _which(reader: MessageContext) -> list[Block]:
    """List the open requests, and what to reply to each: the reader's answer did not say which it means."""
    facts, yes, no = reader.facts, reader.word("yes"), reader.word("no")
    lines = [
        _(
            "{request} Reply “{agree}” or “{decline}”.",
            request=wording.proposal_text(one["offer"], one["by"], one["detail"]),
            agree=f"{yes} {reader.word(one['offer'])}",
            decline=f"{no} {reader.word(one['offer'])}",
        )
        for one in facts["offers"]
    ]
    words = _("May the others read what you wrote below your move? Reply to the mail that asks about it.")
    why = facts["reason"] or _("It is not clear which request you answered.")
    waiting = TitledList(_("Still open:"), (*lines, *([words] if facts["held"] else [])))
    return [_("Nothing was done."), why, waiting, *current_position(reader)]


def _takeback(reader: MessageContext) -> list[Block]:
    return [takeback_sentence(reader.facts["took"], reader.facts["seat"]), *current_position(reader)]


def _paused(reader: MessageContext) -> list[Block]:
    if reader.facts.get("operated"):
        lead, how = _("The operator has paused the clocks."), _("You can still move.")
    else:
        lead = _("Everybody agreed to pause the clocks.")
        how = _("You can still move. To resume the clocks sooner, reply “{word}”.",
                word=reader.word("resume"))  # fmt: skip
    until = wording.pause_text(datetime.fromisoformat(reader.facts["until"]), reader.zone)
    return [lead, *operator_reason(reader), until, how, *current_position(reader)]


def _resumed(reader: MessageContext) -> list[Block]:
    if reader.facts.get("operated"):
        lead = _("The operator has resumed the clocks of this match.")
        return [lead, *operator_reason(reader), *current_position(reader)]
    return [_("{name} has resumed the clocks of this match.", name=reader.facts["by"]), *current_position(reader)]


def _extended(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    name, own = reader.names[facts["whose"] - 1], facts["whose"] == facts["seat"]
    lead = wording.extension_text(name, facts["days"], facts.get("giver", ""), own=own)
    return [lead, *operator_reason(reader), *current_position(reader)]


def takeback_sentence(took: Mapping[str, Any], seat: int) -> str:
    """Return the sentence about a takeback for a seat."""
    return wording.takeback_text(took["name"], own=took["seat"] == seat, alone=took["alone"])


KINDS = (
    MessageKind(
        "resign?",
        _resign,
        subject=marked("Do you want to resign?"),
        summary=marked("Do you want to resign from {game}? Nothing has happened yet; the page asks you once more."),
        is_answer=True,
    ),
    MessageKind(
        "offer",
        _offer,
        subject=marked("An offer"),
        build_subject=_offer_subject,
        summary=marked("Somebody made an offer in your match of {game}."),
        is_previewed=True,
    ),
    MessageKind(
        "agreeing",
        _answered,
        subject=marked("Your answer"),
        summary=marked("You have answered an offer in your match of {game}."),
        is_previewed=True,
        is_answer=True,
    ),
    MessageKind(
        "offer refused",
        _offer_refused,
        subject=marked("Offer declined"),
        summary=marked("Somebody declined your offer in your match of {game}."),
        is_previewed=True,
    ),
    MessageKind(
        "not agreed",
        _not_agreed,
        subject=marked("Nothing was done"),
        summary=marked("Nothing was done in your match of {game}: the page says why."),
        is_previewed=True,
        is_answer=True,
    ),
    MessageKind(
        "which?",
        _which,
        subject=marked("Which request?"),
        summary=marked("Nothing was done in your match of {game}: it is not clear which request you answered."),
        is_previewed=True,
        is_answer=True,
    ),
    MessageKind(
        "taken back",
        _takeback,
        subject=marked("Move taken back"),
        summary=marked("A move was taken back in your match of {game}."),
        is_previewed=True,
    ),
    MessageKind(
        "paused",
        _paused,
        subject=marked("Clocks paused"),
        summary=marked("The clocks of your match of {game} are paused."),
        is_previewed=True,
    ),
    MessageKind(
        "resumed",
        _resumed,
        subject=marked("Clocks running again"),
        summary=marked("The clocks of your match of {game} run again."),
        is_previewed=True,
    ),
    MessageKind(
        "extended",
        _extended,
        subject=marked("More time"),
        summary=marked("There is more time for a move in your match of {game}."),
        is_previewed=True,
    ),
)
