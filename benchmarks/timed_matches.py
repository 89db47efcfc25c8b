"""Matches of simulated people as values, on the real arithmetic of clocks: no database, only a heap of what is next."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

from pbem.play.clocks import match_lengths, time_controls
from pbem.play.clocks.calculation import (
    DAY,
    ZERO,
    Availability,
    Interval,
    TurnStart,
    bank_after_move,
    compute_due_time,
    limit_absences,
    time_allowed,
    time_spent,
)
from pbem.play.deadlines.reminder_schedule import PendingMove, ReminderPreferences, next_reminder
from pbem.play.offers.match_pauses import MAX_DURATION
from pbem.play.timeouts.absences import AUTOMATIC_DAYS, MAX_AUTOMATIC_IN_A_ROW, MAX_DAYS_PER_YEAR, ONE_MINUTE
from pbem.states import PauseReason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime, timedelta
    from random import Random

    from benchmarks.lives import Person
    from pbem.play.clocks.calculation import TimeControl

QUIET_HOURS = (22, 8)
"""The night of a player who has chosen none."""
BREAKS = 0.0025
"""In so many turns a break is agreed on: as people ask for one and others say yes in `make simulate`."""
DRAWS = 0.15
"""Two whose luck is nearer to each other than this end with equal scores."""


@dataclass(slots=True)
class Agenda:
    """The time, and what is yet to happen."""

    now: datetime
    ahead: list[tuple[datetime, int, Callable[[], None]]] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=count)

    def later(self, moment: datetime, act: Callable[[], None]) -> None:
        """Schedule something for a later time."""
        heapq.heappush(self.ahead, (max(moment, self.now), next(self._numbers), act))

    def run(self, until: datetime | None = None) -> None:
        """Live through all that happens up to a moment, or until nothing does any more."""
        while self.ahead and (until is None or self.ahead[0][0] <= until):
            self.now, _number, act = heapq.heappop(self.ahead)
            act()
        self.now = until or self.now


@dataclass(slots=True, eq=False)
class Entrant:
    """Somebody in an event: how strong they are, and the vacations that stop their clocks."""

    number: int
    person: Person
    strength: float
    vacation: timedelta = MAX_DAYS_PER_YEAR * DAY
    taken: list[Interval] = field(default_factory=list)
    forgotten: list[Turn] = field(default_factory=list)
    automatic: int = 0
    has_left: bool = False

    def stops(self, now: datetime) -> Iterator[Interval]:
        """Yield the vacations that are known at some time, in so far as their days last."""
        left = self.vacation
        for away in self.person.gone:
            if away.told and away.told <= now and left > ZERO:
                days = min(away.end - away.begin, left)
                left -= days
                yield Interval(away.begin, away.begin + days, PauseReason.AWAY)
        yield from self.taken

    def days_left(self, now: datetime) -> int:
        """Return how many days of vacation are left."""
        return (self.vacation - sum((stop.end - stop.begin for stop in self.stops(now) if stop.end), ZERO)).days


@dataclass(slots=True, eq=False)
class Turn:
    """A move that a match waits for; `due` is what was computed last."""

    match: TimedMatch
    seat: int
    asked_at: datetime
    due: datetime | None = None
    is_over: bool = False
    reminded_at: datetime | None = None
    had_days: bool = False


@dataclass(slots=True, eq=False)
class TimedMatch:
    """A match of some seats: a robot sits where there is nobody; `scores` are those at its end.

    `left` are the seats whose time ran out, or whose player withdrew.
    """

    seats: list[Entrant | None]
    started_at: datetime
    ended_at: datetime | None = None
    scores: tuple[float, ...] | None = None
    left: list[int] = field(default_factory=list)
    timed_out: list[int] = field(default_factory=list)
    stages: int = 0
    turns: list[Turn] = field(default_factory=list)
    banks: list[timedelta | None] = field(default_factory=list)
    breaks: list[Interval] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Rules:
    """What matches are like: their clock, how many stages they have, and how often all seats act in one."""

    settings: TimeControl
    stages: int
    together: float

    @classmethod
    def measured(cls, game: str, seats: int, options: Mapping[str, object], clock: str) -> Rules:
        """Return the rules of a game, by the lengths of matches that were measured."""
        length = match_lengths.estimate(game, seats, options)
        if length is None:
            raise SystemExit(f"the length of {game} was never measured: make lengths")
        acting = seats * length.turns / length.waits
        together = min((acting - 1) / (seats - 1), 1)
        stages = length.turns if together == 1 else length.waits
        return cls(time_controls.control_for(clock), round(stages), together)


@dataclass(slots=True)
class Table:
    """Plays matches: asks for moves, and calls back as one is over, or as somebody's time has run out."""

    agenda: Agenda
    rules: Rules
    chosen: Random
    ended: Callable[[TimedMatch], None]
    ran_out: Callable[[TimedMatch, Entrant], None]
    moves: int = 0

    def begin(self, match: TimedMatch) -> None:
        """Ask for the first move of a match."""
        match.banks = [self.rules.settings.bank] * len(match.seats)
        self._next_stage(match)

    def leave(self, match: TimedMatch, entrant: Entrant) -> None:
        """Replace somebody by a robot, or end the match if only one of two is left."""
        seat = match.seats.index(entrant)
        match.left.append(seat)
        if len(match.seats) == 2:  # noqa: PLR2004 -- seats
            self._end(match, tuple(float(other != seat) for other in range(2)))
            return
        match.seats[seat] = None
        if not any(match.seats):
            self._end(match, (0.0,) * len(match.seats))
            return
        for turn in [one for one in match.turns if one.seat == seat]:
            self._act(turn)

    def _next_stage(self, match: TimedMatch) -> None:
        if match.stages >= self.rules.stages:
            self._end(match, self._draw_scores(match))
            return
        first = match.stages % len(match.seats)
        match.stages += 1
        together = self.chosen.random() < self.rules.together
        asked = range(len(match.seats)) if together else (first,)
        match.turns = [Turn(match, seat, self.agenda.now) for seat in asked]
        for turn in tuple(match.turns):
            self._ask(turn)

    def _ask(self, turn: Turn) -> None:
        entrant = turn.match.seats[turn.seat]
        if entrant is None:
            self.agenda.later(self.agenda.now + ONE_MINUTE, partial(self._act, turn))
            return
        if not turn.match.breaks and self.chosen.random() < BREAKS:
            until = self.agenda.now + (self.rules.settings.max_paused or MAX_DURATION)
            turn.match.breaks.append(Interval(self.agenda.now, until, PauseReason.PAUSED))
        self._mail(turn, entrant)

    def _mail(self, turn: Turn, entrant: Entrant) -> None:
        """Send a mail about a turn: the next one that is read brings to mind what was forgotten."""
        at = entrant.person.answers_at(self.agenda.now, self.chosen)
        if at is None:
            entrant.forgotten.append(turn)
            turn.due = self._due(turn, entrant)
            self._remind_later(turn, entrant)
            self._expire_later(turn)
            return
        pending, entrant.forgotten = [*entrant.forgotten, turn], []
        for one in pending:
            if not one.is_over:
                self.agenda.later(at, partial(self._act, one))
                if one is turn and at > self.agenda.now + (time_allowed(self.rules.settings, self._start(one)) or ZERO):
                    # Nights and vacations only add to that time.
                    one.due = self._due(one, entrant)
                    self._expire_later(one)

    def _remind_later(self, turn: Turn, entrant: Entrant) -> None:
        if turn.due is None:
            return
        life, start = _availability(entrant), self._start(turn)
        stops = self._stops(turn, entrant)
        pending = PendingMove(self.rules.settings, life, start, stops, turn.due, turn.reminded_at)
        at = next_reminder(pending, ReminderPreferences(), self.agenda.now)
        if at is not None:
            self.agenda.later(at, partial(self._remind, turn, entrant))

    def _remind(self, turn: Turn, entrant: Entrant) -> None:
        if not turn.is_over and turn in entrant.forgotten:
            turn.reminded_at = self.agenda.now
            entrant.forgotten.remove(turn)
            self._mail(turn, entrant)

    def _expire_later(self, turn: Turn) -> None:
        if turn.due is not None:
            self.agenda.later(turn.due, partial(self._expire, turn))

    def _expire(self, turn: Turn) -> None:
        """End a turn whose time has run out, unless a break or a vacation has come since."""
        entrant = turn.match.seats[turn.seat]
        if turn.is_over or entrant is None or turn.due is None or turn.due > self.agenda.now:
            return
        due = self._due(turn, entrant)
        if due == turn.due and self._take_days(turn, entrant):
            due = self._due(turn, entrant)
        if due != turn.due:
            turn.due = due
            self._expire_later(turn)
            return
        turn.match.timed_out.append(turn.seat)
        self.leave(turn.match, entrant)
        self.ran_out(turn.match, entrant)

    def _take_days(self, turn: Turn, entrant: Entrant) -> bool:
        """Take days of vacation by itself, as for every player who has not chosen otherwise."""
        days = min(AUTOMATIC_DAYS, entrant.days_left(self.agenda.now))
        if turn.had_days or days < 1 or entrant.automatic >= MAX_AUTOMATIC_IN_A_ROW:
            return False
        turn.had_days = True
        entrant.automatic += 1
        begin = self.agenda.now - ONE_MINUTE
        entrant.taken.append(Interval(begin, begin + days * DAY, PauseReason.AWAY))
        return True

    def _act(self, turn: Turn) -> None:
        """Move, unless that turn is over."""
        match, now = turn.match, self.agenda.now
        if turn.is_over or match.ended_at:
            return
        turn.is_over = True
        match.turns.remove(turn)
        self.moves += 1
        if entrant := match.seats[turn.seat]:
            entrant.automatic = 0
            life, stops = _availability(entrant), self._stops(turn, entrant)
            used = time_spent(self.rules.settings, life, turn.asked_at, now, stops)
            match.banks[turn.seat] = bank_after_move(self.rules.settings, match.banks[turn.seat], used)
        if not match.turns:
            self._next_stage(match)

    def _end(self, match: TimedMatch, scores: tuple[float, ...]) -> None:
        for turn in match.turns:
            turn.is_over = True
        match.ended_at, match.scores = self.agenda.now, scores
        self.ended(match)

    def _draw_scores(self, match: TimedMatch) -> tuple[float, ...]:
        """Draw scores by strengths and luck; between two, the chance to win is the logistic of their difference."""
        luck = [-math.log(-math.log(self.chosen.random() or 0.5)) for _seat in match.seats]
        strengths = [one.strength if one else 0.0 for one in match.seats]
        return tuple(float(round((strength + one) / DRAWS)) for strength, one in zip(strengths, luck, strict=True))

    def _start(self, turn: Turn) -> TurnStart:
        return TurnStart(turn.asked_at, turn.match.banks[turn.seat])

    def _stops(self, turn: Turn, entrant: Entrant) -> Sequence[Interval]:
        stops = (*entrant.stops(self.agenda.now), *turn.match.breaks)
        most = self.rules.settings.max_away
        return stops if most is None else limit_absences(stops, turn.match.started_at, most)

    def _due(self, turn: Turn, entrant: Entrant) -> datetime | None:
        stops = self._stops(turn, entrant)
        return compute_due_time(self.rules.settings, _availability(entrant), self._start(turn), stops).due


def _availability(entrant: Entrant) -> Availability:
    return Availability(entrant.person.zone, QUIET_HOURS)
