"""A match as anybody may see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import update

from pbem.db.models import Match

if TYPE_CHECKING:
    from tests.house import House
    from tests.pages import Visitor

REFRESH = '<meta http-equiv="refresh" content="30">'


def test_it_shows_board_players_turn_and_proof(site: Visitor, local: House) -> None:
    match_id = local.begin("martian-whist", 2)
    site.open(f"/m/{local.last('Ann').token}").follow("take 7").press("Play this move")
    page = site.open(f"/matches/{match_id}")
    assert "Ann and Bob. It is Bob’s turn." in page.words
    assert "Ann took the" in page.words
    assert local.match(match_id).head.hex() in page.words
    assert local.match(match_id).commitment.hex() in page.words
    assert "<svg" in page.html
    assert REFRESH in page.html
    assert "/m/" not in page.html


def test_before_it_begins_it_says_who_is_awaited(site: Visitor, local: House) -> None:
    match_id = local.make("martian-whist", 2, creator=1)
    page = site.open(f"/matches/{match_id}")
    assert "Ann has accepted" in page.words
    assert "Bob not yet" in page.words
    site.open(f"/invitation/{local.last('Bob').token}").press("Decline").press("Decline")
    assert "called off" in site.open(f"/matches/{match_id}").words


def test_when_it_is_over_its_record_can_be_had(site: Visitor, local: House) -> None:
    match_id = local.begin("martian-whist", 2)
    site.open(f"/m/{local.last('Ann').token}").follow("Resign").press("Resign for good")
    page = site.open(f"/matches/{match_id}")
    assert "The match is over by resignation. Bob has won." in page.words
    assert "pbem verify" in page.words
    assert REFRESH not in page.html
    record = site.client.get(page.links["The record of this match"])
    assert record.json
    assert record.json["result"]["ending"] == "resigned"


def test_private_and_unknown_matches_cannot_be_told_apart(site: Visitor, local: House) -> None:
    match_id = local.begin("martian-whist", 2)
    with local.table() as table:
        table.session.execute(update(Match).values(public=False))
    private, unknown = site.open(f"/matches/{match_id}"), site.open("/matches/nothing")
    assert private.status == unknown.status == 404
    assert private.html == unknown.html
    assert site.open(f"/made/{match_id}").status == 404
    assert "The whole match" not in site.open(f"/m/{local.last('Ann').token}").links


def test_a_long_match_folds_its_earlier_moves(site: Visitor, local: House) -> None:
    match_id = local.begin("martian-whist", 2)
    for number in range(12):
        name = "Ann" if number % 2 == 0 else "Bob"
        page = site.open(f"/m/{local.last(name).token}")
        page.follow(next(words for words in page.links if words.startswith("take"))).press("Play this move")
    page = site.open(f"/matches/{match_id}")
    assert "4 earlier moves" in page.words
    assert '<ol class="news" start="5">' in page.html


def test_options_are_told_in_words(site: Visitor, local: House) -> None:
    match_id = local.begin("middle-card", 3)
    assert "Swap yes" in site.open(f"/matches/{match_id}").words
