"""Two who act at the same moment: whoever waited for a match knows what was done meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pbem.db.models import Match
from pbem.play.lifecycle import acceptance
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.play.matches.views import player_names
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.play.core.context import Context
    from tests.support.house import House


def accept(ctx: Context, match_id: str, seat: int) -> None:
    match = lock_match(ctx, match_id)
    holder = next(one for one in holders(ctx, match) if one.seat == seat)
    acceptance.accept(ctx, match, holder, "")


@pytest.mark.parametrize("known", [False, True], ids=["nothing", "who sits there"])
def test_two_who_accept_at_once_begin_the_match(house: House, *, known: bool) -> None:
    match_id = house.make("martian-whist", 2)
    with house.transaction() as first:
        if known:
            assert player_names(first, first.session.get_one(Match, match_id))
        with house.transaction() as second:
            accept(second, match_id, 2)
        accept(first, match_id, 1)
    assert house.match(match_id).state == MatchState.RUNNING


def test_what_is_yet_to_be_written_stays(house: House) -> None:
    match_id = house.make("martian-whist", 2)
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        match.seats[0].entropy = "mine"
        assert lock_match(ctx, match_id).seats[0].entropy == "mine"
    assert house.match_seats(match_id)[0].entropy == "mine"
