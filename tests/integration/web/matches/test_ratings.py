"""The page of one's own ratings, what programs are told of them, and who else sees them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from sqlalchemy import select, update

from pbem.db.models import Player
from pbem.ratings.eligibility import Reason
from pbem.web.matches import charts
from tests.support.ended import ended
from tests.support.play.ratings.rated import rate, rated, replace_seat, run
from tests.support.web.account.dashboard import signed_in
from tests.support.web.lobby.open_tables import opened

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Page, Visitor


def text(page: Page) -> str:
    """Return all words of a page, those of neighbouring cells apart."""
    return " ".join(re.sub(r"<[^>]*>", " ", page.html).split())


def test_before_any_match_has_been_rated_the_page_says_how_one_is(local: House, site: Visitor) -> None:
    assert site.client.get("/me/ratings").status_code == 303
    ended(local, "Ann", "Bob")
    page = signed_in(local).open("/me/ratings")
    assert "You have no rating yet." in text(page)
    assert "at most 2 matches of the same two people count" in text(page)
    assert "<svg" not in page.html.split("<h1>")[1]


def test_the_page_shows_each_rating_and_each_match_before_and_after(local: House) -> None:
    rated(local, "Ann", "Bob", days=1)
    last = rated(local, "Cyd", "Ann", days=2)
    rate(local)
    page = signed_in(local).open("/me/ratings")
    told = text(page)
    assert re.search(
        r"Martian Whist: 1\d\d\d ± \d\d\d 2 matches count so far. It is provisional until 10 matches.", told
    )
    assert re.search(r"with Cyd 2 1563 ± 19\d 1\d\d\d ± 1\d\d", told)
    assert re.search(r"with Bob 1 1500 ± 200 1563 ± 19\d", told)
    assert f"/matches/{last}" in page.html
    assert 'aria-label="Rating after each match"' in page.html


def test_one_match_makes_no_line(local: House) -> None:
    rated(local, "Ann", "Bob")
    rate(local)
    page = signed_in(local).open("/me/ratings")
    assert "One match counts so far." in text(page)
    assert 'aria-label="Rating after each match"' not in page.html


def shows(local: House, name: str) -> bool:
    (shown,) = local.all(select(Player.shows_rating).where(Player.name == name))
    return bool(shown)


def test_whether_others_see_them_is_chosen_there(local: House) -> None:
    ended(local, "Ann", "Bob")
    ann = signed_in(local)
    page = ann.open("/me/ratings")
    assert not shows(local, "Ann")
    assert "Saved." in page.press("Save", shows_rating="on").words
    assert shows(local, "Ann")
    form = ann.open("/me/ratings").form("Save")
    assert form.fields["shows_rating"] == "on"
    ann.send(form, {"nonce": form.fields["nonce"]})
    assert not shows(local, "Ann")
    assert ann.client.post("/me/ratings", data={"shows_rating": "1"}).status_code == 400


def test_ratings_stand_beside_names_for_those_who_sit_there_and_of_those_who_show_them(
    local: House, site: Visitor
) -> None:
    match_id = rated(local, "Ann", "Bob")
    ended(local, "Cyd", "Dee")
    rate(local)
    page = f"/matches/{match_id}"
    assert "±" not in text(site.open(page))
    assert "±" not in text(signed_in(local, "Cyd").open(page))
    assert "1563 ± 200" in text(signed_in(local, "Bob").open(page))
    run(local, update(Player).where(Player.name == "Bob").values(shows_rating=True))
    told = text(site.open(page))
    assert "1437 ± 200" in told
    assert "1563 ±" not in told


def test_a_match_says_whether_it_counts(local: House, site: Visitor) -> None:
    def told(match_id: str) -> tuple[Any, str]:
        return site.client.get(f"/api/matches/{match_id}").get_json()["rated"], text(site.open(f"/matches/{match_id}"))

    friendly = ended(local, "Ann", "Bob")
    counted, void = rated(local, "Ann", "Bob"), rated(local, "Ann", "Cyd", ending="aborted", winners=())
    taken_over = rated(local, "Ann", "Dee")
    replace_seat(local, taken_over, "robot")
    assert told(counted)[0] is True
    assert "The result is being rated." in told(counted)[1]
    rate(local)
    for match_id, rated_as, sentence in (
        (friendly, Reason.FRIENDLY, "This match is friendly: it is not rated."),
        (counted, True, "The result counts for the players’ ratings."),
        (void, Reason.VOID, "This match is not rated, since nobody won it."),
        (taken_over, True, "The result counts for the players’ ratings."),
    ):
        assert told(match_id)[0] == rated_as
        assert sentence in told(match_id)[1]


def test_programs_are_told_the_callers_own_ratings(local: House) -> None:
    match_id = rated(local, "Ann", "Bob")
    rate(local)
    ann = signed_in(local).client
    assert ann.get("/api/me/ratings").get_json() == [
        {"game": "martian-whist", "rating": {"points": 1563, "margin": 200}, "matches": 1, "provisional": True}
    ]
    (one,) = ann.get("/api/me/ratings/martian-whist").get_json()
    assert (one["match"], one["opponents"], one["place"]) == (match_id, ["Bob"], 1)
    assert (one["before"], one["after"]) == ({"points": 1500, "margin": 200}, {"points": 1563, "margin": 194})
    assert ann.get("/api/me/ratings/montauk").get_json() == []
    assert ann.get("/api/me/ratings/checkers").status_code == 404


def test_without_a_key_nobody_is_told_ratings(site: Visitor) -> None:
    assert site.client.get("/api/me/ratings").status_code == 401
    assert site.client.get("/api/me/ratings/montauk").status_code == 401


def test_a_table_shows_ratings_to_those_who_may_sit_there(local: House, site: Visitor) -> None:
    rated(local, "Ann", "Bob")
    rate(local)
    table = f"/join/{opened(local, rated=True)}"
    friendly = f"/join/{opened(local)}"
    assert "rating 1563 ± 200, provisional" in text(signed_in(local, "Bob").open(table))
    assert "Rated: the result changes the players’ ratings" in text(site.open(table))
    assert "rating 1563" not in text(site.open(table))
    assert "rating 1563" not in text(signed_in(local, "Bob").open(friendly))
    assert "This match is friendly: it is not rated." in text(site.open(friendly))


def test_an_invitation_shows_both_ratings_and_the_chances(local: House, site: Visitor) -> None:
    rated(local, "Bob", "Ann")
    rate(local)
    local.make("martian-whist", 2)
    told = text(site.open(f"/invitation/{local.last('Bob').token}"))
    assert "rating 1437 ± 200, provisional" in told
    assert "By your ratings it is about 70 to 30 for Bob." in told
    local.make("martian-whist", 2, rated=False)
    told = text(site.open(f"/invitation/{local.last('Bob').token}"))
    assert "By your ratings" not in told
    assert "rating 1437" not in told


@pytest.mark.parametrize("values", [[1500, 1500], [1563, 1601, 1570], [900, 2100], [1499, 1501]])
def test_a_line_lies_within_its_scale_which_has_few_marks(values: list[int]) -> None:
    drawn = ET.fromstring(charts.line(values, "a chart", "Match"))  # noqa: S314 -- drawn here
    marks = [int(text.text or "") for text in drawn.iterfind(".//g[@class='axis left']/g/text")]
    assert min(marks) <= min(values) <= max(values) <= max(marks)
    assert 1 <= len(marks) <= charts.MAX_TICKS + 2
