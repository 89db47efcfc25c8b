"""Examples in the OpenAPI document: a call of each operation with its answers, recorded from the running service."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

FILE = Path(__file__).with_name("examples.json")


@cache
def load() -> dict[str, Any]:
    """Load the recorded calls by the name of their operation, and the recorded problems."""
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def add_to_operation(operation: dict[str, Any]) -> None:
    """Add the recorded call to an operation: to its parameters, its body and its answers.

    An operation that was not recorded yet is left as it is, so that a service with it starts, and can be recorded.
    """
    call = load()["calls"].get(operation["operationId"], {})
    add_to_parameters(operation.get("parameters", ()), call.get("query", {}))
    parts = [(operation.get("requestBody", {}), call.get("body"))]
    parts += [(one, call.get("answers", {}).get(str(status))) for status, one in operation["responses"].items()]
    for part, example in parts:
        if example is not None:
            for content in part.get("content", {}).values():
                content["example"] = example


def add_to_parameters(parameters: Iterable[Any], values: dict[str, Any]) -> None:
    """Add values to the parameters of these names."""
    for one in parameters:
        if isinstance(one, dict) and one.get("name") in values:
            one["example"] = values[one["name"]]


def find_path_values(operations: Iterable[str]) -> dict[str, Any]:
    """Return the values of a path's parameters in the call of the first of its operations that was recorded."""
    calls = load()["calls"]
    found: dict[str, Any] = next((calls[one].get("path", {}) for one in operations if one in calls), {})
    return found
