"""Each operation of the OpenAPI document has examples, which are as its schemas say; they name nobody who exists."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from pbem.web.api import examples
from tests.support.web.api.changes import METHODS, describe

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCUMENT = describe()
OPERATIONS = {
    operation["operationId"]: (path, operation)
    for path, operations in DOCUMENT["paths"].items()
    for method, operation in operations.items()
    if method in METHODS
}


def wrong(schema: dict[str, Any], example: Any) -> list[str]:
    """List what a schema of the document does not allow in an example."""
    validator = Draft202012Validator(
        schema | {"components": DOCUMENT["components"]}, format_checker=Draft202012Validator.FORMAT_CHECKER
    )
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(example)]


def places(path: str, operation: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the places of an operation that have an example, each with its schema."""
    for one in DOCUMENT["paths"][path].get("parameters", []):
        yield one["name"], one
    if "requestBody" in operation:
        yield "body", operation["requestBody"]["content"]["application/json"]
    for status, answer in operation["responses"].items():
        if status < "300":
            yield from ((f"{status} {kind}", content) for kind, content in answer["content"].items())


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_has_an_example_of_its_path_its_body_and_its_answers(name: str) -> None:
    found = dict(places(*OPERATIONS[name]))
    assert [place for place, content in found.items() if "example" not in content] == []
    assert [place for place, content in found.items() if wrong(content["schema"], content["example"])] == []


def test_examples_of_filters_are_as_the_schemas_say() -> None:
    filters = [
        one for _path, operation in OPERATIONS.values() for one in operation.get("parameters", []) if "example" in one
    ]
    assert {"game", "seats", "kind", "clock"} <= {one["name"] for one in filters}
    assert [one for one in filters if wrong(one["schema"], one["example"])] == []


def test_a_schema_that_is_not_met_is_noticed() -> None:
    assert wrong({"$ref": "#/components/schemas/Verdict"}, {"status": "lost"}) == [
        "$.status: 'lost' is not one of ['pending', 'played', 'rejected', 'already_played']",
        "$: 'reason' is a required property",
    ]


def test_problems_have_examples_once() -> None:
    schema = DOCUMENT["components"]["schemas"]["Problem"]
    assert [one["code"] for one in schema["examples"]] == ["match-over", "invalid"]
    assert [wrong(schema, one) for one in schema["examples"]] == [[], []]


def test_no_recorded_call_is_of_an_operation_that_is_gone() -> None:
    assert examples.load()["calls"].keys() == OPERATIONS.keys()


def test_an_operation_that_is_not_recorded_yet_is_described_without_an_example() -> None:
    operation = {"operationId": "get_new", "responses": {200: {"content": {"application/json": {"schema": {}}}}}}
    described = deepcopy(operation)
    examples.add_to_operation(described)
    assert described == operation
    assert examples.find_path_values(["get_new"]) == {}
    assert examples.find_path_values(["get_new", "get_weekly_week"]) == {"week": 40}


def test_no_example_has_a_real_address() -> None:
    text = examples.FILE.read_text()
    assert set(re.findall(r"[\w.+-]+@([\w.-]+)", text)) == {"example.org"}
    assert set(re.findall(r"https?://([^/\"]+)", text)) == {"games.example.org", "app.bgstatsapp.com"}
    assert "pbem_" not in text
