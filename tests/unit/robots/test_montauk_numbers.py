"""Montauk on numbers: rounds, tricks and spendings come out as the rules have them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games import Chance, Move
from pbem.games.montauk import Montauk
from pbem.games.montauk.advice import burden
from pbem.games.montauk.cards import VALUE, extra_to_use, trick_result
from pbem.games.montauk.round import NULLS, ONE, TWO, Position
from pbem.games.montauk.track import EMPTY, after_spending, spendings
from pbem.robots.montauk.kinds import GROUPS, KIND, KINDS, NOTHING, NUMBER, PIPS, STANDING, TRACKS
from pbem.robots.montauk.kinds import TRICKS as RESULTS
from pbem.robots.montauk.known import know_round
from pbem.robots.montauk.playing import Ending, play_on
from pbem.robots.montauk.spendings import LIGHTEST_END, OFFSET, ends
from pbem.robots.montauk.table import read_table
from tests.support.examples import examples

GAME = Montauk()
cards = st.sampled_from(sorted(KIND))
tracks = st.sampled_from(TRACKS[1:])
groups = st.sampled_from(range(1, len(GROUPS)))


def test_cards_of_a_suit_and_a_value_are_of_one_kind() -> None:
    assert len(KINDS) == 28
    assert KIND["3H"] == KIND["9H"] != KIND["3S"]
    assert len({(card[1], VALUE[card]) for card in KIND}) == len(KINDS)


def test_the_empty_track_and_the_empty_group_come_first() -> None:
    assert (len(TRACKS), TRACKS[0], GROUPS[NOTHING]) == (924, EMPTY, ())
    assert (STANDING[0], PIPS[0]) == (0, 0)
    number = NUMBER[0, 1, 0, 0, 2, 0]
    assert (STANDING[number], PIPS[number]) == (3, 12)


@given(cards, cards, cards)
def test_a_trick_has_the_same_winner_and_values(led: str, followed: str, extra: str) -> None:
    follower_wins, group, extras = RESULTS[KIND[led]][KIND[followed]]
    result = trick_result(led, followed)
    assert (follower_wins, GROUPS[group], extras is not None) == (result.follower_wins, result.to_use, result.draws)
    if extras is not None:
        assert GROUPS[extras[KIND[extra]]] == extra_to_use(led, followed, extra)


@given(tracks, groups)
def test_a_spending_has_the_same_ends(track: tuple[int, ...], group: int) -> None:
    legal = {NUMBER[after_spending(track, move)] for move in spendings(track, GROUPS[group])}
    assert ends(NUMBER[track], group) == sorted(legal)


@given(tracks, groups)
def test_a_hasty_player_leaves_as_little_to_do_as_the_suggestion(track: tuple[int, ...], group: int) -> None:
    least = min(burden(after_spending(track, move)) for move in spendings(track, GROUPS[group]))
    assert burden(TRACKS[LIGHTEST_END[OFFSET[group] + NUMBER[track]]]) == least


@settings(max_examples=examples(60), deadline=None)
@given(st.binary(min_size=32, max_size=32), st.integers(1, 6))
def test_hasty_players_end_a_round_as_they_would_by_the_rules(seed: bytes, tricks: int) -> None:
    chance = Chance(seed)
    position = GAME.setup(2, {"rounds": 1}, chance)
    started: tuple[Position, Move] | None = None
    while position.phase != "over":
        if position.phase == "follow" and position.race.trick <= tricks:
            started = position, _hasty_move(position)
        seat = GAME.to_move(position)[0]
        position = GAME.apply(position, seat, _hasty_move(position), chance)
    assert started
    one, two = position.race.tracks
    margin = position.score.scores[0] - position.score.scores[1]
    assert _played_on(*started) == Ending(margin, NUMBER[one], NUMBER[two], NULLS - sum(position.race.nulls))


def _hasty_move(position: Position) -> Move:
    """Return the first card of the hand, or the spending of a hasty player."""
    if not position.to_use:
        assert position.mover
        return Move(position.hands[position.mover - 1].value[0])
    track = position.track
    end = LIGHTEST_END[OFFSET[GROUPS.index(position.to_use)] + NUMBER[track]]
    return next(move for move in spendings(track, position.to_use) if NUMBER[after_spending(track, move)] == end)


def _played_on(position: Position, card: Move) -> Ending:
    assert position.mover
    assert position.trick.lead
    known = know_round(read_table(GAME.view(position, position.mover)))
    follower_wins, group, extras = RESULTS[KIND[position.trick.lead.value]][KIND[card]]
    one, two = ([KIND[each] for each in hand.value] for hand in position.hands)
    (one if position.mover == ONE else two).pop(0)
    pile = [KIND[each] for each in position.pile.value]
    second_wins = follower_wins == (position.mover == TWO)
    return play_on(known.standing, group, extras, one, two, pile, second_wins=second_wins)


@pytest.mark.parametrize(("seat", "first"), [(ONE, 3), (TWO, -3)])
def test_a_prize_that_was_won_counts(seat: int, first: int) -> None:
    position = GAME.setup(2, {"rounds": 1}, Chance(bytes(32)))
    view = GAME.view(position, GAME.to_move(position)[0])
    view.board["first"] = seat
    assert know_round(read_table(view)).standing.margin == first
