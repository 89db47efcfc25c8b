"""Records calls of the API with their answers, as examples of its operations."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pbem.web.api.openapi import operation_id
from tests.support.web.api.acting import create_key

if TYPE_CHECKING:
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from tests.support.house import House

EVENT_STREAM, PROBLEM = "text/event-stream", "application/problem+json"
MAX_ITEMS = 2
"""Maximum items of a list of objects in an example."""
CURSOR = re.compile(r"(\d{10})-\d+-(\d+)")


@dataclass(slots=True)
class Recorder:
    """A house with its API, and the first call of each operation so far, by its name; and what was refused."""

    house: House
    client: FlaskClient
    calls: dict[str, dict[str, Any]] = field(default_factory=dict)
    problems: list[Any] = field(default_factory=list)
    keys: dict[str, str] = field(default_factory=dict)

    def call(
        self, name: str, method: str, path: str, body: Any = None, query: dict[str, Any] | None = None, **where: Any
    ) -> Any:
        """Call an operation with the key of somebody, or with none; record what it served, and return it."""
        answer = self._send(name, method, path.format(**where), body, query)
        is_stream = answer.mimetype == EVENT_STREAM
        served = first_event(answer.text) if is_stream else json.loads(answer.data)
        answer.close()
        assert answer.status_code < 300, served
        own = self.calls.setdefault(operation_id(method, path), {"answers": {}})
        for key, value in {"path": where or None, "query": query, "body": body}.items():
            if value is not None:
                own.setdefault(key, value)
        own["answers"].setdefault(str(answer.status_code), shortened(served))
        return served

    def refused(self, name: str, method: str, path: str, body: Any, **where: Any) -> None:
        """Call an operation that refuses it; record the problem."""
        answer = self._send(name, method, path.format(**where), body)
        assert answer.mimetype == PROBLEM, answer.text
        self.problems.append(json.loads(answer.data))

    def _send(self, name: str, method: str, path: str, body: Any, query: dict[str, Any] | None = None) -> TestResponse:
        if name and name not in self.keys:
            self.keys[name] = create_key(self.house, name)
        headers = {"Authorization": f"Bearer {self.keys[name]}"} if name else {}
        more = {} if body is None else {"json": body}
        return self.client.open(path, method=method.upper(), headers=headers, query_string=query, **more)


def first_event(stream: str) -> dict[str, Any]:
    """Return the fields of the first event of a stream."""
    block = next(one for one in stream.split("\n\n") if one.startswith(("id: ", "event: ")))
    return dict(line.split(": ", 1) for line in block.splitlines())


def shortened(value: Any) -> Any:
    """Return an answer with the first items of its long lists."""
    if isinstance(value, dict):
        return {key: shortened(inner) for key, inner in value.items()}
    if isinstance(value, list):
        kept = value[:MAX_ITEMS] if any(isinstance(one, dict) for one in value) else value
        return [shortened(one) for one in kept]
    # In the middle is the number of a transaction, another one in each database.
    return CURSOR.sub(r"\1-1200-\2", value) if isinstance(value, str) and CURSOR.fullmatch(value) else value
