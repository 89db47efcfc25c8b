"""Mails about the course of a match: your turn, your move was played, the match began, the match is over."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from emails.content import game_rules
from emails.content.blocks import Button
from emails.messages.kinds import Files, MessageKind
from emails.messages.offers import takeback_sentence
from emails.messages.shared import (
    automatic_move_note,
    board,
    deal_contribution,
    news,
    operator_reason,
    position,
    your_turn,
)
from emails.messages.timeouts import seat_sentence
from pbem.i18n import _, marked
from pbem.play.matches import descriptions

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _turn(reader: MessageContext) -> list[Block]:
    if "former" in reader.facts:
        return [f"{seat_sentence(reader)} {_('It is your turn.')}", *your_turn(reader)]
    played = reader.facts.get("played")
    if played:
        return [_("Your move was played, and it is your turn again."), *your_turn(reader), *deal_contribution(reader)]
    if took := reader.facts.get("taken_back"):
        return [f"{takeback_sentence(took, reader.facts['seat'])} {_('It is your turn.')}", *your_turn(reader)]
    # Inboxes show the first sentence: the last action of another player, which is public.
    news = reader.facts["news"]
    others = [entry for entry in news if entry["seat"] != reader.facts["seat"]]
    last = descriptions.log_sentences(reader.facts["game"], others[-1:], reader.names, reader.facts["seat"])
    lead = f"{_('It is your turn.')} {last[0]}" if last else _("It is your turn in {game}.", game=reader.game)
    again = len(news) == len(last)
    return [
        lead,
        *your_turn(replace(reader, facts={**reader.facts, "news": [] if again else news})),
        *deal_contribution(reader),
    ]


def _receipt(reader: MessageContext) -> list[Block]:
    # The move may be secret, so it is not in the first sentence, which inboxes show.
    lead = _("Your move was played. {turn}", turn=descriptions.turn(reader.view, reader.names, reader.facts["seat"]))
    return [
        lead,
        _("You played: {move}.", move=reader.facts["played"]),
        *automatic_move_note(reader),
        *position(reader),
    ]


def _begun(reader: MessageContext) -> list[Block]:
    lead = _(
        "Your match of {game} has begun. {first} moves first; we will mail you when it is your turn.",
        game=reader.game,
        first=reader.to_move,
    )
    return [lead, *automatic_move_note(reader), *position(reader), *deal_contribution(reader)]


def _final(reader: MessageContext) -> list[Block]:
    result, facts = reader.facts["result"], reader.facts
    return [
        f"{descriptions.ending(result, reader.names, facts['seat'])} {_('Thank you for playing.')}",
        *_called_off(reader),
        *news(reader),
        board(reader),
        *([] if facts.get("practice") else _rematch_offer(reader)),
        Button(_("The finished match"), reader.page),
        Button(_("The match step by step"), reader.replay_page),
        *([] if facts.get("practice") else [Button(_("Its record, to keep and to check"), reader.record_page)]),
        Button(_("The rules of {game}", game=reader.game), reader.rules_page),
        *game_rules.designer_credit(facts["game"]),
    ]


def _called_off(reader: MessageContext) -> list[Block]:
    if not reader.facts.get("operated"):
        return []
    return [_("The operator has called it off; it does not count."), *operator_reason(reader)]


def _rematch_offer(reader: MessageContext) -> list[Block]:
    """Offer a rematch, by a reply or on the turn page."""
    word = reader.word("rematch")
    if reader.others:
        how = _("Once more? Reply “{word}”: the same players and options, with the seats moved on by one.", word=word)
        return [how, Button(_("Ask for a rematch"), reader.turn_page)]
    return [_("Once more? Reply “{word}”.", word=word), Button(_("Play again"), reader.turn_page)]


KINDS = (
    MessageKind("turn", _turn, summary=marked("It is your turn in {game}."), is_previewed=True),
    MessageKind(
        "receipt", _receipt, summary=marked("Your move in {game} was played."), is_previewed=True, is_answer=True
    ),
    MessageKind(
        "begun",
        _begun,
        summary=marked("Your match of {game} has begun. We will mail you when it is your turn."),
        is_previewed=True,
    ),
    MessageKind(
        "final",
        _final,
        summary=marked("Your match of {game} is over. Thank you for playing."),
        is_previewed=True,
        is_pictured=True,
        has_full_proof=True,
        files=Files.RECORD,
    ),
)
