"""What has been taken away from the API since the description that is stored in the tests' data.

`python -m tests.support.web.api.changes` stores the present one. First describe what it takes away in
docs/reference/api-changes.md.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.config import from_environment
from pbem.web import create_app
from tests.support.house import settings
from tests.support.places import DATA

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

STORED = DATA / "openapi.json"
METHODS = ("get", "put", "post", "delete", "patch")
NOWHERE = "postgresql+psycopg://nobody@127.0.0.1:1/nothing"


def describe() -> dict[str, Any]:
    """Return the present description of the API, as a service on this machine gives it."""
    config = from_environment(settings(NOWHERE, Path("/nowhere")))
    app = create_app(config)
    found: dict[str, Any] = json.loads(app.test_client().get("/api/openapi.json", base_url=config.base_url).data)
    return found


def losses(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """List what programs could rely on before and cannot any more."""
    return [*_lost_operations(before["paths"], now["paths"]), *_lost_fields(before, now)]


def _lost_operations(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    for path, operations in before.items():
        for method in METHODS:
            if method not in operations:
                continue
            name, old = f"{method.upper()} {path}", operations[method]
            new = now.get(path, {}).get(method)
            if new is None:
                yield name
                continue
            yield from (f"{name}: the answer {code}" for code in _served(old) - _served(new))
            parameters, present = _parameters(old), _parameters(new)
            yield from (f"{name}: the parameter {one}" for one in parameters.keys() - present.keys())
            yield from (
                f"{name}: the parameter {one} is required"
                for one, required in present.items()
                if required and not parameters.get(one, False)
            )
            yield from (
                f"{name}: the name {old['operationId']}" for _ in "1" if old["operationId"] != new["operationId"]
            )
            if str(old.get("security")) != str(new.get("security")):
                yield f"{name}: its scope"


def _served(operation: Mapping[str, Any]) -> set[str]:
    return {code for code in operation["responses"] if code < "400"}


def _parameters(operation: Mapping[str, Any]) -> dict[str, bool]:
    return {one.get("name", one.get("$ref", "")): bool(one.get("required")) for one in operation.get("parameters", ())}


def _lost_fields(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    schemas = now["components"]["schemas"]
    sent = _sent_schemas(now)
    for name, old in before["components"]["schemas"].items():
        if name not in schemas:
            yield f"the schema {name}"
            continue
        new = schemas[name]
        fields, present = old.get("properties", {}), new.get("properties", {})
        for field, shape in fields.items():
            if field not in present:
                yield f"{name}.{field}"
            elif shape.get("type") != present[field].get("type"):
                yield f"{name}.{field}: its type"
            else:
                values = {*map(str, shape.get("enum", ()))} - {*map(str, present[field].get("enum", ()))}
                yield from (f"{name}.{field}: the value {value}" for value in values)
        required, was = {*new.get("required", ())}, {*old.get("required", ())}
        changed = required - was if name in sent else was - required
        yield from (f"{name}.{field}: whether it may be left out" for field in changed)


def _sent_schemas(document: Mapping[str, Any]) -> set[str]:
    """Return the schemas of what programs send, at any depth."""
    bodies = [
        operation["requestBody"]
        for operations in document["paths"].values()
        for method, operation in operations.items()
        if method in METHODS and "requestBody" in operation
    ]
    found: set[str] = set()
    waiting = _references(bodies)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting |= _references(document["components"]["schemas"][name])
    return found


def _references(value: Any) -> set[str]:
    if isinstance(value, dict):
        own = {value["$ref"].rpartition("/")[2]} if isinstance(value.get("$ref"), str) else set()
        return own.union(*map(_references, value.values()))
    return set().union(*map(_references, value)) if isinstance(value, list) else set()


def outline(value: Any) -> Any:
    """Return a description without its words, its errors and its headers, which are not compared."""
    if isinstance(value, list):
        return [outline(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        key: outline(inner)
        for key, inner in value.items()
        if not (key in {"description", "summary"} and isinstance(inner, str))
        and not (key.isdecimal() and key >= "400")
        and key not in {"headers", "example", "examples"}
    }


if __name__ == "__main__":
    STORED.write_text(json.dumps(outline(describe()), indent=1, ensure_ascii=False) + "\n")
