"""A match as anybody may see it, and watching it live."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import update

from pbem.boards import drawing_for
from pbem.db.models import Deadline, Match
from pbem.games import GAMES, Eye
from pbem.play.archive import record_import
from pbem.play.lifecycle import endings
from pbem.play.matches import spectating
from pbem.play.matches.match_state import load_match, lock_match
from pbem.play.matches.seats import holders
from pbem.play.matches.spectating import spectator_view
from pbem.play.matches.views import player_names, render_view, view_for
from pbem.states import MatchState
from tests.support.games.small_record import random_match
from tests.support.play.secrecy import bytes_of, exchanged, stages
from tests.support.web.seat.turn import turn

if TYPE_CHECKING:
    from werkzeug.test import TestResponse

    from tests.support.house import House
    from tests.support.pages import Visitor

REFRESH = '<meta http-equiv="refresh" content="30">'


def heartbeat(site: Visitor, match_id: str, **headers: str) -> TestResponse:
    return site.client.get(f"/matches/{match_id}/live", headers={k.replace("_", "-"): v for k, v in headers.items()})


def mark_of(answer: TestResponse) -> str:
    (found,) = (line for line in answer.text.splitlines() if line.startswith("id: "))
    return found.removeprefix("id: ")


def test_it_shows_board_players_turn_and_proof(site: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    site.open(f"/m/{local.last('Ann').token}").follow("take 7").press("Play this move")
    page = site.open(f"/matches/{match_id}")
    assert "Ann and Bob. It is Bob’s turn." in page.words
    assert "Ann took the" in page.words
    assert local.match(match_id).chain_head.hex() in page.words
    assert local.match(match_id).commitment.hex() in page.words
    assert "No deadlines: as long as you like." in page.words
    assert "<svg" in page.html
    assert "/m/" not in page.html


def test_it_says_who_is_to_move_since_when_and_until_when(site: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    assert "Waiting for Ann since" in site.open(f"/matches/{match_id}").words
    asked, due = (datetime(2026, 11, day, 18, 30, tzinfo=UTC) for day in (22, 25))
    with local.transaction() as ctx:
        ctx.session.execute(update(Deadline).values(asked_at=asked, due_at=due))
        ctx.session.merge(Deadline(match_id=match_id, seat=1, ply=1, asked_at=asked, due_at=due))
    said = "Waiting for Ann since Sun 22 Nov 2026, 18:30 UTC · due Wed 25 Nov, 18:30 UTC"
    assert said in site.open(f"/matches/{match_id}").words


def test_before_it_begins_it_says_who_is_awaited(site: Visitor, local: House) -> None:
    match_id = local.make("martian-whist", 2, creator=1)
    page = site.open(f"/matches/{match_id}")
    assert "Ann has accepted" in page.words
    assert "Bob not yet" in page.words
    site.open(f"/invitation/{local.last('Bob').token}").press("Decline").press("Decline")
    assert "called off" in site.open(f"/matches/{match_id}").words


def test_when_it_is_over_its_record_can_be_had(site: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    site.open(f"/m/{local.last('Ann').token}").follow("Resign").press("Yes, resign")
    page = site.open(f"/matches/{match_id}")
    assert "The match is over by resignation. Bob has won." in page.words
    assert "pbem verify" in page.words
    assert "live.js" not in page.html
    record = site.client.get(page.links["Record (JSON)"])
    assert record.json
    assert record.json["result"]["ending"] == "resigned"


def test_private_and_unknown_matches_cannot_be_told_apart(site: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    with local.transaction() as ctx:
        ctx.session.execute(update(Match).values(public=False))
    private, unknown = site.open(f"/matches/{match_id}"), site.open("/matches/nothing")
    assert private.status == unknown.status == 404
    assert private.html == unknown.html
    assert heartbeat(site, match_id).status_code == heartbeat(site, "nothing").status_code == 404
    assert site.open(f"/made/{match_id}").status == 404
    assert "Match page" not in site.open(f"/m/{local.last('Ann').token}").links


def test_a_long_match_folds_its_earlier_moves(site: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    for number in range(12):
        name = "Ann" if number % 2 == 0 else "Bob"
        page = turn(site, local, name)
        page.follow(next(words for words in page.links if words.startswith("take"))).press("Play this move")
    page = site.open(f"/matches/{match_id}")
    assert "4 earlier moves" in page.words
    assert '<ol class="news" start="5">' in page.html


def test_options_are_told_in_words(site: Visitor, local: House) -> None:
    match_id = local.start_match("middle-card", 3)
    assert "Swap yes" in site.open(f"/matches/{match_id}").words


def test_a_reader_without_scripts_has_the_page_load_itself_again_if_they_ask(site: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    page = site.open(f"/matches/{match_id}")
    assert REFRESH not in page.html
    again = page.follow("Reload this page every 30 seconds")
    assert REFRESH in again.html
    assert "live.js" not in again.html
    assert REFRESH not in again.follow("Stop reloading this page").html


def test_a_page_that_has_not_changed_is_not_sent_again(site: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    first = site.client.get(f"/matches/{match_id}")
    known = {"If-None-Match": first.headers["ETag"]}
    assert "no-cache" in first.headers["Cache-Control"]
    assert site.client.get(f"/matches/{match_id}", headers=known).status_code == 304
    in_german = {**known, "Accept-Language": "de"}
    assert site.client.get(f"/matches/{match_id}", headers=in_german).status_code == 200
    site.open(f"/m/{local.last('Ann').token}").follow("take 7").press("Play this move")
    assert site.client.get(f"/matches/{match_id}", headers=known).status_code == 200


def test_a_watcher_hears_of_each_change_once_and_at_the_end_no_more(site: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    first = heartbeat(site, match_id)
    assert first.mimetype == "text/event-stream"
    assert "retry: 4000" in first.text
    begun = mark_of(first)
    assert f'data-mark="{begun}"' in site.open(f"/matches/{match_id}").html
    assert "event:" not in heartbeat(site, match_id, Last_Event_ID=begun).text
    assert "event:" not in site.client.get(f"/matches/{match_id}/live?since={begun}").text
    site.open(f"/m/{local.last('Ann').token}").follow("take 7").press("Play this move")
    moved = mark_of(heartbeat(site, match_id, Last_Event_ID=begun))
    assert moved != begun
    site.open(f"/m/{local.last('Bob').token}").follow("Resign").press("Yes, resign")
    over = heartbeat(site, match_id, Last_Event_ID=moved)
    assert "event: changed" in over.text
    assert heartbeat(site, match_id, Last_Event_ID=mark_of(over)).status_code == 204


@pytest.mark.parametrize(("game", "seats"), [("martian-trickery", 3), ("montauk", 2)])
def test_hands_are_open_when_the_match_is_over_and_the_page_says_so(
    site: Visitor, local: House, game: str, seats: int
) -> None:
    match_id = local.start_match(game, seats)
    said = "so everything is open now"
    with local.course(match_id) as (_, course):
        running, opened = spectator_view(course, ("Ann", "Bob", "Cyd")[:seats])
        assert not opened
        assert bytes_of(running) == bytes_of(render_view(course, Eye.PUBLIC, ("Ann", "Bob", "Cyd")[:seats]))
        before = drawing_for(game).text(view_for(course, Eye.PUBLIC).board, ("Ann", "Bob", "Cyd")[:seats])
    assert said not in site.open(f"/matches/{match_id}").words
    with local.transaction() as ctx:
        match = lock_match(ctx, match_id)
        endings.resign(ctx, load_match(ctx, match), holders(ctx, match)[0])
    with local.course(match_id) as (_, course):
        hands = [card for hand in course.position.hands for card in hand.value]
        after, opened = spectator_view(course, ("Ann", "Bob", "Cyd")[:seats])
    assert opened
    assert len(hands) > 6
    assert not all(card in before for card in hands)
    assert all(str(card) in str(after["board"]) for card in hands)
    page = site.open(f"/matches/{match_id}")
    assert said in page.words
    assert after["text"].splitlines()[-1].strip() in page.html


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_watched_to_its_end_by_resignation(site: Visitor, local: House, game: str) -> None:
    seats = GAMES[game].seats[0]
    match_id = local.start_match(game, seats)
    assert site.open(f"/matches/{match_id}").status == 200
    with local.transaction() as ctx:
        match = lock_match(ctx, match_id)
        endings.resign(ctx, load_match(ctx, match), holders(ctx, match)[0])
    assert "by resignation" in site.open(f"/matches/{match_id}").words


def test_nothing_that_a_watcher_is_shown_depends_on_hidden_cards(house: House) -> None:
    exchanges = 0
    for table, course in stages(house, "middle-card", 3, {}, 12):
        names, other = player_names(table, course.match), exchanged(course, Eye.PUBLIC)
        if course.match.state == MatchState.RUNNING:
            exchanges += other.position != course.position
            assert bytes_of(spectator_view(course, names)) == bytes_of(spectator_view(other, names))
            assert spectating.current_version(table, course.match.id) == spectating.MatchVersion(
                spectating.version_mark(course.match), over=False
            )
    assert exchanges > 5


def test_public_matches_are_listed_to_be_looked_at(site: Visitor, local: House) -> None:
    page = site.open("/").follow("Watch")
    assert "No public match is in progress." in page.words
    assert "No public match has ended yet." in page.words
    first, second = local.start_match("martian-whist", 2), local.start_match("minimax", 1)
    local.make("montauk", 2)
    with local.transaction() as ctx:
        ctx.session.execute(update(Match).where(Match.id == second).values(public=False))
    page = site.open("/matches")
    assert "Martian Whist with Ann and Bob 0 moves so far" in page.words
    assert "Minimax" not in page.words
    assert "Montauk" not in page.words
    with local.transaction() as ctx:
        match = lock_match(ctx, first)
        endings.resign(ctx, load_match(ctx, match), holders(ctx, match)[0])
    page = site.open("/matches")
    assert "Ann and Bob The match is over by resignation." in page.words
    assert page.follow("Martian Whist with Ann and Bob").status == 200


@pytest.mark.parametrize("key", ["middle-card", "minimax", "montauk"])
def test_a_match_of_another_server_is_shown_as_any_other(site: Visitor, local: House, key: str) -> None:
    record = replace(random_match(key, 9), seats=("<b>Ann</b>", "Bob & Co", "Cyd")[: GAMES[key].seats[0]])
    with local.transaction(datetime(2026, 11, 22, 12, tzinfo=UTC)) as ctx:
        record_import.store(ctx, record_import.verify(record), public=True)
    page = site.open(f"/matches/{record.match}")
    assert page.status == 200
    assert "This match was played elsewhere and imported from its record on Sunday, 22 November 2026." in page.words
    assert "&lt;b&gt;Ann&lt;/b&gt;" in page.html
    assert "<b>Ann" not in page.html
    assert "<b>Ann</b>" in site.open("/matches").words
    assert site.client.get(f"/api/matches/{record.match}/record").get_json() == record.data()
