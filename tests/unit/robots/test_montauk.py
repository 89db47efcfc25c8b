"""Montauk's robot: what it knows, what it expects of the other seat, and what it plays."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pbem import robots
from pbem.games import Seat, Stream
from pbem.games.montauk import Montauk
from pbem.games.montauk.advice import likely_cards
from pbem.games.montauk.round import ONE, TWO, Position, Race, Score
from pbem.robots.montauk.blind import good_rating, likely_rating, play_card
from pbem.robots.montauk.halving import halve
from pbem.robots.montauk.kinds import KIND, KINDS, NUMBER
from pbem.robots.montauk.known import know_round
from pbem.robots.montauk.likely import gains
from pbem.robots.montauk.playing import Ending
from pbem.robots.montauk.prospects import prospect
from pbem.robots.montauk.table import Table, imagine, read_table
from tests.support.games.montauk_play import after_moves, played, spending

if TYPE_CHECKING:
    from pbem.robots import Thought

GAME = Montauk()
SEED = bytes(range(32))
DRAWS = 3000
CHI_SQUARE = 80
"""Value that chi-square of 45 degrees of freedom exceeds once in a thousand times."""


def _table(position: Position) -> Table:
    return read_table(GAME.view(position, GAME.to_move(position)[0]))


def _think(position: Position, playouts: int = 400) -> Thought:
    return robots.think("montauk", GAME.view(position, GAME.to_move(position)[0]), robots.Level.STRONG, SEED, playouts)


# -- knowing -----------------------------------------------------------------------------------------


def test_a_table_is_read_as_it_is() -> None:
    position = played("3S; AC; 5-2 1-off; TC; 3C; 4-1 4-off")
    table = _table(position)
    assert (table.score, table.race, table.log) == (position.score, position.race, position.log)
    assert table.trick == position.trick
    assert table.hand == position.hands[0].value
    assert not {*table.unseen} & {*table.hand, *position.played}


def test_every_unseen_card_is_equally_likely_in_each_hidden_place() -> None:
    table, stream = _table(played("3S")), Stream(SEED, "draws")
    held, leads = Counter[str](), Counter[str]()
    for _ in range(DRAWS):
        position = imagine(table, stream)
        held.update(position.hands[0].value)
        assert position.trick.lead
        leads[position.trick.lead.value] += 1
        assert len({*held, *leads}) <= len(table.unseen)
    assert {*held} == {*table.unseen}
    assert len(table.unseen) == 46
    for counts, places in ((held, 5), (leads, 1)):
        expected = DRAWS * places / 46
        assert sum((counts[card] - expected) ** 2 / expected for card in table.unseen) < CHI_SQUARE


# -- the other seat ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "number"), [(0, 0), (1, 0), (3, 0), (12, 1)])
def test_a_likely_card_is_the_one_that_the_game_suggests(count: int, number: int) -> None:
    position = after_moves(count, number)
    seat = GAME.to_move(position)[0]
    known = know_round(_table(position))
    unseen = [known.unseen.count(kind) for kind in KINDS]
    rating = gains(unseen, known.burden, known.other_burden, leads=known.leads)
    suggested = [rating[KIND[card]] for card in likely_cards(position, seat)]
    assert suggested == sorted(suggested, reverse=True)


def test_nothing_is_to_be_gained_for_a_seat_without_pyramids() -> None:
    position = after_moves(0)
    track = position.race.tracks[0]
    position = replace(position, race=Race(1, (track, (0,) * 6)))
    assert position.mover == ONE
    assert max(likely_rating(know_round(_table(position)))) <= 0


def test_good_play_rates_by_what_cards_come_to() -> None:
    """In the last trick but one, a seat that is first leads what wins: the loser is put under pressure."""
    position = after_moves(0)
    behind, done = (0, 0, 0, 0, 0, 6), (0,) * 6
    position = replace(position, race=Race(5, (behind, done), first=TWO), score=Score(1, ONE, 1))
    known = replace(know_round(_table(position)), mine=(KIND["KD"], KIND["2D"]), held=2)
    rating = good_rating(known, 4000, Stream(SEED, "good"))
    assert rating[KIND["KS"]] > rating[KIND["KC"]]


def test_cards_about_as_good_as_the_best_are_played_too() -> None:
    rating = [0.0] * len(KINDS)
    rating[3:7] = [0.3, 0.28, 0.24, 0.1]
    stream = Stream(SEED, "play")
    played_cards = Counter(play_card((6, 5, 4, 3), rating, stream) for _ in range(DRAWS))
    assert {*played_cards} == {3, 4, 5}
    assert [played_cards[card] / DRAWS for card in (3, 4, 5)] == pytest.approx([10 / 22, 8 / 22, 4 / 22], abs=0.03)


def test_a_single_card_is_played() -> None:
    assert play_card((7,), [-1.0] * len(KINDS), Stream(SEED, "play")) == 7


# -- worth -------------------------------------------------------------------------------------------


def _ending(margin: int, pips_one: int = 1, pips_two: int = 1) -> Ending:
    one, two = (NUMBER[tuple(int(spot == pips) for spot in range(1, 7))] for pips in (pips_one, pips_two))
    return Ending(margin, one, two, nulls_left=0)


def test_the_last_round_is_played_to_win_the_match() -> None:
    worth = prospect(Score(3, ONE, 3, (4, 6), (10, 10)), ONE)
    lost, drawn, won, by_far = (worth(_ending(margin)) for margin in (1, 2, 3, 6))
    assert drawn == 0.5
    assert drawn - lost == pytest.approx(won - drawn)
    assert won - drawn > 3 * (by_far - won)


def test_pips_decide_between_equal_scores() -> None:
    worth = prospect(Score(3, ONE, 3, (4, 6), (10, 12)), TWO)
    assert worth(_ending(2, 4, 1)) > 0.5 > worth(_ending(2, 2, 1))
    assert worth(_ending(2, 3, 1)) == 0.5


def test_a_point_is_worth_more_the_fewer_rounds_are_left() -> None:
    early, late = (prospect(Score(12, ONE, number), ONE) for number in (1, 11))
    assert 0.5 == early(_ending(0)) < early(_ending(3)) < late(_ending(3)) < 1


@pytest.mark.parametrize("number", [1, 11, 12])
def test_what_one_seat_gains_the_other_loses(number: int) -> None:
    score = Score(12, ONE, number, (20, 17), (3, 4))
    for ending in (_ending(-3), _ending(2), _ending(-9)):
        assert prospect(score, ONE)(ending) + prospect(score, TWO)(ending) == pytest.approx(1)


# -- choosing ----------------------------------------------------------------------------------------


def test_halving_tries_good_options_more_often() -> None:
    options = halve([1, 5, 3, 4, 2], 300, iter(lambda: float, None))
    assert [option.choice for option in options][:2] == [5, 4]
    assert options[0].times > options[-1].times > 0
    assert options[0].total == 5 * options[0].times
    assert sum(option.times for option in options) <= 300


def test_a_single_option_is_not_tried() -> None:
    assert [(option.choice, option.times) for option in halve("a", 300, iter([]))] == [("a", 0)]


def test_the_last_pyramid_is_borne_off_for_the_prize() -> None:
    thought = _think(_in_last_trick(spending((1, 0, 0, 0, 0, 1), (1, 6))))
    assert thought.move == "6-off 1-off"
    assert thought.tried[0].worth > 0.5


def test_values_are_not_wasted() -> None:
    """Four twos bear off the pyramids on 2 rather than bring one on 6 nearer."""
    thought = _think(_in_last_trick(spending((0, 4, 0, 0, 0, 2), (2, 2, 2, 2))))
    assert thought.move == "2-off 2-off 2-off 2-off"


def test_a_pyramid_is_borne_off_lest_a_null_is_taken() -> None:
    thought = _think(_in_last_trick(spending((0, 0, 1, 0, 0, 2), (3,))))
    assert thought.move == "3-off"


def test_spendings_with_the_same_end_are_one_option() -> None:
    position = spending((0, 0, 0, 0, 1, 1), (1, 2))
    ends = {tried.move for tried in _think(position).tried}
    assert len(ends) < len({*GAME.moves(position, TWO)})


def test_twins_are_one_option() -> None:
    view = GAME.view(after_moves(0), ONE)
    hand = [*view.board["hand"][:-2], "3S", "9S"]
    view.board["hand"] = hand
    thought = robots.think("montauk", view, robots.Level.STRONG, SEED, 50)
    kinds = [KIND[tried.move] for tried in thought.tried]
    assert len(kinds) == len({*kinds}) == len({KIND[card] for card in hand})


def test_a_forced_move_takes_no_playouts() -> None:
    position = next(
        position for position in map(after_moves, range(200)) if len([*GAME.moves(position, _mover(position))]) == 1
    )
    thought = _think(position)
    assert (thought.playouts, [tried.times for tried in thought.tried]) == (0, [0])


def test_a_choice_varies_with_the_seed_only_where_cards_are_about_as_good() -> None:
    view = GAME.view(after_moves(0), ONE)
    thoughts = [robots.think("montauk", view, robots.Level.STRONG, bytes([number]) * 32, 600) for number in range(6)]
    assert {thought.move for thought in thoughts} < {*view.moves}


def _mover(position: Position) -> Seat:
    return GAME.to_move(position)[0]


def _in_last_trick(position: Position) -> Position:
    race = Race(6, position.race.tracks)
    return replace(position, score=Score(1, ONE, 1), race=race, trick=replace(position.trick, draws=False))
