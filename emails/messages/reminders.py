"""Mails about deadlines: a move is due soon, time ran out, a nudge, and why a move is due then."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from emails.content.blocks import BulletList
from emails.messages.kinds import MessageKind
from emails.messages.shared import brief_ending, current_position, deadline_link, your_turn
from emails.messages.subjects import with_match
from pbem.i18n import _, marked
from pbem.play.clocks.timeout_policies import SUBSTITUTE

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _due_soon(reader: MessageContext) -> list[Block]:
    lead = _("It is your turn in {game}: please move by {moment}.", game=reader.game, moment=reader.moment("due"))
    return [lead, *_your_turn_by_then(reader)]


def _late(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    ran_out, until = reader.moment("ran_out"), reader.moment("until")
    seeks = facts["on_time"] == SUBSTITUTE
    if facts["whose"] == facts["seat"]:
        lead = _("Your time for a move in {game} ran out on {moment}.", game=reader.game, moment=ran_out)
        still = _("You may still move until {moment}.", moment=until)
        robot, vote = (
            _("Then somebody else may take your seat, or the robot does."),
            _("Then the others decide what happens."),
        )
        return [lead, f"{still} {robot if seeks else vote}", *_your_turn_by_then(reader)]
    name = reader.names[facts["whose"] - 1]
    lead = _("{name} has run out of time: a move was due on {moment}.", name=name, moment=ran_out)
    still = _("{name} may still move until {moment}.", name=name, moment=until)
    robot, vote = (
        _("Then somebody else may take the seat, or the robot does."),
        _("Then the rest of you decide what happens."),
    )
    return [lead, f"{still} {robot if seeks else vote}", *current_position(reader)]


def _late_subject(reader: MessageContext) -> str:
    whose = reader.facts["whose"]
    if whose == reader.facts["seat"]:
        return with_match(_("Your time has run out"), reader)
    return with_match(_("{name} has run out of time", name=reader.names[whose - 1]), reader)


def _nudge(reader: MessageContext) -> list[Block]:
    lead = _("{name} looks forward to your move in {game}.", name=reader.facts["by"], game=reader.game)
    return [lead, *your_turn(reader)]


def _nudge_subject(reader: MessageContext) -> str:
    return with_match(_("{name} waits for your move", name=reader.facts["by"]), reader)


def _nudged(reader: MessageContext) -> list[Block]:
    return [reader.facts["came"], *brief_ending(reader)]


def _deadlines_explained(reader: MessageContext) -> list[Block]:
    lead = _("When your move in {game} is due, and why.", game=reader.game)
    return [lead, BulletList(tuple(reader.facts["told"])), *brief_ending(reader)]


def _your_turn_by_then(reader: MessageContext) -> list[Block]:
    """Ask for a move, without the deadline, which the first sentence of the mail already has."""
    facts = {name: fact for name, fact in reader.facts.items() if name != "due"}
    return [*your_turn(replace(reader, facts=facts)), *deadline_link(reader)]


KINDS = (
    MessageKind(
        "due soon",
        _due_soon,
        subject=marked("Move due soon"),
        summary=marked("Your move in {game} is due soon."),
        is_previewed=True,
    ),
    MessageKind(
        "late",
        _late,
        subject=marked("Time has run out"),
        build_subject=_late_subject,
        summary=marked("Somebody has run out of time in your match of {game}."),
        is_previewed=True,
    ),
    MessageKind(
        "nudge",
        _nudge,
        subject=marked("Your move, please"),
        build_subject=_nudge_subject,
        summary=marked("Somebody looks forward to your move in {game}."),
        is_previewed=True,
    ),
    MessageKind("nudged", _nudged, subject=marked("Your nudge"), is_unredacted=True),
    MessageKind("why", _deadlines_explained, subject=marked("Your deadline"), is_unredacted=True),
)
