"""Feeds of leagues."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from pbem.states import EventState
from pbem.web.common.atom import NAMESPACE
from tests.support.play.events.entering import BEGUN, DRAWN, OPENED, open_event
from tests.support.play.leagues.written_seasons import begin, play, season

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Visitor


def entries(site: Visitor, path: str) -> list[dict[str, str]]:
    answer = site.client.get(path)
    assert answer.status_code == 200
    assert answer.content_type == "application/atom+xml; charset=utf-8"
    feed = ET.fromstring(answer.get_data())  # noqa: S314 -- rendered here
    return [
        {part.tag.partition("}")[2]: part.get("href") or part.text or "" for part in entry}
        for entry in feed.iter(f"{{{NAMESPACE}}}entry")
    ]


def test_without_seasons_the_feed_is_empty(site: Visitor) -> None:
    assert entries(site, "/leagues/feed") == []


def test_each_step_of_each_season_is_an_entry_the_newest_first(local: House, site: Visitor) -> None:
    end = BEGUN + timedelta(days=80)
    season(local, state=EventState.OVER, ended_at=end)
    open_event(local, season=2, opens_at=end + timedelta(days=1), starts_at=end + timedelta(days=9))
    found = entries(site, "/leagues/feed")
    assert [one["title"] for one in found] == [
        "League of Montauk, season 2: open for entries",
        "League of Montauk, season 1: over",
        "League of Montauk, season 1: the matches have begun",
        "League of Montauk, season 1: the groups are drawn",
        "League of Montauk, season 1: open for entries",
    ]
    assert [one["updated"][:16] for one in found[2:]] == [f"{at:%Y-%m-%dT%H:%M}" for at in (BEGUN, DRAWN, OPENED)]
    assert found[3]["content"] == "The matches begin on Wednesday, 1 April 2026."
    assert len({one["id"] for one in found}) == len(found)


def test_the_feed_of_a_season_has_its_matches_that_are_over(local: House, site: Visitor) -> None:
    event = season(local)
    match = play(local, event, "Ann", "Bob", scores=(9, 4))
    begin(local, event, "Ann", "Cyd")
    play(local, event, "Bob", "Cyd", public=False)
    first, *steps = entries(site, f"/leagues/{event}/feed")
    assert (first["title"], first["link"]) == ("Ann and Bob: over", f"http://127.0.0.1:8000/matches/{match}")
    assert "Ann" in first["content"]
    assert len(steps) == 3


def test_a_feed_that_has_not_changed_is_not_sent_again(local: House, site: Visitor) -> None:
    event = season(local)
    tag = site.client.get(f"/leagues/{event}/feed").headers["ETag"]
    assert site.client.get(f"/leagues/{event}/feed", headers={"If-None-Match": tag}).status_code == 304
    play(local, event, "Ann", "Bob")
    assert site.client.get(f"/leagues/{event}/feed", headers={"If-None-Match": tag}).status_code == 200
