"""The list of finished matches: from any of them on, and of one game."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

from pbem.play.lifecycle import endings
from pbem.play.matches.match_state import load_match, lock_match
from pbem.play.matches.seats import holders
from pbem.web.matches.public import MAX_LISTED

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Page, Visitor

LIKE_IT = text(
    "INSERT INTO matches SELECT (jsonb_populate_record(one, jsonb_build_object("
    " 'id', 'match' || lpad(n::text, 3, '0'), 'game', CASE WHEN n % 9 = 0 THEN 'montauk' ELSE one.game END,"
    # Two of them end at each moment.
    " 'ended_at', one.ended_at - n / 2 * interval '1 hour'))).* FROM matches one, generate_series(1, :more) n"
)
THEIR_SEATS = text(
    "INSERT INTO match_seats (match_id, seat, default_entropy, imported_name)"
    " SELECT id, seat, '', 'Player ' || seat FROM matches, generate_series(1, 2) seat WHERE id LIKE 'match%'"
)


def over(house: House, more: int) -> None:
    """End one match, and add others like it."""
    match_id = house.start_match("martian-whist", 2)
    with house.transaction() as ctx:
        course = load_match(ctx, lock_match(ctx, match_id))
        endings.resign(ctx, course, holders(ctx, course.match)[0])
    with house.transaction() as ctx:
        ctx.session.execute(LIKE_IT, {"more": more})
        ctx.session.execute(THEIR_SEATS)


def listed(page: Page) -> list[str]:
    return re.findall(r'<a href="/matches/([0-9a-z]+)">', page.html)


def test_older_matches_are_found_page_by_page_each_once(site: Visitor, local: House) -> None:
    over(local, 2 * MAX_LISTED + 5)
    seen: list[list[str]] = []
    page = site.open("/matches")
    assert "In progress" in page.words
    while "Older matches" in page.words:
        seen.append(listed(page))
        page = page.follow("Older matches")
        assert "In progress" not in page.words
    seen.append(listed(page))
    assert [len(one) for one in seen] == [MAX_LISTED, MAX_LISTED, 6]
    every = [match for one in seen for match in one]
    assert len(set(every)) == len(every) == 2 * MAX_LISTED + 6
    # Those that ended at the same moment stand in the order of their names, backwards.
    assert every[2:] == [f"match{n + side:03}" for n in range(2, 2 * MAX_LISTED + 5, 2) for side in (1, 0)]
    assert listed(page.follow("Back to the first")) == seen[0]


def test_matches_of_one_game_are_listed_alone(site: Visitor, local: House) -> None:
    over(local, 30)
    page = site.open("/matches?game=montauk")
    assert listed(page) == ["match009", "match018", "match027"]
    assert '<option value="montauk" selected>' in page.html
    assert "In progress" not in page.words
    page = site.open("/matches?game=martian-whist").follow("Older matches")
    assert len(listed(page)) == 28 - MAX_LISTED
    assert '<option value="martian-whist" selected>' in page.html
    assert "No such match has ended yet." in site.open("/matches?game=minimax").words


@pytest.mark.parametrize("typed", ["game=chess", "before=yesterday", "before=2026-01-01~x", "before=~&game="])
def test_what_is_no_place_and_no_game_shows_the_beginning(site: Visitor, local: House, typed: str) -> None:
    over(local, 1)
    assert site.open(f"/matches?{typed}").shown == site.open("/matches").shown
