"""Matches that the service arranges for those who have entered an event: entering was accepting, so nobody is invited.

They are created some time before they begin, so that everybody can see the commitment, and type a text for the deal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.games import GAMES
from pbem.play.lifecycle import match_rows, start

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.db.models import Match
    from pbem.play.core.context import Context
    from pbem.play.lifecycle.match_requests import MatchRequest


def arrange(ctx: Context, request: MatchRequest, entropies: Sequence[str | None] = ()) -> Match:
    """Create a match that all have accepted, without a mail; `entropies` are those of seats whose players typed a text.

    `request.event` says what it is part of. The caller must have checked the options, and who may play.
    """
    rules = GAMES[request.game]
    options: dict[str, Any] = dict(rules.settle(len(request.invitees), request.options))
    match = match_rows.add_match(ctx, request, rules, options, request.invitees)
    match_rows.seat_players(ctx, match, request.invitees, request.host)
    for seat in match.seats:
        seat.accepted_at = ctx.now
    for seat, entropy in zip(match.seats, entropies, strict=False):
        seat.entropy = entropy
    ctx.session.flush()
    return match


def begin(ctx: Context, match: Match) -> None:
    """Start an arranged match; those who are to move are mailed. If it shares a deal, that must be made."""
    start.start_match(ctx, match, None, None, {})
