"""Request bodies of the API: JSON only, with numbers that can be parsed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from flask_smorest import Blueprint
from webargs.core import missing
from webargs.flaskparser import FlaskParser

from pbem.i18n import marked
from pbem.web.request.errors import refuse

if TYPE_CHECKING:
    from flask import Request


class JSONBodyParser(FlaskParser):
    """Parser of JSON bodies that refuses anything else."""

    def _raw_load_json(self, req: Request) -> Any:
        if not req.is_json:
            if req.get_data(cache=True) or req.form:
                refuse(415, marked("Send JSON, with “Content-Type: application/json”."))
            return missing
        try:
            return super()._raw_load_json(req)
        except (json.JSONDecodeError, UnicodeDecodeError):
            raise
        except ValueError:
            # Python parses no integer of more than 4,300 digits.
            refuse(400, marked("A number in this request is too long."))


class APIBlueprint(Blueprint):  # type: ignore[misc]
    """Blueprint of a part of the API."""

    ARGUMENTS_PARSER = JSONBodyParser()
