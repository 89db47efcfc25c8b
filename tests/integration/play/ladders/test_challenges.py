"""Challenges on a ladder: who can challenge whom, and what comes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pbem.db.models import Avoidance, LadderChallenge
from pbem.games import GAMES
from pbem.play.core.errors import Refused
from pbem.play.events import entries
from pbem.play.ladders import challenges, names, open_ladders
from pbem.play.upkeep import after_restore
from pbem.states import ChallengeState, EventKind, MatchState
from tests.support.play.events.entering import person
from tests.support.play.ladders.climbing import (
    DAY,
    GAME,
    OPENED,
    SIX,
    accept,
    beat,
    challenge,
    climb,
    decline,
    end_match,
    found_challenge,
    found_entrant,
    go_away,
    go_down,
    ladder_matches,
    ladder_of,
    mail_kinds,
    order,
    play,
    run_steps,
    stored_places,
    take_back,
)
from tests.support.waiting import meanwhile

if TYPE_CHECKING:
    from pbem.play.core.context import Context
    from tests.support.house import House


def test_each_game_of_two_seats_has_one_ladder(house: House) -> None:
    for _twice in range(2):
        run_steps(house, OPENED)
    with house.transaction() as ctx:
        ladders = [event.game for event in open_ladders.list_all(ctx)]
        kinds = {one.kind for one in open_ladders.list_all(ctx)}
        with pytest.raises(Refused, match="Martian Trickery has no ladder: a challenge is between two players"):
            open_ladders.parse(ctx, ["trickery"], 0)
    assert ladders == ["amazonian-buffet", "martian-whist", "montauk"]
    assert kinds == {EventKind.LADDER}
    assert all(tuple(GAMES[game].seats) == (2,) for game in ladders)


@pytest.mark.parametrize("column", ["banned_at", "deleted_at"])
def test_a_challenge_of_somebody_who_has_gone_waits_no_more(house: House, column: str) -> None:
    climb(house)
    number = challenge(house, "Cleo", "Ann", OPENED + DAY)
    with house.transaction() as ctx:
        setattr(person(ctx, "Cleo"), column, OPENED + DAY)
    with pytest.raises(Refused, match="no longer waits"):
        accept(house, number, "Ann", OPENED + DAY)


def test_a_challenge_that_is_deleted_while_it_is_accepted_is_unknown(house: House) -> None:
    climb(house)
    number = challenge(house, "Cleo", "Ann", OPENED + DAY)

    def lock(ctx: Context) -> None:
        entries.lock_event(ctx, ladder_of(ctx).id)

    def accept_it(ctx: Context) -> None:
        with pytest.raises(Refused, match="no such challenge"):
            challenges.accept(ctx, number, person(ctx, "Ann"))

    def delete(ctx: Context) -> None:
        ctx.session.delete(ctx.session.get_one(LadderChallenge, number))

    meanwhile(house, lock, accept_it, delete, OPENED + DAY)


def test_people_enter_at_the_bottom_and_those_below_a_leaver_move_up(house: House) -> None:
    climb(house)
    assert order(house) == [*SIX]
    assert stored_places(house) == [1, 2, 3, 4, 5, 6]


def test_a_challenge_that_is_accepted_begins_a_rated_public_match(house: House) -> None:
    climb(house)
    number = challenge(house, "Dan", "Bob", OPENED + DAY)
    match_id = accept(house, number, "Bob", OPENED + 2 * DAY)
    match = house.match(match_id)
    assert (match.state, match.rated, match.public) == (MatchState.RUNNING, True, True)
    assert (match.time_control, match.timeout_policy, match.options) == ("3 days", "loss", {"sets": 2})
    found = found_challenge(house, number)
    assert (found.state, found.challenger_place, found.challenged_place) == (ChallengeState.ACCEPTED, 4, 2)
    assert [one.id for one in ladder_matches(house)] == [match_id]
    assert mail_kinds(house, "Bob") == ["ladder challenge", "ladder accepted"]
    assert mail_kinds(house, "Dan") == ["ladder accepted"]


def test_a_challenger_who_wins_takes_the_place(house: House) -> None:
    climb(house)
    play(house, "Eve", "Bob", OPENED + DAY, loser="Bob")
    assert order(house) == ["Ann", "Eve", "Bob", "Cleo", "Dan", "Fred"]
    assert found_entrant(house, "Eve").place_since == OPENED + 2 * DAY
    assert found_entrant(house, "Ann").place_since == OPENED
    assert mail_kinds(house, "Eve")[-1] == mail_kinds(house, "Bob")[-1] == "ladder result"


@pytest.mark.parametrize("end", [{"loser": "Eve"}, {}])
def test_a_defence_or_a_draw_changes_nothing(house: House, end: dict[str, str]) -> None:
    climb(house)
    play(house, "Eve", "Bob", OPENED + DAY, **end)
    assert order(house) == [*SIX]


def test_matches_are_settled_in_the_order_of_their_ends(house: House) -> None:
    climb(house)
    first = accept(house, challenge(house, "Dan", "Ann", OPENED + DAY), "Ann", OPENED + DAY)
    second = accept(house, challenge(house, "Fred", "Dan", OPENED + DAY), "Dan", OPENED + DAY)
    # Fred beats Dan when Dan is fourth; an hour later Dan takes the first place.
    end_match(house, first, OPENED + 3 * DAY, loser="Ann")
    end_match(house, second, OPENED + 2 * DAY, loser="Dan")
    run_steps(house, OPENED + 3 * DAY)
    assert order(house) == ["Dan", "Ann", "Bob", "Cleo", "Fred", "Eve"]


def test_a_match_is_settled_once(house: House) -> None:
    climb(house)
    play(house, "Cleo", "Bob", OPENED + DAY, loser="Bob")
    play(house, "Dan", "Cleo", OPENED + 3 * DAY, loser="Cleo")
    run_steps(house, OPENED + 5 * DAY)
    assert order(house) == ["Ann", "Dan", "Cleo", "Bob", "Eve", "Fred"]
    assert mail_kinds(house, "Bob").count("ladder result") == 1


def test_losing_on_time_leads_down_and_twice_running_off(house: House) -> None:
    climb(house)
    play(house, "Cleo", "Ann", OPENED + DAY, late="Ann")
    assert order(house) == ["Cleo", "Bob", "Dan", "Eve", "Fred", "Ann"]
    play(house, "Ann", "Bob", OPENED + 3 * DAY, late="Ann")
    assert order(house) == ["Cleo", "Bob", "Dan", "Eve", "Fred"]
    assert mail_kinds(house, "Ann")[-2:] == ["ladder result", "ladder off"]


def test_losses_on_time_with_a_match_in_time_between_are_not_running(house: House) -> None:
    climb(house)
    play(house, "Cleo", "Ann", OPENED + DAY, late="Ann")
    play(house, "Ann", "Bob", OPENED + 3 * DAY, loser="Ann")
    play(house, "Ann", "Dan", OPENED + 5 * DAY, late="Ann")
    assert "Ann" in order(house)


def test_a_second_decline_in_thirty_days_counts_as_lost(house: House) -> None:
    climb(house)
    decline(house, challenge(house, "Cleo", "Ann", OPENED + DAY), "Ann", OPENED + DAY)
    assert order(house) == [*SIX]
    decline(house, challenge(house, "Dan", "Ann", OPENED + 2 * DAY), "Ann", OPENED + 2 * DAY)
    assert order(house) == ["Dan", "Ann", "Bob", "Cleo", "Eve", "Fred"]
    assert mail_kinds(house, "Dan") == ["ladder declined"]


def test_a_challenge_that_nobody_answers_is_reminded_of_and_counts_as_lost(house: House) -> None:
    climb(house)
    number = challenge(house, "Cleo", "Ann", OPENED + DAY)
    run_steps(house, OPENED + 5 * DAY - DAY / 24)
    assert mail_kinds(house, "Ann") == ["ladder challenge"]
    for _twice in range(2):
        run_steps(house, OPENED + 5 * DAY)
    assert mail_kinds(house, "Ann") == ["ladder challenge", "ladder reminder"]
    assert order(house) == [*SIX]
    run_steps(house, OPENED + 6 * DAY)
    assert order(house) == ["Cleo", "Ann", "Bob", "Dan", "Eve", "Fred"]
    assert found_challenge(house, number).state == ChallengeState.LAPSED
    assert mail_kinds(house, "Ann")[-1] == mail_kinds(house, "Cleo")[-1] == "ladder lapsed"


def test_a_vacation_extends_the_time_for_an_answer(house: House) -> None:
    climb(house)
    number = challenge(house, "Cleo", "Ann", OPENED + DAY)
    go_away(house, "Ann", 3, OPENED + 2 * DAY)
    run_steps(house, OPENED + 7 * DAY)
    assert found_challenge(house, number).state == ChallengeState.OFFERED
    run_steps(house, OPENED + 9 * DAY)
    assert found_challenge(house, number).state == ChallengeState.LAPSED


def test_an_outage_extends_the_time_for_an_answer(house: House) -> None:
    climb(house)
    number = challenge(house, "Cleo", "Ann", OPENED + DAY)
    go_down(house, OPENED + 3 * DAY, OPENED + 7 * DAY)
    run_steps(house, OPENED + 8 * DAY)
    assert found_challenge(house, number).state == ChallengeState.OFFERED
    run_steps(house, OPENED + 10 * DAY)
    assert found_challenge(house, number).state == ChallengeState.LAPSED


def test_time_in_a_vacation_and_an_outage_extends_the_time_for_an_answer_once(house: House) -> None:
    climb(house)
    number = challenge(house, "Cleo", "Ann", OPENED + DAY)
    go_away(house, "Ann", 3, OPENED + 2 * DAY)
    go_down(house, OPENED + 4 * DAY, OPENED + 7 * DAY)
    # Both together last for five days.
    run_steps(house, OPENED + 11 * DAY - DAY / 24)
    assert found_challenge(house, number).state == ChallengeState.OFFERED
    run_steps(house, OPENED + 11 * DAY)
    assert found_challenge(house, number).state == ChallengeState.LAPSED


def test_no_challenge_lapses_before_an_outage_is_noticed(house: House) -> None:
    climb(house)
    number = challenge(house, "Cleo", "Ann", OPENED + DAY)
    beat(house, OPENED + 3 * DAY)
    run_steps(house, OPENED + 7 * DAY)
    assert found_challenge(house, number).state == ChallengeState.OFFERED


def test_after_a_restore_both_players_of_a_waiting_challenge_are_mailed_once_and_lose_no_time(house: House) -> None:
    climb(house)
    number = challenge(house, "Cleo", "Ann", OPENED + DAY)
    with house.transaction(OPENED + 4 * DAY) as ctx:
        after_restore.invalidate(ctx, OPENED + 2 * DAY)
    beat(house, OPENED + 4 * DAY)
    for _again in range(2):
        with house.transaction(OPENED + 4 * DAY) as ctx:
            while after_restore.notify_batch(ctx):
                pass
    assert mail_kinds(house, "Ann").count("ladder restored") == mail_kinds(house, "Cleo").count("ladder restored") == 1
    with house.transaction() as ctx:
        (waiting,) = challenges.waiting_for(ctx, person(ctx, "Ann").id)
        assert challenges.lapse_times(ctx, [waiting])[number] == OPENED + 8 * DAY
    (said,) = [mail.flat for mail in house.mails("Ann") if "restored from a backup" in mail.flat]
    assert "The challenge of Cleo for place 1 on the ladder of Martian Whist waits for your answer" in said


def test_nobody_challenges_somebody_on_vacation(house: House) -> None:
    climb(house)
    go_away(house, "Bob", 3, OPENED)
    with pytest.raises(Refused, match="Bob is on vacation"):
        challenge(house, "Cleo", "Bob", OPENED + DAY)
    with pytest.raises(Refused, match="You are on vacation"):
        challenge(house, "Bob", "Ann", OPENED + DAY)


@pytest.mark.parametrize("avoider", ["Cleo", "Bob"])
def test_people_who_avoid_each_other_do_not_meet_and_learn_nothing(house: House, avoider: str) -> None:
    climb(house)
    with house.transaction(OPENED) as ctx:
        one, other = person(ctx, avoider), person(ctx, "Bob" if avoider == "Cleo" else "Cleo")
        ctx.session.add(Avoidance(player_id=one.id, avoided_id=other.id, name=other.name, created_at=OPENED))
    with pytest.raises(Refused, match="This person does not accept invitations"):
        challenge(house, "Cleo", "Bob", OPENED + DAY)


@pytest.mark.parametrize(
    ("challenger", "challenged", "why"),
    [
        ("Zoe", "Ann", "You are not on this ladder"),
        ("Ann", "1", "cannot challenge yourself"),
        ("Ann", "Bob", "Bob is below you"),
        ("Gus", "Ann", "at most 5 places above"),
        ("Bob", "Nemo", "Nobody on this ladder is called “Nemo”"),
        ("Bob", "9", "Nobody on this ladder is called “9”"),
    ],
)
def test_who_cannot_be_challenged_is_said_why(house: House, challenger: str, challenged: str, why: str) -> None:
    climb(house, [*SIX, "Gus"])
    with pytest.raises(Refused, match=why):
        challenge(house, challenger, challenged, OPENED + DAY)


def test_one_has_one_challenge_out_at_a_time_until_it_is_taken_back(house: House) -> None:
    climb(house)
    number = challenge(house, "Cleo", "Bob", OPENED + DAY)
    with pytest.raises(Refused, match="one challenge out at a time"):
        challenge(house, "Cleo", "Ann", OPENED + DAY)
    take_back(house, number, "Cleo", OPENED + DAY)
    assert mail_kinds(house, "Bob") == ["ladder challenge", "ladder taken back"]
    take_back(house, challenge(house, "Cleo", "Ann", OPENED + DAY), "Cleo", OPENED + DAY)
    with pytest.raises(Refused, match="30 days"):
        challenge(house, "Cleo", "Bob", OPENED + 20 * DAY)


def test_only_the_two_answer_a_challenge_and_each_only_as_their_own(house: House) -> None:
    climb(house)
    number = challenge(house, "Cleo", "Bob", OPENED + DAY)
    with pytest.raises(Refused, match="no such challenge"):
        accept(house, number, "Ann", OPENED + DAY)
    with pytest.raises(Refused, match="Only the one who is challenged"):
        accept(house, number, "Cleo", OPENED + DAY)
    with pytest.raises(Refused, match="Only the one who is challenged"):
        take_back(house, number, "Bob", OPENED + DAY)
    accept(house, number, "Bob", OPENED + DAY)
    for again in (accept, decline):
        with pytest.raises(Refused, match="no longer waits"):
            again(house, number, "Bob", OPENED + DAY)
    assert len(ladder_matches(house)) == 1


def test_a_place_means_who_has_it(house: House) -> None:
    climb(house)
    with house.transaction() as ctx:
        assert names.find(ctx, ladder_of(ctx), " #3. ").name == "Cleo"
        assert names.find(ctx, ladder_of(ctx), "EVE").name == "Eve"


def test_the_only_ladder_of_somebody_needs_no_name(house: House) -> None:
    climb(house, ["Ann", "Bob"])
    climb(house, ["Bob"], "montauk")
    with house.transaction() as ctx:
        assert open_ladders.parse(ctx, [], person(ctx, "Ann").id).game == GAME
        with pytest.raises(Refused, match="Which ladder"):
            open_ladders.parse(ctx, [], person(ctx, "Bob").id)
