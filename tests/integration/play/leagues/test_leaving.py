"""Leaving a season: by wish, after losses on time, with an account, or removed; and what becomes of the matches."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.db.models import Entrant, Event, EventMatch, Match, SeatHolder
from pbem.play.accounts import data_export, deletion, merge
from pbem.play.core.actors import ActionError
from pbem.play.core.errors import Refused
from pbem.play.events import entries
from pbem.play.leagues import season_tables
from pbem.play.matches.seats import holders
from pbem.play.operators import event_actions, player_actions
from pbem.play.timeouts import reclaims
from pbem.play.upkeep import after_restore
from pbem.states import EntrantState, MatchRole, MatchState
from tests.support import clockwork
from tests.support.house import address
from tests.support.play.events.entering import BEGUN, DRAWN, enter, entrant, listed, person
from tests.support.play.leagues import by_mail
from tests.support.play.leagues.drawn import (
    DAY,
    FIVE,
    SEVEN,
    begun,
    consequence,
    drawn,
    leave,
    lose_on_time,
    mailed,
    matches_of,
    resign,
    seated,
)
from tests.support.play.operators.office import WHY, does

if TYPE_CHECKING:
    from tests.support.house import House

LATE = BEGUN + 30 * DAY
"""After the week in which substitutes are taken."""


def points(house: House, event: int) -> dict[str, float | None]:
    """Return the points in the table of the only group; None for those whose results have left it."""
    with house.transaction() as ctx:
        (table,) = season_tables.load(ctx, ctx.session.get_one(Event, event))
        return {table.entrants[row.player].name: row.points if row.place else None for row in table.rows}


def test_before_the_draw_nothing_is_changed_by_leaving(house: House) -> None:
    by_mail.run(house, DRAWN - 20 * DAY)
    event = by_mail.seasons(house)[0].id
    enter(house, event, "Ann", DRAWN - 20 * DAY)
    assert "no match changes" in consequence(house, event, "Ann", DRAWN - 19 * DAY)
    leave(house, event, "Ann", DRAWN - 19 * DAY)
    assert not listed(house, event)
    assert mailed(house, "season left") == ["Ann"]


def test_before_the_begin_a_robot_takes_the_place_and_the_matches_are_friendly(house: House) -> None:
    event = drawn(house, *FIVE)
    played = matches_of(house, "Ann")
    assert "a robot takes your place" in consequence(house, event, "Ann", DRAWN + DAY)
    leave(house, event, "Ann", DRAWN + DAY)
    roles = house.rows(select(EventMatch.match_id).where(EventMatch.role == MatchRole.FRIENDLY))
    assert sorted(row[0] for row in roles) == played
    assert all(sum(robot for _email, robot in seated(house, one)) == 1 for one in played)
    assert {*house.all(select(Match.rated).where(Match.id.in_(played)))} == {False}
    by_mail.run(house, BEGUN)
    assert {*house.all(select(Match.state))} == {MatchState.RUNNING}


def test_who_waits_takes_the_place_before_the_begin_with_their_own_text(house: House) -> None:
    event = drawn(house, *FIVE)
    enter(house, event, "Fay", DRAWN + DAY, text="mine")
    played = matches_of(house, "Ann")
    leave(house, event, "Ann", DRAWN + DAY)
    assert matches_of(house, "Fay") == played
    assert entrant(house, event, "Fay").grp == 1
    entropies = house.all(select(Entrant.entropy).where(Entrant.name == "Fay"))
    assert {seat.entropy for one in played for seat in house.match_seats(one)} == {None, *entropies}
    assert mailed(house, "season") == [*FIVE, "Fay"]


def test_who_waits_takes_the_place_in_the_first_week(house: House) -> None:
    event = begun(house, *FIVE)
    played = matches_of(house, "Ann")
    enter(house, event, "Fay", BEGUN + DAY)
    assert "Somebody on the waiting list takes your place" in consequence(house, event, "Ann", BEGUN + 2 * DAY)
    leave(house, event, "Ann", BEGUN + 2 * DAY)
    assert matches_of(house, "Fay") == played
    assert {*house.all(select(Match.state))} == {MatchState.RUNNING}
    assert set(points(house, event)) == {*FIVE[1:], "Fay"}


def test_nobody_takes_a_place_of_which_a_match_is_over_or_after_the_week(house: House) -> None:
    event = begun(house, *FIVE)
    enter(house, event, "Fay", BEGUN + DAY)
    resign(house, matches_of(house, "Ann", "Bob")[0], "Bob", BEGUN + DAY)
    assert "all your results leave the table" in consequence(house, event, "Ann", BEGUN + 2 * DAY)
    leave(house, event, "Ann", BEGUN + 2 * DAY)
    leave(house, event, "Cyd", BEGUN + 8 * DAY)
    assert entrant(house, event, "Fay").grp is None


def test_before_half_of_the_matches_all_results_leave_the_table(house: House) -> None:
    event = begun(house, *FIVE)
    resign(house, matches_of(house, "Ann", "Bob")[0], "Bob", BEGUN + DAY)
    leave(house, event, "Ann", LATE)
    assert points(house, event) == {"Ann": None, "Bob": 0, "Cyd": 0, "Dee": 0, "Eve": 0}
    assert not house.all(select(Match.id).where(Match.id.in_(matches_of(house, "Ann")), Match.state != MatchState.OVER))


def test_later_what_is_not_over_is_lost(house: House) -> None:
    event = begun(house, *FIVE)
    for other in ("Bob", "Cyd"):
        resign(house, matches_of(house, "Ann", other)[0], other, BEGUN + DAY)
    assert "you lose those that are not" in consequence(house, event, "Ann", LATE)
    leave(house, event, "Ann", LATE)
    assert points(house, event) == {"Ann": 2, "Bob": 0, "Cyd": 0, "Dee": 1, "Eve": 1}


def test_at_a_table_of_three_the_robot_plays_on_and_nobody_comes_back(house: House) -> None:
    event = begun(house, *SEVEN, game="martian-trickery")
    played = matches_of(house, "Ann")
    leave(house, event, "Ann", LATE)
    assert {*house.all(select(Match.state))} == {MatchState.RUNNING}
    assert all(sum(robot for _email, robot in seated(house, one)) == 1 for one in played)
    reasons = select(SeatHolder.leave_reason).where(SeatHolder.email == address("Ann"))
    assert {*house.all(reasons)} == {"withdrawn"}
    assert not mailed(house, "seat lost")
    with house.transaction(LATE) as ctx:
        match = ctx.session.get_one(Match, played[0])
        with pytest.raises(Refused):
            reclaims.request(ctx, match, person(ctx, "Ann"))
    told = [mail.flat for name in ("Bob", "Cyd", "Dee") for mail in house.mails(name)]
    assert any("Ann has left, so the robot plays on for them." in text for text in told)


def test_two_losses_on_time_withdraw_from_this_season_and_the_next(house: House) -> None:
    by_mail.welcome(house, *FIVE)
    event = begun(house, *FIVE)
    following = by_mail.seasons(house)[1]
    enter(house, following.id, "Ann", BEGUN + DAY)
    silent = [one for one in matches_of(house, "Ann") if mover(house, one) == address("Ann")][:2]
    assert len(silent) == 2
    for one in {*house.match_ids()} - {*silent}:
        resign(house, one, mover(house, one).partition("@")[0].capitalize(), BEGUN + DAY)
    by_mail.run(house, BEGUN + 2 * DAY)
    clockwork.tick(house, BEGUN + 21 * DAY + timedelta(hours=1))
    assert [house.match(one).result["ending"] for one in silent] == ["timed_out", "timed_out"]  # type: ignore[index]
    by_mail.run(house, BEGUN + 21 * DAY + timedelta(hours=1))
    row = entrant(house, event, "Ann")
    assert (row.losses_on_time, row.left_reason) == (2, entries.ON_TIME)
    assert mailed(house, "season left") == ["Ann"]
    assert listed(house, following.id) == [*FIVE[1:]]


@pytest.mark.parametrize(("role", "losses"), [(MatchRole.COUNTS, 1), (MatchRole.FRIENDLY, 0)])
def test_one_loss_on_time_withdraws_nobody_and_in_a_friendly_match_counts_for_nothing(
    house: House, role: MatchRole, losses: int
) -> None:
    by_mail.welcome(house, *FIVE)
    event = begun(house, *FIVE)
    silent = next(one for one in matches_of(house, "Ann") if mover(house, one) == address("Ann"))
    with house.transaction() as ctx:
        ctx.session.get_one(EventMatch, silent).role = role
    for one in {*house.match_ids()} - {silent}:
        resign(house, one, mover(house, one).partition("@")[0].capitalize(), BEGUN + DAY)
    by_mail.run(house, BEGUN + 2 * DAY)
    clockwork.tick(house, BEGUN + 21 * DAY + timedelta(hours=1))
    by_mail.run(house, BEGUN + 21 * DAY + timedelta(hours=1))
    row = entrant(house, event, "Ann")
    assert (row.losses_on_time, row.state) == (losses, EntrantState.ENTERED)
    assert not mailed(house, "season left")


def test_a_loss_on_time_that_is_annulled_counts_no_more(house: House) -> None:
    event = begun(house, *FIVE)
    (settled,), (unsettled,) = (matches_of(house, "Ann", other) for other in ("Bob", "Cyd"))
    lose_on_time(house, settled, "Ann", BEGUN + DAY)
    by_mail.run(house, BEGUN + DAY)
    assert entrant(house, event, "Ann").losses_on_time == 1
    lose_on_time(house, unsettled, "Ann", BEGUN + 2 * DAY)
    for match in (settled, unsettled):
        assert does(house, event_actions.annul_result, match).changed
        assert not does(house, event_actions.annul_result, match).changed
    by_mail.run(house, BEGUN + 2 * DAY)
    row = entrant(house, event, "Ann")
    assert (row.losses_on_time, row.state) == (0, EntrantState.ENTERED)


def mover(house: House, match_id: str) -> str:
    """Return the address of the one who is to move."""
    with house.course(match_id) as (ctx, course):
        return next(one.email for one in holders(ctx, course.match) if one.seat == course.match.to_move[0])


def test_who_deletes_their_account_leaves_and_is_named_no_more(house: House) -> None:
    event = begun(house, *FIVE)
    with house.transaction(LATE) as ctx:
        player = person(ctx, "Ann")
        number = player.id
        deletion.delete(ctx, player)
    (row,) = house.all(select(Entrant).where(Entrant.player_id == number, Entrant.event_id == event))
    assert (row.state, row.left_reason, row.name) == (EntrantState.WITHDRAWN, "deleted", "Former player")
    assert not mailed(house, "season left")


def test_who_is_banned_leaves(house: House) -> None:
    event = drawn(house, *FIVE)
    with house.transaction() as ctx:
        number = person(ctx, "Ann").id
    does(house, player_actions.ban, number, sentence="Rude.")
    assert entrant(house, event, "Ann").left_reason == entries.BANNED
    assert {*house.all(select(Match.state))} == {MatchState.INVITING}


def test_entries_follow_a_merge_and_are_exported(house: House) -> None:
    event = drawn(house, *FIVE)
    with house.transaction() as ctx:
        bare, into = person(ctx, "Ann"), person(ctx, "Zoe")
        number = into.id
        merge.merge(ctx, bare, into)
    assert house.all(select(Entrant.name).where(Entrant.player_id == number)) == ["Ann"]
    with house.transaction() as ctx:
        (exported,) = data_export.build(ctx, number)["entries"]
    assert (exported["event_id"], exported["name"], exported["grp"]) == (event, "Ann", 1)


def test_an_operator_removes_an_entrant_who_is_told_why(house: House) -> None:
    event = begun(house, *FIVE)
    with house.transaction() as ctx:
        number = person(ctx, "Ann").id
    house.mails("Ann")
    assert does(house, event_actions.remove, number, event=event).changed
    told = next(mail for mail in house.mails("Ann") if "You left a league" in mail.headers["Subject"])
    assert "The operator has removed you from season 1 of the league of Montauk." in told.flat
    assert WHY in told.flat
    with pytest.raises(ActionError, match="not entered"):
        does(house, event_actions.remove, number, event=event)
    with pytest.raises(ActionError, match="no season"):
        does(house, event_actions.remove, number, event=event + 99)


def test_an_annulled_result_counts_in_no_table_and_its_players_are_told_why(house: House) -> None:
    event = begun(house, *FIVE)
    (match,) = matches_of(house, "Ann", "Bob")
    with pytest.raises(ActionError, match="not over"):
        does(house, event_actions.annul_result, match)
    resign(house, match, "Bob", BEGUN + DAY)
    assert points(house, event)["Ann"] == 1
    house.mails("Bob")
    assert does(house, event_actions.annul_result, match).changed
    assert not does(house, event_actions.annul_result, match).changed
    assert points(house, event)["Ann"] == 0
    (told,) = house.mails("Bob")
    assert "it counts in no table of the league" in told.flat
    assert WHY in told.flat


def test_the_last_mail_of_a_match_names_its_league_and_leads_to_the_table(house: House) -> None:
    event = begun(house, *FIVE)
    (match,) = matches_of(house, "Ann", "Bob")
    resign(house, match, "Bob", BEGUN + DAY)
    (over,) = [mail for mail in house.mails("Ann") if "The match is over" in mail.flat]
    assert "League of Montauk, season 1, group 1" in over.flat
    assert f"/leagues/{event}" in over.flat


def test_what_is_not_part_of_a_league_or_of_one_that_is_over_has_no_result_to_annul(house: House) -> None:
    other = house.start_match("martian-whist", 2)
    with pytest.raises(ActionError, match="not part of a league"):
        does(house, event_actions.annul_result, other)
    event = begun(house, *FIVE)
    (match,) = matches_of(house, "Cyd", "Dee")
    resign(house, match, "Dee", BEGUN + DAY)
    with house.transaction() as ctx:
        ctx.session.execute(update(Event).where(Event.id == event).values(state="over"))
    with pytest.raises(ActionError, match="places stand"):
        does(house, event_actions.annul_result, match)


def test_after_a_restore_those_in_unfinished_seasons_are_mailed_their_matches_once(house: House) -> None:
    drawn(house, *FIVE)
    with house.transaction(DRAWN + timedelta(hours=3)) as ctx:
        after_restore.invalidate(ctx, DRAWN + timedelta(hours=1))
    for _again in range(2):
        with house.transaction(DRAWN + timedelta(hours=4)) as ctx:
            while after_restore.notify_batch(ctx):
                pass
    assert mailed(house, "season restored") == [*FIVE]
    assert len(house.match_ids()) == 10
