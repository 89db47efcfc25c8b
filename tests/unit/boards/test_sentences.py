"""A match of each game can be played by somebody who is told its positions in sentences and sees no board."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from pbem.boards import drawing_for
from pbem.games import GAMES, Chance, Eye, Game, Move, Outcome, Seat
from tests.support.boards.sentence_readers import NAMES, READERS, told
from tests.support.examples import few

if TYPE_CHECKING:
    from collections.abc import Iterator

MATCHES: list[tuple[str, dict[str, object]]] = [
    ("amazonian-buffet", {}),
    ("amazonian-buffet", {"compare": "poker"}),
    ("martian-trickery", {"hands": 2}),
    ("martian-trickery", {"hands": 1, "prizes": "two-stash"}),
    ("martian-whist", {"sets": 2}),
    ("martian-whist", {"sets": 4}),
    ("middle-card", {}),
    ("minimax", {}),
    ("minimax", {"size": "long"}),
    ("montauk", {"rounds": 3}),
]
SEEDS = range(12)
_CODE = re.compile(r"\b(?:[RYGBK][123]|[2-9TJQKA][SHDC])\b")
_SENTENCE = re.compile(r"[A-Z][^.]*[a-z0-9)]\.")


def turns(key: str, options: dict[str, object], number: int) -> Iterator[tuple[Game[Any], Any, Seat, set[Move]]]:
    """Play by what sentences tell: the position, who is to move, and the moves that were found in the sentences."""
    game, chance, random = GAMES[key], Chance(number.to_bytes(32, "big")), Random(number)
    position: Any = game.setup(game.seats[0], options, chance)
    while acting := game.to_move(position):
        seat = random.choice(acting)
        view = game.view(position, seat)
        found = READERS[key](told(key, view.board, NAMES[: game.seats[0]], seat, view.moves), random)
        listed = found if view.moves_are_all else [next(found)]
        moves = {game.read(position, seat, move) for move in listed}
        yield game, position, seat, moves
        position = game.apply(position, seat, random.choice(sorted(moves)), chance)
    yield game, position, Seat(1), set()


def test_every_game_is_played_here() -> None:
    assert {key for key, _ in MATCHES} == set(READERS) == set(GAMES)


@pytest.mark.parametrize("number", list(few(SEEDS)))
@pytest.mark.parametrize(("key", "options"), MATCHES)
def test_a_match_is_played_from_the_sentences_alone(key: str, options: dict[str, object], number: int) -> None:
    listed = 0
    for game, position, seat, moves in turns(key, options, number):
        view = game.view(position, seat)
        assert (moves == set(view.moves)) or (not view.moves_are_all and len(moves) == 1)
        listed += view.moves_are_all
    assert listed
    outcome = game.outcome(position)
    assert outcome
    words = " ".join(drawing_for(key).words(game.board(position, seat), NAMES[: game.seats[0]], seat).split())
    assert all(end in words for end in ended(outcome, words))


def ended(outcome: Outcome, words: str) -> Iterator[str]:
    """Check what the last sentences must tell: that it is over, and who has won."""
    names = [NAMES[seat - 1] for seat in outcome.winners]
    if "seat 1 has" in words:
        yield from (f"seat {seat} has {points}" for seat, points in enumerate(outcome.scores, 1))
    elif len(outcome.scores) == 1:
        yield "The wheel is cleared." if names else "Game over, the wheel is not cleared."
    else:
        yield "The game is over"
        yield f"{names[0]} wins" if len(names) == 1 else "a draw"


@pytest.mark.parametrize(("key", "options"), MATCHES)
def test_what_is_told_is_sentences(key: str, options: dict[str, object]) -> None:
    for game, position, seat, _ in turns(key, options, 7):
        for viewer in (Eye.PUBLIC, seat):
            you = None if isinstance(viewer, Eye) else viewer
            words = drawing_for(key).words(game.board(position, viewer), NAMES[: game.seats[0]], you)
            assert all(len(line) <= 72 and line == line.strip() for line in words.splitlines())
            flat = " ".join(words.splitlines())
            assert "  " not in flat
            assert not _CODE.search(flat)
            assert not set("|/+*_=<>[]{}#") & set(flat)
            assert re.fullmatch(rf"{_SENTENCE.pattern}(?: {_SENTENCE.pattern})*", flat), flat


@pytest.mark.parametrize(("key", "options"), MATCHES)
def test_who_is_to_act_is_told(key: str, options: dict[str, object]) -> None:
    for game, position, seat, _ in turns(key, options, 5):
        if game.to_move(position):
            board, moves = game.board(position, seat), game.view(position, seat).moves
            seen = told(key, board, NAMES[: game.seats[0]], seat, moves)
            assert re.match(r"Choose|Sow|Take|Lead|Follow|You |Move|Make|Both|Swap|Play|Neither", seen.prompt), seen
            named = re.findall(r"(\w+) (?:is|won the trick and is) to (?:lead|follow|use)\b", seen.words)
            assert not named or named == [NAMES[seat - 1]]


def test_a_fresh_tree_is_sown_whole_or_broken_as_the_sentences_offer() -> None:
    game, seat, chance = GAMES["minimax"], Seat(1), Chance(bytes(range(32)))
    position: Any = game.setup(1, {}, chance)
    for move in ("sow d Y1, B2 on R3, B1", "sow b Y2, G3, B1, R1 on R3/B2"):
        position = game.apply(position, seat, game.read(position, seat, move), chance)
    seen = told("minimax", game.board(position, seat), NAMES[:1], seat, game.view(position, seat).moves)
    moves = {game.read(position, seat, move) for move in READERS["minimax"](seen, Random(1))}
    assert moves == set(game.moves(position, seat))
    assert {"R3/B2/R1" in move for move in moves} == {True, False}
