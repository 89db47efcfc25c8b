"""The Atom feed of the weeks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint

from pbem.i18n import _
from pbem.play.weekly import calendar, weeks
from pbem.web.common import atom, feed_responses
from pbem.web.common.urls import absolute_url
from pbem.web.request.context import service, transaction
from pbem.web.request.read_replica import may_use_replica

if TYPE_CHECKING:
    from datetime import datetime

    from flask import Response

    from pbem.db.models import DealSet

pages = Blueprint("weekly_feed", __name__)


@pages.get("/weekly/feed")
@may_use_replica
def feed() -> Response:
    """Return the Atom feed of the weeks: the running one, and the tables of those that are over."""
    with transaction() as ctx:
        running, over = weeks.present(ctx), weeks.list_opened(ctx)[: weeks.WEEKS_PER_PAGE]
    listed = [*([_begun_entry(running.deal_set)] if running else []), *map(_over_entry, over)]
    updated = max((one.updated for one in listed), default=calendar.FIRST_MONDAY)
    title = _("The Minimax of the week at {host}", host=service().config.host)
    own, page = absolute_url("weekly_feed.feed"), absolute_url("weekly.present")
    body = atom.render(feed_responses.entry_id("weekly"), title, own, page, updated, listed)
    return feed_responses.respond(body, feed_responses.ATOM, updated)


def _begun_entry(deal_set: DealSet) -> atom.Entry:
    title = _("The Minimax of the week {number} has begun", number=deal_set.week)
    text = _("Everybody plays the same wheel, until Sunday.")
    url = absolute_url("weekly.present")
    return atom.Entry(
        feed_responses.entry_id("weekly", "begun", str(deal_set.week)), title, text, url, _begin_of(deal_set)
    )


def _over_entry(one: weeks.Week) -> atom.Entry:
    title = _("The Minimax of the week {number}: the table", number=one.number)
    text = _("{finished} of {people} who took part played to the end.", finished=one.finished, people=one.people)
    url = absolute_url("weekly.week", number=one.number)
    return atom.Entry(
        feed_responses.entry_id("weekly", "over", str(one.number)),
        title,
        text,
        url,
        one.deal_set.opened_at or _begin_of(one.deal_set),
    )


def _begin_of(deal_set: DealSet) -> datetime:
    return deal_set.starts_at or deal_set.created_at
