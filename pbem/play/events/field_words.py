"""Sentences about fields, as pages and mails have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.i18n import _, marked, several
from pbem.play.analysis.par_words import format_difference
from pbem.states import EventState
from pbem.time_format import format_moment

if TYPE_CHECKING:
    from fractions import Fraction

    from pbem.db.models import Event

ABOUT = marked("All tables play the same deals, and you are compared with those who had the same cards as you.")
SECRET = marked("What happens at a table stays hidden from everybody else until all tables of its deal are over.")
TALK = marked("Please do not talk about the cards until then: two people who talk to each other can still cheat.")
SCORING = marked(
    "Your score for a deal is your margin, less the mean margin in that seat at the other tables. A margin is the "
    "points less the mean of the others at the table. The scores of all tables of a deal add up to 0."
)
PERCENT = marked("The per cent count 2 for each table that you beat in your seat and 1 for a tie, of all possible.")
LEAVING = marked(
    "A player who leaves a table, resigns or runs out of time there gets two points less than the worst. A table that "
    "is not played to its end counts for nobody else."
)
NOT_COMPARED = marked("Fewer than two tables were played to their end, so nothing is compared.")


def score(value: Fraction | float) -> str:
    """Format a score: "+4.5"."""
    return format_difference(float(value))


def percent(value: Fraction | float) -> str:
    """Format per cent: "75 %"."""
    return _("{number} %", number=round(float(value)))


def result(points: int | None, value: Fraction | float | None, share: Fraction | float | None, *, left: bool) -> str:
    """Describe what a seat of an open deal came to, without a full stop."""
    if value is None:
        made = several("{count} point", "{count} points", points) if points is not None else _("not played to its end")
        return _("{made}, not compared", made=made)
    if left:
        return _("left the table: {score}", score=score(value))
    return _(
        "{points}: {score}, {percent}",
        points=several("{count} point", "{count} points", points or 0),
        score=score(value),
        percent=percent(share or 0),
    )


def state(event: Event, zone: str) -> str:
    """Return how far a field is, in a sentence."""
    begin = format_moment(event.starts_at or event.opens_at, zone)
    if event.state == EventState.OPEN:
        return _("Takes entries until it begins: {moment}.", moment=begin)
    if event.state == EventState.OVER:
        return _("Over; it began on {moment}.", moment=begin)
    return _("Being played since {moment}.", moment=begin)
