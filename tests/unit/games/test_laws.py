"""Laws that hold for every game that is found, with any options, at any point of any match."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.games import GAMES, Chance, Eye, Game, IllegalMove, InvalidMove, Move, OptionError, Seat, View, Viewer
from pbem.games.game import MAX_MOVES_SHOWN
from pbem.games.nearness import MAX_NEAREST
from tests.support.examples import examples
from tests.support.games.laws import sampled, texts, turns_of
from tests.support.games.random_play import Match, RecordingChance, countable, paths, typed

every_game = pytest.mark.parametrize("key", GAMES)
some_matches = settings(max_examples=examples(20), deadline=None, suppress_health_check=list(HealthCheck))
MOST_PATHS = 150
"""With more legal moves than these, not every path through `steps` is followed."""


def viewers(match: Match) -> list[Viewer]:
    return [*(Seat(seat) for seat in range(1, match.seats + 1)), Eye.PUBLIC]


def encoded(view: View) -> bytes:
    return json.dumps(asdict(view), sort_keys=True, default=str).encode()


def is_plain(value: object) -> bool:
    if type(value) is dict:
        return all(type(key) is str and is_plain(part) for key, part in value.items())
    if type(value) is list:
        return all(map(is_plain, value))
    return value is None or type(value) in {str, int, bool}


def assert_refused(game: Game[Any], position: Any, seat: Seat, move: Move, chance: Chance) -> None:
    assert not game.allows(position, seat, move)
    with pytest.raises(IllegalMove):
        game.apply(position, seat, move, chance)


@every_game
@some_matches
@given(data=st.data())
def test_random_play_ends_and_counts_its_stages(key: str, data: st.DataObject) -> None:
    match, turns = turns_of(data, key)
    game = match.game
    assert game.stage(turns[0].before) == 1
    for turn in turns:
        acting = game.to_move(turn.before)
        assert list(acting) == sorted(set(acting))
        assert game.outcome(turn.before) is None
        if len(acting) > 1:
            assert game.to_move(turn.after) == tuple(seat for seat in acting if seat != turn.seat)
        assert game.stage(turn.after) == game.stage(turn.before) + (len(acting) == 1)
    last = turns[-1].after
    outcome = game.outcome(last)
    assert game.to_move(last) == ()
    assert outcome is not None
    assert len(outcome.scores) == match.seats
    assert list(outcome.winners) == sorted(set(outcome.winners))
    assert set(outcome.winners) <= set(range(1, match.seats + 1))


@every_game
@some_matches
@given(data=st.data())
def test_listed_moves_are_the_allowed_ones(key: str, data: st.DataObject) -> None:
    match, turns = turns_of(data, key)
    game = match.game
    foreign = {turn.move for turn in turns}
    for turn in sampled(data, turns):
        listed = countable(game, turn.before, turn.seat)
        assert game.allows(turn.before, turn.seat, turn.move)
        if listed is None:
            continue
        assert len(set(listed)) == len(listed) > 0
        assert turn.move in listed
        for move in listed[:: len(listed) // 50 + 1]:
            assert game.allows(turn.before, turn.seat, move)
            assert game.read(turn.before, turn.seat, move) == move
        for move in foreign:
            assert game.allows(turn.before, turn.seat, move) == (move in listed)


@every_game
@some_matches
@given(data=st.data())
def test_steps_lead_to_every_move_and_nowhere_else(key: str, data: st.DataObject) -> None:
    match, turns = turns_of(data, key)
    game = match.game
    for turn in turns:
        assert turn.chosen
        assert game.allows(turn.before, turn.seat, turn.move)
    for turn in sampled(data, turns, 3):
        listed = countable(game, turn.before, turn.seat, MOST_PATHS)
        if listed is not None:
            ends = (typed(path) for path in paths(game, turn.before, turn.seat))
            assert {game.read(turn.before, turn.seat, end) for end in ends} == set(listed)


@every_game
@some_matches
@given(data=st.data())
def test_apply_is_pure(key: str, data: st.DataObject) -> None:
    match, turns = turns_of(data, key)
    game = match.game
    for turn in sampled(data, turns):
        said, shown = repr(turn.before), encoded(game.view(turn.before, Eye.OPEN))
        again = game.apply(turn.before, turn.seat, turn.move, Chance(match.seed))
        assert again == turn.after
        assert again == game.apply(turn.before, turn.seat, turn.move, Chance(match.seed))
        assert (repr(turn.before), encoded(game.view(turn.before, Eye.OPEN))) == (said, shown)


@every_game
@some_matches
@given(data=st.data())
def test_seed_and_moves_are_the_whole_history(key: str, data: st.DataObject) -> None:
    match, turns = turns_of(data, key)
    game, chance = match.game, RecordingChance(match.seed)
    settled = game.settle(match.seats, match.options)
    position = game.setup(match.seats, settled, chance)
    for turn in turns:
        assert position == turn.before
        position = game.apply(position, turn.seat, game.read(position, turn.seat, turn.move), chance)
    assert position == turns[-1].after
    assert len(set(chance.labels)) == len(chance.labels)


@every_game
@some_matches
@given(data=st.data())
def test_views_are_plain_data_with_the_viewers_own_moves(key: str, data: st.DataObject) -> None:
    match, turns = turns_of(data, key)
    game = match.game
    for position in [turns[-1].after, *(turn.before for turn in sampled(data, turns))]:
        for viewer in viewers(match):
            view = game.view(position, viewer)
            assert (view.game, view.viewer, view.to_move) == (game.key, viewer, game.to_move(position))
            assert view.outcome == game.outcome(position)
            for shown in (view.board, view.log):
                assert is_plain(shown)
                assert json.loads(json.dumps(shown)) == shown
            assert all(isinstance(entry, dict) and {"seat", "move"} <= entry.keys() for entry in view.log)
            if viewer in game.to_move(position):
                assert isinstance(viewer, int)
                listed = countable(game, position, viewer, MAX_MOVES_SHOWN)
                assert view.moves_are_all == (listed is not None)
                assert 0 < len(view.moves) <= MAX_MOVES_SHOWN
                assert listed is None or view.moves == tuple(listed)
                for move in game.suggest(position, viewer):
                    assert game.allows(position, viewer, move)
            else:
                assert (view.moves, view.moves_are_all) == ((), True)


@every_game
@some_matches
@given(data=st.data())
def test_log_tells_every_move(key: str, data: st.DataObject) -> None:
    match, turns = turns_of(data, key)
    for viewer in (*viewers(match), Eye.OPEN):
        log = match.game.view(turns[-1].after, viewer).log
        told: list[Any] = [(entry["seat"], entry["move"]) for entry in log if isinstance(entry, dict)]
        assert len(told) == len(turns)
        # Moves of one sealed stage may stand in any order: when each came is nobody's business.
        stages = [match.game.stage(turn.before) for turn in turns]
        logged = sorted(zip(stages, told, strict=True), key=lambda entry: (entry[0], entry[1][0]))
        played = sorted(zip(stages, turns, strict=True), key=lambda entry: (entry[0], entry[1].seat))
        for (_, (seat, move)), (_, turn) in zip(logged, played, strict=True):
            assert seat == turn.seat
            assert move in {turn.move, None}


@every_game
@some_matches
@given(data=st.data())
def test_nobody_moves_out_of_turn_or_after_the_end(key: str, data: st.DataObject) -> None:
    match, turns = turns_of(data, key)
    game, chance = match.game, Chance(match.seed)
    for turn in [*sampled(data, turns), turns[-1]]:
        for position in (turn.before, turn.after):
            idle = set(range(1, match.seats + 1)) - set(game.to_move(position))
            for seat in map(Seat, idle):
                assert list(game.moves(position, seat)) == []
                assert_refused(game, position, seat, turn.move, chance)
                for text in (turn.move, "nonsense", ""):
                    with pytest.raises(IllegalMove):
                        game.read(position, seat, text)


@every_game
@some_matches
@given(data=st.data())
def test_exchanged_secrets_cannot_be_told_apart(key: str, data: st.DataObject) -> None:
    match, turns = turns_of(data, key)
    game = match.game
    for position in [turns[-1].after, *(turn.before for turn in sampled(data, turns))]:
        for viewer in viewers(match):
            other = game.exchange(position, viewer, data.draw(st.binary(min_size=32, max_size=32)))
            view, shown = game.view(position, viewer), game.view(other, viewer)
            assert shown == view
            assert encoded(shown) == encoded(view)
            assert game.stage(other) == game.stage(position)


@every_game
@some_matches
@given(data=st.data())
def test_any_text_is_a_legal_move_or_refused_in_words(key: str, data: st.DataObject) -> None:
    match, turns = turns_of(data, key)
    game = match.game
    moves = [turn.move for turn in turns]
    for turn in sampled(data, turns, 12):
        text = data.draw(texts(moves), label="text")
        try:
            move = game.read(turn.before, turn.seat, text)
        except (InvalidMove, IllegalMove) as error:
            refusal = str(error)
            assert refusal.endswith((".", "?", "!"))
        else:
            assert game.allows(turn.before, turn.seat, move)
            assert game.read(turn.before, turn.seat, move) == move
        if not game.allows(turn.before, turn.seat, Move(text)):
            assert_refused(game, turn.before, turn.seat, Move(text), Chance(match.seed))


@every_game
@some_matches
@given(data=st.data())
def test_the_moves_nearest_to_a_text_are_legal_and_follow_from_what_the_seat_knows(
    key: str, data: st.DataObject
) -> None:
    match, turns = turns_of(data, key)
    game = match.game
    moves = [turn.move for turn in turns]
    for turn in sampled(data, turns):
        assert game.nearest(turn.before, turn.seat, turn.move)[0] == turn.move
        other = game.exchange(turn.before, turn.seat, data.draw(st.binary(min_size=32, max_size=32)))
        for text in (data.draw(texts(moves), label="text"), *turn.chosen):
            near = game.nearest(turn.before, turn.seat, text)
            assert len(set(near)) == len(near) <= MAX_NEAREST
            assert all(game.allows(turn.before, turn.seat, move) for move in near)
            assert game.nearest(other, turn.seat, text) == near
        for seat in range(1, match.seats + 1):
            assert seat in game.to_move(turn.before) or game.nearest(turn.before, Seat(seat), turn.move) == ()


@every_game
def test_options_are_settled_with_their_defaults(key: str) -> None:
    game = GAMES[key]
    settled = game.settle(game.seats[0], {})
    assert all(settled[name] == game.options[name][0] for name in settled)
    for seats in (0, game.seats[0] - 1, game.seats[-1] + 1):
        with pytest.raises(OptionError):
            game.settle(seats, {})
    with pytest.raises(OptionError):
        game.setup(game.seats[0], {"no such option": 1}, Chance(bytes(32)))
