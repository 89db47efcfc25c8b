"""Operators' acts on events: to remove an entrant of a league, and to annul a result. Those concerned are notified."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.db.models import Event, EventMatch
from pbem.play.core.actors import MATCH, PLAYER, ActionError, ActionResult, Actor
from pbem.play.core.errors import Refused
from pbem.play.events import entries
from pbem.play.leagues import leaving
from pbem.play.operators import lookup
from pbem.play.operators.notify import notify_match
from pbem.play.operators.perform import act
from pbem.states import EventKind, EventState, MatchState

if TYPE_CHECKING:
    from pbem.play.core.context import Context

RESULT_ANNULLED = "result annulled"
"""Kind of the mail to the players."""


@act("remove", PLAYER)
def remove(ctx: Context, _actor: Actor, number: int, reason: str, /, event: int) -> ActionResult:
    """Remove a player from a season of a league, with all that leaving it means; they are told why."""
    player = lookup.lock_player(ctx, number)
    found = ctx.session.get(Event, event)
    if found is None or found.kind != EventKind.LEAGUE:
        raise ActionError(f"There is no season {event} of a league here.")
    try:
        leaving.leave(ctx, found, player.id, entries.REMOVED, said=reason)
    except Refused as refused:
        raise ActionError(str(refused)) from None
    return ActionResult(f"Player {number} is removed from season {event}, and is notified.", detail={"event": event})


@act("annul result", MATCH)
def annul_result(ctx: Context, _actor: Actor, match_id: str, reason: str, /) -> ActionResult:
    """Annul the result of a match for its league: it counts in no table, while ratings stay as they are."""
    match = lookup.lock_match(ctx, match_id)
    place = ctx.session.get(EventMatch, match.id, with_for_update=True, populate_existing=True)
    event = ctx.session.get_one(Event, place.event_id) if place else None
    if place is None or event is None or event.kind != EventKind.LEAGUE:
        raise ActionError("The match is not part of a league.")
    if place.annulled_at is not None:
        return ActionResult(f"The result of match {match.id} is already annulled.", changed=False)
    if match.state != MatchState.OVER:
        raise ActionError("The match is not over. Abort it, and it does not count.")
    if event.state == EventState.OVER:
        raise ActionError("The season is over, and its places stand.")
    place.annulled_at = ctx.now
    ctx.session.flush()
    notify_match(ctx, match, RESULT_ANNULLED, reason)
    return ActionResult(f"The result of match {match.id} counts in no table; its players are notified.")
