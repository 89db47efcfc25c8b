"""Mails about the deal of the week: it has begun, how one stands in it, and its table."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from emails.content.blocks import BulletList, Button, Footnote, Links
from emails.messages.kinds import MessageKind
from pbem.i18n import _, marked, several
from pbem.play.inbox import weekly_mail
from pbem.play.weekly import announcements, standing, stop_links
from pbem.time_format import format_day

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _begun(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    lead = _("The Minimax of the week {number} has begun: everybody plays the same wheel.", number=facts["week"])
    until = _("Play it before {day}, 00:00 UTC, in as many sittings as you like.", day=_day(facts["closes"]))
    stop = _("You get this mail each Monday since you asked for it. To get it no more, reply “{word}”.",
             word=reader.word(weekly_mail.OFF))  # fmt: skip
    return [
        lead,
        until,
        _("To begin, reply “{word}”: your first turn comes by mail.", word=reader.word(weekly_mail.TAKE_PART)),
        Button(_("Play it on its page"), _page(reader)),
        Footnote((stop,)),
        Links(((_("Stop this mail"), stop_links.page(reader.config, facts["subscriber"], facts["key"])),)),
    ]


def _entry(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    stands = standing.Standing(facts["standing"])
    own = standing.sentence(stands, facts["points"], _day(facts["closes"]), _day(facts["begins"]))
    lead = _("Minimax of the week {number}: {own}", number=facts["week"], own=own)
    how = _("To go on, reply to the last mail of your match, or use the page.")
    page = Button(_("Your week on a page"), _page(reader))
    return [lead, how, page] if stands is standing.Standing.RUNNING else [lead, page]


def _settled(reader: MessageContext) -> list[Block]:
    wishes = reader.facts["wishes"]
    word = reader.word(weekly_mail.OFF if wishes else weekly_mail.ON)
    undo = _("To stop it, reply “{word}”.", word=word) if wishes else _("To get it again, reply “{word}”.", word=word)
    return [_(weekly_mail.SETTLED_ON) if wishes else _(weekly_mail.SETTLED_OFF), undo]


def _refused(reader: MessageContext) -> list[Block]:
    lead = _("You do not take part in the week by this mail. {reason}", reason=reader.facts["reason"])
    return [lead, Button(_("The Minimax of the week"), _page(reader))]


def _over(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    return [
        f"{_('The Minimax of the week {number} is over.', number=facts['week'])} {_own_result(reader)}",
        *([BulletList(tuple(lines))] if (lines := [*_par_line(reader), *_best_line(reader)]) else []),
        Button(_("The table of the week"), f"{_page(reader)}/{facts['week']}"),
        Links(_pages(reader)),
        Footnote((_("To play the new week, reply “{word}”.", word=reader.word(weekly_mail.TAKE_PART)),)),
    ]


def _own_result(reader: MessageContext) -> str:
    facts = reader.facts
    if facts["points"] is None:
        return _("You did not finish your match in time, so it is not in the table. You can play on for fun.")
    made = several("You made one point.", "You made {count} points.", facts["points"])
    if facts["finished"] == 1:
        return f"{made} {_('Nobody else finished.')}"
    place = _("place {place} of {people}", place=facts["rank"], people=facts["finished"])
    if facts["shared_by"] > 1:
        return f"{made} {_('You share {place}.', place=place)}"
    return f"{made} {_('That is {place}.', place=place)}"


def _par_line(reader: MessageContext) -> list[str]:
    par = reader.facts["par_points"]
    return [] if par is None else [_("Par is {par}: what the strong robot made.", par=par)]


def _best_line(reader: MessageContext) -> list[str]:
    best = reader.facts["best"]
    if best is None:
        return []
    points, _match, name = best
    if not name:
        return [_("The robot’s line was the best.")]
    return [_("The best line was {name}’s, with {points}.", name=name, points=points)]


def _pages(reader: MessageContext) -> tuple[tuple[str, str], ...]:
    best = reader.facts["best"]
    line = [(_("The best line step by step"), f"{reader.config.base_url}/matches/{best[1]}/replay")] if best else []
    own = [(_("Your match step by step"), reader.replay_page)] if reader.facts["points"] is not None else []
    return (*line, *own)


def _page(reader: MessageContext) -> str:
    return f"{reader.config.base_url}/weekly"


def _day(moment: str) -> str:
    return format_day(datetime.fromisoformat(moment), "UTC")


KINDS = (
    MessageKind(announcements.BEGUN, _begun, subject=marked("The Minimax of the week has begun")),
    MessageKind(
        announcements.OVER,
        _over,
        subject=marked("The table of the week"),
        has_plan_summary=False,
        is_unredacted=True,
    ),
    MessageKind(weekly_mail.ENTRY, _entry, subject=marked("Your Minimax of the week"), is_answer=True),
    MessageKind(weekly_mail.SETTLED, _settled, subject=marked("Mail about the week"), is_answer=True),
    MessageKind(weekly_mail.REFUSED, _refused, subject=marked("The Minimax of the week"), is_answer=True),
)
