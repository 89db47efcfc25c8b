"""Mails about vacations: start and end, automatic vacation days, and players who wait."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from emails.content.blocks import Button
from emails.messages.kinds import MessageKind
from emails.messages.shared import position, your_turn
from pbem.i18n import _, marked, several
from pbem.time_format import format_day

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _away(reader: MessageContext) -> list[Block]:
    return [
        _("You are away from {begin} until {end}.", begin=reader.moment("begin"), end=reader.moment("end")),
        _("Your clocks are paused in all your matches. You can still move whenever you like."),
        _("The other players see only on which day you are back."),
        _days_left(reader),
        _("To come back sooner, reply “{word}”.", word=reader.word("back")),
        _time_page(reader),
    ]


def _back(reader: MessageContext) -> list[Block]:
    if "end" not in reader.facts:
        return [_("Your absence is cancelled."), _days_left(reader), _time_page(reader)]
    lead = _("Welcome back! Your clocks run again from {moment}.", moment=reader.moment("end"))
    listed = _("To see which matches wait for you, reply “{word}”.", word=reader.word("list"))
    return [lead, listed, _days_left(reader), _time_page(reader)]


def _absence_refused(reader: MessageContext) -> list[Block]:
    return [reader.facts["reason"], _time_page(reader)]


def _days_left(reader: MessageContext) -> str:
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
        "Your time in {game} ran out, so we used {count} day of your vacation.",
        "Your time in {game} ran out, so we used {count} days of your vacation.",
        facts["days"],
        game=reader.game,
    )
    rest = several("You have {count} day left this year.", "You have {count} days left this year.", facts["left"])
    again = _("This happens once per move at most. You can turn it off on this page:")
    return [lead, rest, *your_turn(reader), again, _time_page(reader)]


def _vacation(reader: MessageContext) -> list[Block]:
    last = datetime.fromisoformat(reader.facts["until"]) - timedelta(microseconds=1)
    lead = _("{name} ran out of time and now uses vacation days. The match waits until {day}.",
             name=reader.facts["whom"], day=format_day(last, reader.zone))  # fmt: skip
    return [lead, *position(reader)]


KINDS = (
    MessageKind("away", _away, subject=marked("Your absence")),
    MessageKind("back", _back, subject=marked("Your absence")),
    MessageKind("not away", _absence_refused, subject=marked("Your absence")),
    MessageKind(
        "vacation taken",
        _vacation_taken,
        subject=marked("More time for your move"),
        summary=marked("We used days of your vacation in your match of {game}."),
        is_previewed=True,
    ),
    MessageKind(
        "vacation",
        _vacation,
        subject=marked("The match waits"),
        summary=marked("A player in your match of {game} now uses vacation days."),
        is_previewed=True,
    ),
)
