"""Creation of matches for tests, by the words of the API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.play.lifecycle import create
from pbem.play.lifecycle.match_requests import MatchRequest, Terms

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.db.models import Match
    from pbem.play.core.context import Context
    from pbem.play.lifecycle.match_requests import Invitees

TERMS = {
    "bots": "bots",
    "clock": "time_control",
    "on_time": "timeout_policy",
    "reliable": "min_reliability",
    "rated": "rated",
    "public": "public",
    "open_if_declined": "open_if_declined",
}
FIELDS = {
    "creator": "creator_seat",
    "words": "invitation_text",
    "mail": "message_id",
    "follows": "previous_match_id",
}


def create_match(ctx: Context, game: str, options: Mapping[str, object], guests: Invitees, **more: Any) -> Match:
    """Create a match; `more` are its terms, and other fields of its request."""
    terms = Terms(**{TERMS[key]: value for key, value in more.items() if key in TERMS})
    others = {FIELDS.get(key, key): value for key, value in more.items() if key not in TERMS}
    return create.create_match(ctx, MatchRequest(game, options, guests, terms, **others))
