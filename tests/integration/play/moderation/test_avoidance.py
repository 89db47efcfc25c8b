"""People to avoid: who sits at no table with whom, at waiting tables, in seats that are left, and by invitation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import Match, SeatHolder
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import acceptance, rematches, seat_changes
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.lobby import hosting, joining, open_tables
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.play.moderation import avoidance
from pbem.play.players import robots
from pbem.play.timeouts import nominations, reclaims, substitutes
from tests.support.creating import create_match
from tests.support.house import NAMES, address
from tests.support.play.moderation.avoidance import avoids, avoids_no_more, listed, player
from tests.support.play.timeouts.lapses import hosted, late, running
from tests.support.rematching import finals
from tests.support.web.lobby.open_tables import opened

if TYPE_CHECKING:
    from datetime import datetime

    from tests.support.house import House

FULL = "All seats at this table are taken."
NOT_SOUGHT = "This seat no longer needs a substitute."
UNWANTED = "This person does not accept invitations."
BOTH_WAYS = pytest.mark.parametrize(("who", "whom"), [("Ann", "Bob"), ("Bob", "Ann")])


def tables(house: House, reader: str) -> list[str]:
    """Return the tables that somebody is listed."""
    with house.transaction() as ctx:
        page = open_tables.list_page(ctx, open_tables.TableFilter(), most=10, reader=player(ctx, reader).id)
        return [one.match for one in page.tables]


def join(house: House, match_id: str, who: str) -> str:
    """Sit down at a table; return why not, or nothing."""
    with house.transaction() as ctx:
        try:
            joining.join(ctx, ctx.session.get_one(Match, match_id), player(ctx, who))
        except Refused as refused:
            return str(refused)
    return ""


def sought(house: House, reader: str, moment: datetime) -> list[int]:
    """Return the seats that somebody is told to need a substitute."""
    with house.transaction(moment) as ctx:
        id_ = player(ctx, reader).id
        seats = [one.seat for one in substitutes.list_open_seats(ctx, 10, id_)]
        assert substitutes.has_open_seats(ctx, id_) == bool(seats)
        return seats


def take_over(house: House, match_id: str, seat: int, who: str, moment: datetime) -> str:
    """Take over a seat; return why not, or nothing."""
    with house.transaction(moment) as ctx:
        try:
            substitutes.take_over(ctx, ctx.session.get_one(Match, match_id), seat, player(ctx, who))
        except Refused as refused:
            return str(refused)
    return ""


# -- waiting tables ------------------------------------------------------------------------------------


@BOTH_WAYS
def test_neither_sees_or_joins_a_table_of_the_other(house: House, who: str, whom: str) -> None:
    match_id = opened(house)
    avoids(house, who, whom)
    assert tables(house, "Bob") == []
    assert join(house, match_id, "Bob") == FULL
    assert tables(house, "Cyd") == [match_id]
    assert join(house, match_id, "Cyd") == ""


@BOTH_WAYS
def test_it_counts_who_has_joined_or_is_invited_not_the_host_alone(house: House, who: str, whom: str) -> None:
    joined = opened(house, "martian-trickery", "Dee", seats=3)
    assert join(house, joined, "Ann") == ""
    with house.transaction() as ctx:
        guests = [Invitee("Dee", address("Dee")), Invitee("Ann", address("Ann"))]
        invited = create_match(ctx, "martian-trickery", {}, guests, creator=1, open_seats=1).id
    avoids(house, who, whom)
    assert tables(house, "Bob") == []
    assert join(house, joined, "Bob") == join(house, invited, "Bob") == FULL


def test_a_host_counts_who_does_not_play(house: House) -> None:
    match_id = opened(house, name="Cyd")
    with house.transaction() as ctx:
        ctx.session.get_one(Match, match_id).host_id = player(ctx, "Ann").id
    avoids(house, "Ann", "Bob")
    assert tables(house, "Bob") == []
    assert join(house, match_id, "Bob") == FULL


def test_who_has_left_the_table_keeps_nobody_away(house: House) -> None:
    match_id = opened(house, "martian-trickery", "Dee", seats=2)
    join(house, match_id, "Ann")
    avoids(house, "Ann", "Bob")
    with house.transaction() as ctx:
        holder = ctx.session.scalars(select(SeatHolder).where(SeatHolder.name == "Ann")).one()
        acceptance.decline(ctx, lock_match(ctx, match_id), holder)
    assert tables(house, "Bob") == [match_id]
    assert join(house, match_id, "Bob") == ""


def test_a_table_that_both_share_already_stays_as_it_was(house: House) -> None:
    match_id = opened(house, "martian-trickery", seats=2)
    join(house, match_id, "Bob")
    avoids(house, "Ann", "Bob")
    assert tables(house, "Ann") == tables(house, "Bob") == [match_id]
    assert join(house, match_id, "Bob") == "You already have a seat at this table."


def test_it_ends_when_the_name_is_taken_off_the_list(house: House) -> None:
    match_id = opened(house)
    avoids(house, "Ann", "Bob")
    avoids_no_more(house, "Ann", "Bob")
    assert tables(house, "Bob") == [match_id]
    assert join(house, match_id, "Bob") == ""


def test_a_table_that_was_drawn_anew_leads_nobody_on_who_is_avoided_there(house: House) -> None:
    with house.transaction() as ctx:
        guests = [Invitee("Ann", address("Ann")), Invitee("Cyd", address("Cyd"))]
        old = create_match(ctx, "martian-whist", {}, guests, creator=1)
        host = next(one for one in holders(ctx, old) if one.seat == 1)
        new = hosting.replace(ctx, old, host, 2, None)
        assert joining.find_replacement(ctx, old, player(ctx, "Bob").id) == new
    avoids(house, "Ann", "Bob")
    with house.transaction() as ctx:
        assert joining.find_replacement(ctx, ctx.session.get_one(Match, old.id), player(ctx, "Bob").id) is None


# -- seats that are left ------------------------------------------------------------------------------


@pytest.mark.parametrize("avoids_first", [True, False])
def test_nobody_takes_over_a_seat_beside_the_other(house: House, avoids_first: bool) -> None:  # noqa: FBT001
    match_id = running(house, "substitute")
    seat, ends = late(house)
    stays = NAMES[2 - seat]
    avoids(house, *((stays, "Zoe") if avoids_first else ("Zoe", stays)))
    assert sought(house, "Zoe", ends) == []
    assert take_over(house, match_id, seat, "Zoe", ends) == NOT_SOUGHT
    assert sought(house, "Dee", ends) == [seat]
    assert take_over(house, match_id, seat, "Dee", ends) == ""


def test_whoever_goes_does_not_choose_who_comes(house: House) -> None:
    match_id = running(house, "substitute")
    seat, ends = late(house)
    avoids(house, NAMES[seat - 1], "Zoe")
    assert sought(house, "Zoe", ends) == [seat]
    assert take_over(house, match_id, seat, "Zoe", ends) == ""


def test_who_may_come_back_to_another_seat_counts_as_if_they_sat_there(house: House) -> None:
    match_id = running(house, "substitute", 3, hands=4)
    seat, ends = late(house)
    others = [one for one in (1, 2, 3) if one != seat]
    with house.transaction(ends) as ctx:
        match = lock_match(ctx, match_id)
        gone = next(one for one in holders(ctx, match) if one.seat == others[0])
        seat_changes.seat_robot(ctx, match, gone, by="clock")
    avoids(house, NAMES[others[0] - 1], "Zoe")
    assert take_over(house, match_id, seat, "Zoe", ends) == NOT_SOUGHT
    with house.transaction(ends) as ctx:
        assert reclaims.list_matches(ctx, gone.player_id)


def test_in_a_match_that_both_share_the_seat_of_a_third_is_shown_as_before(house: House) -> None:
    match_id = running(house, "substitute", 3, hands=4)
    seat, ends = late(house)
    one, other = (NAMES[number - 1] for number in (1, 2, 3) if number != seat)
    avoids(house, one, other)
    assert sought(house, one, ends) == sought(house, other, ends) == [seat]
    assert take_over(house, match_id, seat, other, ends).startswith("You have or had a seat in this match")


@pytest.mark.parametrize("avoids_first", [True, False])
def test_nobody_is_nominated_who_avoids_one_of_the_players_or_is_avoided(
    house: House,
    avoids_first: bool,  # noqa: FBT001
) -> None:
    match_id, seat, ends = hosted(house)
    with house.transaction(ends) as ctx:
        match = lock_match(ctx, match_id)
        present = holders(ctx, match)
        host = next(one for one in present if one.player_id == match.host_id)
        third = next(one.name for one in present if one.seat not in {seat, host.seat})
    avoids(house, *((third, "Zoe") if avoids_first else ("Zoe", third)))
    with house.transaction(ends) as ctx, pytest.raises(Refused, match=UNWANTED):
        nominations.nominate(ctx, lock_match(ctx, match_id), host, Invitee("Zoe", address("Zoe")))


def test_a_nomination_ends_when_its_seat_is_beside_somebody_to_avoid(house: House) -> None:
    match_id, seat, ends = hosted(house)
    with house.transaction(ends) as ctx:
        match = lock_match(ctx, match_id)
        late_holder = next(one for one in holders(ctx, match) if one.seat == seat)
        nomination = nominations.Nomination(late_holder, match, address("Zoe"), "Zoe")
        assert nominations.is_open(ctx, nomination)
        stays = next(one.player for one in holders(ctx, match) if one.seat != seat)
        avoidance.add(ctx, stays, player(ctx, "Zoe"), "Zoe")
        assert not nominations.is_open(ctx, nomination)
        with pytest.raises(Refused, match=NOT_SOUGHT):
            nominations.accept(ctx, nomination)


def test_a_match_that_both_play_goes_on(house: House) -> None:
    match_id = running(house, "substitute")
    avoids(house, "Ann", "Bob")
    (seat,) = house.match(match_id).to_move
    before = house.match(match_id).next_ply
    house.reply(house.last(NAMES[seat - 1]), house.legal(match_id, seat)[0])
    assert house.match(match_id).next_ply == before + 1


# -- invitations and rematches ------------------------------------------------------------------------


def invite(house: House, inviter: str, *others: str) -> str:
    """Invite some people; return why not, or nothing."""
    game = "martian-whist" if len(others) == 1 else "middle-card"
    with house.transaction() as ctx:
        guests = [Invitee(name, address(name)) for name in (inviter, *others)]
        try:
            create_match(ctx, game, {}, guests, creator=1)
        except Refused as refused:
            return str(refused)
    return ""


def test_who_is_avoided_cannot_invite_and_hears_what_any_blocked_inviter_hears(house: House) -> None:
    avoids(house, "Ann", "Bob")
    assert invite(house, "Bob", "Ann") == UNWANTED
    assert house.mails("Ann") == []
    assert invite(house, "Ann", "Bob") == ""
    # Everybody is named in an invitation, and each decides.
    assert invite(house, "Cyd", "Ann", "Bob") == ""


def test_an_invitation_that_was_sent_before_is_not_followed_by_a_reminder(house: House) -> None:
    assert invite(house, "Bob", "Ann") == ""
    avoids(house, "Ann", "Bob")
    (match_id,) = house.match_ids()
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        host = next(one for one in holders(ctx, match) if one.name == "Bob")
        assert hosting.remind(ctx, match, host) == []


def rematch(house: House, who: str) -> str:
    with house.transaction() as ctx:
        try:
            rematches.request(ctx, ctx.session.get_one(Match, house.match_ids()[0]), player(ctx, who))
        except Refused as refused:
            return str(refused)
    return ""


def test_who_is_avoided_asks_for_no_rematch_but_plays_in_that_of_others(house: House) -> None:
    finals(house, "martian-trickery", 3)
    avoids(house, "Ann", "Bob")
    assert rematch(house, "Bob") == UNWANTED
    assert rematch(house, "Cyd") == ""
    assert rematch(house, "Bob") == ""
    assert rematch(house, "Ann") == ""


# -- the list -----------------------------------------------------------------------------------------


def test_it_holds_a_person_once(house: House) -> None:
    for _ in range(2):
        avoids(house, "Ann", "Bob")
    assert listed(house, "Ann") == ["Bob"]
    assert listed(house, "Bob") == []


def test_nobody_avoids_themself_or_a_robot(house: House) -> None:
    with house.transaction() as ctx:
        ann = player(ctx, "Ann")
        match = create_match(ctx, "martian-whist", {}, [Invitee("Ann", address("Ann"))], creator=1, open_seats=1)
        robot = robots.take_seat(ctx, match, 2)
        ctx.session.flush()
        with pytest.raises(Refused, match="You cannot avoid yourself"):
            avoidance.add(ctx, ann, ann, "Ann")
        with pytest.raises(Refused, match=f"{robot.name} is a robot"):
            avoidance.add(ctx, ann, robot.player, robot.name)
    assert listed(house, "Ann") == []


def test_it_has_an_end_and_who_is_on_it_stays(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(avoidance, "MAX_AVOIDED", 1)
    avoids(house, "Ann", "Bob")
    with pytest.raises(Refused, match="You avoid 1 people already"):
        avoids(house, "Ann", "Cyd")
    avoids(house, "Ann", "Bob")
    avoids_no_more(house, "Ann", "Bob")
    avoids(house, "Ann", "Cyd")
    assert listed(house, "Ann") == ["Cyd"]
