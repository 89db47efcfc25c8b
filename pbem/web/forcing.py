"""Choosing whether the service plays where there is no choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, request

from pbem.play import forced
from pbem.web import forms, times, visiting
from pbem.web.here import table
from pbem.words import _

if TYPE_CHECKING:
    from werkzeug import Response as BaseResponse

pages = Blueprint("forcing", __name__)


@pages.post("/me/time/forced")
def choose() -> str | BaseResponse | tuple[str, int]:
    """Keep whether somebody's only moves are played for them."""
    signed_in = visiting.needed()
    with table() as at:
        if not forms.is_ours("my forced moves"):
            return times.page(at, signed_in, _(forms.OLD_FORM)), 400
        forced.choose(at, times.player_of(at, signed_in), on="plays_forced" in request.form)
    return times.kept()
