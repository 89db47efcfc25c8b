"""Requests for analyses: who may ask, for which matches, and how often."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem import robots
from pbem.config import DEFAULT_RATE_LIMITS
from pbem.db.models import Analysis, Match, Player
from pbem.play.accounts import data_export, deletion, merge
from pbem.play.analysis import requests
from pbem.play.core.context import system_time
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import endings, match_requests
from pbem.play.matches.match_state import lock_match
from pbem.play.players import registry
from pbem.robots.analyses import LOOKING_BACK, PAR
from tests.support.creating import create_match
from tests.support.house import address
from tests.support.play.analysis.asking import analyses, ask, finished, make_all, play_to_the_end, player
from tests.support.robots import ANN

if TYPE_CHECKING:
    from tests.support.house import House

HOUR = timedelta(hours=1)


def refusal(house: House, match_id: str, who: int, kind: str = PAR) -> str:
    with pytest.raises(Refused) as refused:
        ask(house, match_id, who, kind)
    return str(refused.value)


def limited(house: House) -> House:
    return replace(house, config=replace(house.config, limits=DEFAULT_RATE_LIMITS))


def may_ask(house: House, match_id: str, who: int | None) -> bool:
    with house.transaction() as ctx:
        return requests.may_ask(ctx, ctx.session.get_one(Match, match_id), PAR, who)


def test_one_who_sat_there_asks_once_for_all(house: House) -> None:
    match_id = finished(house, "middle-card", 3)
    first = ask(house, match_id, player(house, match_id))
    second = ask(house, match_id, player(house, match_id, 2))
    assert (first.asked_by, first.edition, first.done_at) == (player(house, match_id), 1, None)
    assert second.asked_by == first.asked_by
    assert [one.match_id for one in analyses(house)] == [match_id]


def test_others_and_robots_may_not_ask(house: House) -> None:
    match_id = finished(house)
    other = finished(house, "middle-card", 3)
    assert refusal(house, match_id, player(house, other, 3)).startswith("Only the players of a match")
    assert [may_ask(house, match_id, who) for who in (None, player(house, other, 3), player(house, match_id))] == [
        False,
        False,
        True,
    ]


def test_nobody_asks_while_the_match_runs(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    assert "still runs" in refusal(house, match_id, player(house, match_id))
    with house.transaction() as ctx:
        assert requests.find(ctx, ctx.session.get_one(Match, match_id), PAR) is None


def test_matches_that_do_not_count_or_were_not_played_are_left_out(house: House) -> None:
    aborted, unplayed = house.start_match("minimax", 1), house.start_match("middle-card", 3)
    with house.transaction() as ctx:
        endings.abort(ctx, lock_match(ctx, aborted), "operator")
        endings.abort(ctx, lock_match(ctx, unplayed), "table", "abandoned")
    assert "does not count" in refusal(house, aborted, player(house, aborted))
    assert "Nobody has moved" in refusal(house, unplayed, player(house, unplayed))


def test_older_rules_forks_and_games_whose_robots_do_not_think_are_left_out(house: House) -> None:
    match_id, origin = finished(house), finished(house, "middle-card", 3)
    who = player(house, match_id)
    with house.transaction() as ctx:
        ctx.session.execute(update(Match).where(Match.id == match_id).values(edition=0))
    assert "earlier rules" in refusal(house, match_id, who)
    with house.transaction() as ctx:
        ctx.session.execute(update(Match).where(Match.id == match_id).values(edition=1, forked_from_id=origin))
    assert "practice match" in refusal(house, match_id, who)
    assert "none can look back" in refusal(house, origin, player(house, origin), LOOKING_BACK)


def test_a_person_asks_ten_times_a_day(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    assert requests.MAX_PER_DAY == {PAR: 10, LOOKING_BACK: 3}
    monkeypatch.setitem(requests.MAX_PER_DAY, PAR, 1)
    here = limited(house)
    one, other = finished(here), finished(here)
    who = player(here, one)
    ask(here, one, who)
    with pytest.raises(requests.LimitReachedError) as refused:
        ask(here, other, who)
    assert timedelta(hours=23) < refused.value.until - system_time() <= timedelta(days=1)
    ask(here, one, who)
    assert [one.match_id for one in analyses(here)] == [one]


def test_beyond_two_hundred_that_wait_nobody_asks(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    assert requests.MAX_WAITING == 200
    monkeypatch.setattr(requests, "MAX_WAITING", 1)
    one, other = finished(house), finished(house)
    ask(house, one, player(house, one))
    with pytest.raises(requests.LimitReachedError) as refused:
        ask(house, other, player(house, other))
    assert refused.value.until > system_time()
    make_all(house)
    ask(house, other, player(house, other))


def test_what_has_failed_is_asked_for_again_only_of_a_newer_robot(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = finished(house)
    who = player(house, match_id)
    ask(house, match_id, who)
    with house.transaction() as ctx:
        ctx.session.execute(update(Analysis).values(done_at=ctx.now))
    assert ask(house, match_id, who).done_at is not None
    assert not may_ask(house, match_id, who)
    monkeypatch.setattr(robots, "edition", lambda _game: 2)
    assert may_ask(house, match_id, who)
    assert ask(house, match_id, who).edition == 2
    assert [one.edition for one in analyses(house)] == [1, 2]


def test_a_match_with_a_robot_is_asked_about_by_the_person_alone(house: House) -> None:
    with house.transaction() as ctx:
        match_id = create_match(ctx, "martian-whist", {"sets": 2}, [ANN, match_requests.ROBOT], creator=1).id
    play_to_the_end(house, match_id)
    assert may_ask(house, match_id, player(house, match_id))


# -- whose it is ---------------------------------------------------------------------------------------


def test_an_export_has_what_somebody_asked_for(house: House) -> None:
    match_id = finished(house)
    who = player(house, match_id)
    ask(house, match_id, who)
    make_all(house)
    with house.transaction() as ctx:
        (exported,) = data_export.build(ctx, who)["analyses"]
    assert (exported["match_id"], exported["kind"], exported["result"]["level"]) == (match_id, PAR, "strong")
    assert exported.keys().isdisjoint({"asked_by", "work", "claimed_at"})


def test_after_an_account_is_deleted_nothing_says_who_asked(house: House) -> None:
    match_id = finished(house)
    who = player(house, match_id)
    ask(house, match_id, who)
    with house.transaction() as ctx:
        deletion.delete(ctx, ctx.session.get_one(Player, who))
    assert [(one.match_id, one.asked_by) for one in analyses(house)] == [(match_id, None)]


def test_a_merged_account_takes_along_what_it_asked_for(house: House) -> None:
    match_id = finished(house)
    ask(house, match_id, player(house, match_id))
    with house.transaction() as ctx:
        into = registry.get_or_create(ctx, {address("Zoe"): "Zoe"})[address("Zoe")]
        merge.merge(ctx, ctx.session.get_one(Player, player(house, match_id)), into)
    zoe = house.all(select(Player.id).where(Player.name == "Zoe"))
    assert [one.asked_by for one in analyses(house)] == zoe
