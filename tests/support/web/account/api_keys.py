"""What tests of keys share."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.web.account.sign_in import sign_in
from tests.support.web.api.matches import app_of
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from tests.support.house import House
    from tests.support.pages import Visitor
MAKE = "Create key"
KEY = re.compile(r"pbem_[0-9a-z]{32}")


@pytest.fixture
def closed(local: House, judged: None) -> House:  # noqa: ARG001
    """A house in which only those who are signed in may make matches."""
    return replace(local, config=replace(local.config, allow_anonymous=False))


@pytest.fixture
def client(closed: House) -> FlaskClient:
    return app_of(closed).test_client(use_cookies=False)


def key_for(house: House, name: str, *scopes: str) -> str:
    """Sign somebody in, and have them make a key."""
    site = visitor(house, keeps=True)
    sign_in(house, site, name)
    return make_key(site, *scopes)


def make_key(site: Visitor, *scopes: str, name: str = "My program") -> str:
    form = site.open("/me/keys").form(MAKE)
    data = {"nonce": form.fields["nonce"], "name": name, "scope": [*scopes]}
    found = KEY.search(site.client.post(form.action, data=data).text)
    assert found
    return found[0]


def call(client: FlaskClient, key: str, path: str, body: Any = None) -> TestResponse:
    headers = {"Authorization": f"Bearer {key}"}
    if body is None:
        return client.get(path, headers=headers)
    return client.post(path, headers=headers, json=body)
