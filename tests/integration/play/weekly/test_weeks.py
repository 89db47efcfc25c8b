"""The course of a week: its commitment is public before, its deal is made on Monday, and its table a week later."""

from __future__ import annotations

import hashlib
import hmac
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from pbem.db.models import DealSet, Match, Player
from pbem.games.chain import typed_entropy
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import acceptance, endings
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.matches.match_state import load_match, lock_match
from pbem.play.matches.seats import holders
from pbem.play.weekly import calendar, entries, results, standing, steps, weeks
from pbem.play.weekly.standing import Standing
from pbem.states import MatchState, Withheld
from tests.support.clockwork import at
from tests.support.house import House, address
from tests.support.play.weekly.weeks import (
    MONDAY,
    NEXT_MONDAY,
    NUMBER,
    begin_week,
    deal_set,
    enter,
    known_player,
    play,
    robot_match,
    run,
)
from tests.support.robots import run_clock, thinking_here
from tests.support.waiting import meanwhile

if TYPE_CHECKING:
    from pbem.play.core.context import Context

DAY = timedelta(days=1)
FRIDAY = MONDAY - 3 * DAY


@pytest.mark.parametrize("day", range(7))
def test_each_commitment_is_public_for_a_week_before_its_deal(house: House, day: int) -> None:
    run(house, MONDAY - 14 * DAY + day * DAY)
    run(house, MONDAY - 7 * DAY)
    known = house.all(select(DealSet).where(DealSet.week.is_not(None)).order_by(DealSet.week))
    assert {NUMBER - 1, NUMBER, NUMBER + 1} <= {one.week for one in known}
    for one in known:
        assert one.week <= NUMBER - 2 or one.starts_at - one.created_at >= 7 * DAY or one.week == NUMBER - 1
        assert one.commitment == hashlib.sha256(one.secret).digest()
        assert one.starts_at == calendar.begin_of(one.week)


def test_a_week_is_created_once_however_often_the_task_runs(house: House) -> None:
    for _ in range(3):
        run(house, FRIDAY)
    of_weeks = DealSet.week.is_not(None)
    assert house.all(select(func.count()).select_from(DealSet).where(of_weeks)) == [3]
    matches = select(func.count()).select_from(Match).join(DealSet, DealSet.id == Match.set_id)
    assert house.all(matches.where(of_weeks)) == [3]


def test_the_deal_comes_from_the_robot_and_those_who_entered_before(house: House) -> None:
    run(house, FRIDAY)
    early = enter(house, "Ann", FRIDAY, text="a text of Ann’s")
    run(house, MONDAY)
    late = enter(house, "Bob", MONDAY + DAY, text="too late for the deal")
    week = deal_set(house)
    drawn = house.match_seats(robot_match(house))[0].default_entropy
    assert week.entropies == [drawn, typed_entropy("a text of Ann’s")]
    message = b"\0".join([b"pbem-seed-v1", week.id.encode(), *(one.encode() for one in week.entropies)])
    assert week.seed == hmac.new(week.secret, message, hashlib.sha256).digest()
    assert {house.match(match).seed for match in (early, late)} == {week.seed}
    assert [house.match(match).set_place for match in (early, late)] == [2, 3]


def test_who_entered_before_is_mailed_their_first_turn_on_monday(house: House) -> None:
    run(house, FRIDAY)
    match = enter(house, "Ann", FRIDAY)
    with at(FRIDAY):
        assert house.mails("Ann") == []
    run(house, MONDAY)
    with at(MONDAY):
        (mail,) = house.mails("Ann")
    assert "Your match of Minimax has begun. It is your turn." in mail.flat
    assert house.match(match).state == MatchState.RUNNING


def test_matches_that_waited_begin_in_the_order_of_entry(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "BATCH_SIZE", 2)
    run(house, FRIDAY)
    waiting = [robot_match(house), *(enter(house, name, FRIDAY) for name in ("Ann", "Bob", "Cid", "Dee"))]
    begun = []
    with at(MONDAY):
        for step in (steps.deal_due, steps.begin_due, steps.begin_due, steps.begin_due):
            with house.transaction() as ctx:
                more = step(ctx)
            begun.append((more, sum(house.match(match).state == MatchState.RUNNING for match in waiting)))
    assert begun == [(True, 0), (True, 2), (True, 4), (False, 5)]


