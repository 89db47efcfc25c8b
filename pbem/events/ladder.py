"""Rules of a ladder: who may challenge whom, and what becomes of the places.

An order is the players of a ladder from the first place down, so that there are no gaps in places.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from datetime import datetime

    Order = tuple[int, ...]

REACH = 5
"""Places above one's own that can be challenged, on a ladder of up to fifty."""
TOP_PLACES = 5
"""The first places: so many may have two challenges from below at a time."""
ANSWER_TIME = timedelta(days=5)
MAX_TIME_AWAY = timedelta(days=9)
"""Maximum time by which a vacation extends the time for an answer."""
REMIND_BEFORE = timedelta(days=1)
"""Time before a challenge lapses at which the challenged player is reminded."""
REMATCH_AFTER = timedelta(days=30)
DECLINES_WITHIN = timedelta(days=30)
"""Time in which one challenge can be declined without losing a place."""
ASKED_AFTER, OFF_AFTER = timedelta(days=35), timedelta(days=45)
"""Time without a match after which a player is asked, and is off the ladder."""
PLACES_LOST_ON_TIME = 5
MAX_LOSSES_ON_TIME = 2
"""Losses on time, one after the other, with which a player is off the ladder."""


class Obstacle(StrEnum):
    """Why a player cannot challenge another one."""

    NOT_ENTERED = "not entered"
    NOT_LISTED = "not listed"
    ONESELF = "oneself"
    BELOW = "below"
    TOO_HIGH = "too high"
    AWAY = "away"
    THEY_ARE_AWAY = "they are away"
    HAS_CHALLENGED = "has challenged"
    THEY_ARE_CHALLENGED = "they are challenged"
    REMATCH = "rematch"


