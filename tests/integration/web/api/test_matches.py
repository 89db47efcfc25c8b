"""The API's contract: keys, statuses, and errors that say what was wrong."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from pbem import robots
from pbem.boards.lessons import lessons
from pbem.db.models import Match
from pbem.games import GAMES, find
from pbem.games.record import parse_record
from pbem.games.verify import verify
from pbem.play.matches import share_keys
from pbem.play.matches.seats import holders
from tests.support.house import NAMES, House, address
from tests.support.web.api.matches import VIEW, app_of, client, got, move, refused

if TYPE_CHECKING:
    from flask.testing import FlaskClient

__all__ = ["client"]
SEATS = [{"name": name, "email": address(name)} for name in NAMES[:3]]


# -- starting ------------------------------------------------------------------------------------------


def test_a_seat_may_be_open_to_anybody(client: FlaskClient, house: House) -> None:
    wanted = {"game": "middle-card", "seats": [SEATS[0], {"open": True}, SEATS[1]], "clock": "3 days"}
    made = got(client.post("/api/matches", json=wanted), 201)
    assert set(got(client.get(f"/api/matches/{made['id']}"))) == VIEW
    match = house.match(made["id"])
    assert (match.open_seats, match.time_control, match.rated) == (1, "3 days", True)
    both = {"game": "middle-card", "seats": [*SEATS[:2], {"open": True, "name": "Ann"}]}
    assert "seats.2.name" in refused(client.post("/api/matches", json=both), 422)


def test_a_robot_is_of_the_level_that_is_asked_for_and_fair_without_one(client: FlaskClient) -> None:
    wanted = {"game": "martian-trickery", "seats": [SEATS[0], {"bot": True, "level": "easy"}, {"bot": True}]}
    made = got(client.post("/api/matches", json=wanted), 201)
    assert got(client.get(f"/api/matches/{made['id']}"))["robots"] == {"2": "easy", "3": "fair"}


@pytest.mark.parametrize(
    ("language", "reason"),
    [
        ("en", "Middle Card has no robot “strong”. Choose one of: easy and fair."),
        ("de", "Middle Card hat keinen Roboter „strong“. Wähl einen von diesen: easy und fair."),
    ],
)
def test_a_level_that_the_game_does_not_have_is_refused_with_those_it_has(
    client: FlaskClient, language: str, reason: str
) -> None:
    wanted = {"game": "middle-card", "seats": [*SEATS[:2], {"bot": True, "level": "strong"}]}
    answer = client.post("/api/matches", json=wanted, headers={"Accept-Language": language})
    assert refused(answer, 422) == reason
    assert answer.get_json()["errors"] == {"json": {"seats.2": [reason]}}


@pytest.mark.parametrize("seat", [{"open": True}, SEATS[1]])
def test_only_a_robot_has_a_level(client: FlaskClient, seat: dict[str, object]) -> None:
    wanted = {"game": "martian-whist", "seats": [SEATS[0], {**seat, "level": "easy"}]}
    assert "seats.1.level" in refused(client.post("/api/matches", json=wanted), 422)


def test_of_a_game_that_is_none_the_game_is_refused_and_not_the_level(client: FlaskClient) -> None:
    wanted = {"game": "chess", "seats": [SEATS[0], {"bot": True, "level": "hard"}]}
    assert refused(client.post("/api/matches", json=wanted), 422).startswith("Unknown game “chess”.")


def test_the_games_are_listed_with_seats_and_options(client: FlaskClient) -> None:
    listed = {game["key"]: game for game in got(client.get("/api/games"))}
    assert set(listed) == set(GAMES)
    whist = listed["martian-whist"]
    assert set(whist) == {"key", "name", "edition", "seats", "options", "levels", "lesson"}
    assert whist["levels"] == list(robots.levels("martian-whist"))
    assert whist["seats"] == list(GAMES["martian-whist"].seats)
    assert whist["options"] == {name: list(values) for name, values in GAMES["martian-whist"].options.items()}


def test_a_game_leads_to_its_lesson_if_it_has_one(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(lessons(), "middle-card")
    found = {game["key"]: game["lesson"] for game in got(client.get("/api/games"))}
    assert found["middle-card"] is None
    assert found["martian-whist"] == "http://127.0.0.1:8000/learn/martian-whist"
    assert client.get(found["martian-whist"]).status_code == 200


def test_a_match_is_made_and_everybody_is_mailed(house: House, client: FlaskClient) -> None:
    made = got(client.post("/api/matches", json={"game": "middle-card", "seats": SEATS}), 201)
    assert len(made["id"]) >= 16
    assert made["url"] == f"http://127.0.0.1:8000/matches/{made['id']}"
    match = house.match(made["id"])
    assert (made["commitment"], made["head"]) == (match.commitment.hex(), match.chain_head.hex())
    for name in NAMES[:3]:
        assert made["head"][:16] in house.only(name).text
    view = got(client.get(f"/api/matches/{made['id']}"))
    assert set(view) == VIEW
    assert (view["seat"], view["ply"], view["to_move"], view["moves"]) == (None, 1, [], [])
    assert view["options"] == {"swap": True}
    assert view["outcome"] is None


def test_an_id_has_a_hundred_random_bits(client: FlaskClient) -> None:
    wanted = {"game": "minimax", "seats": SEATS[:1]}
    ids = {got(client.post("/api/matches", json=wanted), 201)["id"] for _ in range(5)}
    assert len(ids) == 5
    assert all(len(each) == 20 for each in ids)


def test_a_house_that_is_not_open_asks_who_it_is(house: House) -> None:
    closed = replace(house, config=replace(house.config, allow_anonymous=False))
    client = app_of(closed).test_client()
    assert "Sign in" in refused(client.post("/api/matches", json={"game": "minimax", "seats": SEATS[:1]}), 401)
    assert not house.all(select(Match.id))


@pytest.mark.parametrize(
    ("body", "field", "sentence"),
    [
        ({"seats": SEATS[:1]}, "game", "game: Missing data for required field."),
        ({"game": "minimax"}, "seats", "seats: Missing data for required field."),
        ({"game": "minimax", "seats": []}, "seats", "seats: "),
        ({"game": "minimax", "seats": SEATS[:1] * 13}, "seats", "seats: "),
        ({"game": "minimax", "seats": SEATS[:1], "sets": 2}, "sets", "sets: Unknown field."),
        ({"game": 7, "seats": SEATS[:1]}, "game", "game: "),
        ({"game": "chess", "seats": SEATS[:1]}, "game", "Unknown game “chess”"),
        ({"game": "minimax", "seats": SEATS[:2]}, "seats", "Minimax is for one player."),
        ({"game": "minimax", "seats": SEATS[:1], "options": {"size": "huge"}}, "options", "“size” cannot be “huge”"),
        ({"game": "minimax", "seats": SEATS[:1], "options": {"size": ["long"]}}, "options", "Option “size” cannot be"),
        ({"game": "middle-card", "seats": SEATS, "options": {"swap": 1}}, "options", "Option “swap” cannot be"),
        ({"game": "minimax", "seats": [{"name": "Ann", "email": "x"}]}, "seats.0", "Enter a mail address"),
        ({"game": "minimax", "seats": [{"name": "", "email": "a@x.org"}]}, "seats.0", "Enter a name for this player"),
        ({"game": "minimax", "seats": [{"name": "Ann"}]}, "seats", "seats.0.email: Missing data"),
        ({"game": "minimax", "seats": ["Ann"]}, "seats", "seats.0"),
        (
            {"game": "minimax", "seats": [{"name": "\ud800", "email": "a@x.org"}]},
            "seats.0",
            "Enter a name for this player",
        ),
        ({"game": "minimax", "seats": [{"name": "A", "email": "\ud800@x.org"}]}, "seats.0", "Enter a mail address"),
        ({"game": "minimax", "seats": [{"name": "A", "email": "a\0@x.org"}]}, "seats.0", "Enter a mail address"),
        ({"game": "mini\0", "seats": SEATS[:1]}, "game", "Unknown game"),
    ],
)
def test_what_cannot_be_played_is_refused_naming_its_field(
    client: FlaskClient, body: dict[str, Any], field: str, sentence: str
) -> None:
    response = client.post("/api/matches", data=json.dumps(body), content_type="application/json")
    assert sentence in refused(response, 422)
    assert field in json.loads(response.data)["errors"]["json"]


# -- looking -------------------------------------------------------------------------------------------


def test_a_seat_sees_its_view(house: House, client: FlaskClient) -> None:
    match_id = house.start_match("middle-card", 3)
    token = house.last("Ann").token
    view = got(client.get(f"/api/seats/{token}"))
    assert set(view) == VIEW
    match = house.match(match_id)
    assert (view["match"], view["game"], view["seat"], view["ply"]) == (match_id, "middle-card", 1, 1)
    assert view["to_move"] == [1]
    assert tuple(view["moves"]) == house.legal(match_id, 1)
    assert view["moves_are_all"] is True
    assert view["board"]["hand"]
    assert "\nYou hold " in view["text"]
    assert (view["commitment"], view["head"]) == (match.commitment.hex(), match.chain_head.hex())


def test_the_public_sees_no_hand_and_no_moves(house: House, client: FlaskClient) -> None:
    match_id = house.start_match("middle-card", 3)
    view = got(client.get(f"/api/matches/{match_id}"))
    assert set(view) == VIEW
    assert (view["seat"], view["moves"], view["to_move"], view["board"]["hand"]) == (None, [], [1], None)


def test_a_link_of_an_earlier_stage_shows_what_the_public_sees(house: House, client: FlaskClient) -> None:
    match_id = house.start_match("middle-card", 3)
    mail = house.last("Ann")
    house.reply(mail, "stay")
    public = got(client.get(f"/api/matches/{match_id}"))
    assert got(client.get(f"/api/seats/{mail.token}")) == public
    assert got(client.get(f"/api/seats/{house.last('Ann').token}"))["board"]["hand"]


def test_a_seat_that_has_sealed_its_move_sees_its_own_side_until_the_stage_is_over(
    house: House, client: FlaskClient
) -> None:
    match_id = house.start_match("middle-card", 3)
    house.reply(house.last("Ann"), "stay")
    ann, bob, cyd = (house.last(name) for name in ("Ann", "Bob", "Cyd"))
    before = got(client.get(f"/api/seats/{ann.token}"))
    house.reply(ann, house.legal(match_id, 1)[0])
    sealed = got(client.get(f"/api/seats/{ann.token}"))
    assert (sealed["seat"], sealed["moves"], sealed["ply"]) == (1, [], before["ply"])
    assert sealed["board"]["hand"]
    assert got(client.get(f"/api/seats/{bob.token}"))["board"]["hand"] != sealed["board"]["hand"]
    assert got(client.get(f"/api/matches/{match_id}"))["board"]["hand"] is None
    house.reply(bob, house.legal(match_id, 2)[0])
    house.reply(cyd, house.legal(match_id, 3)[0])
    assert got(client.get(f"/api/seats/{ann.token}")) == got(client.get(f"/api/matches/{match_id}"))


def test_an_invitations_link_shows_that_the_match_waits(house: House, client: FlaskClient) -> None:
    house.make("middle-card", 3)
    view = got(client.get(f"/api/seats/{house.only('Bob').token}"))
    assert set(view) == VIEW
    assert (view["seat"], view["to_move"], view["moves"], view["board"]) == (2, [], [], {})
    assert "not everybody has accepted" in view["text"]


def test_a_match_that_was_called_off_says_so(house: House, client: FlaskClient) -> None:
    match_id = house.make("middle-card", 3)
    house.reply(house.only("Bob"), "decline")
    view = got(client.get(f"/api/matches/{match_id}"))
    assert "called off before it began" in view["text"]
    assert view["outcome"] == {"scores": None, "winners": [], "ending": "aborted"}
    assert "called off" in refused(client.get(f"/api/matches/{match_id}/record"), 404)


def test_a_private_match_is_nowhere_and_its_seats_see_it(house: House, client: FlaskClient) -> None:
    wanted = {"game": "minimax", "seats": SEATS[:1], "public": False}
    match_id = got(client.post("/api/matches", json=wanted), 201)["id"]
    assert refused(client.get("/api/nothing"), 404) == "There is no page at this address."
    unknown = refused(client.get("/api/matches/00000000000000000000"), 404)
    assert refused(client.get(f"/api/matches/{match_id}"), 404) == unknown
    assert refused(client.get(f"/api/matches/{match_id}/record"), 404) == unknown
    assert got(client.get(f"/api/seats/{house.only('Ann').token}"))["match"] == match_id


def test_the_end_of_a_private_match_is_for_those_who_have_its_link(house: House, client: FlaskClient) -> None:
    match_id = house.make("minimax", 1, public=False)
    house.reply(house.only("Ann"), "accept")
    key = share_keys.shared_key(house.match(match_id))
    assert refused(client.get(f"/api/matches/{match_id}/record?key={key}"), 404)
    house.reply(house.last("Ann"), "resign yes")
    page, replay, record = re.findall(rf"http://[^/]+(/\S*matches/{match_id}\S*)", house.last("Ann").text)
    assert client.get(page).status_code == 200
    assert client.get(replay).status_code == 200
    assert got(client.get(record))["match"] == match_id
    for path in (page, replay, record):
        bare, _, _ = path.partition("?")
        assert client.get(bare).status_code == 404
        assert client.get(f"{bare}?key={'0' * 26}").status_code == 404
        assert client.get(f"{bare}?key=%C3%A4").status_code == 404


@pytest.mark.parametrize("token", ["0" * 26, "short", "%ED%A0%80", "x" * 3000])
def test_an_unknown_link_is_refused_in_the_same_words(house: House, client: FlaskClient, token: str) -> None:
    house.start_match("minimax", 1)
    reply = house.last("Ann").reply_to.partition("+")[2].partition("@")[0]
    words = refused(client.get(f"/api/seats/{reply}"), 404)
    assert refused(client.get(f"/api/seats/{token}"), 404) == words
    assert refused(move(client, token, 1, "1"), 404) == words


# -- ending --------------------------------------------------------------------------------------------


def test_the_record_is_given_when_the_match_is_over_and_not_before(house: House, client: FlaskClient) -> None:
    match_id = house.start_match("middle-card", 3)
    path = f"/api/matches/{match_id}/record"
    assert "when the match is over" in refused(client.get(path), 404)
    mail = house.last("Ann")
    house.reply(mail, "resign yes")
    record = got(client.get(path))
    assert len(list(verify(parse_record(record), find))) == 6
    view = got(client.get(f"/api/matches/{match_id}"))
    assert view["outcome"] == record["result"]
    assert (view["to_move"], view["moves"], view["head"]) == ([], [], record["head"])
    with house.transaction() as ctx:
        assert holders(ctx, ctx.session.get_one(Match, match_id))
    assert got(client.get(f"/api/seats/{mail.token}"))["seat"] == 1