def test_a_week_that_is_just_being_opened_is_not_counted_once_more(house: House) -> None:
    begin_week(house)

    def open_week(ctx: Context) -> None:
        ctx.session.scalars(select(DealSet).where(DealSet.week == NUMBER).with_for_update()).one().people = 7

    meanwhile(house, open_week, steps.count_people, lambda _: None, MONDAY)
    assert deal_set(house).people == 7


def test_a_match_of_the_week_is_withheld_and_rated_for_nobody(house: House) -> None:
    begin_week(house)
    match = house.match(enter(house, "Ann"))
    assert (match.withheld, match.rated, match.public) == (Withheld.TABLE, False, True)
    run(house, NEXT_MONDAY)
    assert house.match(match.id).withheld is None


def test_nobody_begins_twice(house: House) -> None:
    begin_week(house)
    assert enter(house, "Ann") == enter(house, "Ann", MONDAY + DAY)


def test_two_addresses_of_one_account_are_one_entry(house: House) -> None:
    begin_week(house)
    first = enter(house, "Ann")
    with at(MONDAY), house.transaction() as ctx, pytest.raises(Refused, match="This address takes part already"):
        entries.invite(ctx, NUMBER, "Ann", address("Ann"), known=True)
    assert house.all(select(Match.id).where(Match.set_place > 1, Match.set_id == deal_set(house).id)) == [first]


@pytest.mark.parametrize("known", [True, False])
def test_a_second_account_with_the_same_mailbox_is_refused(house: House, *, known: bool) -> None:
    begin_week(house)
    enter(house, "Ann")
    other = known_player(house, "Ann two", "ann+two@example.org")
    with at(MONDAY), house.transaction() as ctx:
        with pytest.raises(Refused, match="with another account"):
            entries.enter(ctx, NUMBER, ctx.session.get_one(Player, other))
        with pytest.raises(Refused, match="with another account"):
            entries.invite(ctx, NUMBER, "Ann three", "ann+three@example.org", known=known)


def test_a_newcomer_begins_once_they_accept_at_their_address(house: House) -> None:
    begin_week(house)
    with at(MONDAY), house.transaction() as ctx:
        match = entries.invite(ctx, NUMBER, "Ann", address("Ann"), known=False).id
    assert house.match(match).state == MatchState.INVITING
    with at(MONDAY):
        (invitation,) = house.mails("Ann")
        house.reply(invitation, "accept")
        assert house.match(match).seed == deal_set(house).seed


def test_a_match_asked_for_in_the_name_of_a_player_begins_when_they_enter_themselves(house: House) -> None:
    begin_week(house)
    known_player(house, "Ann")
    with at(MONDAY), house.transaction() as ctx:
        asked = entries.invite(ctx, NUMBER, "Ann", address("Ann"), known=False).id
    assert enter(house, "Ann") == asked
    assert house.match(asked).state == MatchState.RUNNING


@pytest.mark.parametrize("typed", ["ann@example.org", "ann+other@example.org"])
@pytest.mark.parametrize("declines", [True, False])
def test_nobody_is_kept_out_of_a_week_by_what_others_have_typed(house: House, typed: str, *, declines: bool) -> None:
    begin_week(house)
    known_player(house, "Ann")
    with at(MONDAY), house.transaction() as ctx:
        asked = entries.invite(ctx, NUMBER, "Ann", typed, known=False).id
    if declines:
        with at(MONDAY), house.transaction() as ctx:
            match = lock_match(ctx, asked)
            acceptance.decline(ctx, match, holders(ctx, match)[0])
    entered = enter(house, "Ann")
    assert house.match(entered).state == MatchState.RUNNING
    if entered != asked:
        assert house.match(asked).state == MatchState.OVER


@pytest.mark.parametrize(("days", "sentence"), [(-3, "has not begun"), (7, "is over"), (-30, "There is no such week")])
def test_strangers_enter_no_week_that_does_not_run(house: House, days: int, sentence: str) -> None:
    moment = MONDAY + days * DAY
    run(house, min(moment, MONDAY))
    run(house, moment)
    with at(moment), house.transaction() as ctx, pytest.raises(Refused, match=sentence):
        entries.invite(ctx, NUMBER, "Ann", address("Ann"), known=True)


def test_nobody_enters_between_the_begin_of_a_week_and_its_deal(house: House) -> None:
    run(house, FRIDAY)
    player = known_player(house, "Ann")
    with at(MONDAY), house.transaction() as ctx, pytest.raises(Refused, match="begins in a minute"):
        entries.enter(ctx, NUMBER, ctx.session.get_one(Player, player))


def scored(house: House, match_id: str, points: int) -> None:
    """Write down other points for a match that is over."""
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        match.result = {**(match.result or {}), "scores": {"1": points}}