class Absence(StrEnum):
    """What becomes of a player who has not played for long."""

    NONE = "none"
    ASK = "ask"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge between two players; `ended_at` is None while it waits for an answer or is played."""

    challenger: int
    challenged: int
    ended_at: datetime | None = None


def reach(length: int) -> int:
    """Return how many places above one's own can be challenged on a ladder of a length: five, or a tenth of it."""
    return max(REACH, length // 10)


def reachable(order: Order, challenger: int) -> Order:
    """Return the players whose places are near enough to be challenged by one, the highest first."""
    own = order.index(challenger)
    return order[max(0, own - reach(len(order))) : own]


def obstacle(
    order: Order,
    challenges: Iterable[Challenge],
    away: Collection[int],
    now: datetime,
    challenger: int,
    challenged: int,
) -> Obstacle | None:
    """Return why a player cannot challenge another one now; None if they can.

    `challenges` are those of either of the two that have not ended, or ended in the time before a rematch; `away` are
    the players on vacation.
    """
    return (
        _obstacle_of_places(order, challenger, challenged)
        or _obstacle_of_vacations(away, challenger, challenged)
        or _obstacle_of_challenges(order, [*challenges], now, challenger, challenged)
    )


def max_received(place: int) -> int:
    """Return how many challenges a player at a place may have from others at a time."""
    return 2 if place <= TOP_PLACES else 1


def after_match(order: Order, challenger: int, challenged: int, winner: int | None, late: int | None = None) -> Order:
    """Return the order after a match of a challenge; `winner` is None for a draw, `late` lost it on time.

    A challenger who wins takes the other's place, if it is still above. Players who have left the ladder meanwhile
    neither take a place nor lose one.
    """
    order = _after_win(order, challenger, challenged, winner)
    return drop(order, late) if late in order else order


def shift_of_match(
    order: Order, challenger: int, challenged: int, winner: int | None, late: int | None = None
) -> tuple[int, int]:
    """Return how many places the challenger rises by a match, and how many the one who lost it on time falls."""
    won = _after_win(order, challenger, challenged, winner)
    gained = order.index(challenger) - won.index(challenger) if challenger in order else 0
    lost = drop(won, late).index(late) - won.index(late) if late in won else 0
    return gained, lost


def after_annulment(order: Order, challenger: int, late: int | None, shift: tuple[int, int]) -> Order:
    """Return the order after a match counts no longer: the two go back by as many places as it moved them.

    If nothing else has changed meanwhile, that is the order before the match. Players who have left stay away.
    """
    gained, lost = shift
    return _move_down(_move_down(order, late, -lost), challenger, gained)


def after_forfeit(order: Order, challenger: int, challenged: int) -> Order:
    """Return the order after a challenge that counts as lost: it was not answered, or declined too often."""
    return after_match(order, challenger, challenged, challenger)


def drop(order: Order, player: int | None) -> Order:
    """Return the order after a player has lost on time: they are some places lower, or last."""
    return _move_down(order, player, PLACES_LOST_ON_TIME)


def join(order: Order, player: int) -> Order:
    """Return the order with a new player in the last place."""
    return (*order, player)


def without(order: Order, player: int) -> Order:
    """Return the order without a player; those below are one place higher."""
    return tuple(one for one in order if one != player)


def lapses_at(offered_at: datetime, away: timedelta = timedelta(), down: timedelta = timedelta()) -> datetime:
    """Return when a challenge lapses that nobody answers.

    `away` is the vacation since of the player challenged, and `down` the time since in which the service was down.
    """
    return offered_at + ANSWER_TIME + min(away, MAX_TIME_AWAY) + down


def decline_counts_as_lost(declined: Iterable[datetime], now: datetime) -> bool:
    """Return whether declining now loses one's place, after challenges that one has declined before."""
    return any(now - at < DECLINES_WITHIN for at in declined)


def is_off(losses_on_time: int) -> bool:
    """Return whether a player is off the ladder after so many losses on time, one after the other."""
    return losses_on_time >= MAX_LOSSES_ON_TIME


def absence(idle_since: datetime, now: datetime, *, has_offer: bool) -> Absence:
    """Return what becomes of a player who plays no match, and has not since a time.

    With `has_offer` a challenge of theirs, or to them, waits for an answer: they stay as long as that may take.
    """
    idle = now - idle_since
    if idle >= OFF_AFTER + (ANSWER_TIME + MAX_TIME_AWAY if has_offer else timedelta()):
        return Absence.OFF
    return Absence.ASK if idle >= ASKED_AFTER else Absence.NONE


def _obstacle_of_places(order: Sequence[int], challenger: int, challenged: int) -> Obstacle | None:
    if challenger not in order:
        return Obstacle.NOT_ENTERED
    if challenger == challenged:
        return Obstacle.ONESELF
    if challenged not in order:
        return Obstacle.NOT_LISTED
    distance = order.index(challenger) - order.index(challenged)
    if distance < 0:
        return Obstacle.BELOW
    return Obstacle.TOO_HIGH if distance > reach(len(order)) else None


def _obstacle_of_vacations(away: Collection[int], challenger: int, challenged: int) -> Obstacle | None:
    if challenger in away:
        return Obstacle.AWAY
    return Obstacle.THEY_ARE_AWAY if challenged in away else None


def _obstacle_of_challenges(
    order: Order, challenges: Sequence[Challenge], now: datetime, challenger: int, challenged: int
) -> Obstacle | None:
    unfinished = [one for one in challenges if one.ended_at is None]
    if any(one.challenger == challenger for one in unfinished):
        return Obstacle.HAS_CHALLENGED
    if any({one.challenger, one.challenged} == {challenger, challenged} for one in challenges if _is_recent(one, now)):
        return Obstacle.REMATCH
    received = sum(one.challenged == challenged for one in unfinished)
    return Obstacle.THEY_ARE_CHALLENGED if received >= max_received(order.index(challenged) + 1) else None


def _is_recent(challenge: Challenge, now: datetime) -> bool:
    return challenge.ended_at is None or now - challenge.ended_at < REMATCH_AFTER


def _after_win(order: Order, challenger: int, challenged: int, winner: int | None) -> Order:
    if winner == challenger and {challenger, challenged} <= {*order}:
        return _take_place(order, challenger, order.index(challenged))
    return order


def _move_down(order: Order, player: int | None, places: int) -> Order:
    """Return the order with a player some places lower, or higher if that is negative, as far as there are places."""
    if player not in order:
        return order
    own = order.index(player)
    others = order[:own] + order[own + 1 :]
    there = max(0, min(own + places, len(others)))
    return (*others[:there], player, *others[there:])


def _take_place(order: Order, challenger: int, place: int) -> Order:
    """Return the order with a challenger moved up to an index; it is unchanged if they are higher already."""
    own = order.index(challenger)
    if own < place:
        return order
    return (*order[:place], challenger, *order[place:own], *order[own + 1 :])
