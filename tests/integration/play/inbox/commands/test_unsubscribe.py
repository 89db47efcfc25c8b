"""Stopping mail by mail, and starting it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import MatchSeat, SeatHolder, Suppression
from pbem.states import MatchState

if TYPE_CHECKING:
    from tests.support.house import House


def test_stop_asks_which_mail_and_does_nothing_yet(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    house.reply(house.last("Bob"), "stop")
    asked = house.only("Bob")
    assert "Which mail do you want to stop? Nothing has happened yet." in asked.flat
    for words in ("“stop match”", "“stop all yes”", "“resign”"):
        assert words in asked.flat
    assert house.all(select(SeatHolder.mail_stopped_at)) == [None] * 3
    assert not house.all(select(Suppression.reason))
    assert house.match(match_id).state == MatchState.RUNNING


def test_a_stopped_match_answers_what_is_sent_and_tells_how_it_ends_but_no_turns(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    house.reply(house.last("Bob"), "stop match")
    told = house.only("Bob")
    assert "You get no more mail about this match of Middle Card, except one when it is over." in told.flat
    assert "reply “start” to this or any earlier mail" in told.flat
    house.mails("Ann")
    house.reply(house.every_mail[-1], "stay")
    assert house.match(match_id).log_length == 1
    assert not house.mails("Bob")
    house.reply(told, "board")
    assert "it is your turn" in house.only("Bob").text
    house.reply(house.last("Cyd"), "resign yes")
    assert "The match is over by resignation." in house.only("Bob").flat


@pytest.mark.parametrize("word", ["start", "weiter"])
def test_start_brings_the_mail_of_a_match_again(house: House, word: str) -> None:
    house.start_match("middle-card", 3)
    house.reply(house.last("Bob"), "Stop this match.")
    house.reply(house.only("Bob"), word)
    assert "You get mail about your match of Middle Card again." in house.only("Bob").flat
    house.reply(house.last("Ann"), "stay")
    assert "It is your turn." in house.only("Bob").flat


def test_stop_all_asks_back_and_is_undone_by_the_same_word(house: House) -> None:
    house.start_match("middle-card", 3)
    house.reply(house.last("Bob"), "stop all")
    asked = house.only("Bob")
    assert "Do you want to stop all mail from here? Nothing has happened yet." in asked.flat
    assert not house.all(select(Suppression.reason))
    house.reply(asked, "stop all yes")
    told = house.only("Bob")
    assert "This is the last mail to this address." in told.flat
    assert house.all(select(Suppression.reason)) == ["unsubscribe"]
    house.reply(house.last("Ann"), "stay")
    assert not house.mails("Bob")
    house.reply(told, "start")
    again = house.only("Bob")
    assert "You get mail about" in again.flat
    assert "It is your turn. Reply “board” to see the position." in again.flat
    assert not house.all(select(Suppression.reason))


def test_yes_and_no_to_the_question_about_all_mail_accept_and_decline_nothing(house: House) -> None:
    match_id = house.make("middle-card", 3)
    house.reply(house.last("Bob"), "stop all")
    asked = house.only("Bob")
    house.reply(asked, "no")
    assert "Nothing changed." in house.only("Bob").flat
    assert house.match(match_id).state == MatchState.INVITING
    house.reply(asked, "yes")
    assert "This is the last mail to this address." in house.only("Bob").flat
    assert house.all(select(Suppression.reason)) == ["unsubscribe"]
    assert not house.all(select(MatchSeat.accepted_at).where(MatchSeat.seat == 2, MatchSeat.accepted_at.is_not(None)))


def test_an_invitation_can_be_stopped_too(house: House) -> None:
    house.make("middle-card", 3)
    house.reply(house.last("Bob"), "stopp")
    assert "Which mail do you want to stop?" in house.only("Bob").flat
    house.reply(house.every_mail[-1], "stop alles ja")
    assert "This is the last mail to this address." in house.only("Bob").flat
