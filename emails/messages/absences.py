"""Mails about vacations: start and end, automatic vacation days, and players who wait."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from emails.content.blocks import Button
from emails.messages.kinds import MessageKind
from emails.messages.shared import position, your_turn
from pbem.i18n import _, marked, several
from pbem.play.inbox import commands
from pbem.time_format import format_day, format_moment

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _away(reader: MessageContext) -> list[Block]:
    begin, end = (format_moment(datetime.fromisoformat(reader.facts[name]), reader.zone) for name in ("begin", "end"))
    return [
        _("You are away from {begin} until {end}.", begin=begin, end=end),
        _("Your clocks stand still in all your matches. You may move all the same, whenever you like."),
        _("Whoever plays with you is told on which day you are back, and nothing else."),
        _days_left(reader),
        _("To come back sooner, reply with the word “{word}”.", word=commands.by_name()["back"].word),
        _time_page(reader),
    ]


def _back(reader: MessageContext) -> list[Block]:
    if "end" not in reader.facts:
        return [_("Your absence is called off."), _days_left(reader), _time_page(reader)]
    end = datetime.fromisoformat(reader.facts["end"])
    lead = _("Welcome back! Your clocks go on from {moment}.", moment=format_moment(end, reader.zone))
    listed = _("To see what waits for you, reply with the word “{word}”.", word=commands.by_name()["list"].word)
    return [lead, listed, _days_left(reader), _time_page(reader)]


def _absence_refused(reader: MessageContext) -> list[Block]:
    return [reader.facts["reason"], _time_page(reader)]


def _days_left(reader: MessageContext) -> Block:
    year, count = reader.facts["left"]
    return several(
        "You have {count} day of absence left in {year}.",
        "You have {count} days of absence left in {year}.",
        count,
        year=year,
    )


def _time_page(reader: MessageContext) -> Block:
    return Button(_("Your time: nights and absences"), f"{reader.config.base_url}/me/time")


def _vacation_taken(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    lead = several(
        "Your time in {game} had run out, so {count} day of your vacation was taken for you.",
        "Your time in {game} had run out, so {count} days of your vacation were taken for you.",
        facts["days"],
        game=reader.game,
    )
    rest = several("{count} day is left this year.", "{count} days are left this year.", facts["left"])
    again = _("This is done once for a move; if you do not want it, say so on this page:")
    return [lead, rest, *your_turn(reader), again, _time_page(reader)]


def _vacation(reader: MessageContext) -> list[Block]:
    last = datetime.fromisoformat(reader.facts["until"]) - timedelta(microseconds=1)
    lead = _(
        "{name}’s time has run out, and days of vacation were taken for them: the match waits until {day}.",
        name=reader.facts["whom"],
        day=format_day(last, reader.zone),
    )
    return [lead, *position(reader)]


KINDS = (
    MessageKind("away", _away, subject=marked("Your absence")),
    MessageKind("back", _back, subject=marked("Your absence")),
    MessageKind("not away", _absence_refused, subject=marked("Your absence")),
    MessageKind(
        "vacation taken",
        _vacation_taken,
        summary=marked("Days of your vacation were taken in your match of {game}."),
        is_previewed=True,
    ),
    MessageKind(
        "vacation",
        _vacation,
        summary=marked("Days of vacation were taken for somebody in your match of {game}."),
        is_previewed=True,
    ),
)
