"""Players of a ladder who do not play, or who are gone."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.db.models import Entrant, LadderChallenge, OutboxMessage, Player
from pbem.play.accounts import data_export, merge
from pbem.play.core.errors import Refused
from pbem.play.events import entries
from pbem.play.ladders import challenges, due, entering, ladder_mails, names
from pbem.states import ChallengeState, EntrantState
from tests.support.play.events.entering import person
from tests.support.play.ladders.climbing import (
    DAY,
    OPENED,
    SIX,
    accept,
    challenge,
    climb,
    end_match,
    found_challenge,
    found_entrant,
    go_away,
    ladder_of,
    mail_kinds,
    order,
    play,
    run_steps,
    stored_places,
)
from tests.support.waiting import meanwhile

if TYPE_CHECKING:
    from pbem.play.core.context import Context
    from tests.support.house import House

HOUR = timedelta(hours=1)


def leave(house: House, name: str) -> None:
    with house.transaction(OPENED + DAY) as ctx:
        entering.leave(ctx, ladder_of(ctx), person(ctx, name))


def test_who_plays_no_match_is_asked_once_and_then_off(house: House) -> None:
    climb(house)
    run_steps(house, OPENED + 35 * DAY - HOUR)
    assert mail_kinds(house, "Ann") == []
    for days in (35, 36, 44):
        run_steps(house, OPENED + days * DAY)
    assert mail_kinds(house, "Ann") == ["ladder warning"]
    assert order(house) == [*SIX]
    run_steps(house, OPENED + 45 * DAY)
    assert order(house) == []
    assert mail_kinds(house, "Ann") == ["ladder warning", "ladder off"]
    assert found_entrant(house, "Ann").left_reason == entering.IDLE


def test_two_workers_at_once_ask_once(house: House) -> None:
    climb(house, ("Ann",))

    def end_a_second_later(ctx: Context) -> None:
        due.end_absences(replace(ctx, now=ctx.now + timedelta(seconds=1)))

    meanwhile(house, due.end_absences, end_a_second_later, lambda _ctx: None, OPENED + 36 * DAY)
    assert mail_kinds(house, "Ann") == ["ladder warning"]


def test_who_enters_a_match_as_they_would_be_taken_off_stays(house: House) -> None:
    climb(house, ("Ann", "Bob"))
    at = OPENED + 50 * DAY

    def accept_late(ctx: Context) -> None:
        ladder = ladder_of(ctx)
        found = challenges.challenge(ctx, ladder, person(ctx, "Bob"), names.find(ctx, ladder, "Ann"))
        challenges.accept(ctx, found.id, person(ctx, "Ann"))

    meanwhile(house, lambda ctx: entries.lock_event(ctx, ladder_of(ctx).id), due.end_absences, accept_late, at)
    assert order(house) == ["Ann", "Bob"]


def test_the_days_count_from_the_end_of_the_last_match_and_not_while_one_is_played(house: House) -> None:
    climb(house)
    play(house, "Dan", "Bob", OPENED + 20 * DAY)
    long = accept(house, challenge(house, "Cleo", "Ann", OPENED + DAY), "Ann", OPENED + DAY)
    run_steps(house, OPENED + 50 * DAY)
    assert order(house) == ["Ann", "Bob", "Cleo", "Dan"]
    end_match(house, long, OPENED + 60 * DAY)
    run_steps(house, OPENED + 66 * DAY)
    assert order(house) == ["Ann", "Cleo"]
    assert mail_kinds(house, "Ann").count("ladder warning") == 0


def test_who_has_played_since_they_were_asked_is_asked_again(house: House) -> None:
    climb(house)
    run_steps(house, OPENED + 36 * DAY)
    play(house, "Dan", "Bob", OPENED + 40 * DAY)
    run_steps(house, OPENED + 76 * DAY)
    assert mail_kinds(house, "Bob").count("ladder warning") == 2


def test_an_open_challenge_keeps_both_as_long_as_it_waits(house: House) -> None:
    climb(house)
    challenge(house, "Cleo", "Ann", OPENED + 44 * DAY)
    run_steps(house, OPENED + 46 * DAY)
    assert order(house) == ["Ann", "Cleo"]
    run_steps(house, OPENED + 50 * DAY)
    assert order(house) == []


def test_a_challenge_keeps_both_while_a_vacation_extends_the_time_for_an_answer(house: House) -> None:
    climb(house)
    challenge(house, "Cleo", "Ann", OPENED + 44 * DAY)
    go_away(house, "Ann", 9, OPENED + 45 * DAY)
    run_steps(house, OPENED + 57 * DAY)
    assert order(house) == ["Ann", "Cleo"]
    run_steps(house, OPENED + 58 * DAY)
    assert mail_kinds(house, "Cleo")[-2:] == ["ladder lapsed", "ladder off"]


def test_those_below_a_leaver_move_up_and_waiting_challenges_are_over(house: House) -> None:
    climb(house)
    number = challenge(house, "Dan", "Bob", OPENED + HOUR)
    leave(house, "Bob")
    assert order(house) == ["Ann", "Cleo", "Dan", "Eve", "Fred"]
    assert stored_places(house) == [1, 2, 3, 4, 5]
    found = found_challenge(house, number)
    assert (found.state, found.ended_at, found.match_id) == (ChallengeState.OVER, OPENED + DAY, None)
    assert mail_kinds(house, "Dan") == ["ladder challenge ended"]
    with pytest.raises(Refused, match="not on this ladder"):
        leave(house, "Bob")


def test_a_match_goes_on_without_an_effect_when_somebody_leaves(house: House) -> None:
    climb(house)
    match = accept(house, challenge(house, "Dan", "Bob", OPENED), "Bob", OPENED)
    leave(house, "Bob")
    end_match(house, match, OPENED + 2 * DAY, loser="Bob")
    run_steps(house, OPENED + 2 * DAY)
    assert order(house) == ["Ann", "Cleo", "Dan", "Eve", "Fred"]


@pytest.mark.parametrize("end", [{"loser": "Bob"}, {"loser": "Dan"}, {"late": "Bob"}, {"late": "Dan"}])
@pytest.mark.parametrize("name", ["Bob", "Dan"])
def test_a_match_of_somebody_who_left_and_came_back_changes_no_place(
    house: House, name: str, end: dict[str, str]
) -> None:
    climb(house)
    match = accept(house, challenge(house, "Dan", "Bob", OPENED), "Bob", OPENED)
    leave(house, name)
    climb(house, [name, *("Gus", "Hal", "Ivy", "Joe", "Kim", "Lee")], at=OPENED + DAY)
    before = order(house)
    end_match(house, match, OPENED + 2 * DAY, **end)
    run_steps(house, OPENED + 2 * DAY)
    assert found_entrant(house, name).losses_on_time == 0
    if name in {*end.values()} or "late" not in end:
        assert order(house) == before


def test_who_comes_back_is_last(house: House) -> None:
    climb(house)
    leave(house, "Bob")
    climb(house, ["Bob"], at=OPENED + 2 * DAY)
    assert order(house) == ["Ann", "Cleo", "Dan", "Eve", "Fred", "Bob"]
    assert found_entrant(house, "Bob").losses_on_time == 0


@pytest.mark.parametrize(("column", "reason"), [("banned_at", entries.BANNED), ("deleted_at", entries.DELETED)])
def test_who_is_banned_or_deleted_is_off(house: House, column: str, reason: str) -> None:
    climb(house)
    with house.transaction() as ctx:
        gone = Player.id == person(ctx, "Cleo").id
        ctx.session.execute(update(Player).where(gone).values({column: OPENED + HOUR}))
    run_steps(house, OPENED + DAY)
    assert order(house) == ["Ann", "Bob", "Dan", "Eve", "Fred"]
    assert stored_places(house) == [1, 2, 3, 4, 5]
    assert found_entrant(house, "Cleo").left_reason == reason


def test_a_place_that_becomes_free_otherwise_is_closed(house: House) -> None:
    climb(house)
    with house.transaction() as ctx:
        gone = Entrant.player_id == person(ctx, "Cleo").id
        ctx.session.execute(update(Entrant).where(gone).values(state=EntrantState.WITHDRAWN))
    run_steps(house, OPENED + DAY)
    assert stored_places(house) == [1, 2, 3, 4, 5]


def test_nobody_is_mailed_without_an_address(house: House) -> None:
    climb(house, ["Ann"])
    with house.transaction(OPENED) as ctx:
        nobody = person(ctx, "Zoe", confirmed=False)
        ladder_mails.enqueue(ctx, ladder_mails.OFF, ladder_of(ctx), nobody.id, {}, once="x")
        ladder_mails.enqueue(ctx, ladder_mails.OFF, ladder_of(ctx), 0, {}, once="x")
    assert house.rows(OutboxMessage.__table__.select()) == []


def test_challenges_follow_an_account_that_is_merged(house: House) -> None:
    climb(house)
    number = challenge(house, "Cleo", "Ann", OPENED)
    with house.transaction(OPENED) as ctx:
        merge.merge(ctx, person(ctx, "Cleo"), person(ctx, "Zoe"))
    found = found_challenge(house, number)
    with house.transaction(OPENED) as ctx:
        assert found.challenger_id == person(ctx, "Zoe").id
        assert found.challenged_id == person(ctx, "Ann").id
    assert stored_places(house) == [1, 2, 3, 4, 5, 6]


def test_a_merge_of_two_who_are_on_one_ladder_leaves_no_gap_and_no_challenge_of_oneself(house: House) -> None:
    climb(house)
    challenge(house, "Cleo", "Ann", OPENED)
    with house.transaction(OPENED) as ctx:
        merge.merge(ctx, person(ctx, "Cleo"), person(ctx, "Ann"))
    run_steps(house, OPENED)
    assert order(house) == ["Ann", "Bob", "Dan", "Eve", "Fred"]
    assert stored_places(house) == [1, 2, 3, 4, 5]
    assert house.all(select(LadderChallenge)) == []


def test_challenges_are_in_the_export_of_ones_data(house: House) -> None:
    climb(house)
    challenge(house, "Cleo", "Ann", OPENED)
    with house.transaction(OPENED) as ctx:
        exported = {name: data_export.build(ctx, person(ctx, name).id) for name in ("Ann", "Cleo")}
    assert exported["Ann"]["challenged"] == exported["Cleo"]["was_challenged"] == []
    (own,) = exported["Cleo"]["challenged"]
    assert (own["challenger_place"], own["challenged_place"], own["state"]) == (3, 1, "offered")
    assert not {"challenger_id", "challenged_id"} & {*own}
    assert len(exported["Ann"]["was_challenged"]) == 1
