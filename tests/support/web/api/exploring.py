"""Requests to the API as its OpenAPI document allows them, and as it does not: every answer must be as described."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi import checks
from sqlalchemy import select

from pbem.db.models import Match, Player
from pbem.games import GAMES
from pbem.play.accounts import api_keys
from pbem.play.analysis import requests
from pbem.play.core.context import system_time
from pbem.play.players import registry
from pbem.robots.analyses import PAR
from pbem.web import create_app
from tests.support.house import address
from tests.support.play.events import fields
from tests.support.play.events.entering import enter, open_event
from tests.support.play.ladders import climbing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from schemathesis import APIOperation, Case

    from tests.support.house import House

CHECKS = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]
SEATS = ({"name": "Ann", "email": address("Ann")}, {"bot": True}, {"open": True})
RUNNING = (("minimax", 1), ("martian-whist", 2), ("middle-card", 3), ("amazonian-buffet", 2), ("martian-whist", 2))
SERVED = 300
PRIME = 2654435761
"""What spreads the numbers of requests over all that may be chosen."""


@dataclass(slots=True)
class World:
    """A house with matches of all kinds, and Ann with a key, who sits at some of them."""

    app: Flask
    key: str
    names: dict[str, list[str]]
    answered: Counter[tuple[str, int]] = field(default_factory=Counter)

    @classmethod
    def of(cls, house: House) -> World:
        """Fill a house in which only those who are signed in may make matches."""
        house = replace(house, config=replace(house.config, allow_anonymous=False))
        made = [house.start_match(game, seats) for game, seats in RUNNING]
        made.append(house.start_match("montauk", 2, public=False))
        over = house.start_match("martian-whist", 2)
        house.reply(house.last("Ann"), "take 3")
        house.reply(house.last("Bob"), "resign yes")
        house.mails("Ann")
        tokens = [mail.token for mail in house.every_mail if "/m/" in mail.text]
        made += [over, over, house.make("martian-trickery", 3)]
        with house.transaction() as ctx:
            registry.mark_verified(ctx, address("Ann"))
            ann = ctx.session.scalars(select(Player).where(Player.name == "Ann")).one()
            requests.ask(ctx, ctx.session.get_one(Match, over), PAR, ann.id)
            key = api_keys.create(ctx, ann.id, "Explorer", api_keys.SCOPES)
        app = create_app(house.config, house.engine)
        app.config["SERVER_NAME"] = house.config.base_url.partition("//")[2]
        now = system_time()
        seasons = [open_event(house, season=one, opens_at=now, starts_at=now + timedelta(days=9)) for one in (1, 2)]
        enter(house, seasons[0], "Ann", now)
        names = {"match_id": made, "token": tokens, "game": list(GAMES), "submission": [], "absence": [], "line": []}
        names["event_id"] = [*map(str, seasons)]
        names["set_id"] = fields.sets(house, fields.begin_field(house))
        climbing.climb(house)
        names["number"] = [str(climbing.challenge(house, "Bob", "Ann", now))]
        names |= {"what": ["accept", "decline", "take-back"], "week": ["1", "2"]}
        return cls(app, key, names | {"seat": ["1", "2"], "table": made})

    @property
    def requests(self) -> int:
        """How many requests were answered."""
        return self.answered.total()

    @property
    def never_served(self) -> set[str]:
        """Name the operations none of whose requests were served: of them little is known."""
        operations = {operation for operation, _status in self.answered}
        return operations - {operation for operation, status in self.answered if status < SERVED}

    def explore(self, examples: int, start: int | None = None) -> None:
        """Send so many requests of each kind to each operation."""
        document = schemathesis.openapi.from_wsgi("/api/openapi.json", self.app)
        for found in document.get_all_operations():
            assert isinstance(found, Ok)
            operation = found.ok()
            # A wrong path is one of no page at all: only bodies can be wrong in many ways.
            for mode in GenerationMode if operation.body else [GenerationMode.POSITIVE]:
                self._ask(operation, mode, examples, start)

    def _ask(
        self, operation: APIOperation[Any, Any, Any, Any], mode: GenerationMode, examples: int, start: int | None
    ) -> None:
        @settings(
            max_examples=examples,
            derandomize=start is None,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def request(case: Case[Any]) -> None:
            self._send(case, self.requests * PRIME >> 4)

        (seed(start)(request) if start is not None else request)()

    def _send(self, case: Case[Any], which: int) -> None:
        """Send one request: three of four name what there is, with the key; one of two says what could be done."""
        headers = {"Authorization": f"Bearer {self.key}"} if which % 4 else {}
        if which % 4 and case.path_parameters:
            case.path_parameters = dict(self._named(case.path_parameters, which))
        if which % 2 and case.body and (meant := self._meant(case, which)):
            case.body = meant
        if "/me/stream" in case.operation.path:
            # Nobody waits here for what does not happen.
            case.query = {**case.query, **({"wait": 0} if case.operation.path.endswith("/poll") else {"seconds": 1})}
        answer = case.call(headers=headers)
        self.answered[case.operation.label, answer.status_code] += 1
        case.validate_response(answer, checks=CHECKS)
        if answer.status_code == 202 and "submission" in answer.json():
            self.names["submission"] = [*self.names["submission"][-5:], answer.json()["submission"]]
        if answer.status_code < SERVED and case.operation.path == "/api/me/absences":
            self.names["absence"] = [str(one["id"]) for one in answer.json()["absences"]]
        if answer.status_code < SERVED and case.operation.path.endswith("/lines"):
            self.names["line"] = [*self.names["line"], *(str(one["id"]) for one in answer.json())][-5:]

    def _named(self, parameters: Any, which: int) -> Iterator[tuple[str, Any]]:
        for number, (name, made_up) in enumerate(parameters.items(), 3):
            there_are = self.names[name]
            yield name, there_are[(which >> number) % len(there_are)] if there_are else made_up

    def _meant(self, case: Case[Any], which: int) -> Any:
        """Return a body that makes sense where a request goes to, if one is known."""
        path, names = case.operation.path, case.path_parameters
        if path.endswith("/moves"):
            at = f"/api/seats/{names['token']}" if "token" in names else f"/api/me/matches/{names['match_id']}"
            answer = self.app.test_client().get(at, headers={"Authorization": f"Bearer {self.key}"})
            seen = answer.get_json() or {}
            return seen.get("moves") and {"ply": seen["ply"], "move": seen["moves"][which % len(seen["moves"])]}
        if path == "/api/matches":
            return {"game": list(GAMES)[which % len(GAMES)], "seats": [SEATS[0], *SEATS[which % 3 :]]}
        if path.endswith("/me/absences"):
            return {"last": str(datetime.now(tz=UTC).date() + timedelta(days=which % 9))}
        if path.endswith("/lines"):
            return {"moves": [f"take {1 + which % 3}"]}
        if path.endswith("/plan"):
            return {"lines": ["when I can: pass", "always pass"][: which % 3]}
        return (
            {"step": which % 2, "seats": [SEATS[0], SEATS[0] | {"name": "Ann too"}]} if path.endswith("/fork") else None
        )
