"""What each seat of Martian Trickery may see, and what holds in any position."""

from __future__ import annotations

import json
from itertools import chain
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games.cards import DECK
from pbem.games.chance import Chance
from pbem.games.errors import IllegalMove, InvalidMove
from pbem.games.game import Move
from pbem.games.hidden import Eye, Seat, Viewer
from pbem.games.pyramids import TREEHOUSE
from tests.support.examples import examples
from tests.support.games.trickery_play import FIVE_TRICKS, GAME, ONE, VECTORS, legal, play, started, table

if TYPE_CHECKING:
    from pbem.games.martian_trickery.position import Position

OPEN_TO_ALL: dict[str, Any] = {
    "prizes": "treehouse",
    "out": "B",
    "hands": 4,
    "hand_number": 1,
    "dealer": 3,
    "leader": 3,
    "phase": "follow",
    "middle": ["Y1", "Y2", "G2", "G3", "K1", "K3"],
    "prize": "R2",
    "trick_number": 6,
    "trick": [{"seat": 3, "card": "TS"}],
    "broken": True,
    "won": [["R3"], ["K2", "Y3"], ["G1", "R1"]],
    "worth": [1, 1, 2],
    "hand_sizes": [7, 7, 6],
    "totals": [0, 0, 0],
    "hand_scores": [],
    "tricks": [
        {"prize": prize, "winner": winner, "cards": [{"seat": seat, "card": card} for seat, card in played]}
        for prize, winner, played in [
            ("R3", 1, [(1, "AD"), (2, "JD"), (3, "6D")]),
            ("K2", 2, [(1, "7C"), (2, "AC"), (3, "6C")]),
            ("Y3", 2, [(2, "KH"), (3, "JH"), (1, "6H")]),
            ("G1", 3, [(2, "JC"), (3, "6S"), (1, "QC")]),
            ("R1", 3, [(3, "AS"), (1, "9S"), (2, "QS")]),
        ]
    ],
}


def test_the_board_shows_a_seat_its_own_hand_alone() -> None:
    position = play(table(), [*FIVE_TRICKS, "R2 TS"])
    own = ["KS", "JS", "8H", "7H", "TD", "9D", "KC"]
    assert GAME.board(position, ONE) == OPEN_TO_ALL | {"hand": own}
    assert GAME.board(position, Eye.PUBLIC) == OPEN_TO_ALL | {"hand": None}
    assert GAME.board(position, Eye.OPEN) == OPEN_TO_ALL | {
        "hand": None,
        "hands_open": [own, ["AH", "TH", "9H", "QD", "TC", "9C", "8C"], ["8S", "7S", "QH", "KD", "8D", "7D"]],
    }


def test_the_board_before_the_first_move() -> None:
    board = GAME.board(table(4, prizes="two-stash"), Eye.PUBLIC)
    assert (board["phase"], board["trick_number"], board["trick"], board["prize"]) == ("lead", 1, [], None)
    assert (board["prizes"], board["out"], board["dealer"], board["leader"]) == ("two-stash", None, 4, 1)


def test_the_log_tells_every_card_and_what_came_of_it() -> None:
    log = GAME.log(play(table(), [*FIVE_TRICKS, "R2 TS"]), Eye.PUBLIC)
    assert log[:3] == [
        {"seat": 1, "move": "R3 AD"},
        {"seat": 2, "move": "JD"},
        {"seat": 3, "move": "6D", "winner": 1, "prize": "R3"},
    ]
    assert log[9:] == [
        {"seat": 2, "move": "G1 JC"},
        {"seat": 3, "move": "6S", "broken": True},
        {"seat": 1, "move": "QC", "winner": 3, "prize": "G1"},
        {"seat": 3, "move": "R1 AS"},
        {"seat": 1, "move": "9S"},
        {"seat": 2, "move": "QS", "winner": 3, "prize": "R1"},
        {"seat": 3, "move": "R2 TS"},
    ]


@pytest.mark.parametrize("vector", VECTORS["games"])
def test_the_log_tells_of_breaking_at_most_once_a_hand(vector: dict[str, Any]) -> None:
    position, chance = started(vector)
    position = play(position, (move for _, move in vector["moves"]), chance)
    log: list[Any] = GAME.log(position, Eye.PUBLIC)
    assert [[entry["seat"], entry["move"]] for entry in log] == vector["moves"]
    ends = [i for i, entry in enumerate(log) if "hand_scores" in entry]
    assert [log[i]["hand_number"] for i in ends] == list(range(1, len(position.scores) + 1))
    cards_of_hand = 12 * vector["players"]
    for first in range(0, len(log), cards_of_hand):
        assert sum("broken" in entry for entry in log[first : first + cards_of_hand]) <= 1
    assert sum("broken" in entry for entry in log) > 1


