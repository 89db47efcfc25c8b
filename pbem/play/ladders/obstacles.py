"""Whom a player of a ladder can challenge, and why not, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import or_, select

from pbem.db.models import LadderChallenge
from pbem.events import ladder
from pbem.events.ladder import Challenge, Obstacle
from pbem.i18n import _, marked
from pbem.play.core.errors import Code, Refused
from pbem.play.ladders import places, vacations
from pbem.play.moderation import avoidance, invitation_blocks

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from pbem.db.models import Entrant, Event, Player
    from pbem.play.core.context import Context

_REFUSALS: Mapping[Obstacle, tuple[Code, str]] = {
    Obstacle.NOT_ENTERED: (Code.NOT_ENTERED, marked("You are not on this ladder. Enter it first.")),
    Obstacle.NOT_LISTED: (Code.UNKNOWN_NAME, marked("{name} is not on this ladder any more.")),
    Obstacle.ONESELF: (Code.ONESELF, marked("You cannot challenge yourself.")),
    Obstacle.BELOW: (Code.BELOW, marked("{name} is below you. You can challenge only those above.")),
    Obstacle.TOO_HIGH: (
        Code.TOO_HIGH,
        marked("{name} is too far above you. You can challenge those at most {reach} places above."),
    ),
    Obstacle.AWAY: (Code.AWAY, marked("You are on vacation. End it before you challenge somebody.")),
    Obstacle.THEY_ARE_AWAY: (Code.THEY_ARE_AWAY, marked("{name} is on vacation.")),
    Obstacle.HAS_CHALLENGED: (
        Code.HAS_CHALLENGED,
        marked("You have challenged somebody already. You can have one challenge out at a time."),
    ),
    Obstacle.THEY_ARE_CHALLENGED: (
        Code.THEY_ARE_CHALLENGED,
        marked("{name} has been challenged already. Try again when that match is over."),
    ),
    Obstacle.REMATCH: (
        Code.MET_LATELY,
        marked("The two of you can meet again 30 days after your last challenge ended."),
    ),
}


def check(ctx: Context, event: Event, player: Player, challenged: Entrant) -> None:
    """Raise Refused if a player cannot challenge an entrant now; the caller has locked the ladder."""
    if refused := refusal(ctx, event, player, challenged):
        raise refused


def refusal(ctx: Context, event: Event, player: Player, challenged: Entrant) -> Refused | None:
    """Return why a player cannot challenge an entrant now; None if they can."""
    order, other = places.order(ctx, event), challenged.player_id
    challenges = _load_challenges(ctx, event, {player.id, other})
    away = vacations.away(ctx, [player.id, other])
    found = ladder.obstacle(order, challenges, away, ctx.now, player.id, other)
    if found:
        code, sentence = _REFUSALS[found]
        return Refused(_(sentence, name=challenged.name, reach=ladder.reach(len(order))), "name", code=code)
    is_apart = other in avoidance.kept_apart(ctx, player.id)
    return Refused(_(invitation_blocks.REFUSAL), "name") if is_apart else None


def challengeable(ctx: Context, event: Event, player: int) -> list[int]:
    """List the players whom one of a ladder can challenge now, the highest first."""
    order = places.order(ctx, event)
    if player not in order:
        return []
    near = ladder.reachable(order, player)
    challenges = _load_challenges(ctx, event, {player, *near})
    away, apart = vacations.away(ctx, [player, *near]), avoidance.kept_apart(ctx, player)
    return [
        other
        for other in near
        if other not in apart and ladder.obstacle(order, challenges, away, ctx.now, player, other) is None
    ]


def _load_challenges(ctx: Context, event: Event, players: Collection[int]) -> Sequence[Challenge]:
    """Load the challenges of some players that have not ended, or so lately that the same two cannot meet again."""
    theirs = or_(LadderChallenge.challenger_id.in_(players), LadderChallenge.challenged_id.in_(players))
    recent = LadderChallenge.ended_at.is_(None) | (LadderChallenge.ended_at > ctx.now - ladder.REMATCH_AFTER)
    columns = LadderChallenge.challenger_id, LadderChallenge.challenged_id, LadderChallenge.ended_at
    rows = ctx.session.execute(select(*columns).where(LadderChallenge.event_id == event.id, theirs, recent))
    return [Challenge(*row) for row in rows]
