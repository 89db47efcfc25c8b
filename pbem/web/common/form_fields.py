"""Fields: what forms and addresses are sent with, as texts that can be kept and numbers that fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Request, request
from werkzeug.datastructures import ImmutableMultiDict

if TYPE_CHECKING:
    from flask import Flask

DIGITS = 9
"""A number of so many digits is one for every column of the database."""
UNKEPT = str.maketrans("\0", " ")
"""What no text of the database holds, and what is read instead: a blank, as for all that shows nothing."""


class Fields(ImmutableMultiDict[str, str]):
    """The fields of a form or an address, none of which holds what the database would refuse."""

    def __init__(self, mapping: Any = None) -> None:
        fields = ImmutableMultiDict(mapping).items(multi=True)
        super().__init__([(name.translate(UNKEPT), value.translate(UNKEPT)) for name, value in fields])


class Asked(Request):
    """A request whose fields are texts that can be kept."""

    parameter_storage_class = Fields


def read(app: Flask) -> None:
    """Make an application read all its fields so."""
    app.request_class = Asked


def number(typed: str | None, digits: int = DIGITS) -> int | None:
    """Read a number of at most so many digits; None for whatever else was typed."""
    plain = typed is not None and typed.isascii() and typed.isdigit() and len(typed) <= digits
    return int(typed) if typed is not None and plain else None


def sent(name: str, digits: int = DIGITS) -> int | None:
    """Read a number that a form has, or an address where no form was sent."""
    return number(request.values.get(name), digits)
