"""Analyses of finished matches by the API: who may read one, and how one is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from werkzeug.exceptions import TooManyRequests

from pbem.db.models import Match
from pbem.play.analysis import requests
from pbem.play.core.errors import Refused
from pbem.web.common import lookup
from pbem.web.request.errors import refuse_with

if TYPE_CHECKING:
    from pbem.db.models import Analysis
    from pbem.play.core.context import Context

STATES = WAITING, DONE, FAILED = "waiting", "done", "failed"


def readable_match(ctx: Context, match_id: str, player: int | None) -> Match:
    """Return a match in which the caller has, or had, a seat, or whose replay anyone may see who has its key."""
    match = ctx.session.get(Match, match_id)
    return match if match and requests.has_sat(ctx, match, player) else lookup.open_match(ctx, match_id)


def ask(ctx: Context, match: Match, kind: str, player: int, *, anew: bool = False) -> Analysis:
    """Ask for an analysis; abort with 409 if there can be none, with 429 and when to ask again if there is a limit."""
    try:
        return requests.ask(ctx, match, kind, player, anew=anew)
    except requests.LimitReachedError as limit:
        seconds = max(1, int((limit.until - ctx.now).total_seconds()) + 1)
        raise TooManyRequests(str(limit), retry_after=seconds) from limit
    except Refused as refused:
        refuse_with(refused)


def state(row: Analysis) -> str:
    """Return how far an analysis has got."""
    if row.done_at is None:
        return WAITING
    return DONE if row.result else FAILED
