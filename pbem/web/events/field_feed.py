"""The feed of fields: one takes entries, has begun, has an open deal, is over."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from flask import Blueprint

from pbem.i18n import _, several
from pbem.play.events import field_lists, titles
from pbem.states import EventState
from pbem.time_format import format_moment
from pbem.web.common import atom, feed_responses
from pbem.web.common.urls import absolute_url
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Response

    from pbem.play.events.field_lists import FieldSummary

pages = Blueprint("field_feed", __name__)

_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
MAX_PAST = 20
"""Maximum past fields in the feed."""


@pages.get("/sets/feed")
def feed() -> Response:
    """Return the feed of all fields."""
    with transaction() as ctx:
        found = [*field_lists.current(ctx), *field_lists.past(ctx, MAX_PAST)]
    entries = sorted((entry for one in found for entry in _entries(one)), key=lambda one: one.updated, reverse=True)
    page = absolute_url("fields.every")
    updated = entries[0].updated if entries else _BEGINNING
    own = absolute_url("field_feed.feed")
    body = atom.render(feed_responses.entry_id("sets"), _("Fields"), own, page, updated, entries)
    return feed_responses.respond(body, feed_responses.ATOM, updated)


def _entries(one: FieldSummary) -> Iterator[atom.Entry]:
    event, title = one.event, titles.event_title(one.event)
    page = absolute_url("fields.field", event_id=event.id)

    def entry(name: str, sentence: str, at: datetime, url: str = page) -> atom.Entry:
        return atom.Entry(
            feed_responses.entry_id("fields", str(event.id), name), f"{title}: {sentence}", sentence, url, at
        )

    if event.starts_at:
        begin = format_moment(event.starts_at, "UTC")
        yield entry("open", _("It takes entries until it begins: {moment}.", moment=begin), event.opens_at)
        if event.state != EventState.OPEN:
            counted = several("One player takes part.", "{count} players take part.", one.entrants)
            yield entry("begun", _("It has begun. {counted}", counted=counted), event.starts_at)
    for number, deal in enumerate(one.deals, 1):
        if deal.opened_at:
            url = absolute_url("deal_sets.deal_set", set_id=deal.id)
            yield entry(f"deal{number}", _("Deal {number} is open.", number=number), deal.opened_at, url)
    if event.ended_at:
        yield entry("over", _("It is over."), event.ended_at)
