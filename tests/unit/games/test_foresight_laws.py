"""Laws of what is said in advance, for every game that is found, at any point of any match."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.games import GAMES, Game, InvalidMove, Seat, View
from pbem.games.foresight import FORCED, MAX_EXAMPLES
from tests.support.examples import examples
from tests.support.games.laws import sampled, texts, turns_of
from tests.support.games.random_play import Match, walk

every_game = pytest.mark.parametrize("key", GAMES)
few_matches = settings(max_examples=examples(12), deadline=None, suppress_health_check=list(HealthCheck))

ODD = (
    "I lead", "I follow", "spades", "spades led", "J of spades", "R3", "red led", "took G2", "tree 4 shows G2", "swap",
    "take 3", "take 99", "sow d", "free choice", "5 points", "score 99", "KD is free", "claims f3", "z9 is free",
    "claims nothing", "I am ahead", "keep", "to use 3 6", "round 2", "trick 9", "6-3 5-off", "seat 2: JS", "seat 1 QD",
    "seat 9: keep", "extra", "I spend", "for K1", "2C led", "a club", "a1-c3", "play 7", "swap 3", "stay", "solid led",
)  # fmt: skip
"""What somebody says of some game or other."""


def verdict(game: Game[Any], view: View, condition: str) -> bool | str:
    """Judge a condition, or say in words why it is none."""
    try:
        return game.meets(view, condition)
    except InvalidMove as refusal:
        said = str(refusal)
    assert said.endswith((".", "?", "!"))
    return said


def seats(match: Match) -> list[Seat]:
    return [Seat(seat) for seat in range(1, match.seats + 1)]


@every_game
@few_matches
@given(data=st.data())
def test_a_move_that_was_played_is_met_for_whom_the_log_tells_it(key: str, data: st.DataObject) -> None:
    match, turns = turns_of(data, key)
    game = match.game
    for turn in sampled(data, turns):
        for seat in seats(match):
            view = game.view(turn.after, seat)
            last: Any = [entry for entry in view.log if isinstance(entry, dict) and entry["seat"] == turn.seat][-1]
            if seat != turn.seat and last["move"] is not None:
                assert game.meets(view, last["move"])
                assert game.meets(view, f"If seat {turn.seat} plays {last['move'].upper()}:")
                assert not game.meets(view, f"not {last['move']}")


@every_game
@few_matches
@given(data=st.data())
def test_whom_nothing_tells_positions_apart_nothing_tells_conditions_apart(key: str, data: st.DataObject) -> None:
    match, turns = turns_of(data, key)
    game = match.game
    for turn in sampled(data, turns):
        for seat in seats(match):
            other = game.exchange(turn.after, seat, data.draw(st.binary(min_size=32, max_size=32)))
            one, same = game.view(turn.after, seat), game.view(other, seat)
            for condition in (*ODD, turn.move):
                assert verdict(game, one, condition) == verdict(game, same, condition)
            for policy in game.policies:
                assert game.follow(one, policy) == game.follow(same, policy)


@every_game
@few_matches
@given(data=st.data())
def test_any_text_is_a_condition_or_refused_in_words(key: str, data: st.DataObject) -> None:
    match, turns = turns_of(data, key)
    moves = [turn.move for turn in turns]
    parts = st.one_of(texts(moves), st.sampled_from([*ODD, "not", "and", "or", "if", "seat 2", "always"]))
    for turn in sampled(data, turns, 12):
        condition = " ".join(data.draw(st.lists(parts, min_size=1, max_size=4), label="condition"))
        for seat in seats(match):
            assert type(verdict(match.game, match.game.view(turn.after, seat), condition)) in {bool, str}


@every_game
@few_matches
@given(data=st.data())
def test_the_examples_of_a_view_can_be_said_of_it(key: str, data: st.DataObject) -> None:
    match, turns = turns_of(data, key)
    for turn in (*sampled(data, turns), turns[-1]):
        for seat in seats(match):
            view = match.game.view(turn.before, seat)
            examples = match.game.conditions(view)
            assert 0 < len(examples) <= MAX_EXAMPLES
            assert {type(match.game.meets(view, example)) for example in examples} == {bool}


@every_game
@few_matches
@given(data=st.data())
def test_standing_orders_choose_among_the_moves_of_the_view(key: str, data: st.DataObject) -> None:
    match, turns = turns_of(data, key)
    game = match.game
    assert FORCED in game.policies
    for turn in sampled(data, turns, 12):
        view = game.view(turn.before, turn.seat)
        for policy in game.policies:
            assert game.follow(view, f"always {policy}") in {None, *view.moves}
        assert game.follow(view, FORCED) == (view.moves[0] if len(view.moves) == 1 else None)
        for seat in set(seats(match)) - set(game.to_move(turn.before)):
            idle = game.view(turn.before, seat)
            assert {game.follow(idle, policy) for policy in game.policies} == {None}


@every_game
def test_standing_orders_come_to_something(key: str) -> None:
    game = GAMES[key]
    turns = list(walk(Match(game, game.seats[0], {}, bytes(32))))
    for policy in set(game.policies) - {FORCED}:
        assert any(game.follow(game.view(turn.before, turn.seat), policy) for turn in turns), policy
