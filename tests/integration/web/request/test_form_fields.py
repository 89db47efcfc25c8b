"""No argument and no field, whatever it holds, is a fault of any route."""

from __future__ import annotations

import itertools
import logging
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from sqlalchemy import select

from pbem.db.models import OutboxMessage, ServiceMail, Submission
from pbem.web import create_app
from pbem.web.request import csrf, form_fields
from tests.support.examples import examples, few
from tests.support.play.submissions.permissions import invited_and_moved
from tests.support.web.account.settings import signed_in
from tests.support.web.operators.office import appointed, set_up

if TYPE_CHECKING:
    from werkzeug.routing import Rule
    from werkzeug.test import TestResponse

    from tests.support.house import House
    from tests.support.pages import Visitor

HOSTILE = {
    "nothing": b"\0",
    "a long number": b"9" * 5000,
    "half a letter": b"\xed\xa0\x80",
    "a sign": b"%",
    "a digit that counts nothing": "²".encode(),
    "a number below": b"-1",
}
JSON = {
    "a long number": b"9" * 5000,
    "nothing": b'"\\u0000"',
    "half a letter": b'"\\ud800"',
    "a number below": b"-1",
    "no number": b"NaN",
    "a list": b"[[]]",
}


class Noted(form_fields.Fields):
    """Fields that note which of them are read."""

    names: set[str] = set()  # noqa: RUF012 -- one for all

    def __getitem__(self, key: str) -> str:
        Noted.names.add(key)
        return super().__getitem__(key)

    def get(self, key: str, *more: Any, **named: Any) -> Any:
        Noted.names.add(key)
        return super().get(key, *more, **named)

    def getlist(self, key: str, *more: Any, **named: Any) -> Any:
        Noted.names.add(key)
        return super().getlist(key, *more, **named)

    def __contains__(self, key: object) -> bool:
        Noted.names.add(str(key))
        return super().__contains__(key)


