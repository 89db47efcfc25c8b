"""The rules as players read them: what they show was played, and what they say can be typed."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

import pytest

from pbem.boards.rules import CONTEXT, Rules, Section, Table, rules_for, split_runs, texts, translated
from pbem.games import GAMES, Chance, Eye, Seat
from pbem.i18n import LANGUAGES, meaning, use_locale

SEED = bytes(range(32))
OURS = ["minimax", "martian-whist", "montauk", "martian-trickery", "amazonian-buffet"]

WHIST = (
    "take 1; swap; take 7; take 1; take 7; take 5; take 5; take 10; take 10; take 1; take 9; take 7; take 3; take 3;"
    "take 3; take 5; take 6; take 2; take 2; take 2; take 9; take 9; take 10; take 4; take 8; take 4; take 4; take 6;"
    "take 6; take 8; take 8; K3/Y2/K1; Y3/B2/B1; K3/K2/B1; B3/G2/G1; R3/K2/G1; R3/R2/R1; G3/G2/R1; G3/B2/Y1;"
    "Y3/Y2/K1; B3/R2/Y1"
)
TRICKERY = (
    "R3 AD; JD; 6D; K2 7C; AC; 6C; Y3 KH; JH; 6H; G1 JC; 6S; QC; R1 AS; 9S; QS; Y1 KD; 9D; QD; K1 7D; TD; AH; R2 KC;"
    "TC; 7S; Y2 8D; KS; TH; G2 JS; 9H; 8S; K3 7H; 9C; QH; G3 TS; 8H; 8C"
)
BUFFET = (
    "a1-a6 f6; a8-e4 e8; a6-a1 e1; e4-e5 f5; a1-a3 f3; f8-d6 d5; f1-d3 b3; e5-e4 d4; d3-d2 d3; d6-d7 e7; a3-a6 d6;"
    "d7-b7 b4; a6-a2 c2; e4-e2 b2; a2-a8 d8; e2-d1 d7; d2-c1 c8; b7-a7 a1; c1-b1 b8; d1-c1 c7; b1-a2 a6; a7-b6 c6;"
    "a8-b7 a7; b6-b5 c5; b7-a8 a5; c1-e3 e5; a8-b7 none; b5-a4 e4; a2-b1 b6; e3-f4 c4; b1-c1 b1; a4-a2 f2; b7-a8 none;"
    "a2-a3 a4; c1-d2 a2; f4-e3 c3; a8-b7 none; e3-e2 e3; b7-a8 none; e2-d1 none; a8-b7 none; d1-c1 none;"
    "hands AH 9S 9H 9D 9C | AD KD QD 8D 6D | AC KC QC 2S 2H; hands AS JS JH JD JC | KS 5S 5H 5D 5C | 8S 8C 7S 7D 7C;"
    "hands KC 9S 9H 9D 9C | KD QD QC 8H 8D | AH AD AC 2S 2H; keep"
)
PLAYED: list[tuple[str, int, dict[str, object], bytes, str, int | None]] = [
    ("minimax", 0, {}, SEED, "sow d Y1, B2 on R3, B1; sow b Y2, G3, B1, R1 on R3/B2", None),
    (
        "minimax",
        1,
        {},
        SEED,
        "sow d Y1, B2 on R3, B1; sow b Y2, G3, B1, R1 on R3/B2; sow a Y3, G1 on Y2, R3/B2/R1",
        None,
    ),
    (
        "minimax",
        2,
        {},
        bytes([2] * 32),
        (
            "sow c B2, B3, R1; sow a B1, G3, R1, Y3; sow c G3; sow d B2 on B3, G2, G3, R1, R2, Y2 on Y3; sow d R2;"
            "sow b B1, G1, Y1 on Y3/Y2, G3, R3"
        ),
        None,
    ),
    ("martian-whist", 0, {"sets": 2}, SEED, WHIST, 7),
    ("martian-whist", 1, {"sets": 2}, SEED, WHIST, 36),
    ("martian-whist", 2, {"sets": 2}, SEED, WHIST, None),
    ("montauk", 0, {}, SEED, "3S; AC", None),
    ("montauk", 1, {}, SEED, "3S; AC; 5-2 1-off; TC; 3C; 4-1 4-off", None),
    ("martian-trickery", 0, {}, SEED, TRICKERY, 5),
    ("martian-trickery", 1, {"hands": 1}, SEED, TRICKERY, None),
    ("amazonian-buffet", 0, {}, SEED, "a1-c3 f3; a8-c6 c8; c3-c1 d1", None),
    ("amazonian-buffet", 1, {}, SEED, BUFFET, None),
]


def test_the_rules_of_all_our_games_are_told() -> None:
    assert [key for key in GAMES if rules_for(key).sections] == sorted([*OURS, "middle-card"])
    assert not rules_for("a game that nobody wrote").sections
    assert len(PLAYED) == sum(len(rules_for(key).examples) for key in OURS)


def test_an_outside_package_brings_the_rules_of_its_game() -> None:
    rules = rules_for("middle-card")
    assert rules is import_module("middle_card").RULES
    board = GAMES["middle-card"].board(GAMES["middle-card"].setup(3, {}, Chance(bytes([5] * 32))), Seat(1))
    (example,) = rules.examples
    assert set(example.board) == set(board)


@pytest.mark.parametrize(("key", "number", "options", "seed", "moves", "count"), PLAYED)
def test_an_example_shows_what_was_played(
    key: str, number: int, options: dict[str, object], seed: bytes, moves: str, count: int | None
) -> None:
    example = rules_for(key).examples[number]
    game, chance = GAMES[key], Chance(seed)
    position: Any = game.setup(len(example.names), options, chance)
    for move in [one.strip() for one in moves.split(";")][:count]:
        seat = game.to_move(position)[0]
        position = game.apply(position, seat, game.read(position, seat, move), chance)
    viewer = Eye.PUBLIC if example.you is None else Seat(example.you)
    assert example.board == game.board(position, viewer)


@pytest.mark.parametrize("key", OURS)
def test_the_rules_are_written_in_our_form(key: str) -> None:
    rules, game = rules_for(key), GAMES[key]
    assert rules.game == key
    assert len(rules.examples) >= 2
    assert {"The aim", "How to write a move", "The score"} <= {section.heading for section in rules.sections}
    assert any(isinstance(part, Table) for section in rules.sections for part in section.parts)
    assert set(rules.options) == set(game.options)
    assert rules.designer.startswith("Designed by ")
    assert len(rules.house) >= 5
    for text in texts(rules):
        assert text == " ".join(text.split())
        assert text.count("`") % 2 == 0
        assert "'" not in text
    for section in rules.sections:
        tables = [part for part in section.parts if isinstance(part, Table)]
        assert all(len(row) == len(table.head) for table in tables for row in table.rows)


def test_every_text_of_rules_is_said_and_numbers_are_left_alone() -> None:
    example = rules_for("minimax").examples[0]
    parts = ("Say `R1`.", ("this", "7"), Table(("Card", "K"), (("a tree", "4"), ("a tree", "a, b"))), example)
    rules = Rules("minimax", "The lead", (Section("The aim", parts),), {"size": "Long"}, ("One", "9"), "By Ann.", "")
    assert list(texts(rules)) == [
        *("The lead", "The aim", "Say `R1`.", "this", "Card", "a tree", example.caption, "Long", "One", "By Ann."),
    ]
    assert translated(rules) == rules


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
@pytest.mark.parametrize("key", OURS)
def test_rules_in_another_language_let_type_and_show_the_same(key: str, language: str) -> None:
    rules = rules_for(key)
    with use_locale(language):
        other = translated(rules)
        for text in texts(rules):
            here, there = typed(text), typed(meaning(CONTEXT, text))
            assert sorted(here) == sorted(there), text
    assert not set(texts(rules)) & set(texts(other))
    assert [example.board for example in other.examples] == [example.board for example in rules.examples]
    assert translated(rules) == rules


def typed(text: str) -> list[str]:
    """Return all that stands in a text for a player to type."""
    return [run for run, typed in split_runs(text) if typed]


def test_what_may_be_typed_is_told_apart() -> None:
    assert list(split_runs("Write `take 7`, or `7`.")) == [
        ("Write ", False),
        ("take 7", True),
        (", or ", False),
        ("7", True),
        (".", False),
    ]
    assert list(split_runs("`7`")) == [("7", True)]


TYPED: list[tuple[str, dict[str, object], str, list[tuple[str, str]]]] = [
    (
        "montauk",
        {},
        "3S; AC",
        [("1-off 5-2", "5-2 1-off"), ("move 5/2, 1-x", "5-2 1-off"), ("spend 5>2 1-0", "5-2 1-off")],
    ),
    ("montauk", {}, "", [("nine of hearts", "9H"), ("Herz-Neun", "9H"), ("lead 10♠", "TS"), ("play jd", "JD")]),
    ("martian-whist", {"sets": 2}, "", [("7", "take 7"), ("draft 7", "take 7"), ("take tree 7", "take 7")]),
    (
        "martian-trickery",
        {},
        "",
        [
            ("7h for r2", "R2 7H"),
            ("lead R2, 7H", "R2 7H"),
            ("medium red + seven of hearts", "R2 7H"),
            ("mittlere rote, Herz-Sieben", "R2 7H"),
        ],
    ),
    (
        "amazonian-buffet",
        {},
        "",
        [("a1c3 f3", "a1-c3 f3"), ("a1-c3 KD", "a1-c3 f3"), ("a1 c3 claim f3", "a1-c3 f3"), ("a1-c3 x f3", "a1-c3 f3")],
    ),
    (
        "minimax",
        {},
        "sow d Y1, B2 on R3, B1; sow b Y2, G3, B1, R1 on R3/B2",
        [
            ("y3 g1 on y2 r3/b2/r1", "sow a Y3, G1 on Y2, R3/B2/R1"),
            ("A: y3, g1 @ y2, r3/b2/r1", "sow a Y3, G1 on Y2, R3/B2/R1"),
            ("a groß gelb, klein grün on mittel gelb, r3/b2/r1", "sow a Y3, G1 on Y2, R3/B2/R1"),
        ],
    ),
]


@pytest.mark.parametrize(("key", "options", "moves", "typed"), TYPED)
def test_what_the_rules_say_of_typing_is_so(
    key: str, options: dict[str, object], moves: str, typed: list[tuple[str, str]]
) -> None:
    game, chance = GAMES[key], Chance(SEED)
    position: Any = game.setup(game.seats[0], options, chance)
    for move in filter(None, re.split(r"; *", moves)):
        position = game.apply(
            position, game.to_move(position)[0], game.read(position, game.to_move(position)[0], move), chance
        )
    seat = game.to_move(position)[0]
    assert [game.read(position, seat, text) for text, _ in typed] == [move for _, move in typed]
