"""What tests of acts by the API share: players with keys, and matches of theirs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from pbem.play.accounts import api_keys
from pbem.play.players import registry
from tests.support.house import address
from tests.support.web.account.api_keys import call
from tests.support.web.api.matches import got

if TYPE_CHECKING:
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from tests.support.house import House


@dataclass(frozen=True, slots=True)
class Caller:
    """A program of somebody's, with a key for everything."""

    client: FlaskClient
    key: str
    name: str

    def ask(self, path: str, body: Any = None) -> TestResponse:
        """Send a call to the API: a GET, or a POST of a body."""
        return call(self.client, self.key, f"/api/{path}", body)

    def get(self, path: str) -> Any:
        return got(self.ask(path))

    def verdict(self, path: str, body: Any) -> tuple[str, str | None]:
        """Send what is judged later, and return its verdict."""
        sent = got(self.ask(path, body), 202)["submission"]
        answer = self.get(f"submissions/{sent}")
        return answer["status"], answer["reason"]

    def seat(self) -> dict[str, str]:
        return {"name": self.name, "email": address(self.name)}


def create_key(house: House, name: str, *scopes: str) -> str:
    """Create a key of somebody whose address is verified."""
    with house.transaction() as ctx:
        player = registry.get_or_create(ctx, {address(name): name})[address(name)]
        registry.mark_verified(ctx, address(name))
        return api_keys.create(ctx, player.id, "My program", scopes or api_keys.SCOPES)


def key_headers(house: House, name: str, *scopes: str) -> dict[str, str]:
    """Return the headers of calls by a new key of somebody."""
    return {"Authorization": f"Bearer {create_key(house, name, *scopes)}"}


def caller(house: House, client: FlaskClient, name: str, *scopes: str) -> Caller:
    """Return a program of somebody whose address is verified."""
    return Caller(client, create_key(house, name, *scopes), name)


@pytest.fixture
def match_id(closed: House) -> str:
    """A match of Ann and Bob."""
    return closed.start_match("martian-whist", 2)


@pytest.fixture
def ann(closed: House, client: FlaskClient) -> Caller:
    return caller(closed, client, "Ann")


@pytest.fixture
def bob(closed: House, client: FlaskClient) -> Caller:
    return caller(closed, client, "Bob")