class Walk:
    """Somebody who asks every route for everything, from another network each time."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.networks = itertools.count(1)
        self.browser = self.enter()
        self.faults: list[str] = []
        self.asked = 0

    def enter(self) -> Visitor:
        """Sign in as an operator who has entered."""
        browser = appointed(self.house, "Ann")
        set_up(self.house, browser, "Ann")
        return browser

    def ask(self, method: str, path: str, what: str, **more: Any) -> TestResponse:
        """Ask for something, and note it where that is a fault."""
        number = next(self.networks)
        address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        response = self.browser.client.open(path, method=method, environ_overrides={"REMOTE_ADDR": address}, **more)
        response.get_data()
        response.close()
        self.asked += 1
        if response.status_code in {500, 503}:
            self.faults.append(f"{method} {path[:80]} {what}")
        return response

    def everything(self, rule: Rule, method: str, path: str) -> None:
        """Ask a route with all that it reads being hostile, and with each alone."""
        Noted.names.clear()
        self.ask(method, path, "nothing")
        known: set[str] = set()
        while Noted.names - known:
            known = set(Noted.names)
            self.send(method, path, dict.fromkeys(known, b"1"), "ones")
        for what, value in few(HOSTILE.items()):
            self.send(method, path, dict.fromkeys(known, value), f"{what} everywhere")
            for name in few(sorted(known), 8):
                self.send(method, path, dict.fromkeys(known, b"1") | {name: value}, f"{name}: {what}")
        for name, (what, value) in few(itertools.product(rule.arguments, HOSTILE.items())):
            hostile = {one: quote(value) if one == name else "1" for one in rule.arguments}
            self.ask(method, path_of(rule, hostile), f"{name}: {what}")

    def send(self, method: str, path: str, values: dict[str, bytes], what: str) -> None:
        """Send fields as a form, or in the address."""
        encoded = "&".join(f"{quote(name)}={quote(value)}" for name, value in values.items())
        if method == "GET":
            self.ask(method, f"{path}?{encoded}", what)
        else:
            form = "application/x-www-form-urlencoded"
            self.ask(method, path, what, data=encoded, content_type=form)


def path_of(rule: Rule, names: dict[str, Any]) -> str:
    """Return the path of a rule, with these names in it."""
    path = rule.rule
    for name in rule.arguments:
        for form in (f"<{name}>", f"<int:{name}>", f"<path:{name}>"):
            path = path.replace(form, str(names.get(name, 1)))
    return path


@pytest.fixture
def walk(local: House, monkeypatch: pytest.MonkeyPatch, judged: None) -> Walk:  # noqa: ARG001
    # So that what stands behind a nonce is reached, with whatever a page of ours would have posted.
    monkeypatch.setattr(csrf, "is_valid", lambda _purpose: True)
    monkeypatch.setattr(form_fields.StorableRequest, "parameter_storage_class", Noted)
    return Walk(local)


def names_in(house: House) -> dict[str, Any]:
    """Return what stands for the names in addresses: things that are there."""
    played = invited_and_moved(house)
    house.start_match("martian-whist", 2)
    return {
        "token": house.last("Ann").token,
        "match_id": played.match,
        "game": "martian-whist",
        "number": house.all(select(OutboxMessage.id))[0],
        "name": "pause",
        "submission": house.all(select(Submission.id))[0],
        "seat": 1,
        "step": 1,
        "address": "ann@example.org",
        "letter": [*house.all(select(ServiceMail.id)), 1][0],
    }


def routes(house: House) -> list[tuple[Rule, str]]:
    """List the routes with their methods."""
    rules = create_app(house.config, house.engine).url_map.iter_rules()
    found = [
        (rule, method)
        for rule in rules
        if rule.endpoint != "static"
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})
    ]
    # What an operator needs goes first: others may end the visit. What acts goes last: it may end the turn.
    return sorted(found, key=lambda one: (not one[0].rule.startswith("/operators"), one[1] != "GET"))


def test_nothing_that_a_route_is_sent_is_a_fault(local: House, walk: Walk, caplog: pytest.LogCaptureFixture) -> None:
    names, read = names_in(local), dict[str, int]()
    for rule, method in routes(local):
        if rule.rule.startswith("/api/") and method != "GET":
            continue
        if walk.browser.client.get("/me").status_code != 200:
            walk.browser = signed_in(local)
        walk.everything(rule, method, path_of(rule, names))
        read[f"{method} {rule.rule}"] = len(Noted.names)
    assert not walk.faults
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert sum(read.values()) > 150
    assert min(read["GET /m/<token>"], read["POST /m/<token>"], read["GET /oembed"]) >= 2
    assert walk.asked > examples(3000)


def test_no_body_of_a_call_is_a_fault(local: House, walk: Walk, caplog: pytest.LogCaptureFixture) -> None:
    names = names_in(local)
    described = walk.browser.client.get("/api/openapi.json").get_json()
    bodies = described["components"]["schemas"]
    asked = 0
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            if "requestBody" not in operation:
                continue
            schema = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
            place = path.format(**{one["name"]: names.get(one["name"], 1) for one in operations.get("parameters", [])})
            for name, (what, value) in itertools.product(bodies[schema]["properties"], JSON.items()):
                body = b"{" + f'"{name}": '.encode() + value + b"}"
                answer = walk.ask(method.upper(), place, f"{name}: {what}", data=body, content_type="application/json")
                assert answer.status_code in {200, 201, 202, 400, 401, 403, 404, 409, 422}, (place, name, what)
                if what == "a long number":
                    assert answer.status_code == 400
                    assert answer.get_json()["detail"] == "A number in this request is too long."
                asked += 1
    assert not walk.faults
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert asked > 100


def test_a_number_is_what_has_few_plain_digits() -> None:
    assert [form_fields.parse_number(typed) for typed in ("7", "007", "9" * 9)] == [7, 7, 999_999_999]
    for typed in (None, "", "9" * 10, "9" * 5000, "-1", "+1", "1.0", " 1", "²", "٣", "1_0", "\0", "%"):
        assert form_fields.parse_number(typed) is None
    assert form_fields.parse_number("1234", 3) is None
