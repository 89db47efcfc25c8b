"""Nothing is taken away from the API unnoticed: additions alone need no word in docs/reference/api-changes.md."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.web.api.changes import STORED, describe, losses

if TYPE_CHECKING:
    from collections.abc import Callable

    Document = dict[str, Any]


@pytest.fixture(scope="module")
def stored() -> Document:
    found: Document = json.loads(STORED.read_text())
    return found


def test_all_that_programs_rely_on_is_still_there(stored: Document) -> None:
    assert not losses(stored, describe()), "describe it in docs/reference/api-changes.md, and store the new description"


def drop_operation(document: Document) -> None:
    del document["paths"]["/api/lobby"]["get"]


def drop_path(document: Document) -> None:
    del document["paths"]["/api/me"]


def drop_answer(document: Document) -> None:
    del document["paths"]["/api/me"]["get"]["responses"]["200"]


def drop_parameter(document: Document) -> None:
    document["paths"]["/api/lobby"]["get"]["parameters"].pop(0)


def require_parameter(document: Document) -> None:
    document["paths"]["/api/lobby"]["get"]["parameters"][0]["required"] = True


def rename_operation(document: Document) -> None:
    document["paths"]["/api/me"]["get"]["operationId"] = "who"


def ask_for_another_scope(document: Document) -> None:
    document["paths"]["/api/me"]["get"]["security"] = [{"key": ["play"]}]


def drop_schema(document: Document) -> None:
    del document["components"]["schemas"]["Verdict"]


def drop_field(document: Document) -> None:
    del document["components"]["schemas"]["View"]["properties"]["ply"]


def change_type(document: Document) -> None:
    document["components"]["schemas"]["View"]["properties"]["ply"]["type"] = "string"


def drop_value(document: Document) -> None:
    document["components"]["schemas"]["Verdict"]["properties"]["status"]["enum"].remove("pending")


def leave_out_of_an_answer(document: Document) -> None:
    document["components"]["schemas"]["View"]["required"].remove("ply")


def require_in_a_request(document: Document) -> None:
    document["components"]["schemas"]["NewMatch"].setdefault("required", []).append("clock")


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (drop_operation, "GET /api/lobby"),
        (drop_path, "GET /api/me"),
        (drop_answer, "GET /api/me: the answer 200"),
        (drop_parameter, "GET /api/lobby: the parameter game"),
        (require_parameter, "GET /api/lobby: the parameter game is required"),
        (rename_operation, "GET /api/me: the name get_me"),
        (ask_for_another_scope, "GET /api/me: its scope"),
        (drop_schema, "the schema Verdict"),
        (drop_field, "View.ply"),
        (change_type, "View.ply: its type"),
        (drop_value, "Verdict.status: the value pending"),
        (leave_out_of_an_answer, "View.ply: whether it may be left out"),
        (require_in_a_request, "NewMatch.clock: whether it may be left out"),
    ],
)
def test_what_breaks_programs_is_noticed(stored: Document, change: Callable[[Document], None], found: str) -> None:
    changed = deepcopy(stored)
    change(changed)
    assert losses(stored, changed) == [found]


def test_additions_pass(stored: Document) -> None:
    more = deepcopy(stored)
    more["paths"]["/api/new"] = deepcopy(more["paths"]["/api/me"])
    view = more["components"]["schemas"]["View"]
    view["properties"]["new"] = {"type": "string"}
    view["required"].append("new")
    more["components"]["schemas"]["NewMatch"]["properties"]["new"] = {"type": "string"}
    more["paths"]["/api/lobby"]["get"]["parameters"].append({"name": "new", "in": "query", "schema": {}})
    assert not losses(stored, more)
