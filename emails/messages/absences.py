"""Mails about vacations: start and end, automatic vacation days, and players who wait."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from emails.content.blocks import Button, Say
from emails.messages.shared import position, your_turn
from pbem.i18n import _, several
from pbem.play.inbox import commands
from pbem.time_format import day, moment

if TYPE_CHECKING:
    from emails.content.blocks import Part
    from emails.messages.context import Reader


def _away(reader: Reader) -> list[Part]:
    begin, end = (moment(datetime.fromisoformat(reader.facts[name]), reader.zone) for name in ("begin", "end"))
    return [
        Say(_("You are away from {begin} until {end}.", begin=begin, end=end)),
        Say(_("Your clocks stand still in all your matches. You may move all the same, whenever you like.")),
        Say(_("Whoever plays with you is told on which day you are back, and nothing else.")),
        _left(reader),
        Say(_("To come back sooner, reply with the word “{word}”.", word=commands.known()["back"].word)),
        _page(reader),
    ]


def _back(reader: Reader) -> list[Part]:
    if "end" not in reader.facts:
        return [Say(_("Your absence is called off.")), _left(reader), _page(reader)]
    end = datetime.fromisoformat(reader.facts["end"])
    lead = _("Welcome back! Your clocks go on from {moment}.", moment=moment(end, reader.zone))
    listed = _("To see what waits for you, reply with the word “{word}”.", word=commands.known()["list"].word)
    return [Say(lead), Say(listed), _left(reader), _page(reader)]


def _not_away(reader: Reader) -> list[Part]:
    return [Say(reader.facts["reason"]), _page(reader)]


def _left(reader: Reader) -> Part:
    year, count = reader.facts["left"]
    return Say(
        several(
            "You have {count} day of absence left in {year}.",
            "You have {count} days of absence left in {year}.",
            count,
            year=year,
        )
    )


def _page(reader: Reader) -> Part:
    return Button(_("Your time: nights and absences"), f"{reader.config.base_url}/me/time")


def _vacation_taken(reader: Reader) -> list[Part]:
    facts = reader.facts
    lead = several(
        "Your time in {game} had run out, so {count} day of your vacation was taken for you.",
        "Your time in {game} had run out, so {count} days of your vacation were taken for you.",
        facts["days"],
        game=reader.game,
    )
    rest = several("{count} day is left this year.", "{count} days are left this year.", facts["left"])
    again = _("This is done once for a move; if you do not want it, say so on this page:")
    return [Say(lead), Say(rest), *your_turn(reader), Say(again), _page(reader)]


def _vacation(reader: Reader) -> list[Part]:
    last = datetime.fromisoformat(reader.facts["until"]) - timedelta(microseconds=1)
    lead = _(
        "{name}’s time has run out, and days of vacation were taken for them: the match waits until {day}.",
        name=reader.facts["whom"],
        day=day(last, reader.zone),
    )
    return [Say(lead), *position(reader)]


LETTERS = {
    "away": _away,
    "back": _back,
    "not away": _not_away,
    "vacation taken": _vacation_taken,
    "vacation": _vacation,
}
