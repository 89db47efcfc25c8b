"""Feeds of ladders: the challenges, as they are offered, played and decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint

from pbem.play.events import titles
from pbem.play.ladders import overview, wording
from pbem.web.common import atom, lookup
from pbem.web.common.feed_responses import ATOM, entry_id, respond
from pbem.web.common.urls import absolute_url
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from flask import Response

    from pbem.play.ladders.overview import ChallengeSummary

pages = Blueprint("ladder_feeds", __name__)


@pages.get("/ladders/<game>/feed")
def one(game: str) -> Response:
    """Return the Atom feed of a ladder: the challenges that wait, are played, or have ended."""
    with transaction() as ctx:
        event = lookup.ladder(ctx, game)
        found = [*overview.load(ctx, event).unfinished, *overview.history(ctx, event)]
    page = absolute_url("ladders.one", game=game)
    entries = sorted((_entry(each, page) for each in found), key=lambda entry: entry.updated, reverse=True)
    updated = max((entry.updated for entry in entries), default=event.opens_at)
    own = absolute_url("ladder_feeds.one", game=game)
    body = atom.render(entry_id("ladder", game), titles.event_title(event), own, page, updated, entries)
    return respond(body, ATOM, updated)


def _entry(one: ChallengeSummary, page: str) -> atom.Entry:
    sentence = wording.describe(one)
    url = absolute_url("matches.match", match_id=one.match) if one.match else page
    updated = one.ended_at or one.answered_at or one.offered_at
    return atom.Entry(entry_id("challenge", str(one.number), one.state), sentence, sentence, url, updated)
