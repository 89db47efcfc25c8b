"""The robot as an opponent: on the first page, in the form, by the API; and forced moves on the page of one’s time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import Match, Player, SeatHolder
from pbem.db.session import set_task_sender
from pbem.games import GAMES
from pbem.play.lifecycle.match_requests import ROBOT, Invitee
from pbem.states import MatchState
from tests.support.creating import create_match
from tests.support.house import address
from tests.support.web.account.settings import signed_in
from tests.support.web.site import pages_of, visitor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask.testing import FlaskClient

    from tests.support.house import House
    from tests.support.pages import Form, Page, Visitor

SEVERAL = [key for key, game in GAMES.items() if game.seats[0] > 1]
ANN = {"name": "Ann", "email": address("Ann")}


def robot_form(page: Page, game: str) -> Form:
    (found,) = (form for form in page.forms if form.action == f"/new/{game}" and form.fields.get("sits-2") == "robot")
    return found


# -- the first page ------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", SEVERAL)
def test_one_button_plays_the_robot_in_every_game(site: Visitor, local: House, game: str) -> None:
    first = site.open("/")
    form = robot_form(first, game)
    assert form.button == "Play the robot"
    page = site.send(form, form.fields)
    assert page.url.startswith("/m/")
    (match,) = local.all(select(Match))
    assert (match.game, match.state, match.rated, match.time_control) == (game, "running", False, "none")
    assert local.all(select(SeatHolder.name).order_by(SeatHolder.seat))[1] == "Ada"
    assert f"Your turn in {GAMES[game].name}" in page.words


def test_a_robot_answers_on_the_page_that_follows_a_move(site: Visitor, local: House) -> None:
    form = robot_form(site.open("/"), "martian-whist")
    page = site.send(form, form.fields)
    (match,) = local.all(select(Match))
    local.deliver()
    with local.course(match.id) as (_table, course):
        move = course.game.suggest(course.position, course.game.to_move(course.position)[0])[0]
    page = site.open(f"{page.url}?move={move}")
    assert page.press("Play this move").status == 200
    assert local.match(match.id).to_move == [1]
    assert local.match(match.id).log_length > 1


def test_whoever_is_a_stranger_is_asked_who_they_are(house: House) -> None:
    closed = visitor(replace(house, config=replace(house.config, allow_anonymous=False)))
    page = closed.open("/new/amazonian-buffet?sits-2=robot")
    assert 'value="robot" checked' in page.html
    page = page.press("Start the match", **{"name-1": "Ann", "email-1": address("Ann")})
    assert "We sent you a mail. Accept the match of Amazonian Buffet there. Then it begins." in page.words
    (match,) = house.all(select(Match))
    assert match.state == "inviting"
    house.reply(house.only("Ann"), "yes")
    assert house.match(match.id).state == MatchState.RUNNING
    assert "It is your turn" in house.only("Ann").flat


# -- the form ------------------------------------------------------------------------------------------


def test_a_robot_may_sit_beside_a_friend(site: Visitor, local: House) -> None:
    form = site.open("/new/martian-trickery")
    page = form.press("Start the match", **{"sits-3": "robot"})
    assert "Invitations sent" in page.words
    assert local.all(select(SeatHolder.name).order_by(SeatHolder.seat)) == ["Robin", "Sam", "Ada"]
    local.deliver()
    assert "Open Ada’s mailbox" not in page.words


def test_the_form_says_how_long_it_takes_with_a_robot_in_turns_alone(site: Visitor) -> None:
    alone, two = (site.open(f"/new/martian-whist?sits-2={sits}").words for sits in ("robot", "invite"))
    assert "This takes about 20 turns each. Start the match" in alone
    assert "This takes about 20 turns each, about 4 weeks. Most players use only part of their time." in two


def test_nobody_is_called_robot(site: Visitor) -> None:
    page = site.open("/new/minimax").press("Begin", **{"name-1": "Robot 2"})
    assert page.status == 422
    assert "The name “Robot 2” is reserved for robots." in page.words


# -- the API -------------------------------------------------------------------------------------------


@pytest.fixture
def client(house: House) -> Iterator[FlaskClient]:
    set_task_sender(lambda _task, _arguments: None)
    yield pages_of(house).test_client()
    set_task_sender(lambda _task, _arguments: None)


def test_a_program_seats_robots(client: FlaskClient, house: House) -> None:
    wanted = {"game": "martian-trickery", "seats": [ANN, {"bot": True}, {"bot": True}]}
    made = client.post("/api/matches", json=wanted)
    assert made.status_code == 201
    house.reply(house.only("Ann"), "accept")
    match = house.match(made.get_json()["id"])
    assert match.state == MatchState.RUNNING
    assert house.all(select(SeatHolder.name).order_by(SeatHolder.seat)) == ["Ann", "Ada", "Basil"]


@pytest.mark.parametrize("seat", [{"bot": True, "open": True}, {"bot": True, "name": "R2"}, {"bot": False}])
def test_a_seat_is_a_robots_or_anothers(client: FlaskClient, seat: dict[str, object]) -> None:
    refused = client.post("/api/matches", json={"game": "martian-whist", "seats": [ANN, seat]})
    assert refused.status_code == 422
    assert "seats" in refused.get_data(as_text=True)


# -- what is played for somebody -----------------------------------------------------------------------


def test_it_is_chosen_on_the_page_of_ones_time(house: House) -> None:
    ann = signed_in(house)
    page = ann.open("/me/time")
    assert page.form("Save").fields.get("plays_forced") is None
    kept = page.press("Save", plays_forced="on")
    assert house.all(select(Player.auto_play_forced)) == [True]
    assert "plays_forced" in kept.form("Save").fields
    form = kept.form("Save")
    del form.fields["plays_forced"]
    ann.send(form, form.fields)
    assert house.all(select(Player.auto_play_forced)) == [False]


def test_a_form_that_is_not_ours_chooses_nothing(house: House) -> None:
    ann = signed_in(house)
    form = ann.open("/me/time").form("Save")
    assert ann.send(form, {"nonce": "other", "plays_forced": "on"}).status == 400
    assert house.all(select(Player.auto_play_forced)) == [False]


def test_a_robot_is_nobodys_account(house: House) -> None:
    with house.transaction() as ctx:
        create_match(ctx, "martian-whist", {}, [Invitee("Ann", address("Ann")), ROBOT], creator=1)
        robot = ctx.session.scalars(select(Player).where(Player.is_robot)).one()
        assert robot.addresses == []
