"""Feeds of leagues: the steps of their seasons, and the matches of one season."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint

from pbem.boards.prose import series
from pbem.i18n import _, marked
from pbem.play.events import titles
from pbem.play.leagues import news, wording
from pbem.play.leagues.news import Step
from pbem.play.matches import descriptions
from pbem.web.common import atom, lookup
from pbem.web.common.feed_responses import ATOM, entry_id, respond
from pbem.web.common.urls import absolute_url
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flask import Response

    from pbem.db.models import Event
    from pbem.play.leagues.news import FinishedMatch

pages = Blueprint("league_feeds", __name__)

_STEPS = {
    Step.OPENED: marked("{event}: open for entries"),
    Step.DRAWN: marked("{event}: the groups are drawn"),
    Step.BEGUN: marked("{event}: the matches have begun"),
    Step.ENDED: marked("{event}: over"),
}


@pages.get("/leagues/feed")
def every() -> Response:
    """Return the Atom feed of all leagues: each season that opens, is drawn, begins and ends."""
    with transaction() as ctx:
        entries = [entry for event in news.newest_seasons(ctx) for entry in _season_entries(event)]
        now = ctx.now
    own, page = absolute_url("league_feeds.every"), absolute_url("leagues.every")
    updated = max((one.updated for one in entries), default=now)
    body = atom.render(entry_id("leagues"), _("Leagues"), own, page, updated, _newest_first(entries))
    return respond(body, ATOM, updated)


@pages.get("/leagues/<event_id>/feed")
def season(event_id: str) -> Response:
    """Return the Atom feed of a season: its steps, and its matches that are over."""
    with transaction() as ctx:
        event = lookup.season(ctx, event_id, None).event
        entries = [*_season_entries(event), *map(_match_entry, news.finished_matches(ctx, event))]
    own = absolute_url("league_feeds.season", event_id=event.id)
    page = absolute_url("leagues.season", event_id=event.id)
    updated = max(one.updated for one in entries)
    name = entry_id("league", str(event.id))
    body = atom.render(name, titles.event_title(event), own, page, updated, _newest_first(entries))
    return respond(body, ATOM, updated)


def _season_entries(event: Event) -> Iterable[atom.Entry]:
    url = absolute_url("leagues.season", event_id=event.id)
    for step, at in news.steps(event):
        title = _(_STEPS[step], event=titles.event_title(event))
        name = entry_id("league", str(event.id), step)
        yield atom.Entry(name, title, _step_text(event, step), url, at)


def _step_text(event: Event, step: Step) -> str:
    """Return what a step means, as true later as on its day."""
    if step == Step.OPENED:
        return wording.describe_entries(event)
    if step == Step.DRAWN:
        return wording.describe_begin(event)
    if step == Step.BEGUN:
        return wording.describe_end(event)
    return _("The tables are final.")


def _match_entry(one: FinishedMatch) -> atom.Entry:
    match = one.match
    title = _("{players}: over", players=series(one.names))
    text = descriptions.ending(match.result, one.names) if match.result else title
    url = absolute_url("matches.match", match_id=match.id)
    return atom.Entry(entry_id("over", match.id), title, text, url, match.ended_at or match.created_at)


def _newest_first(entries: Iterable[atom.Entry]) -> list[atom.Entry]:
    return sorted(entries, key=lambda one: one.updated, reverse=True)
