"""Robots: seated by whoever makes a match, playing at once, and mailed nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from pbem.db.models import Match, OutboxMessage, Player, SeatHolder
from pbem.games import Seat, find
from pbem.games.record import parse_record
from pbem.games.verify import verify
from pbem.play.archive import records
from pbem.play.core.errors import Refused
from pbem.play.lifecycle.match_requests import ROBOT, Invitee
from pbem.play.matches.seats import holders
from pbem.play.players import registry
from pbem.play.players import robots as players_robots
from pbem.states import MatchState
from tests.support.creating import create_match
from tests.support.house import address

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.support.house import House

ANN = Invitee("Ann", address("Ann"))
BOB = Invitee("Bob", address("Bob"))


def make(house: House, game: str, guests: list[Invitee | None], options: Mapping[str, object] = {}, **more: Any) -> str:
    with house.transaction() as ctx:
        return create_match(ctx, game, options, guests, **{"creator": 1, **more}).id


def names(house: House, match_id: str) -> list[str]:
    return house.all(select(SeatHolder.name).where(SeatHolder.match_id == match_id).order_by(SeatHolder.seat))


def record(house: House, match_id: str) -> dict[str, Any]:
    with house.transaction() as ctx:
        return records.build_record(ctx, ctx.session.get_one(Match, match_id)).data()


# -- seating -------------------------------------------------------------------------------------------


def test_a_match_with_a_robot_begins_at_once_and_is_not_rated(house: House) -> None:
    match = house.match(make(house, "martian-whist", [ANN, ROBOT], rated=True, clock="3 days"))
    assert (match.state, match.rated, match.time_control) == ("running", False, "none")
    assert names(house, match.id) == ["Ann", "Ada"]
    assert all(place.accepted_at for place in house.match_seats(match.id))
    data = {holder.name: holder.player_id for holder in house.all(select(SeatHolder))}
    assert house.all(select(Player.is_robot).where(Player.id == data["Ada"])) == [True]


def test_several_robots_are_told_apart_and_are_the_same_at_all_tables(house: House) -> None:
    for _match in range(2):
        assert names(house, make(house, "martian-trickery", [ANN, ROBOT, ROBOT])) == ["Ann", "Ada", "Basil"]
    assert len(house.all(select(Player.id).where(Player.is_robot))) == 2


def test_a_robot_is_called_as_no_person_at_its_table(house: House) -> None:
    guests: list[Invitee | None] = [Invitee("Ann", address("Ann")), ROBOT, Invitee("ADA", address("Bob"))]
    assert names(house, make(house, "martian-trickery", guests)) == ["Ann", "Basil", "ADA"]


def test_there_are_names_for_more_robots_than_are_listed() -> None:
    assert players_robots.unused_name(players_robots.NAMES) == "Ada 2"


def test_a_mail_marks_robots_in_the_list_of_players(house: House) -> None:
    make(house, "martian-trickery", [ANN, ROBOT, ROBOT])
    assert "match of Martian Trickery with Ada (fair robot) and Basil (fair robot) has begun" in house.only("Ann").flat


def test_beside_a_robot_a_match_waits_for_people_and_keeps_its_clock(house: House) -> None:
    match_id = make(house, "martian-trickery", [ANN, BOB, ROBOT], clock="3 days")
    assert (house.match(match_id).state, house.match(match_id).time_control) == ("inviting", "3 days")
    house.reply(house.only("Bob"), "yes")
    assert house.match(match_id).state == MatchState.RUNNING
    assert not house.match(match_id).rated


def test_a_robot_sits_beside_an_open_seat(house: House) -> None:
    match = house.match(make(house, "martian-trickery", [ANN, None, ROBOT]))
    assert (match.state, match.open_seats) == ("inviting", 1)


def test_somebody_must_sit_there_who_is_no_robot(house: House) -> None:
    with pytest.raises(Refused, match="At least one seat needs a player"):
        make(house, "martian-whist", [ROBOT, ROBOT], creator=None)


@pytest.mark.parametrize(
    "name",
    [
        "Robot",
        "robot",
        "ROBOT 2",
        "Roboter",
        "\uff32obot",
        " Robot  3 ",
        "Ada (robot)",
        "Ada (strong robot)",
        "Ada (robot 2",
        "Ann ( Roboter )",
    ],
)
def test_nobody_else_is_called_like_a_robot(name: str) -> None:
    with pytest.raises(Refused, match="reserved for robots"):
        registry.normalise_name(name)


@pytest.mark.parametrize("name", ["Robothy", "Mr Robot", "Robo", "Ada", "(Ann)"])
def test_a_name_may_be_like_that_of_a_robot(name: str) -> None:
    assert registry.normalise_name(name) == name


def test_a_robot_that_comes_later_is_called_as_nobody_was(house: House) -> None:
    match_id = make(house, "martian-trickery", [ANN, ROBOT, ROBOT])
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        left = holders(ctx, match)[1]
        left.left_at = ctx.now
        assert players_robots.take_seat(ctx, match, 2).name == "Clara"


# -- playing -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("martian-whist", 2, {"sets": 2}),
        ("martian-trickery", 3, {"hands": 1}),
        ("montauk", 2, {"rounds": 1}),
        ("amazonian-buffet", 2, {}),
        ("middle-card", 3, {}),
    ],
)
def test_a_whole_match_against_robots_by_mail(house: House, game: str, seats: int, options: dict[str, object]) -> None:
    match_id = make(house, game, [ANN, *[ROBOT] * (seats - 1)], options)
    mail = house.only("Ann")
    assert "has begun. It is your turn." in mail.flat
    while True:
        assert "our turn" in mail.flat
        with house.course(match_id) as (_table, course):
            move = course.game.suggest(course.position, Seat(1))[0]
        answered = house.reply(mail, move)
        # One mail, which is the receipt and tells what the robots did; the last one is how it ended.
        mail = house.only("Ann")
        assert mail.message["In-Reply-To"] == answered
        if house.match(match_id).state == MatchState.OVER:
            break
    data = record(house, match_id)
    assert data["result"]["ending"] == "finished"
    assert data["entropy_by"] == ["server"] * seats
    verify(parse_record(data), find)


def test_the_first_mail_of_a_match_shows_what_a_robot_that_begins_has_played(house: House) -> None:
    match_id = make(house, "martian-whist", [ROBOT, ANN], creator=2)
    mail = house.only("Ann")
    assert house.match(match_id).log_length > 0
    assert "has begun. It is your turn." in mail.flat
    assert "What happened: * Ada " in mail.flat


def test_a_robot_without_an_idea_plays_something(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    match_id = make(house, "martian-whist", [ANN, ROBOT])
    while house.match(match_id).log_length < 4:
        with monkeypatch.context() as patched, house.course(match_id) as (_table, course):
            first = next(course.game.moves(course.position, Seat(1)))
        with monkeypatch.context() as patched:
            patched.setattr(type(course.game), "suggest", lambda *_position: ())
            house.reply(house.last("Ann"), first)
    assert house.match(match_id).to_move == [1]


def test_a_rematch_is_with_robots_again(house: House) -> None:
    match_id = make(house, "middle-card", [ANN, ROBOT, ROBOT])
    house.mails("Ann")
    house.reply(house.every_mail[-1], "resign yes")
    house.reply(house.only("Ann"), "rematch")
    again = house.all(select(Match).where(Match.previous_match_id == match_id))
    assert [match.state for match in again] == ["running"]
    assert sorted(names(house, again[0].id)) == ["Ada", "Ann", "Basil"]


def test_robots_stay_when_somebody_is_replaced(house: House) -> None:
    match_id = make(house, "martian-trickery", [ANN, BOB, ROBOT])
    house.reply(house.last("Ann"), "replace 2 with cyd@example.org")
    (drawn,) = house.all(select(Match).where(Match.previous_match_id == match_id))
    assert names(house, drawn.id) == ["Ann", "Cyd", "Ada"]
    house.reply(house.only("Cyd"), "yes")
    assert house.match(drawn.id).state == MatchState.RUNNING


def test_nothing_is_ever_owed_to_a_robot(house: House) -> None:
    make(house, "martian-whist", [ANN, ROBOT])
    robots = select(SeatHolder.id).join(Player).where(Player.is_robot)
    assert not house.all(select(OutboxMessage.id).where(OutboxMessage.holder_id.in_(robots)))
