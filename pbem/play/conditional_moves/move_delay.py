"""Thinking: when the service plays for a seat, so that the moment of a move tells nobody how it came about.

Where nothing is hidden, everybody can see what had to be played, and it is played at once. Where something is, a move
that comes at once would tell that there was no choice: it comes after as long as this player takes to think.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from pbem.db.models import Holder, Match, Turn
from pbem.games import Game, find
from pbem.play.clocks import calculation, clock_pauses
from pbem.play.clocks.calculation import HOUR, Life, Span
from pbem.play.conditional_moves import selection
from pbem.play.matches.match_state import course_of
from pbem.states import PauseReason

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from pbem.db.models import Deadline, Player
    from pbem.play.core.context import Context

USUAL = tuple(timedelta(minutes=each) for each in (3, 8, 20, 45, 90, 150, 240, 360, 540, 780, 1080, 1440))
"""How long people think, one with another, shortest first: for those of whom too little is known."""
ENOUGH = 5
"""After so many moves of their own it is known how long somebody thinks."""
REMEMBERED = 60
"""So many of somebody's moves tell how long they think; how they played long ago does not matter."""
AT_ONCE = timedelta(seconds=5)
"""Who moves so soon has not thought: the service did it, or the move had been sent along with the one before."""
BEFORE = timedelta(minutes=10)
"""A move that the service plays comes so long before the deadline."""
TRIES = 40
_BITS = 64


def at(ctx: Context, match: Match, holder: Holder, row: Deadline) -> datetime | None:
    """Give when the service plays for a seat that is asked for a move; None where it does not.

    A robot's moves come at once, whatever they are.
    """
    if holder.player.bot:
        return ctx.now
    if not selection.may_choose(ctx, holder):
        return None
    course = course_of(ctx, match)
    if selection.choose(ctx, course, holder) is None:
        return None
    return moment(ctx, match, holder, row.due_at) if hides(course.game) else ctx.now


def hides(game: Game[Any]) -> bool:
    """Tell whether seats of a game know what others do not: then it can exchange that for something else."""
    return type(game).exchange is not Game.exchange


def moment(ctx: Context, match: Match, holder: Holder, due: datetime | None) -> datetime:
    """Draw when a player would move who was asked now: as they do, awake and before the deadline."""
    known = delays(ctx, holder.player, match.game)
    latest = due - BEFORE if due else None
    absent = _absences(ctx, match, holder)
    drawn = ctx.now
    for _try in range(TRIES):
        drawn = ctx.now + _drawn(ctx, known)
        if _present(holder.player, absent, drawn) == drawn and not (latest and drawn > latest):
            return drawn
    # As they think, they would move at night, while they are away or too late: then some time after they are back.
    drawn = _present(holder.player, absent, drawn) + HOUR * _share(ctx)
    if latest and drawn > latest:
        drawn = ctx.now + max(latest - ctx.now, timedelta()) * _share(ctx)
    return drawn


def is_interrupted(ctx: Context, match: Match, holder: Holder) -> bool:
    """Tell whether a person has gone away, or the table pauses, since it was drawn when a move of theirs comes.

    A move that came now would tell that nobody had thought about it.
    """
    hidden = not holder.player.bot and hides(find(match.game, match.edition))
    return hidden and any(_covers(span, ctx.now) for span in _absences(ctx, match, holder))


def _absences(ctx: Context, match: Match, holder: Holder) -> list[Span]:
    """List when somebody will not move, as far as the others know."""
    spans = clock_pauses.spans(ctx, match, holder, ctx.now)
    return [span for span in spans if span.why in {PauseReason.AWAY, PauseReason.PAUSED} and span.end]


def _covers(span: Span, moment: datetime) -> bool:
    return span.begin <= moment and span.end is not None and moment < span.end


def _present(player: Player, absent: Sequence[Span], moment: datetime) -> datetime:
    """Put a moment off until somebody is back and awake."""
    for span in sorted(absent, key=lambda span: span.begin):
        if span.end and _covers(span, moment):
            moment = span.end
    return calculation.after_the_night(
        moment, Life(player.zone, calculation.night(player.quiet_from, player.quiet_until))
    )


def delays(ctx: Context, player: Player, game: str) -> Sequence[timedelta]:
    """List how long a player has thought about moves of a game, of any game, or people about any, shortest first."""
    own = (
        select(Turn.asked_at, Turn.moved_at)
        .join(Holder, Holder.id == Turn.holder_id)
        .where(Holder.player_id == player.id, Turn.moved_at - Turn.asked_at >= AT_ONCE)
        .order_by(Turn.moved_at.desc())
        .limit(REMEMBERED)
    )
    for theirs in (own.join(Match, Match.id == Turn.match_id).where(Match.game == game), own):
        known = sorted(moved - asked for asked, moved in ctx.session.execute(theirs))
        if len(known) >= ENOUGH:
            return known
    return USUAL


def _drawn(ctx: Context, known: Sequence[timedelta]) -> timedelta:
    """Draw a time that is spread as some are, of which no two would be the same."""
    place = _share(ctx) * (len(known) - 1)
    below = int(place)
    return known[below] + (known[below + 1] - known[below]) * (place - below)


def _share(ctx: Context) -> float:
    """Draw a number from 0 up to 1."""
    return int.from_bytes(ctx.draw(_BITS // 8), "big") / (1 << _BITS)
