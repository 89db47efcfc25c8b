"""Fields by mail: the list, entering with a text, and leaving."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import Entrant
from pbem.games.chain import typed_entropy
from pbem.states import EntrantState
from tests.support.play.events import fields
from tests.support.play.events.entering import person
from tests.support.play.lobby.request_parser import write

if TYPE_CHECKING:
    from tests.support.house import House


@pytest.fixture
def field(house: House) -> int:
    """A field of Montauk that takes entries; Ann is known."""
    event = fields.open_field(house)
    with house.transaction() as ctx:
        person(ctx, "Ann")
    return event.id


def states(house: House) -> list[tuple[str, str]]:
    return [tuple(row) for row in house.rows(select(Entrant.name, Entrant.state).order_by(Entrant.name))]


@pytest.mark.parametrize("line", ["enter field montauk", "Enter field: Montauk", "feld beitreten Montauk"])
def test_a_mail_enters_the_next_field_of_a_game(house: House, field: int, line: str) -> None:
    write(house, line)
    mail = house.only("Ann")
    assert "You have entered: Field of Montauk, number 1." in mail.flat
    assert f"/fields/{field}" in mail.text
    assert states(house) == [("Ann", EntrantState.ENTERED)]


def test_a_text_after_the_game_is_part_of_the_deals(house: House, field: int) -> None:
    write(house, "enter field montauk  my  own text")
    assert "Your text is part of each deal." in house.only("Ann").flat
    assert house.all(select(Entrant.entropy).where(Entrant.event_id == field)) == [typed_entropy("my  own text")]


@pytest.mark.parametrize("line", ["leave field montauk", "feld verlassen montauk"])
def test_a_mail_leaves_a_field(house: House, field: int, line: str) -> None:
    write(house, "enter field montauk")
    house.mails("Ann")
    write(house, line)
    assert "You have left: Field of Montauk, number 1." in house.only("Ann").flat
    assert states(house) == [("Ann", EntrantState.WITHDRAWN)]
    assert field


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("enter field whist", "There are no fields of Martian Whist."),
        ("enter field chess", "Unknown game “chess”."),
        ("leave field montauk", "You have not entered."),
    ],
)
def test_what_cannot_be_is_answered_with_the_reason(house: House, field: int, line: str, reason: str) -> None:
    write(house, line)
    assert reason in house.only("Ann").flat
    assert states(house) == []
    assert field


def test_the_list_says_how_to_enter_and_has_ones_own_tables(house: House) -> None:
    fields.begin_field(house)
    house.mails("Ann")
    write(house, "fields")
    mail = house.only("Ann")
    assert "field of montauk, number 1" in mail.flat.casefold()
    assert "You take part as Ann." in mail.flat
    assert mail.flat.count("not open yet") == 2
    assert "write “enter field montauk” to games@games.localhost" in mail.flat


def test_in_a_reply_to_a_match_the_commands_work_too(house: House) -> None:
    fields.open_field(house)
    house.start_match("martian-whist", 2)
    turn = house.last("Ann")
    with house.transaction() as ctx:
        person(ctx, "Ann")
    house.reply(turn, "enter field montauk")
    assert "You have entered: Field of Montauk, number 1." in house.last("Ann").flat
    house.reply(turn, "fields")
    assert "You take part as Ann." in house.last("Ann").flat