def test_people_are_counted_when_they_enter_and_every_minute_and_at_the_end(house: House) -> None:
    begin_week(house)
    matches = [enter(house, name) for name in ("Ann", "Bob", "Cyd")]
    assert (deal_set(house).people, deal_set(house).finished) == (3, 0)
    play(house, matches[0], MONDAY + DAY)
    run(house, MONDAY + DAY)
    assert (deal_set(house).people, deal_set(house).finished) == (3, 1)
    play(house, matches[1], NEXT_MONDAY - DAY)
    play(house, robot_match(house), NEXT_MONDAY - DAY)
    run(house, NEXT_MONDAY)
    assert (deal_set(house).people, deal_set(house).finished) == (3, 2)


def test_equal_points_share_a_place_and_unfinished_matches_have_none(house: House) -> None:
    begin_week(house)
    matches = {name: enter(house, name) for name in ("Ann", "Bob", "Cyd", "Dee")}
    points = {name: play(house, matches[name], MONDAY + DAY) for name in ("Ann", "Bob", "Cyd")}
    points["Bob"] -= 1
    scored(house, matches["Bob"], points["Bob"])
    run(house, NEXT_MONDAY)
    with house.transaction(NEXT_MONDAY) as ctx:
        rows = results.table(ctx, deal_set(house)).rows
    wanted = [("Ann", 1), ("Cyd", 1), ("Bob", 3)]
    assert [(row.name, row.place) for row in rows] == [*wanted, ("Dee", None)]
    assert {row.name: row.points for row in rows} == points | {"Dee": None}


def test_what_is_played_after_the_end_counts_for_nothing(house: House) -> None:
    begin_week(house)
    match = enter(house, "Ann")
    run(house, NEXT_MONDAY)
    play(house, match, NEXT_MONDAY + DAY)
    with house.transaction(NEXT_MONDAY + DAY) as ctx:
        (row,) = results.table(ctx, deal_set(house)).rows
    assert (row.points, row.place) == (None, None)


def test_a_match_that_is_resigned_has_no_points(house: House) -> None:
    begin_week(house)
    match = enter(house, "Ann")
    with at(MONDAY + DAY), house.transaction() as ctx:
        course = load_match(ctx, lock_match(ctx, match))
        endings.resign(ctx, course, holders(ctx, course.match)[0])
        assert standing.of_match(course.match) is Standing.ENDED
    run(house, NEXT_MONDAY)
    with house.transaction(NEXT_MONDAY) as ctx:
        (row,) = results.table(ctx, deal_set(house)).rows
    assert (row.points, row.place) == (None, None)
    assert (deal_set(house).people, deal_set(house).finished) == (1, 0)


def test_the_deal_stays_closed_to_the_end_of_the_week_even_if_all_are_done(house: House) -> None:
    begin_week(house)
    matches = [robot_match(house), enter(house, "Ann")]
    for match in matches:
        play(house, match, MONDAY + DAY)
    run(house, NEXT_MONDAY - DAY)
    assert deal_set(house).opened_at is None
    assert house.match(matches[1]).withheld == Withheld.TABLE
    run(house, NEXT_MONDAY)
    assert deal_set(house).opened_at == NEXT_MONDAY


def test_a_match_for_fun_is_private_and_not_in_the_table(house: House) -> None:
    begin_week(house)
    player = known_player(house, "Ann")
    run(house, NEXT_MONDAY)
    with at(NEXT_MONDAY), house.transaction() as ctx:
        ann = ctx.session.get_one(Player, player)
        week = weeks.find(ctx, NUMBER)
        assert week is not None
        match = entries.play_for_fun(ctx, week, Invitee("Ann", address("Ann")), ann)
        assert (match.public, match.withheld, match.seed) == (False, None, deal_set(house).seed)
        assert results.table(ctx, deal_set(house)).rows == ()


def test_the_robot_sets_the_par_in_a_match_of_its_own(house: House) -> None:
    begin_week(house)
    match, thinking = robot_match(house), thinking_here(house)
    while house.match(match).state == MatchState.RUNNING:
        with at(MONDAY):
            thinking()
            run_clock(house, match)
    run(house, NEXT_MONDAY)
    with house.transaction(NEXT_MONDAY) as ctx:
        table = results.table(ctx, deal_set(house))
    result = house.match(match).result
    assert result is not None
    assert table.par == result["scores"]["1"]
    assert table.rows == ()
    assert table.best == table.robot
