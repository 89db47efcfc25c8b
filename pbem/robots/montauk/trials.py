"""Worlds in which a seat tries what it may choose: imagined deals, each played to the end of the round."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pbem.games.montauk.round import ONE
from pbem.robots.montauk.blind import good_rating, likely_rating, play_card, without
from pbem.robots.montauk.kinds import KIND, NOTHING, STANDING, TRICKS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pbem.games import Stream
    from pbem.games.montauk.round import Trick
    from pbem.robots.montauk.kinds import Extras, Kind, TrackNumber
    from pbem.robots.montauk.known import Deal, KnownRound


def card_worlds(known: KnownRound, playouts: int, stream: Stream) -> Iterator[Callable[[Kind], float]]:
    """Yield worlds in which a card can be tried against one of the other seat.

    Half the time the other seat plays what seems best to a player who looks no further than the trick, and half the
    time what a player chooses who expects good play. Expecting only the former lost to robots that expect the latter
    (.27 of 150 deals), expecting only the latter hardly beat the level fair (.53 of 110).
    """
    likely, good = likely_rating(known), good_rating(known, playouts, stream)
    while True:
        for rating in (likely, good):
            own, other, pile = known.deal(stream)
            met = max(other, key=rating.__getitem__) if rating is likely else play_card(other, rating, stream)
            yield partial(_try_card, known, (own, without(other, met), pile), met)


def end_worlds(known: KnownRound, trick: Trick, stream: Stream) -> Iterator[Callable[[TrackNumber], float]]:
    """Yield worlds in which a track can be tried as the end of a spending."""
    led, followed, *_ = map(KIND.__getitem__, trick.shown)
    extras = TRICKS[led][followed][2] if trick.draws else None
    while True:
        yield partial(_try_end, known, known.deal(stream), extras)


def _try_card(known: KnownRound, deal: Deal, met: Kind, card: Kind) -> float:
    own, other, pile = deal
    return known.result((without(own, card), other, pile), card, met)


def _try_end(known: KnownRound, deal: Deal, extras: Extras, end: TrackNumber) -> float:
    before = known.standing
    start = before.one if known.seat == ONE else before.two
    after = before._replace(bore=before.bore or STANDING[end] < STANDING[start])
    after = after._replace(one=end) if known.seat == ONE else after._replace(two=end)
    return known.play_on(after, deal, NOTHING, extras, wins=True)
