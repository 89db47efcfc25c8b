"""The blind cards of a trick as a game of their own, in which each seat expects the other to choose well.

Since nobody knows the other's hand, a seat's play is a rating of all kinds of cards: it plays one of those of its hand
that are rated high. Both ratings are learnt together, by what each card of an imagined hand would have come to against
the other seat's choice from its own.
"""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, TypeAlias

from pbem.robots.montauk.kinds import KINDS
from pbem.robots.montauk.likely import gains

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Self

    from pbem.games import Stream
    from pbem.robots.montauk.kinds import Kind
    from pbem.robots.montauk.known import KnownRound

Rating: TypeAlias = "Sequence[float]"
"""What each kind of card is worth beyond the mean of a hand."""

_BAND = 0.1
"""Cards that are rated lower than the best of a hand by so much are not played."""
_FIRST_SPREAD = 0.1
"""Rating of the kind that gains most at first sight; that of the one that gains least is as far below 0."""
_FIRST_WEIGHT = 20
"""Number of trials that the first sight counts as."""
_WEIGHT = 1 << 16
"""Weight of a card in a draw for each unit of its rating."""


def likely_rating(known: KnownRound) -> Rating:
    """Return the rating of the other seat's cards if it looks no further than the trick."""
    return gains(_counts(known), known.other_burden, known.burden, leads=not known.leads)


def good_rating(known: KnownRound, playouts: int, stream: Stream) -> Rating:
    """Return the rating of the other seat's cards if it expects good play."""
    first = gains(_counts(known), known.burden, known.other_burden, leads=known.leads)
    mine, theirs = _Lessons.at_first_sight(first), _Lessons.at_first_sight(likely_rating(known))
    cards, held = (*known.mine, *known.unseen), known.held
    made = 0
    while made < playouts:
        dealt = stream.shuffled(cards)
        own, other, pile = dealt[:held], dealt[held : 2 * held], dealt[2 * held :]
        my_card, their_card = play_card(own, mine.rating, stream), play_card(other, theirs.rating, stream)
        own_rest, other_rest = without(own, my_card), without(other, their_card)
        mine.add({card: known.result((without(own, card), other_rest, pile), card, their_card) for card in own})
        theirs.add({card: -known.result((own_rest, without(other, card), pile), my_card, card) for card in other})
        made += 2 * held
    return theirs.rating


def play_card(hand: Sequence[Kind], rating: Rating, stream: Stream) -> Kind:
    """Choose a card of a hand, the more likely the higher it is rated."""
    ratings = [rating[card] for card in hand]
    lowest = max(ratings) - _BAND
    weights = [max(int(_WEIGHT * (each - lowest)), 0) for each in ratings]
    drawn = stream.below(sum(weights))
    return hand[bisect(tuple(accumulate(weights)), drawn)]


def without(cards: Sequence[Kind], card: Kind) -> list[Kind]:
    """Return cards without one of them."""
    rest = list(cards)
    rest.remove(card)
    return rest


@dataclass(frozen=True, slots=True)
class _Lessons:
    """What a seat has learnt of its cards: sums of what was won beyond the mean of a hand, their numbers and means."""

    totals: list[float]
    times: list[int]
    rating: list[float]

    @classmethod
    def at_first_sight(cls, gained: Rating) -> Self:
        """Return lessons that begin with the order of what each kind gains."""
        order = sorted(KINDS, key=gained.__getitem__)
        rating = [_FIRST_SPREAD * (2 * order.index(kind) / (len(KINDS) - 1) - 1) for kind in KINDS]
        return cls([_FIRST_WEIGHT * each for each in rating], [_FIRST_WEIGHT] * len(KINDS), rating)

    def add(self, results: Mapping[Kind, float]) -> None:
        """Add what each card of a hand came to."""
        mean = sum(results.values()) / len(results)
        for card, result in results.items():
            self.totals[card] += result - mean
            self.times[card] += 1
            self.rating[card] = self.totals[card] / self.times[card]


def _counts(known: KnownRound) -> list[int]:
    """Count the cards of each kind that have not been seen by both seats."""
    cards = (*known.mine, *known.unseen)
    return [cards.count(kind) for kind in KINDS]
