"""Moves by the API: taken first and judged then, and what is no move at all refused by its field."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from pbem.db.models import LogEntry, Submission
from tests.support.web.api.matches import client, got, move, refused

if TYPE_CHECKING:
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from tests.support.house import House

__all__ = ["client"]


def verdict(client: FlaskClient, response: TestResponse) -> tuple[str, str | None]:
    said = got(client.get(f"/api/submissions/{got(response, 202)['submission']}"))
    assert set(said) == {"status", "reason"}
    return said["status"], said["reason"]


def test_a_move_is_taken_pending_then_played(house: House, client: FlaskClient) -> None:
    match_id = house.start_match("middle-card", 3)
    token = house.last("Ann").token
    response = move(client, token, 1, " STAY. ")
    assert set(got(response, 202)) == {"submission"}
    assert verdict(client, response) == ("pending", None)
    house.judge(match_id)
    assert verdict(client, response) == ("played", None)
    assert house.all(select(LogEntry.move)) == ["stay"]


def test_an_illegal_move_is_taken_and_rejected_with_its_reason(house: House, client: FlaskClient) -> None:
    match_id = house.start_match("middle-card", 3)
    token = house.last("Ann").token
    response = move(client, token, 1, "play 1")
    house.judge(match_id)
    status, reason = verdict(client, response)
    assert status == "rejected"
    assert reason == "You cannot play “play 1” now."


def test_a_stale_move_is_already_played(house: House, client: FlaskClient) -> None:
    match_id = house.start_match("middle-card", 3)
    mail = house.last("Ann")
    house.reply(mail, "stay")
    response = move(client, mail.token, 1, "stay")
    house.judge(match_id)
    assert verdict(client, response)[0] == "already_played"
    assert verdict(client, response)[1]


def test_the_same_move_a_hundred_times_in_parallel_is_one_move(house: House, client: FlaskClient) -> None:
    match_id = house.start_match("minimax", 1)
    token = house.last("Ann").token
    text = house.legal(match_id, 1)[0]
    app = client.application

    def send(_: int) -> str:
        submission: str = got(move(app.test_client(), token, 1, text), 202)["submission"]
        house.judge(match_id)
        return submission

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(send, range(100)))) == 1
    assert house.all(select(LogEntry.move)) == [text]
    assert house.all(select(Submission.status)) == ["played"]


@pytest.mark.parametrize("text", ["\0", "stay\0", "\ud800", "x" * 4000, "", "\n\n", "🃏" * 500, "stay\nstay"])
def test_odd_text_is_judged_as_any_other(house: House, client: FlaskClient, text: str) -> None:
    match_id = house.start_match("middle-card", 3)
    token = house.last("Ann").token
    body = json.dumps({"ply": 1, "move": text})
    path = f"/api/seats/{token}/moves"
    response = client.post(path, data=body, content_type="application/json")
    again = client.post(path, data=body, content_type="application/json")
    assert got(response, 202) == got(again, 202)
    house.judge(match_id)
    assert verdict(client, response)[0] in {"rejected", "played"}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "ply"),
        ({"ply": 1}, "move"),
        ({"ply": "one", "move": "stay"}, "ply"),
        ({"ply": 1.5, "move": "stay"}, "ply"),
        ({"ply": None, "move": "stay"}, "ply"),
        ({"ply": 2**31, "move": "stay"}, "ply"),
        ({"ply": 1, "move": 7}, "move"),
        ({"ply": 1, "move": None}, "move"),
        ({"ply": 1, "move": ["stay"]}, "move"),
        ({"ply": 1, "move": "x" * 4001}, "move"),
        ({"ply": 1, "move": "stay", "seat": 2}, "seat"),
    ],
)
def test_what_is_no_move_at_all_is_refused_naming_its_field(
    house: House, client: FlaskClient, body: dict[str, Any], field: str
) -> None:
    house.start_match("middle-card", 3)
    response = client.post(f"/api/seats/{house.last('Ann').token}/moves", json=body)
    assert refused(response, 422).startswith(f"{field}: ")
    assert not house.all(select(Submission.id))


@pytest.mark.parametrize(
    ("data", "content_type", "statuses"),
    [
        (b"", "application/json", {400, 422}),
        (b"{", "application/json", {400, 422}),
        (b"[]", "application/json", {400, 422}),
        (b"null", "application/json", {400, 422}),
        (b'"move"', "application/json", {400, 422}),
        (b"\xff\xfe", "application/json", {400, 422}),
        (b"ply=1&move=stay", "application/x-www-form-urlencoded", {415}),
        (b'{"ply": 1, "move": "stay"}', "text/plain", {415}),
        (b'{"ply": 1, "move": "stay", "x": "' + b"x" * 70000 + b'"}', "application/json", {413}),
        (b"[" * 60000, "application/json", {400, 422}),
    ],
)
def test_what_is_no_json_is_refused(
    house: House, client: FlaskClient, data: bytes, content_type: str, statuses: set[int]
) -> None:
    house.start_match("middle-card", 3)
    path = f"/api/seats/{house.last('Ann').token}/moves"
    response = client.post(path, data=data, content_type=content_type)
    assert response.status_code in statuses
    refused(response, response.status_code)
    assert not house.all(select(Submission.id))


def test_an_unknown_submission_is_not_found(client: FlaskClient) -> None:
    for submission in ("x", "%00", "0" * 26, "x" * 3000):
        refused(client.get(f"/api/submissions/{submission}"), 404)
