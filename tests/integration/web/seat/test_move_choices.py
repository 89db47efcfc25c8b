"""Choosing a move on a seat's own page: piece by piece, typed, with a preview of what it would do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from pbem.games import GAMES, Seat
from pbem.play.matches.match_state import load_match, lock_match, play_move
from tests.support.house import NAMES
from tests.support.web.seat.turn import log, present, turn

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Page, Visitor

MOST_A_WEB_SERVER_TAKES = 4094


def is_complete(page: Page) -> bool:
    return "Undo" in page.links and "Your move so far" not in page.words


def test_a_move_is_put_together_piece_by_piece(site: Visitor, local: House) -> None:
    local.start_match("minimax", 1)
    page = turn(site, local)
    chosen = []
    while not is_complete(page):
        piece = next(words for words, link in page.links.items() if "chosen=" in link and "Undo" not in words)
        chosen.append(piece)
        page = page.follow(piece)
    assert chosen[0] in {"sow a", "sow b", "sow c", "sow d"}
    assert page.form("Play this move").fields["move"].startswith(chosen[0])
    assert "Your move was played" in page.press("Play this move").words


def test_the_last_piece_can_be_undone(site: Visitor, local: House) -> None:
    local.start_match("minimax", 1)
    page = turn(site, local)
    first = page.follow("sow a")
    assert "Your move so far sow a" in first.words
    piece = next(words for words, link in first.links.items() if link.count("chosen=") == 2)
    second = first.follow(piece)
    assert second.follow("Undo").shown == first.shown
    assert first.follow("Undo").shown == page.shown


def test_pieces_that_do_not_follow_are_left_out(site: Visitor, local: House) -> None:
    local.start_match("minimax", 1)
    page = turn(site, local)
    odd = site.open(f"{page.url}?chosen=sow+a&chosen=K3&chosen=%3Cb%3E")
    assert odd.shown == site.open(f"{page.url}?chosen=sow+a").shown


def test_a_preview_shows_what_the_move_would_do(site: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    page = site.open(f"{turn(site, local).url}?chosen=take+7").follow("Preview")
    assert page.form("Play this move").fields["move"] == "take 7"
    assert "You took the" in page.words
    assert "<svg" in page.html
    assert log(local, match_id) == []


def test_a_typed_move_is_read_as_a_mail_would_be(site: Visitor, local: House) -> None:
    local.start_match("martian-whist", 2)
    page = turn(site, local).press("Preview", move="  TAKE  tree 7! ")
    assert page.form("Play this move").fields["move"] == "take 7"


def test_a_text_too_long_for_an_address_is_refused_in_a_sentence(site: Visitor, local: House) -> None:
    local.start_match("martian-whist", 2)
    page = turn(site, local).press("Preview", move="ü" * 1300)
    assert "Nothing was played." in page.words
    assert len(page.url) < MOST_A_WEB_SERVER_TAKES


def test_a_chosen_move_is_played_where_it_was_chosen(site: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    page = site.open(f"{turn(site, local).url}?chosen=take+7")
    assert "Your move take 7" in page.words
    assert "Your turn in Martian Whist" in page.words
    assert "Your move was played" in page.press("Play this move").words
    assert log(local, match_id) == ["take 7"]


def test_what_is_no_move_is_explained_and_kept(site: Visitor, local: House) -> None:
    local.start_match("martian-whist", 2)
    page = turn(site, local).press("Preview", move="<b>take 77</b>")
    assert "Nothing was played." in page.words
    assert page.form("Preview").fields["move"] == "<b>take 77</b>"
    assert "<b>" not in page.html
    assert "take 1" in page.links


def test_moves_that_were_meant_are_named_once_on_the_page(site: Visitor, local: House) -> None:
    match_id = local.start_match("montauk", 2)
    name = NAMES[local.match(match_id).to_move[0] - 1]
    while "You won the trick" not in (page := present(site, local, match_id, name)).words:
        page.press("Preview", move=local.legal(match_id, NAMES.index(name) + 1)[0]).press("Play this move")
        name = NAMES[local.match(match_id).to_move[0] - 1]
    typed = " ".join(["6-off"] * 7)
    words = page.press("Preview", move=typed).words
    refused = words.partition("Nothing was played.")[2].partition("You won the trick")[0]
    with local.course(match_id) as (_, course):
        near = course.game.nearest(course.position, Seat(NAMES.index(name) + 1), typed)
    assert near
    assert "Did you mean" in refused
    assert not [move for move in near if move in refused.partition("Did you mean")[0]]


def test_what_is_no_move_is_answered_with_links_to_the_nearest_ones(site: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    page = turn(site, local).press("Preview", move="take 77")
    words = page.words.partition("Did you mean")[2]
    assert words.startswith(" take 20 take 19 take 18 ")
    assert page.follow("take 20").form("Play this move").fields["move"] == "take 20"
    form = page.follow("take 20").form("Play this move")
    refused = site.send(form, {**form.fields, "move": "take 21"})
    assert "Did you mean take 20 take 19 take 18" in refused.words
    assert "Did you mean" not in turn_again(site, local, match_id, "what now?").words


def turn_again(site: Visitor, house: House, match_id: str, typed: str) -> Page:
    return present(site, house, match_id, "Ann").press("Preview", move=typed)


@pytest.mark.parametrize(
    ("game", "typed", "follows"),
    [("minimax", "sow a", "Still to be sown"), ("amazonian-buffet", "a1-a2", "you could claim"),
     ("martian-trickery", "R2", "name one of your cards too")],
)  # fmt: skip
def test_the_start_of_a_move_leads_to_choosing_the_rest(
    site: Visitor, local: House, game: str, typed: str, follows: str
) -> None:
    match_id = local.start_match(game, GAMES[game].seats[0])
    page = turn_again(site, local, match_id, typed)
    assert "Good start." in page.words
    assert follows in page.words
    assert "Nothing was played" not in page.words
    assert "Did you mean" not in page.words
    assert f"Your move so far {typed}" in page.words
    assert page.form("Preview").fields["move"] == typed
    while not is_complete(page):
        pieces = (words for words, link in page.links.items() if link.count("chosen=") > 1 and "Undo" not in words)
        page = page.follow(next(pieces))
    # A move that commits something hidden is previewed first.
    page = page if any(form.button == "Play this move" for form in page.forms) else page.follow("Preview")
    assert page.form("Play this move").fields["move"].startswith(typed)


def test_what_is_good_of_a_refused_move_stays_chosen(site: Visitor, local: House) -> None:
    match_id = local.start_match("minimax", 1)
    page = turn_again(site, local, match_id, "sow a Y9")
    assert "Nothing was played." in page.words
    assert "Did you mean sow a" in page.words
    assert "Your move so far sow a" in page.words


def test_hands_are_made_card_by_card_in_groups(site: Visitor, local: House) -> None:
    match_id = local.start_match("amazonian-buffet", 2)
    with local.transaction() as ctx:
        course = load_match(ctx, lock_match(ctx, match_id))
        while course.game.board(course.position, Seat(1))["stage"] == "board":
            seat = course.game.to_move(course.position)[0]
            idle = next(move for move in course.game.moves(course.position, seat) if move.endswith(("none", "pass")))
            course = play_move(ctx, course, seat, idle, ctx.now)
    page = present(site, local, match_id, "Ann")
    assert "Your cards by suit" in page.words
    assert "Your cards by rank" in page.words
    ready = next(words for words in page.links if words.startswith("Strongest first"))
    shown = next(words for words in page.links if re.match("(10|[2-9JQKA])[♠♥♦♣]", words))
    page = page.follow(shown)
    assert f"Your move so far {shown}" in page.words
    assert re.search(r"First hand: \w\w \(a high card\)", page.words)
    page = page.follow("Next hand")
    assert "Second hand: no cards (an empty hand)" in page.words
    assert "Start over" not in page.links
    assert "Start over" in page.follow("Next hand").links
    looked = present(site, local, match_id, "Ann").follow(ready)
    assert "Your hands: " in looked.words
    with local.transaction() as ctx:
        course = load_match(ctx, lock_match(ctx, match_id))
        for seat in (Seat(1), Seat(2)):
            course = play_move(ctx, course, seat, course.game.suggest(course.position, seat)[0], ctx.now)
    adjusting = present(site, local, match_id, "Ann")
    assert "As the hands stand" in adjusting.words
    assert "would win the first hand: " in adjusting.words
    keeping = site.open(f"{adjusting.url}?move=keep")
    assert "If Bob kept the hands shown: " in keeping.words
    assert "would win the third hand" in keeping.words or "Nobody would win the third hand" in keeping.words


def test_a_preview_that_ends_the_game_says_with_what_score(returning: Visitor, local: House) -> None:
    match_id = local.start_match("minimax", 1)
    page = turn(returning, local)
    ends = None
    for _ in range(60):
        looked = [returning.open(f"{page.url.partition('?')[0]}?move={move}") for move in local.legal(match_id, 1)[:12]]
        ends = next((one for one in looked if "This ends the game with" in one.words), None)
        if ends:
            break
        page = looked[0].press("Play this move")
    assert ends
    over = ends.press("Play this move")
    assert "The match is over." in over.words
    assert "The score: Ann" in over.words
    assert "Play once more" in [form.button for form in over.forms]


def test_resign_and_draw_typed_as_moves_lead_to_their_pages(site: Visitor, local: House) -> None:
    local.start_match("martian-whist", 2)
    page = turn(site, local)
    assert "Resign?" in page.press("Preview", move="resign").words
    assert "Offers" in page.press("Preview", move="draw").words
