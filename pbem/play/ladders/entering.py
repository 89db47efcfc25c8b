"""Entering a ladder, and leaving it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import or_, select

from pbem.db.models import LadderChallenge
from pbem.events import ladder
from pbem.i18n import _
from pbem.play.core.errors import Code, Refused
from pbem.play.events import entries
from pbem.play.ladders import ladder_mails, places
from pbem.states import ChallengeState

if TYPE_CHECKING:
    from pbem.db.models import Entrant, Event, Player
    from pbem.play.core.context import Context

IDLE = "idle"
"""Why a player is off a ladder who has not played for long; other reasons are those of `entries`."""


def enter(ctx: Context, event: Event, player: Player, name: str) -> Entrant:
    """Enter a player into a ladder, in its last place; raises Refused if they cannot."""
    event = entries.lock_event(ctx, event.id)
    before = places.order(ctx, event)
    entrant = entries.enter(ctx, event, player, name)
    entrant.losses_on_time, entrant.asked_at = 0, None
    places.store(ctx, event, ladder.join(before, player.id))
    return entrant


def leave(ctx: Context, event: Event, player: Player) -> None:
    """Withdraw a player from a ladder by their own wish; raises Refused if they are not on it."""
    if not remove(ctx, event, player, entries.ASKED):
        raise Refused(_("You are not on this ladder."), code=Code.NOT_ENTERED)


def take_off(ctx: Context, event: Event, player: Player, reason: str) -> None:
    """Withdraw a player by the rules of the ladder, and mail them why."""
    if remove(ctx, event, player, reason):
        facts = {"reason": reason}
        ladder_mails.enqueue(ctx, ladder_mails.OFF, event, player.id, facts, once=f"{event.id} {ctx.now.isoformat()}")


def remove(ctx: Context, event: Event, player: Player, reason: str) -> bool:
    """Withdraw a player: those below move up, and challenges that wait for an answer are over.

    A match that has begun goes on, without an effect on the places. Returns whether the player was on the ladder.
    """
    event = entries.lock_event(ctx, event.id)
    before = places.order(ctx, event)
    if player.id not in before:
        return False
    entries.withdraw(ctx, event, player, reason)
    places.store(ctx, event, ladder.without(before, player.id))
    theirs = or_(LadderChallenge.challenger_id == player.id, LadderChallenge.challenged_id == player.id)
    waiting = select(LadderChallenge).where(LadderChallenge.event_id == event.id, theirs)
    waiting = waiting.where(LadderChallenge.state == ChallengeState.OFFERED).order_by(LadderChallenge.id)
    for challenge in ctx.session.scalars(waiting).all():
        challenge.state, challenge.ended_at = ChallengeState.OVER, ctx.now
        other = challenge.challenged_id if challenge.challenger_id == player.id else challenge.challenger_id
        ladder_mails.enqueue_about(ctx, ladder_mails.ENDED, event, other, challenge)
    return True
