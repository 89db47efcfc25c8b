"""The pages of leagues: the list, and seasons with their groups."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from pbem.states import EventKind, EventState, MatchState
from pbem.web.events import leagues
from tests.support.db.statements import statements
from tests.support.ended import ended
from tests.support.play.events.entering import BEGUN, OPENED, enter, open_event
from tests.support.play.leagues.written_seasons import FIVE, begin, draw, leave, play, play_all, season
from tests.support.web.lobby.open_tables import signed_in

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Page, Visitor

OTHERS = ("Fay", "Gus", "Hal", "Ida", "Jon")


def text(page: Page) -> str:
    """Return all words of a page, those of neighbouring cells apart."""
    return " ".join(re.sub(r"<[^>]*>", " ", page.html).split())


def test_without_leagues_the_list_says_when_there_are_some(site: Visitor) -> None:
    assert "There is no league yet." in site.open("/leagues").words


def test_the_list_has_each_league_with_its_seasons(local: House, site: Visitor) -> None:
    over, played = season(local, state=EventState.OVER), season(local, season=2)
    coming = open_event(local, season=3)
    enter(local, coming, "Ann")
    page = site.open("/leagues")
    assert (
        "The matches have begun. All are over by Sunday, 9 August 2026 at the latest. 5 players take part."
        in page.words
    )
    assert "The matches begin on Wednesday, 1 April 2026. One player has entered." in page.words
    assert "Past seasons: Montauk, season 1" in page.words
    for event in (over, played, coming):
        assert f'href="/leagues/{event}"' in page.html


def test_the_list_says_what_a_reader_has_entered(local: House) -> None:
    event = open_event(local)
    assert f'href="/leagues/{event}#enter"' in signed_in(local, "Ann").open("/leagues").html
    enter(local, event, "Ann")
    page = signed_in(local, "Ann").open("/leagues")
    assert "You have entered as Ann." in page.words
    assert f'href="/leagues/{event}#enter"' not in page.html
    draw(local, event, ("Bob",))
    assert "You are on the waiting list as Ann." in signed_in(local, "Ann").open("/leagues").words
    assert "You play in group 1 as Bob." in signed_in(local, "Bob").open("/leagues").words


def test_a_season_that_is_over_says_where_its_reader_played(local: House) -> None:
    event = season(local, state=EventState.OVER)
    assert "You played in group 1 as Bob." in signed_in(local, "Bob").open(f"/leagues/{event}").words


@pytest.mark.parametrize("path", ["/leagues/0", "/leagues/x", "/leagues/99999999999999999999", "/leagues/1/feed"])
def test_an_unknown_season_is_not_found(site: Visitor, path: str) -> None:
    page = site.open(path)
    assert page.status == 404
    assert "There is no such season." in page.words


def test_a_ladder_is_no_season(local: House, site: Visitor) -> None:
    assert site.open(f"/leagues/{open_event(local, kind=EventKind.LADDER)}").status == 404


def test_before_the_draw_a_season_lists_who_has_entered_by_name_alone(local: House, site: Visitor) -> None:
    event = open_event(local)
    for name in ("Ann", "Bob"):
        enter(local, event, name)
    page = site.open(f"/leagues/{event}")
    assert "Who has entered Ann, Bob" in page.words
    assert "example.org" not in page.html


def test_many_names_are_counted(local: House, site: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leagues, "MAX_NAMES", 2)
    event = open_event(local)
    for number, name in enumerate(("Ann", "Bob", "Cyd", "Dee")):
        enter(local, event, name, OPENED + timedelta(hours=number))
    assert "Ann, Bob, and 2 more" in site.open(f"/leagues/{event}").words


def test_a_season_shows_its_groups_as_they_stand(local: House, site: Visitor) -> None:
    event = season(local, FIVE, OTHERS)
    play_all(local, event, FIVE)
    play(local, event, "Fay", "Gus", group=2, scores=(5, 5), winners=(1, 2))
    page = site.open(f"/leagues/{event}")
    told = text(page)
    assert "11 of 11 matches are over." in told
    assert re.search(r"1 Ann 4 4 0 6 4 2 Bob 3 4 0 3 3 ", told)
    assert re.search(r"5 Eve 0 ↓ 2 down to group 2 4 0 0 0", told)
    assert re.search(r"1 Fay ½ ↑ 1 up to group 1 1 ½ ¼ 0", told)


def test_a_cell_says_how_two_met_and_leads_to_their_match(local: House, site: Visitor) -> None:
    event = season(local)
    won = play(local, event, "Bob", "Ann")
    running = begin(local, event, "Ann", "Cyd")
    waiting = begin(local, event, "Dee", "Ann", state=MatchState.INVITING, seed=None, started_at=None)
    page = site.open(f"/leagues/{event}")
    cells = page.html.partition('class="cross"')[2]
    for match, words in ((won, ("1", "0")), (running, ("… being played",) * 2), (waiting, ("○ not begun yet",) * 2)):
        shown = re.findall(rf'<a href="/matches/{match}">(.*?)</a>', cells)
        assert sorted(" ".join(re.sub("<[^>]*>", " ", one).split()) for one in shown) == sorted(words)


def test_a_group_with_robots_lists_its_friendly_matches(local: House, site: Visitor) -> None:
    event = season(local)
    match = play(local, event, "Ann", "Bob", role="friendly")
    page = site.open(f"/leagues/{event}")
    assert "Friendly matches with robots, which count for nobody Ann and Bob" in text(page)
    assert page.html.count(f'href="/matches/{match}"') == 3


def test_who_has_left_is_marked(local: House, site: Visitor) -> None:
    event = season(local)
    for other in ("Bob", "Cyd", "Dee"):
        begin(local, event, "Ann", other)
    play(local, event, "Eve", "Bob")
    leave(local, event, "Ann", BEGUN + timedelta(days=1))
    leave(local, event, "Eve", BEGUN + timedelta(days=9))
    told = text(site.open(f"/leagues/{event}"))
    assert "– Ann (has left) no results: left before half of the matches were over" in told
    assert "1 Eve (has left) 1" in told


def test_a_reader_sees_the_part_with_their_own_group_first(
    local: House, site: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leagues, "GROUPS_PER_PAGE", 2)
    event = season(local, ("Ann", "Bob"), ("Cyd", "Dee"), ("Eve", "Fay"))

    def groups(page: Page) -> list[str]:
        return re.findall(r'id="group-(\d+)"', page.html)

    assert groups(site.open(f"/leagues/{event}")) == ["1", "2"]
    assert groups(signed_in(local, "Fay").open(f"/leagues/{event}")) == ["3"]
    assert groups(site.open(f"/leagues/{event}?group=3")) == groups(site.open(f"/leagues/{event}?group=99")) == ["3"]
    assert groups(site.open(f"/leagues/{event}?group=x")) == ["1", "2"]
    own = signed_in(local, "Fay").open(f"/leagues/{event}")
    assert "<strong>Fay</strong>" in own.html
    assert "Groups 1–2 Group 3" in text(own)


def test_tables_of_three_are_ordered_by_margin(local: House, site: Visitor) -> None:
    event = season(local, ("Ann", "Bob", "Cyd"), game="martian-trickery")
    play(local, event, "Ann", "Bob", "Cyd", game="martian-trickery", scores=(9, 4, 1))
    told = text(site.open(f"/leagues/{event}"))
    assert re.search(r"Margin Won 1 Ann 2 2 0 13 2 2 Bob 1 2 0 −2 1 ", told)
    assert "SB" not in told


def test_a_match_names_its_season_with_a_link(local: House, site: Visitor) -> None:
    event = season(local, season=2)
    waiting = begin(local, event, "Ann", "Bob", state=MatchState.INVITING, seed=None, started_at=None)
    over = local.start_match("montauk", 2)
    with local.transaction() as ctx:
        ctx.session.merge(local.match(over)).event_id = event
    page = site.open(f"/matches/{waiting}")
    assert page.links["League of Montauk, season 2, group 1"] == f"/leagues/{event}?group=1"
    assert "This match begins on Wednesday, 1 April 2026." in page.words
    assert "League of Montauk, season 2" in site.open(f"/matches/{over}").words
    assert "League of" not in site.open(f"/matches/{ended(local, 'Ann', 'Bob')}").words


def test_ones_own_seasons_stand_on_the_page_of_ones_games(local: House) -> None:
    event = season(local, season=2)
    play(local, event, "Ann", "Bob")
    begin(local, event, "Ann", "Cyd")
    coming = open_event(local, season=3)
    enter(local, coming, "Ann")
    page = signed_in(local, "Ann").open("/mine")
    assert page.links["League of Montauk, season 2, group 1"] == f"/leagues/{event}"
    assert "1 of your 2 matches are over." in page.words
    assert page.links["League of Montauk, season 3"] == f"/leagues/{coming}"
    assert "Your seasons" not in signed_in(local, "Zoe").open("/mine").words


@pytest.mark.parametrize("path", ["/", "/lobby"])
def test_the_first_page_and_the_lobby_lead_to_leagues(site: Visitor, path: str) -> None:
    assert 'href="/leagues"' in site.open(path).html


def test_a_season_costs_as_many_statements_whatever_it_holds(local: House, site: Visitor) -> None:
    def asked(path: str) -> int:
        with statements(local.engine) as found:
            assert site.open(path).status == 200
        return len(found)

    small = season(local)
    large = season(local, FIVE, OTHERS, season=2)
    play_all(local, large, FIVE)
    play_all(local, large, OTHERS, group=2)
    assert asked("/leagues") == 1
    assert asked(f"/leagues/{small}") == asked(f"/leagues/{large}") == 6
    assert asked("/leagues/feed") == 1
    assert asked(f"/leagues/{large}/feed") == 3
