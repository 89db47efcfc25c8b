"""People to avoid by mail: to a match, and to the service itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import update

from pbem.db.models import Player
from pbem.play.lifecycle.match_requests import Invitee
from tests.support.creating import create_match
from tests.support.house import address
from tests.support.play.inbox.turn import turn
from tests.support.play.lobby.request_parser import write
from tests.support.play.moderation.avoidance import avoids, listed

if TYPE_CHECKING:
    from tests.support.house import House, Mail

__all__ = ["turn"]


@pytest.mark.parametrize("line", ["avoid bob", "Avoid: Bob", "fernhalten Bob", "Fernhalten „Bob“"])
def test_who_is_named_is_avoided_and_not_told(house: House, turn: Mail, line: str) -> None:
    said = house.reply(turn, line)
    answer = house.only("Ann")
    assert answer.message["In-Reply-To"] == said
    assert "You avoid Bob from now on." in answer.flat
    assert "reply “avoid no more Bob”" in answer.flat
    assert listed(house, "Ann") == ["Bob"]
    assert house.mails("Bob") == []


def test_the_word_alone_lists_whom_the_player_avoids(house: House, turn: Mail) -> None:
    house.reply(turn, "avoid")
    assert "You avoid nobody." in house.only("Ann").flat
    avoids(house, "Ann", "Bob")
    house.reply(turn, "avoid")
    assert "This is your list of people to avoid. You avoid: - “Bob”" in house.only("Ann").flat.replace("* ", "- ")


@pytest.mark.parametrize("line", ["avoid no more bob", "nicht mehr fernhalten Bob"])
def test_a_name_is_taken_off_again(house: House, turn: Mail, line: str) -> None:
    avoids(house, "Ann", "Bob")
    house.reply(turn, line)
    assert "You no longer avoid Bob." in house.only("Ann").flat
    assert listed(house, "Ann") == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("avoid Zoe", "You have met nobody called “Zoe”."),
        ("avoid Ann", "You cannot avoid yourself."),
        ("avoid no more Bob", "You avoid nobody called “Bob”."),
    ],
)
def test_what_cannot_be_meant_changes_nothing(house: House, turn: Mail, line: str, reason: str) -> None:
    house.reply(turn, line)
    assert f"Your list of people to avoid is unchanged. {reason}" in house.only("Ann").flat
    assert listed(house, "Ann") == []


def test_who_sits_at_the_table_is_meant_before_others_of_that_name(house: House, turn: Mail) -> None:
    with house.transaction() as ctx:
        guests = [Invitee("Ann", address("Ann")), Invitee("Robert", address("Bob")), Invitee("Bob", address("Cyd"))]
        create_match(ctx, "middle-card", {}, guests)
    house.mails("Ann")
    write(house, "avoid Bob", "ann@example.org")
    asked = house.only("Ann").flat
    assert "You have met several people called “Bob”: in Middle Card on " in asked
    assert " and in Martian Whist on " in asked
    house.reply(turn, "avoid Bob")
    assert "You avoid Bob from now on." in house.only("Ann").flat


def test_of_two_on_the_list_with_one_name_the_page_is_named(house: House, turn: Mail) -> None:
    for name in ("Bob", "Cyd"):
        avoids(house, "Ann", name)
    with house.transaction() as ctx:
        ctx.session.connection().exec_driver_sql("UPDATE avoidances SET name = 'Bob'")
    house.reply(turn, "avoid no more Bob")
    assert "You avoid several people called “Bob”." in house.only("Ann").flat
    assert listed(house, "Ann") == ["Bob", "Bob"]


@pytest.mark.usefixtures("turn")
def test_it_can_be_written_to_the_service_if_the_mail_proves_whose_it_is(house: House) -> None:
    write(house, "avoid Bob", "ann@example.org")
    assert "You avoid Bob from now on." in house.only("Ann").flat
    write(house, "avoid no more Bob", "ann@example.org")
    assert "You no longer avoid Bob." in house.only("Ann").flat
    elsewhere = replace(house, config=replace(house.config, allow_anonymous=False))
    write(elsewhere, "avoid Bob", "ann@example.org")
    assert "Your list of people to avoid is unchanged." in house.only("Ann").flat
    assert listed(house, "Ann") == []


@pytest.mark.usefixtures("turn")
def test_it_is_answered_in_the_players_language(house: House) -> None:
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(language="de"))
    write(house, "fernhalten Bob", "ann@example.org")
    assert "Du hältst Bob von jetzt an fern." in house.only("Ann").flat
