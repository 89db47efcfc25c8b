"""What is said of the start of a move, of a mistake at its end, and of what was meant for another moment."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from sqlalchemy import select, update

from pbem.db.models import LogEntry, SeatHolder, Submission
from pbem.games import GAMES, IllegalMove, Seat
from pbem.games.game import END_OF_MOVE
from pbem.play.matches import previews

if TYPE_CHECKING:
    from tests.support.house import House, Mail


def bodies(mail: Mail) -> list[str]:
    """List what the mails would say that a mail's links begin."""
    links = re.findall(r'href="(mailto:[^"]*)"', mail.html)
    return [parse_qs(urlsplit(unescape(link)).query).get("body", [""])[0] for link in links]


def newest(house: House, name: str) -> Mail:
    house.mails(name)
    return next(mail for mail in reversed(house.every_mail) if mail.name == name and re.search("/(m|seat)/", mail.text))


# -- the start of a move -------------------------------------------------------------------------------


def start_of(house: House, match_id: str, count: int) -> tuple[int, tuple[str, ...], tuple[str, ...]]:
    """Choose the first pieces of a move: who is to move, the pieces, and those that may follow."""
    with house.course(match_id) as (_, course):
        seat = course.game.to_move(course.position)[0]
        chosen: tuple[str, ...] = ()
        for _ in range(count):
            chosen = (*chosen, course.game.steps(course.position, seat, chosen)[0])
        return seat, chosen, course.game.steps(course.position, seat, chosen)


@pytest.mark.parametrize(
    ("game", "count"), [("minimax", 1), ("minimax", 2), ("amazonian-buffet", 1), ("martian-trickery", 1)]
)
def test_a_start_is_answered_with_what_may_follow(house: House, game: str, count: int) -> None:
    match_id = house.start_match(game, GAMES[game].seats[0])
    seat, chosen, pieces = start_of(house, match_id, count)
    name = ("Ann", "Bob", "Cyd", "Dee")[seat - 1]
    house.reply(newest(house, name), " ".join(chosen))
    answer = newest(house, name)
    assert "So far so good" in answer.flat
    assert "Nothing was played" not in answer.flat
    assert f"“{' '.join(chosen)}" in answer.flat.replace(",", "")
    assert "May follow: " in answer.flat
    assert all(piece in answer.flat for piece in pieces)
    assert house.match(match_id).log_length == 0
    (verdict,) = house.all(select(Submission.reason))
    assert verdict.startswith("So far so good: ")


