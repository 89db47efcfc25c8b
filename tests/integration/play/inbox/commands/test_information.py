"""Looking at a match by mail: what happened, what may be played, what a move would do, what something is."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from sqlalchemy import select

from pbem.db.models import LogEntry, Submission
from pbem.games import GAMES
from pbem.play.core import tokens
from pbem.play.submissions import queue

if TYPE_CHECKING:
    from tests.support.house import House, Mail


def ask(house: House, mail: Mail, text: str) -> Mail:
    """Send a command in reply to a mail, and give its one answer."""
    said = house.reply(mail, text)
    answer = house.only(mail.name)
    assert answer.message["In-Reply-To"] == said
    assert answer.message["Auto-Submitted"] == "auto-replied"
    return answer


def leader(house: House, match_id: str) -> tuple[int, str]:
    seat = next(seat for seat in (1, 2, 3) if house.legal(match_id, seat))
    return seat, ("Ann", "Bob", "Cyd")[seat - 1]


# -- history -------------------------------------------------------------------------------------------


def test_history_tells_all_moves_as_its_reader_may_know_them(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    mail = house.last("Ann")
    assert "Nothing has happened yet in your match of Middle Card." in ask(house, mail, "history").flat
    house.reply(mail, "stay")
    played = house.legal(match_id, 1)[0]
    house.reply(house.last("Ann"), played)
    house.mails("Ann")
    house.mails("Bob")
    told = ask(house, house.every_mail[-1], "verlauf")
    assert "1. Ann: stay. " in told.flat
    assert "2. Ann has sealed a card." in told.flat
    assert played not in told.flat
    own = next(mail for mail in reversed(house.every_mail) if mail.name == "Ann")
    assert f"2. You: {played}." in ask(house, own, "history").flat


def test_history_is_told_after_the_end(house: House) -> None:
    house.start_match("middle-card", 3)
    house.reply(house.last("Ann"), "stay")
    house.reply(house.last("Bob"), "resign yes")
    assert "1. Ann: stay." in ask(house, house.last("Bob"), "history").flat


# -- moves ---------------------------------------------------------------------------------------------


def test_moves_lists_every_legal_move(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    answer = ask(house, house.last("Ann"), "moves")
    legal = house.legal(match_id, 1)
    assert f"You may play {len(legal)} moves." in answer.flat
    assert all(f" {move} " in answer.flat for move in legal)


def test_moves_of_somebody_who_waits_are_none(house: House) -> None:
    house.start_match("martian-whist", 2)
    assert "It is not your turn. We will mail you when it is." in ask(house, house.last("Bob"), "moves").flat


def test_moves_that_are_countless_are_put_together(house: House) -> None:
    match_id = house.start_match("minimax", 1, {"size": "long"})
    answer = ask(house, house.last("Ann"), "züge")
    assert "There are more moves than a mail can list." in answer.flat
    with house.course(match_id) as (_, course):
        pieces = course.game.steps(course.position, course.game.to_move(course.position)[0], ())
    assert f"It may begin with: {' | '.join(pieces)}" in answer.flat


# -- preview -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["minimax", "martian-whist", "amazonian-buffet", "montauk"])
def test_a_preview_shows_what_a_move_would_do_and_plays_nothing(house: House, game: str) -> None:
    match_id = house.start_match(game, GAMES[game].seats[0])
    seat, name = leader(house, match_id)
    move = house.legal(match_id, seat)[-1]
    answer = ask(house, house.last(name), f"preview {move}")
    assert "Nothing was played yet. This is what " in answer.flat
    assert f"“{move}”" in answer.flat
    assert f"?move={quote(move)}" in answer.html
    assert "The board would look like this:" in answer.flat
    assert house.match(match_id).log_length == 0
    assert not house.all(select(LogEntry.move))


def test_a_preview_tells_nothing_that_is_drawn_or_uncovered(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    move = house.legal(match_id, 1)[0]
    answer = ask(house, house.last("Ann"), f"vorschau {move}")
    assert "Its effect is known only after the move" in answer.flat
    assert "The board would look like this:" not in answer.flat


def test_a_preview_of_hands_may_take_three_lines(house: House) -> None:
    match_id = house.start_match("amazonian-buffet", 2)
    with house.course(match_id) as (_, course):
        move = course.game.view(course.position, course.game.to_move(course.position)[0]).moves[0]
    slide, claim = move.split(" ")
    assert "This is what" in ask(house, house.last("Ann"), f"preview {slide}\n{claim}").flat


def test_a_preview_of_what_is_no_move_is_refused_as_the_move_would_be(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    assert "Did you mean “take 20”" in ask(house, house.last("Ann"), "preview take 23").flat
    refused = ask(house, house.last("Bob"), "preview take 3").flat
    assert "It is not your turn." in refused
    assert "Choose your move on its page" not in refused
    assert "Reply with your move" not in refused
    assert "“take 3”" in refused
    assert house.match(match_id).log_length == 0


def test_a_preview_of_the_last_move_tells_how_it_would_end(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    for _ in range(60):
        with house.course(match_id) as (_, course):
            seat = course.game.to_move(course.position)[0]
            ends = [
                move
                for move in course.game.view(course.position, seat).moves
                if course.game.outcome(course.game.apply(course.position, seat, move, course.chance))
            ]
            following = course.game.suggest(course.position, seat)[0]
        if ends:
            break
        house.reply(house.last("Ann"), following)
    assert "This ends the game with" in ask(house, house.last("Ann"), f"try {ends[0]}").flat


# -- what ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "place", "told"),
    [
        ("minimax", "a", "Card a holds "),
        ("minimax", "card b?", "Card b holds "),
        ("minimax", "vault", "The vault is empty."),
        ("minimax", "r1", "R1, a small red pyramid, stands on card "),
        ("martian-whist", "7", "Tree 7 has "),
        ("martian-whist", "is on tree 20?", "Tree 20 has "),
        ("martian-whist", "k3", "Of K3, the large black pyramid, are held: "),
        ("amazonian-buffet", "c4", "On c4 is the "),
        ("amazonian-buffet", "ace of spades", "The ace of spades "),
        ("montauk", "4", "On spot 4: "),
        ("montauk", "vault", "In the vault: "),
        ("montauk", "9H", "The nine of hearts is worth 3, and beats diamonds and clubs."),
        ("martian-trickery", "9H", "The nine of hearts "),
        ("martian-trickery", "R2", "Of R2, the medium red prize: "),
    ],
)
def test_what_stands_where_is_told(house: House, game: str, place: str, told: str) -> None:
    house.start_match(game, GAMES[game].seats[0])
    mail = house.last("Ann")
    answer = ask(house, mail, f"what {place}")
    assert told in answer.flat
    assert told in ask(house, mail, f"was ist {place}" if " is" not in f" {place}" else f"what {place}").flat


def test_what_is_nowhere_is_said_so(house: House) -> None:
    house.start_match("minimax", 1)
    answer = ask(house, house.last("Ann"), "what z9")
    assert "There is nothing called “z9” in Minimax." in answer.flat
    assert "You can ask about what the position shows" in answer.flat


def test_an_exclamation_above_a_move_is_no_question(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    house.reply(house.last("Ann"), "What a game!\n\nstay")
    assert house.match(match_id).log_length == 1


# -- my cards ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "told"),
    [
        ("minimax", "You hold nothing that only you can see."),
        ("martian-whist", "You hold nothing."),
        ("amazonian-buffet", "You have two cards: "),
        ("montauk", ", worth "),
        ("martian-trickery", "You have won nothing in this hand yet."),
        ("middle-card", "You hold "),
    ],
)
def test_what_one_holds_is_told_below_the_first_line(house: House, game: str, told: str) -> None:
    house.start_match(game, GAMES[game].seats[0])
    answer = ask(house, house.last("Ann"), "meine karten")
    assert f"This is what you hold in your match of {GAMES[game].name}." in answer.flat
    assert told in answer.flat


def test_nobody_is_told_what_another_holds(house: House) -> None:
    match_id = house.start_match("montauk", 2)
    seat, name = leader(house, match_id)
    other = "Bob" if name == "Ann" else "Ann"
    card = house.legal(match_id, seat)[0]
    assert "It is in your hand." in ask(house, house.last(name), f"what {card}").flat
    assert "It has not been shown in this round." in ask(house, house.last(other), f"what {card}").flat


# -- on a page -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("history", "Nobody has moved yet."),
        ("moves", "You may play: swap "),
        ("what 3", "There is nothing called “3” in this game."),
        ("preview stay", "Nothing was played. “stay” would be a legal move."),
        ("my cards", "You hold "),
        ("say hello", "Your message was sent: “hello”"),
        ("stop", "Choose which mail to stop: “stop match” or “stop all”."),
        ("stop match", "You get no more mail about this match, except its result."),
        ("start", "You get mail again."),
        ("list", "Send this by mail, or use its page."),
        ("look back", "Send this by mail, or use its page."),
        ("lobby", "Send this by mail, or use its page."),
        ("take over 4x7kq", "Send this by mail, or use its page."),
        ("come back", "Send this by mail, or use its page."),
    ],
)
def test_a_verdict_says_on_the_page_what_the_mail_would(house: House, typed: str, told: str) -> None:
    match_id = house.start_match("middle-card", 3)
    with house.transaction() as ctx:
        found = tokens.find(ctx, house.last("Ann").token, tokens.LINK)
        assert found
        queue.send_move(ctx, found, queue.LINK, 1, typed)
    house.judge(match_id)
    (reason,) = house.all(select(Submission.reason))
    assert reason.startswith(told)
    assert not house.mails("Ann")
