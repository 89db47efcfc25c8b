"""Yes and no mean what they answer: the question of the mail replied to, and no other one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import ChatMessage, LogEntry, MatchSeat, Offer, SeatHolder
from pbem.states import MatchState
from tests.support.house import NAMES, address, reply
from tests.support.play.lifecycle.agreements import acts, begun, newest, says

if TYPE_CHECKING:
    from tests.support.house import House, Mail


# -- invitations ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["no thanks, too busy", "Nein danke", "Hi Ann,\n\nsorry, not this time.\n\nBob"])
def test_an_invitation_is_declined_in_plain_words(house: House, typed: str) -> None:
    match_id = house.make("martian-whist", 2)
    house.reply(house.last("Bob"), typed)
    assert house.match(match_id).state == MatchState.OVER
    assert "You have declined. The match is called off" in house.only("Bob").flat


@pytest.mark.parametrize("typed", ["Yes please! Looking forward to it.", "Gerne, ich freue mich!", "Sure"])
def test_an_invitation_is_accepted_in_plain_words_which_are_no_text_for_the_deal(house: House, typed: str) -> None:
    house.make("martian-whist", 2)
    house.reply(house.last("Bob"), typed)
    ann, bob = house.all(select(MatchSeat).order_by(MatchSeat.seat))
    assert (ann.accepted_at, bob.accepted_at is None) == (None, False)
    assert bob.entropy is None
    assert "You added nothing to the shuffle" in house.only("Bob").flat
    assert not house.all(select(ChatMessage))


def test_only_accept_takes_a_text_for_the_deal(house: House) -> None:
    house.make("martian-whist", 2)
    house.reply(house.last("Bob"), "accept the wind in the willows")
    assert "Your text for the shuffle was “the wind in the willows”" in house.only("Bob").flat


@pytest.mark.parametrize(
    "typed", ["yes, but not before Monday", "no thanks. What are the rules?", "no idea how this works"]
)
def test_an_answer_that_is_not_clear_does_nothing_and_is_told_both_words(house: House, typed: str) -> None:
    match_id = house.make("martian-whist", 2)
    house.reply(house.last("Bob"), typed)
    assert house.match(match_id).state == MatchState.INVITING
    assert not any(seat.accepted_at for seat in house.match_seats(match_id))
    told = house.only("Bob").flat
    assert "We could not tell whether you accept or decline, so nothing was done." in told
    assert "To accept, reply “accept”; to decline, reply “decline”" in told


def test_who_has_accepted_is_told_that_the_others_have_not(house: House) -> None:
    house.make("martian-whist", 2)
    invited = house.last("Bob")
    house.reply(invited, "yes")
    house.reply(invited, "when do we begin?")
    assert "You have accepted and need not do anything more." in house.last("Bob").flat


# -- offers --------------------------------------------------------------------------------------------


def waiting_player(house: House, match_id: str) -> tuple[str, str]:
    """Return who is to move, and who waits."""
    first = house.match(match_id).to_move[0]
    return NAMES[first - 1], NAMES[2 - first]


def unthreaded(house: House, name: str, text: str) -> None:
    """Answer somebody's newest mail by a mail that does not say which one it answers."""
    mail = newest(house, name)
    answer = reply(mail, text)
    del answer["In-Reply-To"]
    assert house.send(answer.as_bytes(), mail.reply_to, address(name)).code == 250
    for match_id in house.match_ids():
        house.judge(match_id)


def offer_mail(house: House, name: str, words: str) -> Mail:
    house.mails(name)
    return next(mail for mail in reversed(house.every_mail) if mail.name == name and words in mail.flat)


@pytest.mark.parametrize("typed", ["yes", "no"])
def test_what_does_not_say_which_of_two_offers_it_answers_does_nothing_and_gets_both_listed(
    house: House, typed: str
) -> None:
    match_id = begun(house, "martian-whist", 2, "3 days")
    one, other = waiting_player(house, match_id)
    says(house, one, "pause")
    says(house, one, "more time")
    unthreaded(house, other, typed)
    told = house.last(other).flat
    assert "Nothing was done. It is not clear which request you answered." in told
    assert f"{one} asks to stop the clocks of this match for a while. Reply “yes pause” or “no pause”." in told
    assert f"{one} asks for two more days for their move. Reply “yes more time” or “no more time”." in told
    assert acts(house) == []
    assert house.all(select(Offer.declined_at)) == [None, None]
    unthreaded(house, other, "no pause")
    assert f"You declined the pause. {one} has been told." in house.last(other).flat
    unthreaded(house, other, "Yes more time.")
    assert [event for event, *_ in acts(house)] == ["extended"]


