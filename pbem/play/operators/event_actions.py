"""Operators' acts on events: to remove or exchange entrants, and to annul a result. Those concerned are notified."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.db.models import Event, EventMatch
from pbem.play.core.actors import MATCH, PLAYER, ActionError, ActionResult, Actor
from pbem.play.core.errors import Refused
from pbem.play.events import entries
from pbem.play.ladders import annulling
from pbem.play.leagues import exchanges, leaving, running
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
    player, season = lookup.get_player(ctx, number), _season(ctx, event)
    try:
        leaving.leave(ctx, season, player.id, entries.REMOVED, said=reason)
    except Refused as refused:
        raise ActionError(str(refused)) from None
    return ActionResult(f"Player {number} is removed from season {event}, and is notified.", detail={"event": event})


@act("exchange", PLAYER)
def exchange(ctx: Context, _actor: Actor, number: int, reason: str, /, event: int, other: int) -> ActionResult:
    """Exchange two entrants of different groups of a season before it begins; both are told why."""
    player, season = lookup.get_player(ctx, number), _season(ctx, event)
    try:
        exchanges.exchange(ctx, season, player.id, other, reason)
    except Refused as refused:
        raise ActionError(str(refused)) from None
    return ActionResult(
        f"Players {number} and {other} have exchanged their groups in season {event}, and are notified.",
        detail={"event": event, "other": other},
    )


@act("annul result", MATCH)
def annul_result(ctx: Context, _actor: Actor, match_id: str, reason: str, /) -> ActionResult:
    """Annul the result of a match for its league or ladder; ratings stay as they are."""
    place = ctx.session.get(EventMatch, match_id)
    event = entries.lock_event(ctx, place.event_id) if place else None
    match = lookup.lock_match(ctx, match_id)
    if place is None or event is None or event.kind not in {EventKind.LEAGUE, EventKind.LADDER}:
        raise ActionError("The match is not part of a league or a ladder.")
    ctx.session.refresh(place)
    if place.annulled_at is not None:
        return ActionResult(f"The result of match {match.id} is already annulled.", changed=False)
    if match.state != MatchState.OVER:
        raise ActionError("The match is not over. Abort it, and it does not count.")
    if event.state == EventState.OVER:
        raise ActionError("The season is over, and its places stand.")
    if event.kind == EventKind.LADDER:
        annulling.annul(ctx, event, place, reason)
        return ActionResult(f"Match {match.id} counts on the ladder no more; its players are notified.")
    running.annul(ctx, place)
    notify_match(ctx, match, RESULT_ANNULLED, reason)
    return ActionResult(f"The result of match {match.id} counts in no table; its players are notified.")


def _season(ctx: Context, event: int) -> Event:
    found = ctx.session.get(Event, event)
    if found is None or found.kind != EventKind.LEAGUE:
        raise ActionError(f"There is no season {event} of a league here.")
    return found
