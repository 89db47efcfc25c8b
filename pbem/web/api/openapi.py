"""What the OpenAPI document says of every operation: its name, and the errors that may occur as problem details."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Any

from apispec import BasePlugin

PROBLEM_CONTENT = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}

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
_WITH_INPUT = {
    413: "the request is too large",
    422: "a field is invalid, or the request cannot be carried out",
}


class OperationsPlugin(BasePlugin):
    """Plugin that names each operation, and adds the errors that it may answer as `pbem.web.request.errors` does."""

    def operation_helper(self, path: str | None = None, operations: dict[str, Any] | None = None, **_more: Any) -> None:
        """Add the names and the errors to the operations of a path."""
        for method, operation in (operations or {}).items():
            operation["operationId"] = "_".join([method, *re.findall(r"\w+", (path or "").removeprefix("/api"))])
            responses = operation["responses"]
            known = {int(code): _description(one, int(code)) for code, one in responses.items() if _is_error(code)}
            for status, words in (_possible_errors(path or "", operation) | known).items():
                responses.pop(str(status), None)
                responses[status] = {"description": words, "content": PROBLEM_CONTENT} | _RETRYABLE.get(status, {})
            responses.pop("default", None)


def _possible_errors(path: str, operation: dict[str, Any]) -> dict[int, str]:
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
    if "requestBody" in operation or "parameters" in operation:
        errors |= _WITH_INPUT
    return errors


def _is_error(status: int | str) -> bool:
    return str(status).isdecimal() and int(status) >= HTTPStatus.BAD_REQUEST


def _description(response: Any, status: int) -> str:
    given = response.get("description", "") if isinstance(response, dict) else ""
    phrase = HTTPStatus(status).phrase
    return given if given and given != phrase else _WITH_INPUT.get(status, phrase)
