"""Outlooks of Montauk: the current round played on many times, with cards by what they seem to gain and by chance."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from hashlib import shake_256
from typing import TYPE_CHECKING

from pbem.games.montauk.advice import burden
from pbem.games.montauk.cards import HAND_ORDER
from pbem.games.montauk.round import HAND_SIZE, NULLS, ONE, RACE_PRIZE_POINTS, TWO, other_seat
from pbem.games.montauk.track import PYRAMIDS
from pbem.robots.montauk.kinds import GROUPS, KIND, KINDS, PIPS, STANDING, TRICKS
from pbem.robots.montauk.known import standing_of
from pbem.robots.montauk.later_rounds import prospect
from pbem.robots.montauk.likely import gains
from pbem.robots.montauk.playing import play_on
from pbem.robots.outlook import Outlook

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.games import Seat
    from pbem.games.montauk.round import Position, Score
    from pbem.robots.montauk.kinds import Extras, Group, Kind
    from pbem.robots.montauk.playing import Ending, Standing

_ROUND_POINTS = 6.24
"""Points of a seat in a round, on average."""
_CHANCE_PIPS = 16
"""Pips by which chance raises what a card seems to gain, at most."""
_PIP = 256 // _CHANCE_PIPS
"""Values of a random byte for each pip."""


@dataclass(frozen=True, slots=True)
class _Holding:
    """Cards of a seat, and what each seems to gain: in the current trick if one is to be chosen, and later."""

    lying: tuple[Kind, ...]
    """Its lead, while that lies face down."""
    cards: tuple[Kind, ...]
    now: Mapping[Kind, int]
    """Empty if the seat has no card to choose in the current trick."""
    later: Mapping[Kind, int]
    unseen: int
    """Number of cards that the seat has not seen, over which gains are summed."""

    def in_order(self, drawn: bytes) -> list[Kind]:
        """Return the cards in an order in which the seat may play them."""
        if not self.now:
            return [*self.lying, *self._sorted(self.cards, self.later, drawn)]
        first = self._sorted(self.cards, self.now, drawn)[0]
        rest = list(self.cards)
        rest.remove(first)
        return [first, *self._sorted(rest, self.later, drawn)]

    def _sorted(self, cards: Sequence[Kind], gained: Mapping[Kind, int], drawn: bytes) -> list[Kind]:
        """Return cards by what they gain and by chance, the best first."""
        rated = [(gained[card] * _PIP + byte * self.unseen, card) for card, byte in zip(cards, drawn, strict=False)]
        return [card for _, card in sorted(rated, reverse=True)]


@dataclass(frozen=True, slots=True)
class _Round:
    """A round of which all cards are seen, on numbers."""

    standing: Standing
    holdings: tuple[_Holding, _Holding]
    pile: tuple[Kind, ...]
    leader: Seat
    spending: tuple[Group, Extras] | None
    """What the winner of the trick has to use up, once its cards are shown."""
    winner: Seat

    def end(self, drawn: bytes) -> Ending:
        """Play the round to its end."""
        one, two = self.holdings[0].in_order(drawn[:HAND_SIZE]), self.holdings[1].in_order(drawn[HAND_SIZE:])
        if self.spending:
            group, extras = self.spending
            return play_on(self.standing, group, extras, one, two, self.pile, second_wins=self.winner == TWO)
        first, second = one.pop(0), two.pop(0)
        led, followed = (first, second) if self.leader == ONE else (second, first)
        follower_wins, group, extras = TRICKS[led][followed]
        second_wins = follower_wins == (self.leader == ONE)
        return play_on(self.standing, group, extras, one, two, self.pile, second_wins=second_wins)


def outlook(position: Position, playouts: int, seed: bytes) -> Outlook:
    """Return what a match that runs comes to: its current round played on, later ones by what they usually come to."""
    begun, size, score = _begin(position), 2 * HAND_SIZE, position.score
    drawn = shake_256(seed).digest(size * playouts)
    ends = Counter(begun.end(drawn[at : at + size]) for at in range(0, len(drawn), size))
    rounds_left = score.rounds - score.round
    chance, lead, both = 0.0, 0.0, sum(score.scores) + 2 * _ROUND_POINTS * rounds_left
    for end, times in ends.items():
        share = times / playouts
        after = prospect(score.scores[0] - score.scores[1] + end.margin, rounds_left, score.hair)
        chance += share * (after.chance if rounds_left else _result(score, end))
        lead += share * after.lead
        both += share * _points(end)
    return Outlook((chance, 1 - chance), ((both + lead) / 2, (both - lead) / 2))


def _result(score: Score, end: Ending) -> float:
    """Return seat 1's share of the win if the last round ends so."""
    lead = score.scores[0] - score.scores[1] + end.margin
    lead = lead or score.pips[1] - score.pips[0] + PIPS[end.two] - PIPS[end.one]
    return (1 + (lead > 0) - (lead < 0)) / 2


def _points(end: Ending) -> int:
    """Return the points of both seats together in a round."""
    borne_off = 2 * PYRAMIDS - STANDING[end.one] - STANDING[end.two]
    prize = 0 if end.one and end.two else RACE_PRIZE_POINTS
    return borne_off + prize - (NULLS - end.nulls_left)


def _begin(position: Position) -> _Round:
    """Return the current round of a position."""
    trick = position.trick
    spending = None
    if trick.to_use:
        led, followed = (KIND[card] for card in trick.shown[:2])
        spending = GROUPS.index(trick.to_use), TRICKS[led][followed][2] if trick.draws else None
    return _Round(
        standing_of(position.race, trick),
        (_holding(position, ONE), _holding(position, TWO)),
        tuple(map(KIND.__getitem__, position.pile.value)),
        trick.leader,
        spending,
        trick.winner,
    )


def _holding(position: Position, seat: Seat) -> _Holding:
    """Return the cards of a seat, rated by what it knows itself."""
    trick, held = position.trick, position.hands[seat - 1].value
    leads = trick.leader == seat
    lying = (trick.lead.value,) if trick.lead and leads else ()
    seen = {*held, *lying, *position.played}
    unseen = Counter(KIND[card] for card in HAND_ORDER if card not in seen)
    counts = [unseen[kind] for kind in KINDS]
    own, other = (burden(position.race.tracks[whose - 1]) for whose in (seat, other_seat(seat)))
    cards = tuple(map(KIND.__getitem__, held))
    led, followed = (gains(counts, own, other, leads=role, kinds=cards) for role in (True, False))
    chooses = not (lying or trick.to_use)
    later = [(one + two) // 2 for one, two in zip(led, followed, strict=True)]
    return _Holding(
        tuple(map(KIND.__getitem__, lying)),
        cards,
        dict(zip(cards, led if leads else followed, strict=True)) if chooses else {},
        dict(zip(cards, later, strict=True)),
        unseen.total(),
    )
