"""The fold of finished matches, in the order of their ends, into ratings and their changes."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.ratings import eligibility
from pbem.ratings.match_facts import lost_on_time, ranks
from pbem.ratings.model import rate
from pbem.ratings.rating import Rating, rest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

    from pbem.ratings.eligibility import Reason
    from pbem.ratings.match_facts import MatchFacts

_SECONDS_PER_DAY = 86400


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's rating in one game after so many matches, the last of which ended at some time."""

    rating: Rating
    matches: int
    at: datetime

    def rested(self, now: datetime) -> Rating:
        """Return the rating at a later time."""
        return rest(self.rating, (now - self.at).total_seconds() / _SECONDS_PER_DAY)


@dataclass(frozen=True, slots=True)
class Counted:
    """A match that counted: its players, who of them lost it on time, and whether it was of an event."""

    at: datetime
    players: frozenset[int]
    lost_on_time: frozenset[int]
    is_of_event: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """What a match did to the rating of a player; `before` is the rating after their rest."""

    player: int
    seat: int
    rank: int
    lost_on_time: bool
    before: Rating
    after: Standing


@dataclass(frozen=True, slots=True)
class Decision:
    """What a match comes to: the changes of its players, or the reason why it does not count."""

    match: MatchFacts
    reason: Reason | None
    changes: tuple[Change, ...] = ()


def fold(
    matches: Iterable[MatchFacts], standings: Mapping[tuple[int, str], Standing], counted: Iterable[Counted]
) -> Iterator[Decision]:
    """Yield the decision about each match, in the order given, which is that of (ended_at, match).

    `standings` are those before the first match, by player and game; `counted` are the matches that counted in the
    window before it. Each match is rated against the ratings at that moment.
    """
    known = dict(standings)
    met, lost = defaultdict[tuple[int, int], list["datetime"]](list), defaultdict[int, list["datetime"]](list)
    for one in counted:
        _count(one, met, lost)
    for match in matches:
        decision = _decide(match, known, met, lost)
        if decision.reason is None:
            known.update(((change.player, match.game), change.after) for change in decision.changes)
            players = frozenset(change.player for change in decision.changes)
            _count(Counted(match.ended_at, players, lost_on_time(match), match.is_of_event), met, lost)
        yield decision


def _count(one: Counted, met: dict[tuple[int, int], list[datetime]], lost: dict[int, list[datetime]]) -> None:
    for pair in () if one.is_of_event else eligibility.pairs_of(one.players):
        met[pair].append(one.at)
    for player in one.lost_on_time:
        lost[player].append(one.at)


def _decide(
    match: MatchFacts,
    known: Mapping[tuple[int, str], Standing],
    met: Mapping[tuple[int, int], list[datetime]],
    lost: Mapping[int, list[datetime]],
) -> Decision:
    since = match.ended_at - eligibility.WINDOW
    reason = eligibility.exclusion(match) or eligibility.limit(
        match,
        lambda pair: sum(at > since for at in met.get(pair, ())),
        lambda player: sum(at > since for at in lost.get(player, ())),
    )
    if reason is not None:
        return Decision(match, reason)
    held = [known.get((one.player, match.game)) for one in match.seats]
    before = [standing.rested(match.ended_at) if standing else Rating() for standing in held]
    places, gone = ranks(match), lost_on_time(match)
    after = rate(places, before)
    return Decision(
        match,
        None,
        tuple(
            Change(
                seat.player,
                seat.seat,
                place,
                seat.player in gone,
                was,
                Standing(now, standing.matches + 1 if standing else 1, match.ended_at),
            )
            for seat, place, standing, was, now in zip(match.seats, places, held, before, after, strict=True)
        ),
    )
