"""Animations are made once, by one for all who wait, kept for a month, and forgotten with whose names are in them."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select, text

from pbem.db.models import Animation, Match, Player
from pbem.play.accounts import deletion
from pbem.play.archive import animation_cache
from pbem.play.core.context import system_time
from pbem.play.lifecycle import endings
from pbem.play.matches.match_state import load_match, lock_match
from pbem.play.matches.seats import holders
from pbem.play.matches.views import player_names
from pbem.play.upkeep import sweeper
from tests.support.live_service import until

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.house import House


class RefusedError(Exception):
    """What a limit raises."""


def over(house: House) -> str:
    match_id = house.start_match("martian-whist", 2)
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        endings.resign(ctx, load_match(ctx, match), holders(ctx, match)[0])
    return match_id


def wish(house: House, match_id: str, before: Callable[[], None] = lambda: None) -> bytes:
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        return animation_cache.get_or_render(ctx, match, player_names(ctx, match), before)


def test_two_who_wish_for_the_same_at_once_have_it_made_once(house: House) -> None:
    match_id = over(house)
    made: list[int] = []
    later: list[Future[bytes]] = []

    def while_another_waits() -> None:
        made.append(1)
        later.append(pool.submit(wish, house, match_id, lambda: made.append(2)))
        until(lambda: house.all(text("SELECT count(*) FROM pg_locks WHERE NOT granted"))[0])

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(wish, house, match_id, while_another_waits).result()
        assert later[0].result() == first
    assert made == [1]


def test_what_a_limit_refuses_is_neither_made_nor_claimed(house: House) -> None:
    match_id = over(house)

    def refuse() -> None:
        raise RefusedError

    with pytest.raises(RefusedError):
        wish(house, match_id, refuse)
    assert house.all(select(func.count()).select_from(Animation)) == [0]
    assert wish(house, match_id)


def test_it_is_kept_for_a_month(house: House) -> None:
    wish(house, over(house))
    for later, left in ((timedelta(days=29), 1), (timedelta(days=31), 0)):
        with house.transaction(system_time() + later) as ctx:
            sweeper.sweep(ctx)
        assert house.all(select(func.count()).select_from(Animation)) == [left]


def test_it_goes_with_a_player_who_leaves_for_good(house: House) -> None:
    wish(house, over(house))
    with house.transaction() as ctx:
        deletion.delete(ctx, ctx.session.scalars(select(Player).where(Player.name == "Ann")).one())
    assert house.all(select(func.count()).select_from(Animation)) == [0]
