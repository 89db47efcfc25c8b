"""Errors in the OpenAPI document: which may occur, all of them as problem details."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from apispec import BasePlugin

PROBLEM = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}

_AGAIN = {
    "headers": {
        "Retry-After": {
            "required": True,
            "schema": {"type": "integer"},
            "description": "seconds until it is worth while",
        }
    }
}
_LATER = {429: _AGAIN, 503: _AGAIN}
_ANYWHERE = {
    400: "this is no request that can be read",
    421: "another host was asked for",
    429: "too often",
    500: "a fault of the service",
    503: "the service cannot do this right now",
}
_WITH_A_NAME = {404: "there is no such thing here"}
_WITH_A_KEY = {401: "no key, or a wrong one", 403: "the key lacks the scope"}
_WITH_JSON = {415: "it is no JSON"}
_WITH_A_BODY = {413: "more than fits into one request", 422: "a field is wrong, or what it asks for cannot be done"}
_FIRST_ERROR = 400


class Errors(BasePlugin):
    """Plugin that adds to each operation the errors that it may answer, as `pbem.web.common.errors` formats them."""

    def operation_helper(self, path: str | None = None, operations: dict[str, Any] | None = None, **_more: Any) -> None:
        """Add the errors to the operations of a path."""
        for operation in (operations or {}).values():
            said = operation["responses"]
            known = {int(status): _words(one, int(status)) for status, one in said.items() if _is_error(status)}
            for status, words in (_possible(path or "", operation) | known).items():
                said.pop(str(status), None)
                said[status] = {"description": words, "content": PROBLEM} | _LATER.get(status, {})
            said.pop("default", None)


def _possible(path: str, operation: dict[str, Any]) -> dict[int, str]:
    return (
        _ANYWHERE
        | (_WITH_A_NAME if "{" in path or "<" in path else {})
        | (_WITH_A_KEY if "security" in operation else {})
        | (_WITH_JSON if "requestBody" in operation else {})
        | (_WITH_A_BODY if "requestBody" in operation or "parameters" in operation else {})
    )


def _is_error(status: int | str) -> bool:
    return str(status).isdecimal() and int(status) >= _FIRST_ERROR


def _words(said: Any, status: int) -> str:
    told = said.get("description", "") if isinstance(said, dict) else ""
    usual = _WITH_A_BODY.get(status, HTTPStatus(status).phrase)
    return told if told and told != HTTPStatus(status).phrase else usual
