"""While a disk is full pages can be read, and nothing else: every other request is told to come later."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from flask import request
from werkzeug.exceptions import ServiceUnavailable

from pbem.db import disk_space
from pbem.i18n import _
from pbem.play.upkeep.disk_full import SENTENCE
from pbem.web.common.context import service

if TYPE_CHECKING:
    from flask import Flask

READING = {"GET", "HEAD", "OPTIONS"}
SECONDS_TO_WAIT = 60
"""A disk is not emptied in a moment."""
ANSWERS_ITSELF = {"inbound_mail"}
"""Rooms that tell of it in words of their own."""


def watch(app: Flask) -> None:
    """Refuse what would have to be kept, and say so on every page."""

    @app.before_request
    def only_reading() -> None:
        if (
            request.method not in READING
            and request.blueprint not in ANSWERS_ITSELF
            and disk_space.is_full(service().config)
        ):
            refuse()

    @app.context_processor
    def on_every_page() -> dict[str, str]:
        return {"shortage": _(SENTENCE) if disk_space.is_full(service().config) else ""}


def refuse() -> NoReturn:
    """Answer that nothing can be kept."""
    raise refusal()


def refusal() -> ServiceUnavailable:
    """Give the answer to what cannot be kept."""
    return ServiceUnavailable(SENTENCE, retry_after=SECONDS_TO_WAIT)
