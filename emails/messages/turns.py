"""Mails about the course of a match: your turn, your move was played, the match began, the match is over."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from emails.content import game_rules
from emails.content.blocks import Button, Say
from emails.messages.offers import taken_back
from emails.messages.shared import board, coming, deal, news, position, reason, your_turn
from emails.messages.timeouts import seated
from pbem.i18n import _
from pbem.play.inbox import commands
from pbem.play.matches import descriptions

if TYPE_CHECKING:
    from emails.content.blocks import Part
    from emails.messages.context import Reader


def _turn(reader: Reader) -> list[Part]:
    if "former" in reader.facts:
        return [Say(f"{seated(reader)} {_('It is your turn.')}"), *your_turn(reader)]
    played = reader.facts.get("played")
    if played:
        return [Say(_("Your move was played, and it is your turn again.")), *your_turn(reader), *deal(reader)]
    if took := reader.facts.get("taken_back"):
        return [Say(f"{taken_back(took, reader.facts['seat'])} {_('It is your turn.')}"), *your_turn(reader)]
    # Inboxes show the first sentence: the last action of another player, which is public.
    news = reader.facts["news"]
    others = [entry for entry in news if entry["seat"] != reader.facts["seat"]]
    told = descriptions.told(reader.facts["game"], others[-1:], reader.names, reader.facts["seat"])
    lead = f"{_('It is your turn.')} {told[0]}" if told else _("It is your turn in {game}.", game=reader.game)
    again = len(news) == len(told)
    return [
        Say(lead),
        *your_turn(replace(reader, facts={**reader.facts, "news": [] if again else news})),
        *deal(reader),
    ]


def _receipt(reader: Reader) -> list[Part]:
    # The move may be secret, so it is not in the first sentence, which inboxes show.
    lead = _("Your move was played. {turn}", turn=descriptions.turn(reader.view, reader.names, reader.facts["seat"]))
    return [Say(lead), Say(_("You played: {move}.", move=reader.facts["played"])), *coming(reader), *position(reader)]


def _begun(reader: Reader) -> list[Part]:
    lead = _(
        "Your match of {game} has begun. {first} moves first; you will be mailed when it is your turn.",
        game=reader.game,
        first=reader.to_move,
    )
    return [Say(lead), *coming(reader), *position(reader), *deal(reader)]


def _final(reader: Reader) -> list[Part]:
    result, facts = reader.facts["result"], reader.facts
    return [
        Say(f"{descriptions.ending(result, reader.names, facts['seat'])} {_('Thank you for playing.')}"),
        *_called_off(reader),
        *news(reader),
        board(reader),
        *([] if facts.get("practice") else _again(reader)),
        Button(_("The finished match"), reader.page),
        Button(_("The match step by step"), reader.replay_page),
        *([] if facts.get("practice") else [Button(_("Its record, to keep and to check"), reader.record_page)]),
        Button(_("The rules of {game}", game=reader.game), reader.rules_page),
        *game_rules.credit(facts["game"]),
    ]


def _called_off(reader: Reader) -> list[Part]:
    if not reader.facts.get("operated"):
        return []
    return [Say(_("Whoever runs this service has called it off; it counts for nobody.")), *reason(reader)]


def _again(reader: Reader) -> list[Part]:
    """Offer a rematch, by a reply or on the turn page."""
    word = commands.known()["rematch"].word
    if reader.others:
        how = _("Once more? Reply “{word}”: the same players and options, with the seats turned by one.", word=word)
        return [Say(how), Button(_("Ask for a rematch"), reader.turn_page)]
    return [Say(_("Once more? Reply “{word}”.", word=word)), Button(_("Play once more"), reader.turn_page)]


LETTERS = {"turn": _turn, "receipt": _receipt, "begun": _begun, "final": _final}
