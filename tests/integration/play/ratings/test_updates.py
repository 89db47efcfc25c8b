"""Ratings as matches end: in which order, what counts, and what takes them back."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.db.models import Address, Deadline, Match, Player, PlayerRating, RatingChange, SeatHolder
from pbem.play.accounts import data_export, deletion, merge
from pbem.play.ratings import recompute, updates
from pbem.play.upkeep import after_restore
from pbem.ratings.eligibility import Reason
from tests.support.clockwork import tick
from tests.support.db.statements import statements
from tests.support.ended import NOON, ended
from tests.support.play.events.entering import open_event
from tests.support.play.ratings.rated import differences, rate, rated, rating_of, reason, replace_seat, rows, run
from tests.support.play.timeouts.lapses import running

if TYPE_CHECKING:
    from tests.support.house import House


def test_a_match_changes_the_ratings_of_those_who_played_it(house: House) -> None:
    match_id = rated(house, "Ann", "Bob")
    rate(house)
    assert str(rating_of(house, "Ann")).startswith("1563 ± ")
    assert str(rating_of(house, "Bob")).startswith("1437 ± ")
    changes = house.all(select(RatingChange).where(RatingChange.match_id == match_id).order_by(RatingChange.seat))
    assert [(one.seat, one.rank, one.matches, one.at) for one in changes] == [
        (1, 0, 1, NOON + timedelta(days=4)),
        (2, 1, 1, NOON + timedelta(days=4)),
    ]
    assert reason(house, match_id) is None


def test_matches_of_events_are_beside_the_limit_of_a_pair(house: House) -> None:
    event = open_event(house)
    matches = [rated(house, "Ann", "Bob", days=day, event_id=event if day < 2 else None) for day in range(5)]
    for _match in matches:
        with house.transaction() as ctx:
            updates.rate_batch(ctx, 1)
    assert [reason(house, one) for one in matches] == [None, None, None, None, Reason.PAIR_LIMIT]
    assert not differences(house)


def test_a_match_that_is_not_meant_to_be_rated_is_left_alone(house: House) -> None:
    match_id = ended(house, "Ann", "Bob")
    rate(house)
    assert not rows(house)
    assert house.all(select(Match.rated_at).where(Match.id == match_id)) == [None]


def test_a_match_that_nobody_has_begun_is_not_rated(house: House) -> None:
    rated(house, "Ann", "Bob", seed=None, result=None)
    rate(house)
    assert not rows(house)


def test_what_does_not_count_says_why(house: House) -> None:
    void = rated(house, "Ann", "Bob", ending="aborted", winners=())
    private = rated(house, "Ann", "Cyd", public=False)
    draw = rated(house, "Ann", "Dee", ending="agreed", winners=(1, 2), moves=1)
    unconfirmed = rated(house, "Eve", "Fay", confirmed=False)
    rate(house)
    assert [reason(house, one) for one in (void, private, unconfirmed, draw)] == [
        Reason.VOID,
        Reason.PRIVATE,
        Reason.UNCONFIRMED,
        Reason.SHORT_DRAW,
    ]
    assert not rows(house)


def test_a_substitute_is_not_rated_and_the_one_who_was_replaced_loses(house: House) -> None:
    match_id = rated(house, "Ann", "Bob", winners=(2,), scores=(10, 20))
    replace_seat(house, match_id, "Sue")
    rate(house)
    assert rating_of(house, "Sue") is None
    ann, bob = rating_of(house, "Ann"), rating_of(house, "Bob")
    assert ann
    assert bob
    assert ann.mu > 25 > bob.mu
    assert house.all(select(RatingChange.lost_on_time).order_by(RatingChange.seat)) == [False, True]


def test_leaving_to_a_robot_is_a_loss(house: House) -> None:
    match_id = rated(house, "Ann", "Bob", winners=(2,), scores=(10, 20))
    replace_seat(house, match_id, "robot")
    rate(house)
    assert reason(house, match_id) is None
    changes = house.all(select(RatingChange).where(RatingChange.match_id == match_id).order_by(RatingChange.seat))
    assert [(one.rank, one.lost_on_time) for one in changes] == [(0, False), (1, True)]
    assert not differences(house)


def test_of_three_the_one_who_left_is_last_and_the_others_have_the_places_they_played_for(house: House) -> None:
    match_id = rated(house, "Ann", "Bob", "Cyd", winners=(2,), scores=(5, 9, 7))
    replace_seat(house, match_id, "robot")
    rate(house)
    changes = select(RatingChange.rank).where(RatingChange.match_id == match_id).order_by(RatingChange.seat)
    assert house.all(changes) == [1, 2, 0]


def test_a_player_who_came_back_has_the_place_that_they_played_for(house: House) -> None:
    match_id = rated(house, "Ann", "Bob", winners=(2,), scores=(10, 20))
    replace_seat(house, match_id, "robot")
    replace_seat(house, match_id, "Bob")
    rate(house)
    changes = select(RatingChange.rank).where(RatingChange.match_id == match_id).order_by(RatingChange.seat)
    assert house.all(changes) == [1, 0]


@pytest.mark.parametrize("on_time", ["loss", "substitute", "vote"])
def test_one_who_vanishes_has_lost_whatever_the_table_makes_of_it(house: House, on_time: str) -> None:
    match_id = running(house, on_time)
    run(house, update(Match).values(rated=True))
    run(house, update(Address).values(verified_at=NOON))
    (late,) = house.match(match_id).to_move
    while due := [at for at in house.all(select(Deadline.next_action_at)) if at]:
        # The other one stops playing, too: against a robot, or since there is nobody else.
        tick(house, min(due))
    rate(house)
    assert reason(house, match_id) is None
    changes = house.all(select(RatingChange).where(RatingChange.match_id == match_id))
    assert {one.seat: (one.rank, one.lost_on_time) for one in changes} == {late: (1, True), 3 - late: (0, False)}


def test_a_robot_that_had_a_seat_from_the_first_makes_a_match_count_for_nobody(house: House) -> None:
    match_id = rated(house, "Ann", "Bob")
    replace_seat(house, match_id, "robot")
    run(house, update(SeatHolder).where(SeatHolder.left_at.is_not(None)).values(left_at=NOON - timedelta(days=1)))
    run(house, update(Address).values(verified_at=NOON))
    rate(house)
    assert reason(house, match_id) == Reason.ROBOT
    assert not rows(house)


def test_whoever_left_before_the_match_began_never_sat_there(house: House) -> None:
    match_id = rated(house, "Ann", "Bob")
    replace_seat(house, match_id, "Sue")
    run(house, update(SeatHolder).where(SeatHolder.left_at.is_not(None)).values(left_at=NOON - timedelta(days=1)))
    run(house, update(Address).values(verified_at=NOON))
    rate(house)
    assert rating_of(house, "Sue")
    assert rating_of(house, "Bob") is None


def test_of_a_pair_two_matches_in_thirty_days_count_also_in_different_runs(house: House) -> None:
    matches = []
    for days in (1, 2, 3, 32):
        matches.append(rated(house, "Ann", "Bob", days=days))
        rate(house)
    assert [reason(house, one) for one in matches] == [None, None, Reason.PAIR_LIMIT, None]


def test_one_by_one_or_all_at_once_comes_to_the_same_bytes(house: House) -> None:
    for days, names in enumerate((("Ann", "Bob"), ("Cyd", "Ann"), ("Bob", "Cyd", "Ann"), ("Ann", "Dee"))):
        rated(house, *names, days=days)
        rate(house)
    before = rows(house)
    assert not differences(house)
    with house.transaction() as ctx:
        recompute.recompute(ctx)
    assert rows(house) == before


def test_a_match_that_is_committed_late_is_rated_in_its_place(house: House) -> None:
    rated(house, "Ann", "Bob", days=1)
    rated(house, "Ann", "Cyd", days=3)
    rate(house)
    rated(house, "Cyd", "Bob", days=2)
    rate(house)
    assert not differences(house)
    order = house.all(select(RatingChange.at).distinct().order_by(RatingChange.at))
    assert [at - NOON for at in order] == [timedelta(days=days) for days in (1, 2, 3)]


def test_what_was_changed_by_hand_is_found(house: House) -> None:
    match_id = rated(house, "Ann", "Bob")
    rate(house)
    run(house, update(RatingChange).where(RatingChange.seat == 1).values(mu_after=26.0))
    assert differences(house) == [match_id]


def test_only_one_process_rates_at_a_time(house: House) -> None:
    rated(house, "Ann", "Bob")
    with house.transaction() as ctx:
        updates.lock(ctx)
        rate(house)
    assert not rows(house)


def test_merged_accounts_are_rated_as_one(house: House) -> None:
    rated(house, "Ann", "Bob", days=1)
    rated(house, "Zoe", "Cyd", days=2)
    rated(house, "Bob", "Cyd", days=3)
    rate(house)
    with house.transaction() as ctx:
        ann, zoe = (ctx.session.scalars(select(Player).where(Player.name == name)).one() for name in ("Ann", "Zoe"))
        merge.merge(ctx, zoe, ann)
    assert len(house.all(select(RatingChange))) == 2
    rate(house)
    assert rating_of(house, "Zoe") is None
    assert house.all(select(PlayerRating.matches).join(Player).where(Player.name == "Ann")) == [2]
    assert not differences(house)


def test_matches_between_two_accounts_of_one_person_count_no_more(house: House) -> None:
    match_id = rated(house, "Ann", "Zoe")
    rate(house)
    with house.transaction() as ctx:
        ann, zoe = (ctx.session.scalars(select(Player).where(Player.name == name)).one() for name in ("Ann", "Zoe"))
        merge.merge(ctx, zoe, ann)
    rate(house)
    assert reason(house, match_id) == Reason.SAME_PERSON
    assert not rows(house)


def test_leaving_changes_no_number(house: House) -> None:
    rated(house, "Ann", "Bob")
    rate(house)
    run(house, update(Player).values(shows_rating=True))
    before = rows(house)
    with house.transaction() as ctx:
        deletion.delete(ctx, ctx.session.scalars(select(Player).where(Player.name == "Bob")).one())
    assert rows(house) == before
    assert not differences(house)
    assert house.all(select(Player.shows_rating).where(Player.deleted_at.is_not(None))) == [False]


def test_a_backup_has_the_ratings_of_its_matches(house: House) -> None:
    rated(house, "Ann", "Bob")
    rate(house)
    before = rows(house)
    with house.transaction() as ctx:
        after_restore.invalidate(ctx, NOON + timedelta(days=5))
    rate(house)
    assert rows(house) == before


def test_the_file_of_ones_own_data_has_them(house: House) -> None:
    match_id = rated(house, "Ann", "Bob")
    rate(house)
    (ann,) = house.all(select(Player.id).where(Player.name == "Ann"))
    with house.transaction() as ctx:
        built = data_export.build(ctx, ann)
    assert [(one["game"], one["matches"]) for one in built["ratings"]] == [("martian-whist", 1)]
    assert [(one["match_id"], one["mu_before"]) for one in built["rated"]] == [(match_id, 25.0)]


@pytest.mark.parametrize("matches", [0, 3])
def test_a_run_takes_few_statements_however_many_matches_are_due(house: House, matches: int) -> None:
    for days in range(matches):
        rated(house, f"A{days}", f"B{days}", days=days)
    with house.transaction() as ctx, statements(house.engine) as sent:
        updates.rate_batch(ctx)
    assert len(sent) <= (10 if matches else 2)
