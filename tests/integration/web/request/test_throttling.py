"""Too much from one network is refused at each door, with when to come again, before anything of it is looked at."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pbem.config import DEFAULT_RATE_LIMITS
from pbem.web import create_app
from pbem.web.request import throttling
from tests.support.web.api.matches import refused

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from tests.support.house import House

KEY = {"Authorization": "Bearer pbem_wrong"}
ELSEWHERE = {"X-Forwarded-For": "192.0.2.7"}


@pytest.fixture
def few(local: House, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    """The pages of a house that takes two of everything."""
    for door in throttling.REQUESTS_PER_HOUR:
        monkeypatch.setitem(throttling.REQUESTS_PER_HOUR, door, 2)
    return create_app(replace(local.config, limits=DEFAULT_RATE_LIMITS), local.engine).test_client()


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [
        ("GET", "/api/games", {}),
        ("GET", "/api/seats/nothing", {}),
        ("POST", "/api/seats/nothing/moves", {}),
        ("GET", "/api/me", KEY),
        ("GET", "/api/games", KEY),
    ],
)
def test_calls_of_one_network_are_counted(few: FlaskClient, method: str, path: str, headers: dict[str, str]) -> None:
    for _ in range(2):
        assert few.open(path, method=method, headers=headers).status_code != 429
    last = few.open(path, method=method, headers=headers)
    assert "Too many requests" in refused(last, 429)
    assert 0 < int(last.headers["Retry-After"]) <= 3600
    assert few.open(path, method=method, headers=headers | ELSEWHERE).status_code != 429
    # Pages, and what is only looked at, have other limits.
    assert few.get("/").status_code == 200


@pytest.mark.parametrize("path", ["/m/nothing", "/sign-in/nothing", "/invitation/nothing", "/unsubscribe/nothing"])
def test_forms_of_one_network_are_counted(few: FlaskClient, path: str) -> None:
    assert [few.post(path).status_code == 429 for _ in range(3)] == [False, False, True]
    last = few.post(path)
    assert "Too many requests" in last.get_data(as_text=True)
    assert last.headers["Retry-After"]
    assert few.post(path, headers=ELSEWHERE).status_code != 429


def test_mail_services_are_counted_by_mail_and_not_by_call(local: House, few: FlaskClient) -> None:
    config = replace(local.config, limits=DEFAULT_RATE_LIMITS, incoming_key="k" * 40)
    service = create_app(config, local.engine).test_client()
    assert {service.post("/incoming/raw").status_code for _ in range(4)} == {401}
    assert few.post("/sign-out").status_code != 429
