"""Robot of Martian Trickery: hands are hidden, but all seats hear every move, so that they share one tree."""

from __future__ import annotations

from math import exp, sqrt
from typing import TYPE_CHECKING, ClassVar

from pbem.games import Move
from pbem.games.hidden import Seat
from pbem.robots.martian_trickery import card_bits, deals, outlooks, playing, prizes, reading
from pbem.robots.martian_trickery.hand import Hand, is_over, play, playable
from pbem.robots.martian_trickery.reading import Known
from pbem.robots.outlook import average
from pbem.robots.robot import SearchingRobot
from pbem.robots.thought import Level

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.games import Chance, Stream, View
    from pbem.games.martian_trickery.position import Position
    from pbem.robots.outlook import Outlook

POINTS_PER_E = 6
"""Lead in points by which a seat is e times as likely to win as another, if one hand more is played."""
RESULT_SHARE = 0.8
"""Share of who wins in what a finished match is worth; the rest is by how much."""


class TrickeryRobot(SearchingRobot[Hand, Known]):
    """Plays Martian Trickery."""

    game = "martian-trickery"
    playouts: ClassVar[Mapping[Level, int]] = {Level.STRONG: 4000}
    outlook_playouts = 1200
    sharpness = 0.9

    def know(self, view: View) -> Known:
        """Return the hand, and which cards other seats may hold by the log."""
        return reading.read(view)

    def imagine(self, known: Known, stream: Stream) -> Hand:
        """Return the hand with a deal of the cards that the seat cannot see."""
        drawn = deals.draw(known.unseen, stream)
        return known.hand._replace(held=tuple(map(int.__add__, known.hand.held, drawn)))

    def position_of(self, known: Known, imagined: Hand) -> Position:
        """Return the game's position."""
        return reading.position_of(known.view, imagined)

    def outlook(self, position: Position, playouts: int, seed: bytes) -> Outlook:
        """Play the current hand on as the game suggests, with slips; later hands come in by the totals."""
        if outcome := self.rules.outcome(position):
            return average([outcome])
        return outlooks.outlook(reading.hand_of(position), playouts, seed)

    def mover(self, position: Hand) -> Seat:
        """Return the seat that plays the next card."""
        return Seat(position.turn + 1)

    def options(self, position: Hand, seat: Seat, chosen: tuple[str, ...]) -> Sequence[str]:
        """Return prizes, then cards for a leader; cards for a follower. Of those that are worth the same, one."""
        leads = not position.lying
        if len(chosen) > leads:
            return ()
        if leads and not chosen:
            return tuple(prizes.unlike(position.middle, position.won, position.terms))
        others = sum(position.held) - position.held[seat - 1] | position.best
        return [card_bits.CARD_OF_BIT[card] for card in card_bits.unlike(playable(position), others)]

    def complete(self, position: Hand, seat: Seat, chosen: tuple[str, ...]) -> Move:  # noqa: ARG002
        """Return a prize and a card, or a card."""
        return Move(" ".join(chosen))

    def apply(self, position: Hand, seat: Seat, move: Move, chance: Chance) -> Hand:  # noqa: ARG002
        """Play a card, with the prize for which it leads."""
        prize = position.prize or prizes.place((move[:2],), position.terms, position.middle)
        return play(position, card_bits.CARD_BIT[move[-2:]], prize)

    def play_on(self, position: Hand, begun: Hand, stream: Stream, chance: Chance) -> tuple[float, ...]:  # noqa: ARG002
        """Play the hand to its end as the game suggests."""
        return _worth(position, playing.play_on(position))

    def is_settled(self, position: Hand, begun: Hand) -> bool:  # noqa: ARG002
        """Return whether the hand is over: later deals are the same chance for all."""
        return is_over(position)

    def worth(self, position: Hand, begun: Hand) -> tuple[float, ...]:  # noqa: ARG002
        """Return what the hauls of the hand are worth."""
        return _worth(position, position.won)


def _worth(hand: Hand, won: Sequence[int]) -> tuple[float, ...]:
    """Return the chances of seats by their totals, and mostly who wins where the match is over then."""
    table = prizes.score_table(hand.terms.prizes)
    totals = [total + table[haul] for total, haul in zip(hand.totals, won, strict=True)]
    top = max(totals)
    scale = POINTS_PER_E * sqrt(1 + hand.hands_left)
    weights = [exp((total - top) / scale) for total in totals]
    whole = sum(weights)
    if hand.hands_left or totals.count(top) > 1:
        return tuple(weight / whole for weight in weights)
    return tuple(
        RESULT_SHARE * (total == top) + (1 - RESULT_SHARE) * weight / whole
        for total, weight in zip(totals, weights, strict=True)
    )
