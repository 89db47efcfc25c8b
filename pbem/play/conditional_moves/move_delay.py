"""Delay of moves that the service plays for a seat, so that their timing does not reveal how they came about.

Where nothing is hidden, everybody can see which moves are forced, and they are played at once. In a game with hidden
information an instant move would reveal that there was no choice: it comes after as long as this player usually thinks.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from pbem.db.models import Match, MoveTiming, SeatHolder
from pbem.games import Game, find
from pbem.play.clocks import calculation, clock_pauses
from pbem.play.clocks.calculation import HOUR, Availability, Interval
from pbem.play.conditional_moves import robot_moves, selection
from pbem.play.matches.match_state import load_match
from pbem.states import PauseReason

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from pbem.db.models import Deadline, Player
    from pbem.play.core.context import Context

TYPICAL_THINKING_TIMES = tuple(
    timedelta(minutes=each) for each in (3, 8, 20, 45, 90, 150, 240, 360, 540, 780, 1080, 1440)
)
"""Typical thinking times of people, shortest first, for players with too few moves of their own."""
MIN_SAMPLES = 5
"""Minimum moves of a player from which to derive their thinking times."""
MAX_SAMPLES = 60
"""Maximum latest moves of a player to derive their thinking times from; older ones do not matter."""
MIN_THINKING_TIME = timedelta(seconds=5)
"""Minimum thinking time: a faster move was played by the service, or sent along with the one before."""
DEADLINE_MARGIN = timedelta(minutes=10)
"""Minimum time between a move that the service plays and the deadline."""
MAX_DRAWS = 40


def scheduled_time(ctx: Context, match: Match, holder: SeatHolder, row: Deadline) -> datetime | None:
    """Return when the service plays for a seat that is to move, at the latest; None where it does not."""
    if holder.player.is_robot:
        return robot_moves.scheduled_time(ctx, match, holder)
    if selection.choose(ctx, course := load_match(ctx, match), holder) is None:
        return None
    return draw_time(ctx, match, holder, row.due_at) if has_hidden_information(course.game) else ctx.now


def has_hidden_information(game: Game[Any]) -> bool:
    """Return whether seats of a game know what others do not, which is when the game overrides `exchange`."""
    return type(game).exchange is not Game.exchange


def draw_time(ctx: Context, match: Match, holder: SeatHolder, due: datetime | None) -> datetime:
    """Draw when a player whose turn begins now would move: after their usual delay, awake and before the deadline."""
    known = thinking_times(ctx, holder.player, match.game)
    latest = due - DEADLINE_MARGIN if due else None
    absent = _absences(ctx, match, holder)
    drawn = ctx.now
    for _try in range(MAX_DRAWS):
        drawn = ctx.now + _draw_delay(ctx, known)
        if _next_available(holder.player, absent, drawn) == drawn and not (latest and drawn > latest):
            return drawn
    # All draws fell into the night, an absence or after the deadline: draw a time after they are back.
    drawn = _next_available(holder.player, absent, drawn) + HOUR * _random_fraction(ctx)
    if latest and drawn > latest:
        drawn = ctx.now + max(latest - ctx.now, timedelta()) * _random_fraction(ctx)
    return drawn


def is_interrupted(ctx: Context, match: Match, holder: SeatHolder) -> bool:
    """Return whether a person is on vacation or the match paused, as of now, in a game with hidden information.

    A move that came now would reveal that nobody had thought about it.
    """
    hidden = not holder.player.is_robot and has_hidden_information(find(match.game, match.edition))
    return hidden and any(_covers(span, ctx.now) for span in _absences(ctx, match, holder))


def _absences(ctx: Context, match: Match, holder: SeatHolder) -> list[Interval]:
    """List the intervals in which a player will not move, as far as the others know."""
    spans = clock_pauses.stopped_intervals(ctx, match, holder, ctx.now)
    return [span for span in spans if span.reason in {PauseReason.AWAY, PauseReason.PAUSED} and span.end]


def _covers(span: Interval, moment: datetime) -> bool:
    return span.begin <= moment and span.end is not None and moment < span.end


def _next_available(player: Player, absent: Sequence[Interval], moment: datetime) -> datetime:
    """Return the first time from a moment on at which a player is back and awake."""
    for span in sorted(absent, key=lambda span: span.begin):
        if span.end and _covers(span, moment):
            moment = span.end
    return calculation.skip_night(
        moment, Availability(player.time_zone, calculation.quiet_hours(player.quiet_from, player.quiet_until))
    )


def thinking_times(ctx: Context, player: Player, game: str) -> Sequence[timedelta]:
    """List a player's thinking times for a game, else for any game, else those of people in general, shortest first."""
    own = (
        select(MoveTiming.asked_at, MoveTiming.moved_at)
        .join(SeatHolder, SeatHolder.id == MoveTiming.holder_id)
        .where(SeatHolder.player_id == player.id, MoveTiming.moved_at - MoveTiming.asked_at >= MIN_THINKING_TIME)
        .order_by(MoveTiming.moved_at.desc())
        .limit(MAX_SAMPLES)
    )
    for query in (own.join(Match, Match.id == MoveTiming.match_id).where(Match.game == game), own):
        known = sorted(moved_at - asked_at for asked_at, moved_at in ctx.session.execute(query))
        if len(known) >= MIN_SAMPLES:
            return known
    return TYPICAL_THINKING_TIMES


def _draw_delay(ctx: Context, known: Sequence[timedelta]) -> timedelta:
    """Draw a time distributed like some known ones, interpolated so that hardly any two are the same."""
    place = _random_fraction(ctx) * (len(known) - 1)
    below = int(place)
    return known[below] + (known[below + 1] - known[below]) * (place - below)


def _random_fraction(ctx: Context) -> float:
    """Return a random number in [0, 1)."""
    return int.from_bytes(ctx.draw(8), "big") / (1 << 64)
