"""What tests of api share."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from pbem.db.session import set_task_sender
from tests.support.web.site import pages_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from tests.support.house import House


VIEW = {
    "match", "game", "options", "seat", "ply", "to_move", "moves", "moves_are_all", "suggestions", "board", "text",
    "outcome", "commitment", "head", "robots", "bots", "rated",
}  # fmt: skip


def app_of(house: House) -> Flask:
    app = pages_of(house)
    app.config["SERVER_NAME"] = house.config.base_url.partition("//")[2]
    return app


@pytest.fixture
def client(house: House) -> Iterator[FlaskClient]:
    set_task_sender(lambda _task, _arguments: None)
    yield app_of(house).test_client()
    set_task_sender(lambda _task, _arguments: None)


def refused(response: TestResponse, status: int, code: str = "") -> str:
    """Check the form of an error, and its code if there is one to expect; return its sentence."""
    assert response.status_code == status
    assert response.content_type == "application/problem+json"
    said = json.loads(response.data)
    assert said["status"] == status
    assert said["title"]
    assert said["detail"]
    assert said["code"] == code or not code
    reason: str = said["reason"]
    assert reason
    assert len(reason.splitlines()) == 1
    return reason


def got(response: TestResponse, status: int = 200) -> Any:
    assert response.status_code == status
    assert response.content_type == "application/json"
    return json.loads(response.data)


def move(client: FlaskClient, token: str, ply: Any, text: Any) -> TestResponse:
    return client.post(f"/api/seats/{token}/moves", json={"ply": ply, "move": text})
