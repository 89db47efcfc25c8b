"""Calls with a key of their own: sent again, they do nothing, and are answered as before."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import func, select

from pbem.db.models import IdempotencyKey, Match, Player, Submission
from pbem.play.accounts import api_keys, idempotency_keys
from pbem.play.core.context import system_time
from pbem.play.upkeep import sweeper
from tests.support.house import address
from tests.support.web.api.acting import key_headers
from tests.support.web.api.matches import client, got, move, refused

if TYPE_CHECKING:
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from tests.support.house import House

__all__ = ["client"]

NEW = {"game": "minimax", "seats": [{"name": "Ann", "email": address("Ann")}]}


@pytest.fixture
def key(house: House) -> dict[str, str]:
    return key_headers(house, "Ann")


def make(client: FlaskClient, key: dict[str, str], name: str, body: Any = NEW) -> TestResponse:
    return client.post("/api/matches", json=body, headers=key | {"Idempotency-Key": name})


def matches(house: House) -> int:
    return int(house.all(select(func.count()).select_from(Match))[0])


def test_a_call_that_is_sent_again_creates_one_match_and_is_answered_alike(
    house: House, client: FlaskClient, key: dict[str, str]
) -> None:
    first, again = make(client, key, "a"), make(client, key, "a")
    assert got(first, 201) == got(again, 201)
    assert "Idempotent-Replayed" not in first.headers
    assert again.headers["Idempotent-Replayed"] == "true"
    assert matches(house) == 1
    assert got(make(client, key, "b"), 201)["id"] != got(first, 201)["id"]
    assert matches(house) == 2


def test_without_a_key_of_its_own_each_call_acts(house: House, client: FlaskClient, key: dict[str, str]) -> None:
    for _ in range(2):
        got(client.post("/api/matches", json=NEW, headers=key), 201)
    assert matches(house) == 2
    assert house.all(select(IdempotencyKey)) == []


def test_a_key_that_was_sent_with_another_call_is_refused(
    house: House, client: FlaskClient, key: dict[str, str]
) -> None:
    got(make(client, key, "a"), 201)
    other = make(client, key, "a", NEW | {"public": False})
    assert "sent with another call" in refused(other, 422)
    assert other.get_json()["code"] == "idempotency-key-reused"
    elsewhere = client.post("/api/me/absences", json=NEW, headers=key | {"Idempotency-Key": "a"})
    assert elsewhere.get_json()["code"] == "idempotency-key-reused"
    second = key_headers(house, "Ann")
    assert make(client, second, "a").get_json()["code"] == "idempotency-key-reused"
    assert matches(house) == 1


def test_keys_of_two_players_have_nothing_to_do_with_each_other(
    house: House, client: FlaskClient, key: dict[str, str]
) -> None:
    got(make(client, key, "a"), 201)
    bob = {"game": "minimax", "seats": [{"name": "Bob", "email": address("Bob")}]}
    answer = make(client, key_headers(house, "Bob"), "a", bob)
    assert "Idempotent-Replayed" not in answer.headers
    got(answer, 201)
    assert matches(house) == 2


def test_while_a_call_is_in_progress_the_same_key_is_refused(
    house: House, client: FlaskClient, key: dict[str, str]
) -> None:
    ann = house.all(select(Player.id).where(Player.name == "Ann"))[0]
    with house.transaction() as ctx:
        assert idempotency_keys.lock(ctx, ann, "a")
        busy = make(client, key, "a")
        assert "in progress" in refused(busy, 409)
        assert busy.get_json()["code"] == "idempotency-key-in-use"
        got(make(client, key, "b"), 201)
    got(make(client, key, "a"), 201)
    assert matches(house) == 2


def test_a_call_that_was_refused_is_not_kept(house: House, client: FlaskClient, key: dict[str, str]) -> None:
    wrong = NEW | {"game": "nothing"}
    for _ in range(2):
        answer = make(client, key, "a", wrong)
        assert "Unknown game" in refused(answer, 422)
        assert "Idempotent-Replayed" not in answer.headers
    assert matches(house) == 0
    assert house.all(select(IdempotencyKey)) == []
    got(make(client, key, "a"), 201)


def test_what_was_done_is_undone_if_the_answer_cannot_be_stored(
    house: House, client: FlaskClient, key: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> None:
        raise RuntimeError("the disk is gone")

    monkeypatch.setattr(idempotency_keys, "store", fail)
    refused(make(client, key, "a"), 500)
    monkeypatch.undo()
    assert matches(house) == 0
    got(make(client, key, "a"), 201)
    assert matches(house) == 1


def test_a_move_by_the_link_of_a_mail_is_played_once(house: House, client: FlaskClient) -> None:
    house.start_match("martian-whist", 2)
    token = house.last("Ann").token
    headers = {"Idempotency-Key": "move-1"}
    body = {"ply": 1, "move": "take 3"}
    first, again = (client.post(f"/api/seats/{token}/moves", json=body, headers=headers) for _ in range(2))
    assert got(first, 202) == got(again, 202)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert house.all(select(func.count()).select_from(Submission)) == [1]
    assert got(move(client, token, 1, "take 3"), 202) == got(first, 202)
    refused(client.post("/api/seats/nothing/moves", json=body, headers=headers), 404)


def test_a_call_in_nobodys_name_cannot_be_repeated(house: House, client: FlaskClient, key: dict[str, str]) -> None:
    del key
    none = make(client, {}, "a")
    assert "Sign in or send an API key." in refused(none, 401)
    assert none.get_json()["code"] == "key-required"
    wrong = make(client, {"Authorization": "Bearer pbem_wrong"}, "a")
    assert wrong.get_json()["code"] == "key-invalid"
    assert matches(house) == 0


def test_a_repeated_call_needs_the_credentials_of_the_first(
    house: House, client: FlaskClient, key: dict[str, str]
) -> None:
    got(make(client, key, "a"), 201)
    reading = key_headers(house, "Ann", api_keys.READ)
    refused(make(client, reading, "a"), 422)
    assert "lacks the scope" in refused(make(client, reading, "b"), 403)


@pytest.mark.parametrize("name", ["", "two words", "é", "a" * 256])
def test_a_key_that_is_none_is_refused(client: FlaskClient, key: dict[str, str], name: str) -> None:
    answer = make(client, key, name)
    assert "visible ASCII" in refused(answer, 422)
    assert answer.get_json()["code"] == "idempotency-key-invalid"


def test_answers_are_kept_for_a_day(house: House, client: FlaskClient, key: dict[str, str]) -> None:
    got(make(client, key, "a"), 201)
    ann = house.all(select(Player.id).where(Player.name == "Ann"))[0]
    now = system_time()
    for hours, kept in ((23, True), (25, False)):
        with house.transaction(now + timedelta(hours=hours)) as ctx:
            assert (idempotency_keys.find(ctx, ann, "a") is not None) == kept
            sweeper.sweep(ctx)
            assert bool(ctx.session.scalars(select(IdempotencyKey)).all()) == kept


def test_an_answer_that_is_too_old_is_replaced(house: House, key: dict[str, str]) -> None:
    del key
    ann = house.all(select(Player.id).where(Player.name == "Ann"))[0]
    now = system_time()
    for day, body in enumerate(("old", "new")):
        with house.transaction(now + timedelta(days=day)) as ctx:
            assert idempotency_keys.find(ctx, ann, "a") is None
            idempotency_keys.store(ctx, ann, "a", b"", 201, body)
    assert house.all(select(IdempotencyKey.body)) == ["new"]


def test_it_is_answered_in_the_players_language_again(house: House, client: FlaskClient, key: dict[str, str]) -> None:
    with house.transaction() as ctx:
        ctx.session.scalars(select(Player).where(Player.name == "Ann")).one().language = "de"
    first, again = make(client, key, "a"), make(client, key, "a")
    assert first.headers["Content-Language"] == again.headers["Content-Language"] == "de"
