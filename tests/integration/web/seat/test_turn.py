"""A seat's own page: looking changes nothing, and a form plays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select
from sqlalchemy.orm.attributes import set_committed_value

from pbem.db.models import Address, LogEntry, Match, OutboxMessage, Player, SeatHolder, Submission, Token
from pbem.games import Seat
from pbem.play.submissions import queue
from pbem.web.common.seat_link import find_seat
from tests.support.web.seat.turn import log, turn
from tests.support.web.site import visitor

if TYPE_CHECKING:
    import pytest

    from pbem.play.core.context import Context
    from tests.support.house import House
    from tests.support.pages import Visitor
EVERYTHING = (Player, Address, Match, SeatHolder, Token, LogEntry, Submission, OutboxMessage)
HUNDRED = 100


def rows(house: House) -> list[int]:
    return [int(house.rows(select(func.count()).select_from(table))[0][0]) for table in EVERYTHING]


def suggested(house: House, match_id: str, seat: int) -> tuple[str, ...]:
    with house.course(match_id) as (_, course):
        return tuple(course.game.suggest(course.position, Seat(seat)))


# -- choosing ----------------------------------------------------------------------------------------


def test_the_number_of_a_likely_move_is_looked_at_and_played_as_that_move(site: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    page = turn(site, local)
    move = suggested(local, match_id, 1)[1]
    page.press("Preview", move="#2").press("Play this move")
    assert log(local, match_id) == [move]


def test_a_number_that_no_likely_move_has_is_refused(site: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    page = turn(site, local).press("Preview", move="#9")
    assert "“#9” is not a suggested move. These are: #1, #2, #3." in page.words
    assert log(local, match_id) == []


def test_it_says_what_to_do_and_offers_moves(site: Visitor, local: House) -> None:
    local.start_match("martian-whist", 2)
    page = turn(site, local)
    assert "Take the top pyramid of a tree by the tree's number" in page.words
    assert "For example" not in page.words
    assert page.html.count('<svg xmlns="http://www.w3.org/2000/svg" class="board"') == 1
    assert "Trees, bottom to top" in page.words
    assert {"take 1", "take 20"} <= set(page.links)
    assert "Solid beats mixed" in page.words
    assert "Take-back, draw, pause, more time" in page.links


def test_a_word_without_a_page_is_said_to_be_for_mails(site: Visitor, local: House) -> None:
    local.start_match("martian-whist", 2)
    page = turn(site, local).press("Preview", move="List")
    assert "in a reply to a mail: “list” to get a list of all your matches." in page.words
    assert page.form("Preview").fields["move"] == "List"
    assert "in a reply" not in page.press("Preview", move="accept").words


def test_a_match_that_was_read_before_its_verdict_leads_on_to_the_next_turn(
    returning: Visitor, local: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = local.start_match("minimax", 1)
    (move, *_) = suggested(local, match_id, 1)
    preview = turn(returning, local).press("Preview", move=move)
    form = preview.form("Play this move")
    sent = returning.client.post(form.action, data=form.fields).headers["Location"]

    def find_older(ctx: Context, token: str) -> tuple[Token, Match]:
        found, match = find_seat(ctx, token)
        for name in ("ply", "next_ply"):
            set_committed_value(match, name, 1)
        return found, match

    monkeypatch.setattr("pbem.web.seat.turn.find_seat", find_older)
    assert "after=" in returning.client.get(sent).headers["Location"]


def test_looking_never_changes_anything(site: Visitor, local: House) -> None:
    local.start_match("martian-whist", 2)
    url = turn(site, local).url
    before = rows(local)
    for path in (
        "",
        "?move=take+1",
        "?move=hello",
        "?chosen=take+2",
        "?sent=x",
        "/resign",
        "/agreements",
        "?move=resign+yes",
    ):
        for method in ("GET", "HEAD", "OPTIONS"):
            assert site.open(url + path, method).status == 200
    for method in ("HEAD", "OPTIONS", "GET"):
        site.client.open(f"{url}/fresh", method=method)
    assert rows(local) == before


# -- playing -----------------------------------------------------------------------------------------


def test_a_played_move_is_shown_with_whose_turn_it_is(returning: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    page = turn(returning, local).follow("take 7").press("Play this move")
    assert "It is Bob’s turn. Martian Whist: Ann and Bob. You are Ann. You took the" in page.words
    assert log(local, match_id) == ["take 7"]
    assert page.shown == returning.open(page.url).shown


def test_a_hundred_times_the_same_form_is_one_move(site: Visitor, local: House) -> None:
    match_id = local.start_match("minimax", 1)
    page = turn(site, local)
    preview = page.follow(next(words for words, link in page.links.items() if "move=" in link))
    for _ in range(HUNDRED):
        assert "Your move was played" in preview.press("Play this move").words
    assert len(log(local, match_id)) == 1
    assert len(local.all(select(Submission))) == 1


def test_a_move_leads_straight_to_the_next_turn_where_that_is_ones_own(returning: Visitor, local: House) -> None:
    match_id = local.start_match("minimax", 1)
    (move, *_) = suggested(local, match_id, 1)
    page = turn(returning, local).press("Preview", move=move).press("Play this move")
    assert "Your turn in Minimax" in page.words
    assert page.words.index("The board as text") > page.words.index("You sowed")
    assert "Take it back" in page.links
    assert page.press("Preview", move="#1").form("Play this move").fields["ply"] == "2"


def test_only_who_played_while_it_was_their_turn_is_led_on(returning: Visitor, site: Visitor, local: House) -> None:
    local.start_match("minimax", 1)
    preview = turn(returning, local).follow("Preview")
    form = preview.form("Play this move")
    sent = returning.client.post(form.action, data=form.fields).headers["Location"]
    assert "Your turn in Minimax" in returning.open(sent).words
    for old in (site.send(form, form.fields), site.open(sent)):
        assert "Your move was played" in old.words
        assert "Use the link in the newest mail" in old.words
        assert "Play" not in {form.button.partition(" ")[0] for form in old.forms}


def test_a_suggested_move_is_played_by_one_touch(returning: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    (move, *_) = suggested(local, match_id, 1)
    page = turn(returning, local)
    assert page.follow("Preview").form("Play this move").fields["move"] == move
    played = page.press(f"Play {move}")
    assert "It is Bob’s turn" in played.words
    assert log(local, match_id) == [move]


def test_a_suggested_move_that_hides_or_ends_something_is_previewed(site: Visitor, local: House) -> None:
    match_id = local.start_match("middle-card", 3)
    swap = next(move for move in local.legal(match_id, 1) if move.startswith("swap"))
    page = turn(site, local)
    assert f"Play {swap}" not in [form.button for form in page.forms]


def test_another_move_through_an_old_form_has_come_too_late(site: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    page = turn(site, local)
    other = page.follow("take 9")
    page.follow("take 7").press("Play this move")
    late = other.press("Play this move")
    assert "That turn is already over" in late.words
    assert "Ann took the" in late.words
    assert log(local, match_id) == ["take 7"]


def test_what_the_judge_refuses_is_explained_with_the_form(site: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    form = turn(site, local).follow("take 7").form("Play this move")
    page = site.send(form, {**form.fields, "move": "take 77"})
    assert "Nothing was played." in page.words
    assert page.form("Preview").fields["move"] == "take 77"
    far = site.send(form, {**form.fields, "ply": "5"})
    assert "Move 5 has not been reached" in far.words
    assert log(local, match_id) == []


def test_a_text_that_no_program_could_send_is_refused_by_the_form_too(site: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    page = turn(site, local).follow("take 7")
    form = page.form("Play this move")
    longest = "x" * queue.MAX_MOVE_CHARS
    refused = site.send(form, {**form.fields, "move": f"{longest}x"})
    assert refused.status == 400
    assert "A move has at most 4000 characters." in refused.words
    assert f"{longest}x" in refused.html
    assert site.open(f"{page.url.partition('?')[0]}?move={longest}x").words.count("A move has at most") == 1
    assert local.all(select(Submission)) == []
    site.send(form, {**form.fields, "move": longest})
    assert len(local.all(select(Submission).where(Submission.match_id == match_id))) == 1


def test_a_form_of_elsewhere_plays_nothing(site: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    page = turn(site, local).follow("take 7").press("Play this move", nonce="x")
    assert page.status == 400
    assert "nothing has been done yet" in page.words
    assert page.form("Play this move").fields["move"] == "take 7"
    assert local.all(select(Submission)) == []
    page.press("Play this move")
    assert log(local, match_id) == ["take 7"]


def test_a_form_without_a_move_or_ply_does_nothing(site: Visitor, local: House) -> None:
    local.start_match("martian-whist", 2)
    page = turn(site, local)
    form = page.follow("take 7").form("Play this move")
    for typed in ({}, {"move": "take 1"}, {"move": "take 1", "ply": "x"}, {"move": "take 1", "ply": "²"}):
        assert site.send(form, {"nonce": form.fields["nonce"], **typed}).shown == site.open(page.url).shown
    assert local.all(select(Submission)) == []


def test_while_it_is_judged_the_page_looks_again_by_itself(local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    site = visitor(local)
    page = turn(site, local).follow("take 7").press("Play this move")
    assert "Checking your move" in page.words
    assert '<meta http-equiv="refresh" content="1">' in page.html
    local.judge(match_id)
    assert "Your move was played" in site.open(page.url).words


def test_a_verdict_is_shown_to_its_own_seat_alone(site: Visitor, local: House) -> None:
    local.start_match("martian-whist", 2)
    page = turn(site, local).follow("take 7").press("Play this move")
    bob = turn(site, local, "Bob")
    sent = page.url.partition("?")[2]
    assert site.open(f"{bob.url}?{sent}").shown == bob.shown
