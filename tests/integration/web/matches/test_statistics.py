"""The pages of statistics, and what programs are told of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from pbem.games import GAMES
from pbem.play.archive import game_statistics, player_statistics
from pbem.web.matches import charts
from tests.support.ended import ended
from tests.support.play.archive.statistics import handful, refresh
from tests.support.web.account.dashboard import signed_in

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Page, Visitor

CHART = re.compile(r"<svg.*?</svg>", re.DOTALL)


def text(page: Page) -> str:
    """Return all words of a page, those of neighbouring cells apart."""
    return " ".join(re.sub(r"<[^>]*>", " ", CHART.sub("", page.html)).split())


def read(svg: str) -> ET.Element:
    return ET.fromstring(svg)  # noqa: S314 -- drawn here


def drawn(page: Page) -> list[list[float]]:
    """Return the heights of the columns of each chart on a page, one column being 1."""
    heights = []
    for svg in CHART.findall(page.html):
        found = [float(rect.get("height", 0)) for rect in read(svg).iterfind(".//g[@class='series columns']/rect")]
        heights.append([round(one / (min(filter(None, found))), 2) for one in found])
    return heights


def test_before_any_match_has_ended_all_say_so(site: Visitor) -> None:
    assert text(site.open("/statistics")).count("No public match has been counted yet.") == len(GAMES)
    page = site.open("/statistics/montauk")
    assert "No public match of Montauk has been counted yet." in page.words
    assert "New results appear here within a quarter of an hour." in page.words
    assert page.links["Start a match of Montauk"] == "/new/montauk"
    assert site.client.get("/statistics/checkers").status_code == 404


def test_of_few_matches_only_the_middle_is_told(local: House, site: Visitor) -> None:
    ended(local, "Ann", "Bob", scores=[2, 5], moves=20, days=2)
    refresh(local)
    told = text(site.open("/statistics/martian-whist"))
    assert "typically" not in told
    assert "Points per player 4 Wins by seat" in told
    assert "Distribution of points As a table" in told
    assert "One public match has ended. About 20 moves and 2 days." in text(site.open("/statistics"))


def test_a_game_is_told_in_words_tables_and_charts(local: House, site: Visitor) -> None:
    handful(local)
    refresh(local)
    page = site.open("/statistics/martian-whist")
    told = text(page)
    for sentence in (
        "6 public matches have ended.",
        "played to the end 3 50%",
        "called off before the first move 1 17%",
        "With two players",
        "3 matches were played to the end.",
        "Moves typically 30; half of them between 25 and 40",
        "Duration typically 4 days; half of them between 3 days and 6 days",
        "Points per player typically 20; half of them between 18 and 24",
        "Seat Won alone Shared Share 1 1 1 67% 2 1 1 67%",
        "20 to 21 2",
        "Based on 4 moves",
        "up to 1 minute 1 25%",
        "longer 1 25%",
        "Updated Tue 9 Jun 2026, 12:00 UTC",
    ):
        assert sentence in told, sentence
    assert drawn(page) == [[1, 1], [1, 0, 0, 1, 2, 0, 1, 0, 0, 1], [1, 0, 0, 2, 0, 0, 1]]
    # Nobody is named, and nothing brings a style of its own: the policy of these pages would not let it in.
    assert not re.search(r"Ann|Bob|Cyd", page.html)
    assert " style=" not in page.html
    line = text(site.open("/statistics"))
    assert "6 public matches have ended. A match usually takes 30 moves and 4 days." in line


def test_one_match_and_a_game_for_one_have_figures_too(local: House, site: Visitor) -> None:
    ended(local, "Ann", game="minimax", scores=[7], moves=1, days=1, thought=[(1, 59)])
    ended(local, "Ann", "Bob", game="montauk", ending="resigned")
    ended(local, "Ann", "Bob", game="martian-trickery", public=False)
    refresh(local)
    uncounted = text(site.open("/statistics/martian-trickery"))
    assert "No public match of Martian Trickery has been counted yet." in uncounted
    page = site.open("/statistics/minimax")
    assert "Played alone One match was played to the end. Moves 1 Duration 1 day" in text(page)
    assert "59 seconds. Based on one move" in text(page)
    assert len(drawn(page)) == 2
    other = site.open("/statistics/montauk")
    assert "resigned 1 100%" in text(other)
    assert drawn(other) == []
    assert "Montauk One public match has ended. No public" not in text(site.open("/statistics"))


def test_where_there_are_many_it_says_how_many_are_told_of(
    local: House, site: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_statistics, "MAX_MATCHES", 2)
    monkeypatch.setattr(player_statistics, "MAX_MATCHES", 2)
    for _ in range(3):
        ended(local, "Ann", "Bob")
    refresh(local)
    assert "These figures cover the newest 2 public matches." in text(site.open("/statistics/martian-whist"))
    assert "These figures cover your newest 2 matches." in text(signed_in(local).open("/me/statistics"))


def test_ones_own_statistics_are_for_oneself(local: House, site: Visitor) -> None:
    assert site.client.get("/me/statistics").status_code == 303
    handful(local)
    ended(local, "Ann", game="minimax", scores=[7])
    ann = signed_in(local)
    assert "None of your matches has ended yet" in text(ann.open("/me/statistics"))
    refresh(local)
    page = ann.open(ann.open("/me").links["Your statistics"])
    for sentence in (
        "8 matches of yours have ended.",
        "Martian Whist 7 matches, 2 won, one shared, 2 lost, 2 undecided; usually 26 points.",
        "Minimax one match, one alone; usually 7 points.",
        "Bob 5 matches; you won 3, they won 2.",
        "Cyd 2 matches; you won 0, they won 1.",
        "How long your moves take 3 days.",
    ):
        assert sentence in text(page), sentence
    assert len(CHART.findall(page.html)) == 1
    bob = text(signed_in(local, "Bob").open("/me/statistics"))
    assert "Ann 5 matches" in bob
    assert "Cyd" not in bob


def test_somebody_without_a_move_or_an_opponent_is_told_less(local: House) -> None:
    ended(local, "Ann", game="minimax", ending="resigned", winners=[])
    refresh(local)
    page = signed_in(local).open("/me/statistics")
    assert "Minimax one match, one alone. Updated" in text(page)
    assert CHART.findall(page.html) == []


def test_programs_are_told_the_same(local: House, site: Visitor) -> None:
    empty = site.client.get("/api/games/martian-whist/statistics").get_json()
    assert empty == {"game": "martian-whist", "at": None, **game_statistics.EMPTY}
    handful(local)
    refresh(local)
    told = site.client.get("/api/games/martian-whist/statistics").get_json()
    assert set(told) == set(empty)
    assert told["at"] == "2026-06-09T12:00:00.000Z"
    assert told["sizes"][0]["won"] == [{"seat": 1, "alone": 1, "shared": 1}, {"seat": 2, "alone": 1, "shared": 1}]
    assert told["thinking"]["seconds"] == [2708, 5400, 113400]
    refused = site.client.get("/api/games/checkers/statistics")
    assert refused.status_code == 404
    assert "There is no such game." in refused.get_json()["reason"]


def test_it_is_led_to_from_where_games_are_spoken_of(site: Visitor) -> None:
    assert site.open("/").links["Statistics of all games"] == "/statistics"
    assert site.open("/matches").links["Statistics"] == "/statistics"
    page = site.open(site.open("/rules/montauk").links["Statistics"])
    assert page.links["Rules of Montauk"] == "/rules/montauk"


def test_my_games_lead_to_it_where_one_is_over(local: House) -> None:
    ended(local, "Ann", "Bob")
    assert signed_in(local).open("/mine").links["Your statistics"] == "/me/statistics"


@pytest.mark.parametrize(
    ("most", "marks"), [(0, [0, 1]), (1, [0, 1]), (5, [0, 1, 2, 3, 4, 5]), (6, [0, 2, 4, 6]), (501, [0, 200, 400, 600])]
)
def test_a_chart_is_marked_with_round_numbers_and_escapes_names(most: int, marks: list[int]) -> None:
    svg = charts.columns([("<b>", most)], 'a "chart"', "x & y")
    texts = [one.text for one in read(svg).iter("text")]
    # Leather draws zero last.
    assert sorted(texts[2:], key=lambda text: int(text or "")) == [str(mark) for mark in marks]
    assert texts[:2] == ["x & y", "<b>"]


def test_bars_stand_in_the_order_given() -> None:
    svg = read(charts.bars([("Montauk", 7), ("Minimax", 3)], "a chart"))
    rects = svg.findall(".//g[@class='series bars']/rect")
    tops = {round(float(one.get("width", 0))): float(one.get("y", 0)) for one in rects}
    assert tops[max(tops)] < tops[min(tops)]


def test_it_is_told_in_german_too(local: House, site: Visitor) -> None:
    handful(local)
    refresh(local)
    answer = site.client.get("/statistics/martian-whist", headers={"Accept-Language": "de"})
    told = answer.get_data(as_text=True)
    for sentence in (
        "meist 30; die Hälfte zwischen 25 und 40",
        "bis 10 Minuten",
        ">6 Std.</text>",
        "50\N{NO-BREAK SPACE}%",
    ):
        assert sentence in told, sentence