def test_a_start_can_be_gone_on_with_by_mail_until_it_is_a_move(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    _, (start,), _ = start_of(house, match_id, 1)
    house.reply(house.last("Ann"), start)
    for _ in range(30):
        if house.match(match_id).log_length:
            break
        answer = house.only("Ann")
        typed = bodies(answer)[0]
        assert typed.startswith(start)
        house.reply(answer, typed)
    assert house.match(match_id).log_length == 1


def test_the_last_piece_makes_a_button_that_plays(house: House) -> None:
    match_id = house.start_match("amazonian-buffet", 2)
    _, (slide,), claims = start_of(house, match_id, 1)
    house.reply(house.last("Ann"), slide)
    answer = house.only("Ann")
    wholes = [f"{slide} {claim}" for claim in claims]
    assert set(wholes) <= set(bodies(answer))
    assert f"{slide} " in bodies(answer)
    assert all(f"?move={quote(whole).replace('%20', '+')}" in answer.html for whole in wholes)
    house.reply(answer, wholes[0])
    assert house.match(match_id).log_length == 1


def test_a_card_that_must_be_sown_need_not_be_named(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    for _ in range(60):
        with house.course(match_id) as (_, course):
            board = course.game.board(course.position, Seat(1))
            steps = course.game.steps(course.position, Seat(1), ())
            if not board["free"] and len(pieces := course.game.steps(course.position, Seat(1), steps)) > 1:
                drop = pieces[0]
                break
            move = course.game.suggest(course.position, Seat(1))[0]
        house.reply(newest(house, "Ann"), move)
    house.reply(newest(house, "Ann"), drop)
    answer = house.only("Ann")
    assert "So far so good" in answer.flat
    assert f"“{steps[0]} {drop}" in answer.flat


@pytest.mark.parametrize("game", GAMES)
def test_following_a_text_finds_the_pieces_of_every_move(house: House, game: str) -> None:
    match_id = house.start_match(game, GAMES[game].seats[0])
    with house.course(match_id) as (_, course):
        seat = course.game.to_move(course.position)[0]
        for move in course.game.view(course.position, seat).moves[:10]:
            assert previews.parse_move_start(course, seat, move) is None
        chosen: tuple[str, ...] = ()
        while pieces := course.game.steps(course.position, seat, chosen):
            chosen = (*chosen, pieces[-1])
            if END_OF_MOVE in chosen:
                break
            begun = previews.parse_move_start(course, seat, previews.format_pieces(course, seat, chosen))
            if course.game.steps(course.position, seat, chosen):
                assert begun
                assert (begun.choosing.chosen, begun.rest) == (chosen, "")


# -- a mistake at the end ------------------------------------------------------------------------------


def test_what_was_good_is_filled_in_after_a_mistake(house: House) -> None:
    match_id = house.start_match("minimax", 1, {"size": "long"})
    with house.course(match_id) as (_, course):
        seat = Seat(1)
        chosen: tuple[str, ...] = ()
        while len(pieces := course.game.steps(course.position, seat, chosen)) and len(chosen) < 7:
            chosen = (*chosen, pieces[0])
        if not pieces:
            chosen = chosen[:-1]
        good = previews.format_pieces(course, seat, chosen)
        with pytest.raises(IllegalMove):
            course.game.read(course.position, seat, f"{good}, K3 on K1")
    house.reply(house.last("Ann"), f"{good}, K3 on K1")
    answer = house.only("Ann")
    assert "So far so good" not in answer.flat
    assert "Nothing was played" in answer.flat
    assert f"Go on from “{good}”" in answer.flat
    assert f"{good} " in bodies(answer)
    assert house.match(match_id).log_length == 0


def test_a_drop_onto_what_is_not_there_is_no_part_of_what_was_good(house: House) -> None:
    match_id = house.start_match("minimax", 1, {"size": "long"})
    seat, chosen, pieces = start_of(house, match_id, 4)
    bare = next(piece for piece in pieces if " on " not in piece)
    missing = next(f"{colour}1" for colour in "RYGBK" if f"{bare} on {colour}1" not in pieces)
    with house.course(match_id) as (_, course):
        good = previews.format_pieces(course, Seat(seat), chosen)
    house.reply(house.last("Ann"), f"{good}, {bare} on {missing}, R1")
    answer = house.only("Ann")
    assert f"{good} " in bodies(answer)
    assert f"Go on from “{good}”" in answer.flat


def test_one_piece_alone_is_not_worth_filling_in(house: House) -> None:
    house.start_match("amazonian-buffet", 2)
    house.reply(house.last("Ann"), "a1-b1 zz")
    assert "Go on from" not in house.only("Ann").flat


# -- meant for another moment --------------------------------------------------------------------------


def test_what_came_late_and_is_legal_now_is_offered_and_not_played(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    first = house.last("Ann")
    house.reply(first, "take 1")
    house.mails("Ann")
    house.reply(house.last("Bob"), "take 2")
    house.mails("Ann")
    house.reply(first, "take 3")
    answer = house.only("Ann")
    assert house.match(match_id).log_length == 2
    assert "Nothing new was played. That turn has already been played" in answer.flat
    assert "You wrote “take 3”, and you can play that now." in answer.flat
    assert "take 3" in bodies(answer)
    assert f"/m/{answer.token}?move=take%203" in answer.html
    house.reply(answer, "take 3")
    assert house.all(select(LogEntry.move).order_by(LogEntry.number)) == ["take 1", "take 2", "take 3"]


def test_what_came_late_and_is_no_move_now_is_not_offered(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    mail = house.last("Ann")
    house.reply(mail, "stay")
    house.mails("Ann")
    house.reply(mail, "stay")
    assert "and you can play that now" not in house.only("Ann").flat
    assert house.match(match_id).log_length == 1


# -- typed ahead ---------------------------------------------------------------------------------------


def test_a_lead_sent_with_a_spending_is_kept_while_an_extra_card_comes_up(house: House) -> None:
    match_id, seat, spend, card = at_a_spending_before_an_extra_card(house)
    name = ("Ann", "Bob")[seat - 1]
    house.mails("Ann")
    house.mails("Bob")
    house.reply(newest(house, name), f"{spend}\n{card}")
    # The extra card is to be used first; nothing was led, and the other side hears nothing of the card.
    kept = house.only(name)
    assert f"You also wrote “{card}”. We keep it" in kept.flat
    assert house.all(select(SeatHolder.premove).where(SeatHolder.match_id == match_id, SeatHolder.seat == seat)) == [
        card
    ]
    with house.course(match_id) as (_, course):
        assert course.game.board(course.position, Seat(seat))["phase"] == "extra"
        extra = course.game.suggest(course.position, Seat(seat))[0]
    house.reply(kept, extra)
    offered = house.only(name)
    assert f"Before that you had also written “{card}”." in offered.flat
    assert card in bodies(offered)
    house.reply(offered, card)
    log = select(LogEntry.move).where(LogEntry.match_id == match_id).order_by(LogEntry.number)
    assert house.all(log)[-3:] == [spend, extra, card]
    assert set(house.all(select(SeatHolder.premove))) == {None}
    other = ("Bob", "Ann")[seat - 1]
    assert all(card not in mail.text.partition("Your hand")[0] for mail in house.mails(other))


def test_another_lead_than_the_one_kept_may_be_played(house: House) -> None:
    match_id, seat, spend, card = at_a_spending_before_an_extra_card(house)
    name = ("Ann", "Bob")[seat - 1]
    house.reply(newest(house, name), f"{spend}\nlead with the {card}")
    for _ in range(2):
        with house.course(match_id) as (_, course):
            move = course.game.view(course.position, Seat(seat)).moves[-1]
        house.reply(newest(house, name), move)
    assert set(house.all(select(SeatHolder.premove))) == {None}


def test_a_card_that_is_not_held_any_more_is_not_offered(house: House) -> None:
    match_id = house.start_match("montauk", 2)
    with house.transaction() as ctx:
        ctx.session.execute(update(SeatHolder).values(premove="nothing"))
    seat = next(seat for seat in (1, 2) if house.legal(match_id, seat))
    for mover in (seat, 3 - seat):
        house.reply(newest(house, ("Ann", "Bob")[mover - 1]), house.legal(match_id, mover)[0])
    assert not any("nothing" in mail.flat for mail in (newest(house, "Ann"), newest(house, "Bob")))


def at_a_spending_before_an_extra_card(house: House) -> tuple[str, int, str, str]:
    """Play until a seat is to spend, an extra card comes up after it, and the seat leads then."""
    for _ in range(40):
        match_id = house.start_match("montauk", 2)
        for _ in range(20):
            with house.course(match_id) as (_, course):
                game, position = course.game, course.position
                seat = game.to_move(position)[0]
                move = game.view(position, seat).moves[0]
                after = game.apply(position, seat, move, course.chance)
                if position.phase == "spend" and after.phase == "extra":
                    lead = game.apply(after, seat, game.suggest(after, seat)[0], course.chance)
                    if lead.phase == "lead" and lead.score.round == 1:
                        return match_id, seat, move, position.hands[seat - 1].value[0]
                if after.score.round > 1:
                    break
            house.reply(newest(house, ("Ann", "Bob")[seat - 1]), move)
    raise AssertionError("no extra card came up")
