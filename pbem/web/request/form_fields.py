"""Form and query fields: texts that can be stored, and numbers that fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Request, request
from werkzeug.datastructures import ImmutableMultiDict

if TYPE_CHECKING:
    from flask import Flask

MAX_DIGITS = 9
"""Maximum digits of a number; any such number fits every numeric column of the database."""
MAX_ID_DIGITS = 18
"""Maximum digits of the id of a row."""
NUL_TO_BLANK = str.maketrans("\0", " ")
"""NUL, which no text of the database holds, is read as a blank, as are other characters that show nothing."""


class Fields(ImmutableMultiDict[str, str]):
    """Fields of a form or a query string, without characters that the database would refuse."""

    def __init__(self, mapping: Any = None) -> None:
        fields = ImmutableMultiDict(mapping).items(multi=True)
        super().__init__([(name.translate(NUL_TO_BLANK), value.translate(NUL_TO_BLANK)) for name, value in fields])


class StorableRequest(Request):
    """Request whose text fields can be stored."""

    parameter_storage_class = Fields


def init_app(app: Flask) -> None:
    """Set the request class of the application."""
    app.request_class = StorableRequest


def parse_number(typed: str | None, digits: int = MAX_DIGITS) -> int | None:
    """Parse a number of at most this many digits; None for anything else."""
    plain = typed is not None and typed.isascii() and typed.isdigit() and len(typed) <= digits
    return int(typed) if typed is not None and plain else None


def get_number(name: str, digits: int = MAX_DIGITS) -> int | None:
    """Parse a numeric field of the query string or the form; None if it is missing or no number."""
    return parse_number(request.values.get(name), digits)
