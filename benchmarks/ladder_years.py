"""Years of a ladder as values, over the rules of `pbem.events`: challenges, their matches, and the places."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from benchmarks.lives import later_on, people
from benchmarks.timed_matches import Agenda, Entrant, Rules, Table, TimedMatch
from pbem.events import ladder
from pbem.play.clocks.calculation import DAY, ZERO

if TYPE_CHECKING:
    from datetime import datetime, timedelta
    from random import Random

    from pbem.events.ladder import Order

CHALLENGES_EVERY = 21
"""Days after which somebody thinks of challenging again, on average."""
DECLINES = 0.1
OWN_OBSTACLES = {ladder.Obstacle.HAS_CHALLENGED, ladder.Obstacle.AWAY}
"""With these nobody can be challenged, in any place."""
MONTHS = 120 * DAY
"""Every so many days, people have new plans of when they are gone."""


@dataclass(slots=True, eq=False)
class Offer:
    """A challenge between two: since when it waits, and the match that it led to."""

    challenger: Entrant
    challenged: Entrant
    offered_at: datetime
    match: TimedMatch | None = None
    ended_at: datetime | None = None
    was_reminded: bool = False

    def value(self) -> ladder.Challenge:
        """Return it as the rules know it."""
        return ladder.Challenge(self.challenger.number, self.challenged.number, self.ended_at)


@dataclass(slots=True)
class Ladder:
    """A ladder, and all that happens on it."""

    agenda: Agenda
    chosen: Random
    rules: Rules
    size: int
    order: Order = ()
    entrants: dict[int, Entrant] = field(default_factory=dict)
    offers: defaultdict[int, list[Offer]] = field(default_factory=lambda: defaultdict(list))
    idle_since: dict[int, datetime] = field(default_factory=dict)
    losses: Counter[int] = field(default_factory=Counter)
    declined: defaultdict[int, list[datetime]] = field(default_factory=lambda: defaultdict(list))
    playing: Counter[int] = field(default_factory=Counter)
    what_happened: Counter[str] = field(default_factory=Counter)
    longest_idle: timedelta = ZERO
    gaps: int = 0
    table: Table = field(init=False)
    offer_of: dict[TimedMatch, Offer] = field(default_factory=dict)
    asked: set[int] = field(default_factory=set)
    newest: int = 0

    def __post_init__(self) -> None:
        """Prepare to play matches by the rules."""
        self.table = Table(self.agenda, self.rules, self.chosen, self._ended, self._ran_out)

    def run(self, until: datetime) -> None:
        """Live through some years."""
        self._daily(until)
        self.agenda.run(until)

    def _daily(self, until: datetime) -> None:
        """Look at who has not played for long, and let new people join."""
        now = self.agenda.now
        for player in self.order:
            waits = any(offer.ended_at is None and offer.match is None for offer in self.offers[player])
            if self.playing[player]:
                continue
            self._note_idle(player)
            state = ladder.absence(self.idle_since[player], now, has_offer=waits)
            if state is ladder.Absence.OFF:
                self._off(player, "off after 45 days without a match")
            elif state is ladder.Absence.ASK and player not in self.asked:
                # Those who read it challenge somebody.
                self.asked.add(player)
                self._read(self.entrants[player], partial(self._challenge, self.entrants[player]))
        while len(self.order) < self.size:
            self._join()
        self._check()
        if now < until:
            self.agenda.later(now + DAY, partial(self._daily, until))

    def _join(self) -> None:
        self.newest += 1
        (person,) = people(1, self.agenda.now, self.chosen)
        entrant = Entrant(self.newest, person, self.chosen.gauss(0, 1))
        self.entrants[self.newest] = entrant
        self.order = ladder.join(self.order, self.newest)
        self.idle_since[self.newest] = self.agenda.now
        self._think_later(entrant)
        self.agenda.later(self.agenda.now + MONTHS, partial(self._live_on, entrant))

    def _live_on(self, entrant: Entrant) -> None:
        if entrant.number in self.order:
            entrant.person = later_on(entrant.person, self.agenda.now, self.chosen)
            self.agenda.later(self.agenda.now + MONTHS, partial(self._live_on, entrant))

    def _think_later(self, entrant: Entrant) -> None:
        """Come to think of challenging somebody, some weeks from now."""
        at = self.agenda.now + self.chosen.expovariate(1 / CHALLENGES_EVERY) * DAY

        def think() -> None:
            if entrant.number in self.order:
                if entrant.person.is_there(self.agenda.now):
                    self._challenge(entrant)
                self._think_later(entrant)

        self.agenda.later(at, think)

    def _challenge(self, entrant: Entrant) -> None:
        """Challenge somebody within reach, if there is anybody."""
        if entrant.number not in self.order:
            return
        near = [*ladder.reachable(self.order, entrant.number)]
        away = {player for player in (entrant.number, *near) if self._is_away(self.entrants[player])}
        self.chosen.shuffle(near)
        found = self._find_opponent(entrant.number, near, away)
        if found is None:
            self.what_happened["nobody to challenge"] += 1
            return
        challenged = self.entrants[found]
        offer = Offer(entrant, challenged, self.agenda.now)
        for one in (entrant, challenged):
            self.offers[one.number].append(offer)
        self.what_happened["challenges"] += 1
        self._read(challenged, partial(self._answer, offer))
        lapses = ladder.lapses_at(offer.offered_at)
        self.agenda.later(lapses - ladder.REMIND_BEFORE, partial(self._remind, offer))
        self.agenda.later(lapses, partial(self._lapse, offer))

    def _find_opponent(self, challenger: int, near: list[int], away: set[int]) -> int | None:
        for player in near:
            obstacle = self._obstacle(challenger, player, away)
            if obstacle is None:
                return player
            if obstacle in OWN_OBSTACLES:
                return None
        return None

    def _obstacle(self, challenger: int, challenged: int, away: set[int]) -> ladder.Obstacle | None:
        known = {*self._recent(challenger), *self._recent(challenged)}
        challenges = [offer.value() for offer in known]
        return ladder.obstacle(self.order, challenges, away, self.agenda.now, challenger, challenged)

    def _recent(self, player: int) -> list[Offer]:
        """List somebody's challenges, but for those that no rule asks for any more."""
        since = self.agenda.now - ladder.REMATCH_AFTER
        kept = [offer for offer in self.offers[player] if offer.ended_at is None or offer.ended_at >= since]
        self.offers[player] = kept
        return kept

    def _is_away(self, entrant: Entrant) -> bool:
        now = self.agenda.now
        return any(stop.begin <= now and (stop.end is None or now < stop.end) for stop in entrant.stops(now))

    def _read(self, entrant: Entrant, act: partial[None]) -> None:
        """Do something once somebody reads a mail, if they do."""
        at = entrant.person.answers_at(self.agenda.now, self.chosen)
        if at is not None:
            self.agenda.later(at, act)

    def _remind(self, offer: Offer) -> None:
        if offer.match is None and offer.ended_at is None:
            self._read(offer.challenged, partial(self._answer, offer))

    def _answer(self, offer: Offer) -> None:
        now = self.agenda.now
        if offer.match is not None or offer.ended_at is not None:
            return
        if self.chosen.random() < DECLINES:
            past = self.declined[offer.challenged.number]
            if ladder.decline_counts_as_lost(past, now):
                self._forfeit(offer, "declined twice")
            else:
                self.what_happened["declined"] += 1
                offer.ended_at = now
            past.append(now)
            return
        offer.match = TimedMatch([offer.challenger, offer.challenged], now)
        self.offer_of[offer.match] = offer
        self.what_happened["matches"] += 1
        for one in (offer.challenger, offer.challenged):
            if not self.playing[one.number]:
                self._note_idle(one.number)
            self.playing[one.number] += 1
        self.table.begin(offer.match)

    def _lapse(self, offer: Offer) -> None:
        if offer.match is not None or offer.ended_at is not None:
            return
        stops = offer.challenged.stops(self.agenda.now)
        away = sum((_overlap(stop.begin, stop.end, offer.offered_at, self.agenda.now) for stop in stops), ZERO)
        lapses = ladder.lapses_at(offer.offered_at, away)
        if lapses > self.agenda.now:
            self.agenda.later(lapses, partial(self._lapse, offer))
        else:
            self._forfeit(offer, "lapsed")

    def _forfeit(self, offer: Offer, why: str) -> None:
        self.what_happened[why] += 1
        offer.ended_at = self.agenda.now
        self._reorder(ladder.after_forfeit(self.order, offer.challenger.number, offer.challenged.number))

    def _ran_out(self, _match: TimedMatch, entrant: Entrant) -> None:
        self.losses[entrant.number] += 1
        self.what_happened["lost on time"] += 1
        if ladder.is_off(self.losses[entrant.number]):
            self._off(entrant.number, "off after two losses on time")

    def _ended(self, match: TimedMatch) -> None:
        offer = self.offer_of[match]
        offer.ended_at = self.agenda.now
        both = (offer.challenger, offer.challenged)
        scores = match.scores or (0.0, 0.0)
        winner = None if scores[0] == scores[1] else both[scores[0] < scores[1]].number
        late = both[match.left[0]].number if match.left else None
        self._reorder(ladder.after_match(self.order, both[0].number, both[1].number, winner, late))
        for one in both:
            self.playing[one.number] -= 1
            self.idle_since[one.number] = self.agenda.now
            self.asked.discard(one.number)
            if one.number != late:
                self.losses[one.number] = 0

    def _off(self, player: int, why: str) -> None:
        """Take somebody off the ladder, with the challenges that wait for an answer."""
        if player not in self.order:
            return
        self.what_happened[why] += 1
        self._reorder(ladder.without(self.order, player))
        for offer in self.offers[player]:
            if offer.ended_at is None and offer.match is None:
                offer.ended_at = self.agenda.now

    def _reorder(self, order: Order) -> None:
        self.order = order
        self._check()

    def _check(self) -> None:
        """Count orders in which somebody stands twice, or is missing."""
        self.gaps += len({*self.order}) != len(self.order)

    def _note_idle(self, player: int) -> None:
        self.longest_idle = max(self.longest_idle, self.agenda.now - self.idle_since[player])


def _overlap(begin: datetime, end: datetime | None, since: datetime, until: datetime) -> timedelta:
    return max(min(end or until, until) - max(begin, since), ZERO)