def test_no_secret_is_in_the_repr() -> None:
    assert "QS" not in repr(table())


@st.composite
def positions(draw: st.DrawFn) -> Position:
    seats = draw(st.sampled_from([3, 4]))
    options: dict[str, object] = draw(
        st.sampled_from([{}, {"hands": 1}, {"out": "G"}, {"prizes": "two-stash", "hands": 2}])
    )
    chance = Chance(draw(st.binary(min_size=32, max_size=32)))
    stream = chance.stream("picks")
    position = GAME.setup(seats, options, chance)
    for _ in range(draw(st.integers(0, 110))):
        if position.over:
            break
        moves = legal(position)
        position = play(position, [moves[stream.below(len(moves))]], chance)
    return position


@settings(deadline=None, max_examples=examples(40))
@given(position=positions(), seed=st.binary(min_size=32, max_size=32))
def test_nobody_can_tell_an_exchanged_position(position: Position, seed: bytes) -> None:
    viewers: list[Viewer] = [Eye.PUBLIC, Eye.OPEN, *map(Seat, range(1, position.terms.seats + 1))]
    for viewer in viewers:
        other = GAME.exchange(position, viewer, seed)
        assert other == GAME.exchange(position, viewer, seed)
        assert GAME.view(other, viewer) == GAME.view(position, viewer)
        assert json.dumps(GAME.board(other, viewer)) == json.dumps(GAME.board(position, viewer))
        assert sorted(card for held in other.hands for card in held.value) == sorted(
            card for held in position.hands for card in held.value
        )
        if not isinstance(viewer, Eye):
            assert GAME.suggest(other, viewer) == GAME.suggest(position, viewer)
            for typed in ("7H", "R1 7H", "KS", "R3 KS", "2C", "?"):
                assert said(other, viewer, typed) == said(position, viewer, typed)


def said(position: Position, seat: Seat, typed: str) -> str:
    try:
        return GAME.read(position, seat, typed)
    except (InvalidMove, IllegalMove) as refused:
        return str(refused)


def test_exchanging_deals_the_unseen_cards_anew() -> None:
    position = table()
    other = GAME.exchange(position, ONE, bytes(32))
    assert other.hands[0] == position.hands[0]
    assert other.hands[1] != position.hands[1]
    assert other.hands != GAME.exchange(position, ONE, bytes(range(32))).hands
    assert GAME.exchange(position, Eye.PUBLIC, bytes(32)).hands[0] != position.hands[0]
    assert GAME.exchange(position, Eye.OPEN, bytes(32)) == position


@settings(deadline=None, max_examples=examples(40))
@given(position=positions())
def test_steps_moves_suggestions_and_reading_agree(position: Position) -> None:
    for seat in GAME.to_move(position):
        moves = legal(position)
        assert all(GAME.allows(position, seat, Move(move)) for move in moves)
        assert set(GAME.suggest(position, seat)) <= set(moves)
        assert GAME.suggest(position, seat)
        paths: list[tuple[str, ...]] = [(piece,) for piece in GAME.steps(position, seat, ())]
        if not position.cards:
            paths = [(*path, piece) for path in paths for piece in GAME.steps(position, seat, path)]
        assert [GAME.read(position, seat, " ".join(path)) for path in paths] == moves
        assert all(GAME.steps(position, seat, path) == () for path in paths)
        every = {f"{prize} {card}" for prize in TREEHOUSE for card in DECK} | set(DECK)
        assert not any(GAME.allows(position, seat, Move(move)) for move in every - set(moves))


@settings(deadline=None, max_examples=examples(40))
@given(position=positions())
def test_no_card_and_no_prize_is_ever_lost(position: Position) -> None:
    tricks = position.tricks_of_hand
    gone = [card for trick in tricks for card in trick.cards]
    held = [card for unplayed in position.hands for card in unplayed.value]
    assert sorted([*gone, *position.cards, *held]) == sorted(position.terms.deck)
    prizes = [*position.middle, *chain.from_iterable(position.won), *([position.prize] if position.prize else [])]
    assert sorted(prizes) == sorted(position.terms.middle)
    assert len(GAME.log(position, Eye.PUBLIC)) == GAME.stage(position) - 1
