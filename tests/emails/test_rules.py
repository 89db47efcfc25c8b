"""The rules by mail: what they say, and that none of it can be taken for a move."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from emails.rules import told
from emails.text import as_text
from emails.wrapping import WIDTH
from pbem.boards import rules as written
from pbem.boards.rules import rules_of, said
from pbem.db.models import Player
from pbem.games import GAMES, Chance, GameError
from pbem.play import commands
from pbem.play.typed_moves import JOINED_AT_MOST
from pbem.words import LANGUAGES, _, speaking
from tests.games.random_play import Match as Deal
from tests.games.random_play import walk
from tests.house import NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.house import House

TOLD = ("minimax", "martian-whist", "montauk", "martian-trickery", "amazonian-buffet", "middle-card")
POSITIONS = 12
"""About so many positions of each match are looked at, spread over all of it, and its last ones."""


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    with speaking(request.param):
        yield request.param


def flat(game: str) -> str:
    return " ".join(as_text(tuple(told(game))).split())


def joined(lines: list[str]) -> Iterator[str]:
    """Give each line as a reply quotes it, and bare, alone and with those directly below it."""
    for at, line in enumerate(lines):
        yield f"> {line}"
        text = ""
        for below in lines[at : at + 1 + JOINED_AT_MOST]:
            if not below:
                break
            text = f"{text}\n{below.strip()}".strip()
            yield text


@pytest.mark.usefixtures("language")
@pytest.mark.parametrize("seed", [b"\1", b"\2"])
@pytest.mark.parametrize("game", TOLD)
def test_no_line_of_the_rules_is_a_move(game: str, seed: bytes) -> None:
    texts = [text for text in dict.fromkeys(joined(as_text(tuple(told(game))).splitlines())) if text]
    rules = GAMES[game]
    turns = list(islice(walk(Deal(rules, rules.seats[0], {}, seed * 32), Chance(seed * 32)), 400))
    for turn in [*turns[:: max(1, len(turns) // POSITIONS)], *turns[-3:]]:
        assert is_move(game, turn.before, turn.seat, turn.move)
        for seat in rules.to_move(turn.before):
            assert [text for text in texts if is_move(game, turn.before, seat, text)] == []


def is_move(game: str, position: Any, seat: Any, text: str) -> bool:
    try:
        GAMES[game].read(position, seat, text)
    except GameError:
        return False
    return True


@pytest.mark.usefixtures("language")
@pytest.mark.parametrize("game", TOLD)
def test_the_mail_says_what_the_page_says(game: str) -> None:
    rules, text = said(rules_of(game)), flat(game)
    lines = as_text(tuple(told(game))).splitlines()
    assert all(len(line) <= WIDTH for line in lines)
    assert "`" not in text
    assert text.count(_("Example: {caption}", caption="")) == len(rules.examples)
    assert text.count(_("House rule: {rule}", rule="")) == len(rules.house)
    for section in rules.sections:
        assert section.heading.upper() in lines
    for option in GAMES[game].options:
        assert rules.options[option] in text
    assert rules.designer in text


@pytest.mark.usefixtures("language")
@pytest.mark.parametrize("game", TOLD)
def test_no_line_of_the_rules_is_a_command(game: str) -> None:
    """One with words behind it, such as “new”, may begin a line: it is read only above all that a reply quotes."""
    lines = filter(None, as_text(tuple(told(game))).splitlines())
    found = {line: commands.read([line]) for line in lines}
    assert not [line for line, one in found.items() if one and not one.text]
    assert not [line for line in found if commands.read([f"> {line}"])]


def test_an_option_is_told_with_all_its_values() -> None:
    said = flat("martian-trickery")
    assert "* The prizes: One Treehouse set (unless you choose another); Two stashes of pyramids. With two" in said
    assert "* How many hands? Four hands (unless you choose another); One hand; Two hands; Three hands. Fewer" in said


def test_what_may_be_typed_is_never_broken() -> None:
    lines = as_text(tuple(told("amazonian-buffet"))).splitlines()
    assert any("“hands AS KS QS JS TS | 9D 9C 9H 4S 2D | 7S 3H”" in line for line in lines)


# -- asked for by mail -----------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["rules", "Regeln!"])
def test_rules_are_sent_to_whoever_asks(word: str, house: House) -> None:
    match_id = house.begin("martian-whist", 2)
    turn = house.last("Ann")
    house.mails("Bob")
    said = house.reply(turn, word)
    answer = house.only("Ann")
    assert "These are the rules of Martian Whist." in answer.flat
    assert "http://127.0.0.1:8000/rules/martian-whist" in answer.text
    assert "House rule:" in answer.text
    assert "<h2" in answer.html
    assert answer.message["In-Reply-To"] == said
    assert answer.message["Auto-Submitted"] == "auto-replied"
    assert not house.mails("Bob")
    assert house.match(match_id).length == 0
    house.reply(answer, "take 1")
    assert house.match(match_id).length == 1


def test_rules_are_told_in_the_language_of_whoever_asks(house: House) -> None:
    match_id = house.begin("montauk", 2)
    with house.table() as table:
        for player in table.session.scalars(select(Player)):
            player.language = "de"
    leader = house.match(match_id).to_move[0]
    name = NAMES[leader - 1]
    house.reply(house.last(name), "Regeln")
    answer = house.only(name)
    assert "Kreuz schlägt Pik, also gewinnt Bob" in answer.flat
    assert "Hausregel: Zwillinge gelten in jeder Hinsicht als dieselbe Karte" in answer.flat
    assert "„6-4 3-off“" in answer.text
    assert ">So schreibst du einen Zug</h2>" in answer.html
    assert "House rule" not in answer.text
    house.reply(answer, house.legal(match_id, leader)[0])
    assert house.match(match_id).length == 1


def test_whoever_waits_for_others_may_read_the_rules(house: House) -> None:
    house.begin("martian-whist", 2)
    house.reply(house.last("Bob"), "rules")
    assert "choose your move" not in house.only("Bob").text


def test_whoever_is_invited_may_read_the_rules_and_then_accept(house: House) -> None:
    match_id = house.make("montauk", 2)
    house.reply(house.only("Ann"), "rules")
    answer = house.only("Ann")
    assert "These are the rules of Montauk." in answer.flat
    house.reply(answer, "accept")
    house.reply(house.only("Bob"), "accept")
    assert house.match(match_id).state == "running"


def test_a_game_from_outside_has_its_rules_mailed(house: House) -> None:
    house.begin("middle-card", 3)
    house.reply(house.last("Ann"), "rules")
    said = house.only("Ann").flat
    assert "neither the highest nor the lowest card wins" in said
    assert "Write “play” or “swap” and one of your cards, or “stay”." in said
    assert "Example: Ann was dealt 1, 2 and 7," in said
    assert "Without the swap, everybody keeps the cards that were dealt." in said
    assert "Designed for the tests." in said


def test_a_game_whose_rules_nobody_wrote_is_told_in_short(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(written._found(), "middle-card")
    house.begin("middle-card", 3)
    house.reply(house.last("Ann"), "rules")
    said = house.only("Ann").flat
    assert "The middle one of the three cards wins a point." in said
    assert "/rules/middle-card" in said
    assert "OPTIONS" in said
    assert "Designed by" not in said


def test_the_word_is_named_where_somebody_looks_for_help(house: House) -> None:
    house.begin("minimax", 1)
    turn = house.last("Ann")
    assert "You may also reply with one word: help, rules, board, resign." in turn.flat
    house.reply(turn, "help")
    assert "“rules” to be sent the rules of the game" in house.only("Ann").flat


def test_the_last_mail_names_the_designer_and_the_rules(house: House) -> None:
    house.begin("minimax", 1)
    house.reply(house.last("Ann"), "resign yes")
    final = house.last("Ann")
    assert "Designed by Michael Fogus." in final.flat
    assert "http://127.0.0.1:8000/rules/minimax" in final.text
