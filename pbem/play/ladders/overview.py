"""Ladders as their pages, mails and the API show them: places, challenges, and what a reader can do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from pbem.db.models import Entrant, LadderChallenge
from pbem.events import ladder
from pbem.play.ladders import challenges, names, obstacles, open_ladders, places, results
from pbem.states import ChallengeState, EntrantState

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from pbem.db.models import Event
    from pbem.play.core.context import Context
    from pbem.play.ladders.results import Result

MAX_HISTORY = 30
"""Maximum challenges of the past that are listed at once."""


@dataclass(frozen=True, slots=True)
class ChallengeSummary:
    """A challenge as everybody may see it; `won` is whether the challenger won, None for no winner or not yet.

    `until` is when it lapses, while it waits; `is_out` and `is_in` are whether it is the reader's own, or to them.
    """

    number: int
    challenger: str
    challenged: str
    places: tuple[int, int]
    state: ChallengeState
    offered_at: datetime
    answered_at: datetime | None
    ended_at: datetime | None
    until: datetime | None
    match: str | None
    won: bool | None
    on_time: bool
    is_out: bool
    is_in: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A place of a ladder."""

    place: int
    name: str
    since: datetime | None
    is_own: bool
    can_challenge: bool


@dataclass(frozen=True, slots=True)
class Ladder:
    """A ladder, with the challenges that have not ended, and the reader's place if they are on it."""

    event: Event
    rows: tuple[Row, ...]
    unfinished: tuple[ChallengeSummary, ...]
    own: int | None

    @property
    def waiting(self) -> tuple[ChallengeSummary, ...]:
        """The reader's challenges that wait for an answer, out and in."""
        return tuple(
            one for one in self.unfinished if (one.is_out or one.is_in) and one.state == ChallengeState.OFFERED
        )

    @property
    def reach(self) -> int:
        """How many places above one's own can be challenged."""
        return ladder.reach(len(self.rows))


@dataclass(frozen=True, slots=True)
class LadderSummary:
    """A ladder in a list: how many are on it, who is first, and the reader's place if they are on it."""

    event: Event
    count: int
    first: str
    own: int | None


def list_all(ctx: Context, reader: int | None) -> list[LadderSummary]:
    """List all ladders, in two statements."""
    ladders = open_ladders.list_all(ctx)
    columns = Entrant.event_id, func.count(), func.max(Entrant.name).filter(Entrant.place == 1)
    own = func.max(Entrant.place).filter(Entrant.player_id == (reader or 0))
    listed = select(*columns, own).where(Entrant.event_id.in_([one.id for one in ladders]))
    listed = listed.where(Entrant.state == EntrantState.ENTERED).group_by(Entrant.event_id)
    found = {row[0]: row for row in ctx.session.execute(listed)}
    return [LadderSummary(one, *found[one.id][1:]) if one.id in found else LadderSummary(one, 0, "", None)
            for one in ladders]  # fmt: skip


def load(ctx: Context, event: Event, reader: int | None = None) -> Ladder:
    """Load a ladder as a reader may see it, in a number of statements that does not depend on its length."""
    listed = places.entrants(ctx, event)
    near = set(obstacles.challengeable(ctx, event, reader)) if reader else set()
    rows = tuple(
        Row(place, one.name, one.place_since, one.player_id == reader, one.player_id in near)
        for place, one in enumerate(listed, 1)
    )
    unfinished = select(LadderChallenge).where(LadderChallenge.event_id == event.id, LadderChallenge.ended_at.is_(None))
    found = ctx.session.scalars(unfinished.order_by(LadderChallenge.id)).all()
    own = next((row.place for row in rows if row.is_own), None)
    return Ladder(event, rows, summarise(ctx, event, found, reader), own)


def history(ctx: Context, event: Event, reader: int | None = None) -> tuple[ChallengeSummary, ...]:
    """List the challenges of a ladder that have ended, the last first."""
    over = select(LadderChallenge).where(LadderChallenge.event_id == event.id, LadderChallenge.ended_at.is_not(None))
    ordered = over.order_by(LadderChallenge.ended_at.desc(), LadderChallenge.id.desc())
    return summarise(ctx, event, ctx.session.scalars(ordered.limit(MAX_HISTORY)).all(), reader)


def summarise(
    ctx: Context, event: Event, found: Sequence[LadderChallenge], reader: int | None = None
) -> tuple[ChallengeSummary, ...]:
    """Return some challenges of a ladder as a reader may see them."""
    if not found:
        return ()
    called = names.load(ctx, event, {player for one in found for player in (one.challenger_id, one.challenged_id)})
    ended = results.load(ctx, [one.match_id for one in found if one.match_id and one.ended_at])
    times = challenges.lapse_times(ctx, [one for one in found if one.state == ChallengeState.OFFERED])
    return tuple(
        _summary(one, called, times.get(one.id), ended.get(one.match_id) if one.match_id else None, reader)
        for one in found
    )


def _summary(
    one: LadderChallenge, called: dict[int, str], until: datetime | None, result: Result | None, reader: int | None
) -> ChallengeSummary:
    winner = result.winner if result else None
    return ChallengeSummary(
        number=one.id,
        challenger=called.get(one.challenger_id, ""),
        challenged=called.get(one.challenged_id, ""),
        places=(one.challenger_place, one.challenged_place),
        state=one.state,
        offered_at=one.offered_at,
        answered_at=one.answered_at,
        ended_at=one.ended_at,
        until=until,
        match=one.match_id,
        won=None if winner is None else winner == one.challenger_id,
        on_time=result is not None and result.late is not None,
        is_out=reader == one.challenger_id,
        is_in=reader == one.challenged_id,
    )
