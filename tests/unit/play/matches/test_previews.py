"""Which moves are previewed before they are played: those that end the game, draw, reveal or hide something."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

from pbem.games import GAMES, Eye
from pbem.play.matches.previews import needs_preview
from tests.support.examples import examples
from tests.support.play.matches.mail_facts import course_of, every_game, turns

TURNS = examples(400)


@every_game
def test_a_move_that_needs_no_preview_hides_nothing_reveals_nothing_and_does_not_end_the_game(key: str) -> None:
    for deal, before, turn in islice(turns(key), TURNS):
        if needs_preview(course_of(deal, before, turn.before), turn.seat, turn.move):
            continue
        assert deal.game.outcome(turn.after) is None
        assert not deal.game.reveals(turn.before, turn.move, turn.after)
        assert deal.game.to_move(turn.before) == (turn.seat,)
        logged: Any
        (logged,) = deal.game.log(turn.after, Eye.PUBLIC)[len(before) :]
        assert logged["move"] == turn.move


@pytest.mark.parametrize("key", ["martian-whist", "minimax"])
def test_every_move_that_ends_the_game_needs_one_and_most_others_need_none(key: str) -> None:
    looked_at = [
        (needs_preview(course_of(deal, before, turn.before), turn.seat, turn.move), deal.game.outcome(turn.after))
        for deal, before, turn in islice(turns(key), TURNS)
    ]
    assert all(needed for needed, outcome in looked_at if outcome)
    assert sum(not needed for needed, _outcome in looked_at) > len(looked_at) / 2


def test_hands_that_are_sealed_need_one() -> None:
    sealed = [
        needs_preview(course_of(deal, before, turn.before), turn.seat, turn.move)
        for deal, before, turn in islice(turns("amazonian-buffet"), TURNS)
        if len(GAMES["amazonian-buffet"].to_move(turn.before)) > 1
    ]
    assert sealed
    assert all(sealed)
