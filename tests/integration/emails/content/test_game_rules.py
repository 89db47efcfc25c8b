"""The rules by mail: what they say, and that none of it can be taken for a move."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.boards import rules as written
from pbem.db.models import Player
from pbem.states import MatchState
from tests.support.house import NAMES

if TYPE_CHECKING:
    from tests.support.house import House


# -- asked for by mail -----------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["rules", "Regeln!"])
def test_rules_are_sent_to_whoever_asks(word: str, house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    turn = house.last("Ann")
    house.mails("Bob")
    said = house.reply(turn, word)
    answer = house.only("Ann")
    assert "These are the rules of Martian Whist." in answer.flat
    assert "http://127.0.0.1:8000/rules/martian-whist" in answer.text
    assert "HOUSE RULES" in answer.text
    assert "<h2" in answer.html
    assert answer.message["In-Reply-To"] == said
    assert answer.message["Auto-Submitted"] == "auto-replied"
    assert not house.mails("Bob")
    assert house.match(match_id).log_length == 0
    house.reply(answer, "take 1")
    assert house.match(match_id).log_length == 1


def test_rules_are_told_in_the_language_of_whoever_asks(house: House) -> None:
    match_id = house.start_match("montauk", 2)
    with house.transaction() as ctx:
        for player in ctx.session.scalars(select(Player)):
            player.language = "de"
    leader = house.match(match_id).to_move[0]
    name = NAMES[leader - 1]
    house.reply(house.last(name), "Regeln")
    answer = house.only(name)
    assert "Kreuz schlägt Pik, also gewinnt Bob" in answer.flat
    assert "Zwillinge gelten in jeder Hinsicht als dieselbe Karte" in answer.flat
    assert "„6-4 3-off“" in answer.text
    assert ">So schreibst du einen Zug</h2>" in answer.html
    assert "Hausregel:" not in answer.text
    house.reply(answer, house.legal(match_id, leader)[0])
    assert house.match(match_id).log_length == 1


def test_whoever_waits_for_others_may_read_the_rules(house: House) -> None:
    house.start_match("martian-whist", 2)
    house.reply(house.last("Bob"), "rules")
    assert "choose your move" not in house.only("Bob").text


def test_whoever_is_invited_may_read_the_rules_and_then_accept(house: House) -> None:
    match_id = house.make("montauk", 2)
    house.reply(house.only("Ann"), "rules")
    answer = house.only("Ann")
    assert "These are the rules of Montauk." in answer.flat
    house.reply(answer, "accept")
    house.reply(house.only("Bob"), "accept")
    assert house.match(match_id).state == MatchState.RUNNING


def test_a_game_from_outside_has_its_rules_mailed(house: House) -> None:
    house.start_match("middle-card", 3)
    house.reply(house.last("Ann"), "rules")
    said = house.only("Ann").flat
    assert "neither the highest nor the lowest card wins" in said
    assert "Write “play” or “swap” and one of your cards, or “stay”." in said
    assert "Example: Ann was dealt 1, 2 and 7," in said
    assert "Without the swap, everybody keeps the cards that were dealt." in said
    assert "Designed for the tests." in said


def test_a_game_whose_rules_nobody_wrote_is_told_in_short(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(written._rules_by_game(), "middle-card")
    house.start_match("middle-card", 3)
    house.reply(house.last("Ann"), "rules")
    said = house.only("Ann").flat
    assert "The middle one of the three cards wins a point." in said
    assert "/rules/middle-card" in said
    assert "OPTIONS" in said
    assert "Designed by" not in said


def test_the_word_is_named_where_somebody_looks_for_help(house: House) -> None:
    house.start_match("minimax", 1)
    turn = house.last("Ann")
    assert "You may also reply with one word: help, rules, board, resign." in turn.flat
    house.reply(turn, "help")
    assert "“rules” to get the rules of the game" in house.only("Ann").flat


def test_the_last_mail_names_the_designer_and_the_rules(house: House) -> None:
    house.start_match("minimax", 1)
    house.reply(house.last("Ann"), "resign yes")
    final = house.last("Ann")
    assert "Designed by Michael Fogus." in final.flat
    assert "http://127.0.0.1:8000/rules/minimax" in final.text
