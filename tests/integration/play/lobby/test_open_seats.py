"""Open seats: a match that anybody may join, until all sit and it begins."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from pbem.db.models import Match, Player, SeatHolder
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import acceptance
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.matches.views import player_names
from pbem.play.players import registry
from pbem.states import MatchState
from tests.support.creating import create_match
from tests.support.house import NAMES, address

if TYPE_CHECKING:
    from pbem.play.core.context import Context
    from tests.support.house import House


def take(ctx: Context, match_id: str, name: str, text: str = "", **more: Any) -> SeatHolder:
    player = registry.get_or_create(ctx, {address(name): name})[address(name)]
    match = ctx.session.get_one(Match, match_id)
    return acceptance.take_seat(ctx, match, player, address(name), name, text, **more)


def taken(house: House, match_id: str, name: str, text: str = "") -> None:
    with house.transaction() as ctx:
        ctx.session.get_one(Match, match_id).created_at -= timedelta(seconds=1)
        take(ctx, match_id, name, text)


def named(house: House, match_id: str) -> tuple[str, ...]:
    with house.transaction() as ctx:
        return player_names(ctx, ctx.session.get_one(Match, match_id))


def test_a_match_begins_when_the_last_open_seat_is_taken(house: House) -> None:
    match_id = house.make("middle-card", 1, open_seats=2, creator=1)
    assert (house.match(match_id).open_seats, named(house, match_id)) == (2, ("Ann", "", ""))
    made = house.only("Ann")
    assert "You created a match of Middle Card with two open seats; it begins when everybody has accepted." in made.flat
    taken(house, match_id, "Bob")
    assert (house.match(match_id).open_seats, named(house, match_id)) == (1, ("Ann", "Bob", ""))
    joined = house.only("Bob")
    assert "You have taken a seat in a match of Middle Card with Ann and an open seat." in joined.flat
    assert house.match_seats(match_id)[1].default_entropy in joined.flat
    assert house.match(match_id).commitment.hex() in joined.flat
    assert not house.mails("Ann")
    taken(house, match_id, "Cyd", "my own text")
    match = house.match(match_id)
    assert (match.state, match.open_seats, named(house, match_id)) == ("running", 0, ("Ann", "Bob", "Cyd"))
    assert house.match_seats(match_id)[2].entropy
    assert all("Middle Card" in house.last(name).text for name in NAMES[:3])


def test_a_seat_may_be_open_between_others(house: House) -> None:
    with house.transaction() as ctx:
        guests = [Invitee("Ann", address("Ann")), None, Invitee("Cyd", address("Cyd"))]
        match_id = create_match(ctx, "middle-card", {}, guests, creator=1).id
    assert "invites you to a match of Middle Card" in house.only("Cyd").flat
    taken(house, match_id, "Bob")
    assert named(house, match_id) == ("Ann", "Bob", "Cyd")
    house.reply(house.every_mail[-1], "accept")
    assert house.match(match_id).state == MatchState.RUNNING


def test_whoever_made_a_match_is_its_host(house: House) -> None:
    match_id = house.make("middle-card", 1, open_seats=2, creator=1, clock="3 days", rated=True, words="Come\n& play")
    match = house.match(match_id)
    (host,) = house.all(select(Player.name).where(Player.id == match.host_id))
    assert (host, match.time_control, match.rated, match.invitation_text) == ("Ann", "3 days", True, "Come & play")
    with house.transaction() as ctx:
        player = registry.get_or_create(ctx, {address("Dee"): "Dee"})[address("Dee")]
        other = create_match(
            ctx, "minimax", {}, [Invitee("Ann", address("Ann"))], host=player, rated=True, clock="1 day"
        )
        # Nobody is measured against somebody else alone, nor kept waiting.
        assert (other.host_id, other.rated, other.time_control, other.invitation_text) == (
            player.id,
            False,
            "none",
            None,
        )


@pytest.mark.parametrize(
    ("who", "refusal"), [("Ann", "You already have a seat at this table."), ("Dee", "This match has begun. All seats")]
)
def test_who_cannot_take_a_seat_is_told_why(house: House, who: str, refusal: str) -> None:
    match_id = house.make("martian-whist", 1, open_seats=1, creator=1)
    if who == "Dee":
        taken(house, match_id, "Bob")
    with pytest.raises(Refused, match=refusal):
        taken(house, match_id, who)


def test_a_table_that_waits_for_those_invited_has_no_seat_for_others(house: House) -> None:
    match_id = house.make("martian-whist", 2, creator=1)
    with pytest.raises(Refused, match="All seats at this table are taken"):
        taken(house, match_id, "Cyd")


def test_a_match_that_was_called_off_has_no_seats(house: House) -> None:
    match_id = house.make("martian-whist", 1, open_seats=1, creator=1)
    house.reply(house.only("Ann"), "decline")
    assert house.match(match_id).open_seats == 0
    with pytest.raises(Refused, match="called off"):
        taken(house, match_id, "Bob")


def test_a_name_that_is_taken_gets_a_number(house: House) -> None:
    match_id = house.make("middle-card", 1, open_seats=2, creator=1)
    with house.transaction() as ctx:
        player = registry.get_or_create(ctx, {"other@example.org": "Ann"})["other@example.org"]
        match = ctx.session.get_one(Match, match_id)
        with pytest.raises(Refused, match="link or a mail address"):
            acceptance.take_seat(ctx, match, player, "other@example.org", "www.x.org")
        assert acceptance.take_seat(ctx, match, player, "other@example.org", "ann").name == "ann 2"


def test_whoever_took_an_open_seat_leaves_it_open_again(house: House) -> None:
    match_id = house.make("middle-card", 1, open_seats=2, creator=1)
    taken(house, match_id, "Bob", "a text")
    house.reply(house.only("Bob"), "decline")
    assert "You have left the table." in house.only("Bob").flat
    match = house.match(match_id)
    assert (match.state, match.open_seats, named(house, match_id)) == ("inviting", 2, ("Ann", "", ""))
    assert house.match_seats(match_id)[1].entropy is None
    taken(house, match_id, "Cyd")
    taken(house, match_id, "Bob")
    assert named(house, match_id) == ("Ann", "Cyd", "Bob")
    assert house.match(match_id).state == MatchState.RUNNING


def test_the_seats_of_an_unknown_creator_open_once_they_have_accepted(house: House) -> None:
    match_id = house.make("martian-whist", 1, open_seats=1, creator=1, known=False)
    assert house.match(match_id).open_seats == 0
    house.reply(house.only("Ann"), "accept")
    assert house.match(match_id).open_seats == 1


@pytest.mark.parametrize(
    ("more", "refusal"),
    [({"open_seats": 5}, "Middle Card is for"), ({"open_seats": 2, "clock": "1 hour"}, "Unknown clock")],
)
def test_what_cannot_be_played_is_refused(house: House, more: dict[str, Any], refusal: str) -> None:
    with pytest.raises(Refused, match=refusal):
        house.make("middle-card", 1, **more)


def test_somebody_must_sit_at_a_table(house: House) -> None:
    with pytest.raises(Refused, match="At least one seat needs a player"):
        house.make("middle-card", 0, open_seats=3)
