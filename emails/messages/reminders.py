"""Mails about deadlines: a move is due soon, time ran out, a nudge, and why a move is due then."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from emails.content.blocks import Points, Say
from emails.messages.brief import briefly
from emails.messages.shared import position, reckoning, your_turn
from pbem.i18n import _
from pbem.play.clocks.timeout_policies import SUBSTITUTE
from pbem.time_format import moment

if TYPE_CHECKING:
    from emails.content.blocks import Part
    from emails.messages.context import Reader


def _due_soon(reader: Reader) -> list[Part]:
    lead = _("It is your turn in {game}: please move by {moment}.", game=reader.game, moment=_at(reader, "due"))
    return [Say(lead), *your_turn(_said(reader)), *reckoning(reader)]


def _late(reader: Reader) -> list[Part]:
    facts = reader.facts
    ran_out, until = _at(reader, "ran_out"), _at(reader, "until")
    seeks = facts["on_time"] == SUBSTITUTE
    if facts["whose"] == facts["seat"]:
        lead = _("Your time for a move in {game} ran out on {moment}.", game=reader.game, moment=ran_out)
        still = _("You may still move until {moment}.", moment=until)
        then = (
            _("Then somebody else may take your seat, or the robot does.")
            if seeks
            else _("Then the others decide what happens.")
        )
        return [Say(lead), Say(f"{still} {then}"), *your_turn(_said(reader)), *reckoning(reader)]
    name = reader.names[facts["whose"] - 1]
    lead = _("{name} has run out of time: a move was due on {moment}.", name=name, moment=ran_out)
    still = _("{name} may still move until {moment}.", name=name, moment=until)
    then = (
        _("Then somebody else may take the seat, or the robot does.")
        if seeks
        else _("Then you others decide what happens.")
    )
    return [Say(lead), Say(f"{still} {then}"), *(your_turn(reader) if reader.their_turn else position(reader))]


def _nudge(reader: Reader) -> list[Part]:
    lead = _("{name} looks forward to your move in {game}.", name=reader.facts["by"], game=reader.game)
    return [Say(lead), *your_turn(reader)]


def _nudged(reader: Reader) -> list[Part]:
    return [Say(reader.facts["came"]), *briefly(reader)]


def _why(reader: Reader) -> list[Part]:
    lead = _("By when moves are due in your match of {game}, and why then.", game=reader.game)
    return [Say(lead), Points(tuple(reader.facts["told"])), *briefly(reader)]


def _at(reader: Reader, fact: str) -> str:
    return moment(datetime.fromisoformat(reader.facts[fact]), reader.zone)


def _said(reader: Reader) -> Reader:
    """Return the context without the deadline, for a mail whose first sentence already has it."""
    return replace(reader, facts={name: fact for name, fact in reader.facts.items() if name != "due"})


LETTERS = {"due soon": _due_soon, "late": _late, "nudge": _nudge, "nudged": _nudged, "why": _why}
