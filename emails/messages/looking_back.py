"""Mails about looking back at a finished match: the chart, the turning points, luck and play."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from emails.content.blocks import Board, Button, Footnote, Links, TitledList
from emails.messages.kinds import MessageKind
from emails.messages.shared import brief_ending
from pbem.boards.prose import clean_name, possessive, wrap_sentences
from pbem.i18n import _, marked
from pbem.play.analysis import looking_back, looking_back_chart
from pbem.play.analysis import looking_back_words as words

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext
    from pbem.play.analysis.looking_back import LookingBack

MAX_FORKS = 3
"""Maximum links to play on from a turning point; the page has all."""


def _found(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    if "found" not in facts:
        again = _("To ask again, reply “{word}”.", word=reader.word("look back"))
        return [_(words.FAILED), again, *brief_ending(reader)]
    found = looking_back.read(facts["found"], dict(facts["steps"]))
    own: int = facts["seat"]
    spoken = words.names_for(reader.names, own)
    chart = partial(looking_back_chart.draw, found, reader.names, own)
    course = words.chart_summary(found, reader.names)
    accounts = sorted(found.accounts, key=lambda one: (one.seat != own, one.seat))
    return [
        _("This is what a robot found when it looked back at your match of {game}.", game=reader.game),
        f"{words.heading(found)}:",
        Board(wrap_sentences(course), chart, lambda: " ".join(course)),
        *_turning_points(reader, found),
        TitledList(f"{_('Luck and play')}:", tuple(words.account(found, one, spoken) for one in accounts)),
        Button(_("Look back on its page"), f"{reader.replay_page}#looking-back"),
        *_forks(reader, found),
        Footnote((words.measure(found),)),
        *brief_ending(reader),
    ]


def _turning_points(reader: MessageContext, found: LookingBack) -> list[Block]:
    """List the turning points of each seat, the reader's own first."""
    own: int = reader.facts["seat"]
    blocks: list[Block] = []
    for seat in sorted({point.seat for point in found.turning_points}, key=lambda seat: (seat != own, seat)):
        heading = _("Your turning points:")
        if seat != own:
            heading = _("{name} turning points:", name=possessive(clean_name(reader.names[seat - 1])))
        lines = (words.turning_point(found, point) for point in found.turning_points_of(seat))
        blocks.append(TitledList(heading, tuple(lines)))
    return blocks or [_(words.NO_TURNING_POINT)]


def _forks(reader: MessageContext, found: LookingBack) -> list[Block]:
    """Link to the pages on which the match goes on from before each turning point, those of the reader first."""
    pages = (
        (_("Play on before move {ply}", ply=point.ply), reader.fork_page(found.step(point)))
        for point in found.ordered_points(reader.facts["seat"])[:MAX_FORKS]
    )
    return [Links(tuple(pages))] if found.turning_points else []


def _soon(reader: MessageContext) -> list[Block]:
    lead = _("A robot looks back at your match of {game} now. We will mail you what it finds.", game=reader.game)
    return [lead, *brief_ending(reader)]


def _refused(reader: MessageContext) -> list[Block]:
    lines: list[Block] = [_("No robot looked back at your match."), reader.facts["reason"]]
    if "until" in reader.facts:
        lines.append(_("From {moment} on you can ask again.", moment=reader.moment("until")))
    return [*lines, *brief_ending(reader)]


KINDS = (
    MessageKind("looking back", _found, subject=marked("Looking back"), is_pictured=True),
    MessageKind("looks back", _soon, subject=marked("Looking back"), is_unredacted=True),
    MessageKind("no looking back", _refused, subject=marked("Looking back"), is_unredacted=True),
)
