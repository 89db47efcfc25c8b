"""What the OpenAPI document says of every operation: its name, headers, examples, and errors as problem details."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from apispec import BasePlugin

from pbem.web.api import examples

if TYPE_CHECKING:
    from apispec import APISpec

PROBLEM_CONTENT = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}

_LIMITS = ("RateLimit", "RateLimit-Policy")
_RETRY_AFTER = {
    "headers": {
        "Retry-After": {
            "required": True,
            "schema": {"type": "integer"},
            "description": "seconds until the next attempt",
        }
    }
}
_RETRYABLE = {429: _RETRY_AFTER, 503: _RETRY_AFTER}
HEADERS = {
    "ETag": "names this answer, for `If-None-Match`",
    "RateLimit": "what is left of each limit: `r` calls, until it begins anew in `t` seconds",
    "RateLimit-Policy": "the limits that this call counts for: `q` calls in `w` seconds",
    "Idempotent-Replayed": "`true` if a call with this key was answered before",
}
"""Headers of answers, with what they say."""
PARAMETERS = {
    "Idempotency-Key": {
        "description": "a name of your own for this call: if it is sent again with the same name within 24 hours, it "
        "does nothing, and is answered as it was the first time",
        "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
    },
    "If-None-Match": {
        "description": "the `ETag` of an earlier answer: 304 if it would be the same",
        "schema": {"type": "string"},
    },
}
"""Headers of requests."""
_WITH_INPUT = {
    413: "the request is too large",
    422: "a field is invalid, or the request cannot be carried out",
}


class OperationsPlugin(BasePlugin):
    """Plugin that names each operation, and adds examples, and the errors that `pbem.web.request.errors` answers."""

    def path_helper(
        self,
        path: str | None = None,
        operations: dict[str, Any] | None = None,
        parameters: list[Any] | None = None,
        **_more: Any,
    ) -> None:
        """Add examples to the parameters that the operations of a path share."""
        names = [operation_id(method, path or "") for method in operations or {}]
        examples.add_to_parameters(parameters or (), examples.find_path_values(names))

    def operation_helper(self, path: str | None = None, operations: dict[str, Any] | None = None, **_more: Any) -> None:
        """Add the names and the errors to the operations of a path."""
        for method, operation in (operations or {}).items():
            operation["operationId"] = operation_id(method, path or "")
            responses = operation["responses"]
            known = {int(code): _description(one, int(code)) for code, one in responses.items() if _is_error(code)}
            for status, words in (_possible_errors(method, path or "", operation) | known).items():
                responses.pop(str(status), None)
                responses[status] = {"description": words, "content": PROBLEM_CONTENT} | _RETRYABLE.get(status, {})
            responses.pop("default", None)
            _add_headers(method, operation)
            examples.add_to_operation(operation)


def operation_id(method: str, path: str) -> str:
    """Return the name of an operation."""
    return "_".join([method, *re.findall(r"\w+", path.removeprefix("/api"))])


def add_components(spec: APISpec) -> None:
    """Add the headers that operations refer to."""
    for name, words in HEADERS.items():
        spec.components.header(name, {"schema": {"type": "string"}, "description": words})
    for name, parameter in PARAMETERS.items():
        spec.components.parameter(name, "header", {"name": name, **parameter})


def add_problems(spec: APISpec) -> None:
    """Add examples of problem details to their schema, once for all operations."""
    spec.components.schemas["Problem"]["examples"] = examples.load()["problems"]


def drop_impossible_default(_converter: Any, _field: Any, ret: dict[str, Any], **_more: Any) -> dict[str, Any]:
    """Drop the default of a field that stands for nothing, and is no value of it: the field may be left out."""
    if "enum" in ret and ret.get("default") == "":
        del ret["default"]
    return {}


def _add_headers(method: str, operation: dict[str, Any]) -> None:
    """Add the headers of requests and answers that all operations of a method have."""
    responses = operation["responses"]
    known = {"get": ("If-None-Match", ["ETag"]), "post": ("Idempotency-Key", ["Idempotent-Replayed"])}
    parameter, own = known.get(method, ("", []))
    if parameter:
        operation.setdefault("parameters", []).append(parameter)
    for code, response in responses.items():
        if isinstance(response, dict) and str(code).isdecimal() and not _is_error(code):
            headers = response.setdefault("headers", {})
            headers |= {name: {"$ref": f"#/components/headers/{name}"} for name in (*_LIMITS, *own)}
    if method == "get":
        responses["304"] = {"description": "the answer is the one that `If-None-Match` names"}


def _possible_errors(method: str, path: str, operation: dict[str, Any]) -> dict[int, str]:
    errors = {
        400: "the request cannot be read",
        421: "this host is not served",
        429: "too many requests",
        500: "an internal error",
        503: "the service is unavailable",
    }
    if "{" in path or "<" in path:
        errors[404] = "not found"
    if "security" in operation:
        errors |= {401: "no valid key", 403: "the key lacks the scope"}
    if "requestBody" in operation:
        errors[415] = "the body is not JSON"
    if method == "post":
        errors[409] = "a call with this `Idempotency-Key` is in progress"
    if "requestBody" in operation or method == "post" or "parameters" in operation:
        errors |= _WITH_INPUT
    return errors


def _is_error(status: int | str) -> bool:
    return str(status).isdecimal() and int(status) >= HTTPStatus.BAD_REQUEST


def _description(response: Any, status: int) -> str:
    given = response.get("description", "") if isinstance(response, dict) else ""
    phrase = HTTPStatus(status).phrase
    return given if given and given != phrase else _WITH_INPUT.get(status, phrase)
