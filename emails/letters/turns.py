"""Letters about a match as it goes on: your turn, your move was played, it has begun, it is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails import rules
from emails.letters.blocks import board, deal, news, position, your_turn
from emails.parts import Button, Say
from pbem.play import telling
from pbem.words import _

if TYPE_CHECKING:
    from emails.letters.reader import Reader
    from emails.parts import Part


def _turn(reader: Reader) -> list[Part]:
    played = reader.facts.get("played")
    lead = _("Your move was played, and it is your turn again.") if played else _asked(reader)
    return [Say(lead), *your_turn(reader), *deal(reader)]


def _asked(reader: Reader) -> str:
    """Ask for a move after the last thing that somebody else did, which an inbox shows beside the subject."""
    others = [entry for entry in reader.facts["news"] if entry["seat"] != reader.facts["seat"]]
    told = telling.told(reader.facts["game"], others[-1:], reader.names, reader.facts["seat"])
    if told:
        return f"{_('It is your turn.')} {told[0]}"
    return _("It is your turn in {game}.", game=reader.game)


def _receipt(reader: Reader) -> list[Part]:
    # What was played may be hidden from whoever looks over a shoulder at the inbox: it stands further down.
    lead = _("Your move was played. {turn}", turn=telling.turn(reader.view, reader.names, reader.facts["seat"]))
    return [Say(lead), Say(_("You played: {move}.", move=reader.facts["played"])), *position(reader)]


def _begun(reader: Reader) -> list[Part]:
    lead = _(
        "Your match of {game} has begun. {first} moves first; you will be mailed when it is your turn.",
        game=reader.game,
        first=reader.to_move,
    )
    return [Say(lead), *position(reader), *deal(reader)]


def _final(reader: Reader) -> list[Part]:
    result, facts = reader.facts["result"], reader.facts
    return [
        Say(f"{telling.ending(result, reader.names, facts['seat'])} {_('Thank you for playing.')}"),
        *news(reader),
        board(reader),
        Button(_("The finished match"), reader.page),
        Button(_("Its record, to keep and to check"), f"{reader.config.base_url}/api/matches/{facts['match']}/record"),
        Button(_("The rules of {game}", game=reader.game), reader.rules_page),
        *rules.credit(facts["game"]),
    ]


LETTERS = {"turn": _turn, "receipt": _receipt, "begun": _begun, "final": _final}