def test_no_to_the_mail_of_one_offer_declines_that_one_alone(house: House) -> None:
    match_id = begun(house, "martian-whist", 2, "3 days")
    one, other = waiting_player(house, match_id)
    says(house, one, "pause")
    says(house, one, "more time")
    house.reply(offer_mail(house, other, "asks to stop the clocks"), "no thanks, let us go on")
    assert house.all(select(Offer.kind).where(Offer.declined_at.is_(None))) == ["more time"]


def test_an_offer_of_the_same_kind_made_later_is_another_question(house: House) -> None:
    match_id = begun(house, "middle-card", 3)
    says(house, "Ann", "draw")
    asked = offer_mail(house, "Cyd", "Ann offers a draw")
    says(house, "Bob", "no")
    says(house, "Bob", "draw")
    says(house, "Ann", "draw")
    house.mails("Cyd")
    house.reply(asked, "yes")
    assert house.match(match_id).state == MatchState.RUNNING
    told = house.only("Cyd").flat
    assert "This proposal is no longer open" in told
    assert "Bob offers a draw. Reply “yes draw” or “no draw”." in told


@pytest.mark.parametrize("typed", ["Agreed, thank you!", "yes please", "Ja, gerne", "ok\n\nCheers,\nBob"])
def test_an_offer_is_agreed_to_in_plain_words(house: House, typed: str) -> None:
    match_id = begun(house, "martian-whist", 2)
    says(house, "Ann", "draw")
    house.reply(offer_mail(house, "Bob", "offers a draw"), typed)
    assert (house.match(match_id).result or {})["ending"] == "agreed"


@pytest.mark.parametrize("typed", ["yes, I hold the ace", "yes, but later", "well played so far", "How so?"])
def test_words_that_are_no_clear_answer_to_an_offer_get_a_question_back(house: House, typed: str) -> None:
    match_id = begun(house, "martian-whist", 2)
    one, other = waiting_player(house, match_id)
    says(house, one, "draw")
    house.reply(offer_mail(house, other, "offers a draw"), typed)
    assert f"{one} offers a draw. Reply “yes draw” or “no draw”." in house.last(other).flat
    assert house.match(match_id).state == MatchState.RUNNING


def test_a_move_in_reply_to_an_offer_is_played_whatever_stands_above_it(house: House) -> None:
    match_id = begun(house, "martian-whist", 2)
    one, other = waiting_player(house, match_id)
    says(house, other, "draw")
    move = house.legal(match_id, NAMES.index(one) + 1)[0]
    house.reply(offer_mail(house, one, "offers a draw"), f"no thanks, I play on\n\n{move}")
    assert house.all(select(LogEntry.move)) == [move]


@pytest.mark.parametrize("typed", ["no idea what to do", "Sorry, I have no time", "yes yes yes"])
def test_prose_in_reply_to_a_mail_that_asks_nothing_answers_nothing(house: House, typed: str) -> None:
    match_id = begun(house, "martian-whist", 2)
    one, other = waiting_player(house, match_id)
    turn = newest(house, one)
    says(house, other, "draw")
    house.reply(turn, typed)
    assert house.match(match_id).state == MatchState.RUNNING
    assert house.all(select(Offer.declined_at)) == [None]


# -- words below a move --------------------------------------------------------------------------------


def test_with_words_that_wait_too_an_answer_to_no_mail_agrees_to_nothing(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    house.reply(house.last("Ann"), "stay\n\nI hold nothing but low cards.")
    house.reply(house.last("Bob"), "draw")
    unthreaded(house, "Ann", "yes")
    told = house.last("Ann").flat
    assert "Bob offers a draw. Reply “yes draw” or “no draw”." in told
    assert "May the others read what you wrote below your move? Reply to the mail that asks about it." in told
    (offer,) = house.all(select(Offer))
    assert offer.agreed == [2]
    assert house.match(match_id).state == MatchState.RUNNING
    assert house.all(select(SeatHolder.shares_text)) == [None] * 3


def test_resigning_is_not_confirmed_by_words_beyond_a_yes(house: House) -> None:
    match_id = begun(house, "martian-whist", 2)
    (asked,) = says(house, "Ann", "resign")
    house.reply(asked, "yes, this is a hard game")
    assert house.match(match_id).state == MatchState.RUNNING
    house.reply(asked, "yes")
    assert house.match(match_id).state == MatchState.OVER
