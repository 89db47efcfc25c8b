"""Delay of moves that the service plays for a seat, so that their timing does not reveal how they came about.

Where nothing is hidden, everybody can see which moves are forced, and they are played at once. In a game with hidden
information an instant move would reveal that there was no choice: it comes after as long as this player usually thinks.
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
"""Typical thinking times of people, shortest first, for players with too few moves of their own."""
ENOUGH = 5
"""Minimum moves of a player from which to derive their thinking times."""
REMEMBERED = 60
"""Maximum latest moves of a player to derive their thinking times from; older ones do not matter."""
AT_ONCE = timedelta(seconds=5)
"""Minimum thinking time: a faster move was played by the service, or sent along with the one before."""
BEFORE = timedelta(minutes=10)
"""Minimum time between a move that the service plays and the deadline."""
TRIES = 40
_BITS = 64


def at(ctx: Context, match: Match, holder: Holder, row: Deadline) -> datetime | None:
    """Return when the service plays for a seat that is to move; None where it does not.

    A robot's moves always come at once.
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
    """Return whether seats of a game know what others do not, which is when the game overrides `exchange`."""
    return type(game).exchange is not Game.exchange


def moment(ctx: Context, match: Match, holder: Holder, due: datetime | None) -> datetime:
    """Draw when a player who was asked now would move: after their usual delay, awake and before the deadline."""
    known = delays(ctx, holder.player, match.game)
    latest = due - BEFORE if due else None
    absent = _absences(ctx, match, holder)
    drawn = ctx.now
    for _try in range(TRIES):
        drawn = ctx.now + _drawn(ctx, known)
        if _present(holder.player, absent, drawn) == drawn and not (latest and drawn > latest):
            return drawn
    # All draws fell into the night, an absence or after the deadline: draw a time after they are back.
    drawn = _present(holder.player, absent, drawn) + HOUR * _share(ctx)
    if latest and drawn > latest:
        drawn = ctx.now + max(latest - ctx.now, timedelta()) * _share(ctx)
    return drawn


def is_interrupted(ctx: Context, match: Match, holder: Holder) -> bool:
    """Return whether a person is on vacation or the match paused, as of now, in a game with hidden information.

    A move that came now would reveal that nobody had thought about it.
    """
    hidden = not holder.player.bot and hides(find(match.game, match.edition))
    return hidden and any(_covers(span, ctx.now) for span in _absences(ctx, match, holder))


def _absences(ctx: Context, match: Match, holder: Holder) -> list[Span]:
    """List the intervals in which a player will not move, as far as the others know."""
    spans = clock_pauses.spans(ctx, match, holder, ctx.now)
    return [span for span in spans if span.why in {PauseReason.AWAY, PauseReason.PAUSED} and span.end]


def _covers(span: Span, moment: datetime) -> bool:
    return span.begin <= moment and span.end is not None and moment < span.end


def _present(player: Player, absent: Sequence[Span], moment: datetime) -> datetime:
    """Return the first time from a moment on at which a player is back and awake."""
    for span in sorted(absent, key=lambda span: span.begin):
        if span.end and _covers(span, moment):
            moment = span.end
    return calculation.after_the_night(
        moment, Life(player.zone, calculation.night(player.quiet_from, player.quiet_until))
    )


def delays(ctx: Context, player: Player, game: str) -> Sequence[timedelta]:
    """List a player's thinking times for a game, else for any game, else those of people in general, shortest first."""
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
    """Draw a time distributed like some known ones, interpolated so that hardly any two are the same."""
    place = _share(ctx) * (len(known) - 1)
    below = int(place)
    return known[below] + (known[below + 1] - known[below]) * (place - below)


def _share(ctx: Context) -> float:
    """Return a random number in [0, 1)."""
    return int.from_bytes(ctx.draw(_BITS // 8), "big") / (1 << _BITS)
