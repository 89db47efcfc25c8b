"""What a seat knows of a round, on numbers, and what a trick may come to for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from pbem.games.montauk.advice import burden
from pbem.games.montauk.round import NULLS, ONE, RACE_PRIZE_POINTS, TWO, other_seat
from pbem.robots.montauk.kinds import KIND, NUMBER, TRICKS
from pbem.robots.montauk.playing import Standing, play_on
from pbem.robots.montauk.prospects import prospect

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pbem.games import Seat, Stream
    from pbem.games.montauk.round import Race, Trick
    from pbem.robots.montauk.kinds import Extras, Group, Kind
    from pbem.robots.montauk.playing import Ending
    from pbem.robots.montauk.table import Table

Deal: TypeAlias = "tuple[Sequence[Kind], Sequence[Kind], Sequence[Kind]]"
"""The seat's hand, the other's, and the draw pile, each in the order in which its cards come into play."""


@dataclass(frozen=True, slots=True)
class KnownRound:
    """What a seat knows of a round; `worth` says what an end of it is worth to the seat, from 0 to 1."""

    seat: Seat
    standing: Standing
    leads: bool
    """Whether the seat leads the current trick."""
    mine: tuple[Kind, ...]
    unseen: tuple[Kind, ...]
    held: int
    """Number of cards of the other seat, with a lead that lies face down."""
    burden: int
    other_burden: int
    worth: Callable[[Ending], float]

    def deal(self, stream: Stream) -> Deal:
        """Imagine where the unseen cards are, and in which order cards come into play."""
        cards = stream.shuffled(self.unseen)
        return stream.shuffled(self.mine), cards[: self.held], cards[self.held :]

    def result(self, deal: Deal, mine: Kind, theirs: Kind) -> float:
        """Return what two cards come to; the hands of the deal are without them."""
        follower_wins, group, extras = TRICKS[mine][theirs] if self.leads else TRICKS[theirs][mine]
        return self.play_on(self.standing, deal, group, extras, wins=follower_wins != self.leads)

    def play_on(self, standing: Standing, deal: Deal, group: Group, extras: Extras, *, wins: bool) -> float:
        """Return what a trick comes to that the seat wins or loses."""
        own, other, pile = deal
        if self.seat == ONE:
            return self.worth(play_on(standing, group, extras, own, other, pile, second_wins=not wins))
        return self.worth(play_on(standing, group, extras, other, own, pile, second_wins=wins))


def know_round(table: Table) -> KnownRound:
    """Return what a table says of its current round."""
    seat, tracks = table.seat, table.race.tracks
    return KnownRound(
        seat,
        standing_of(table.race, table.trick),
        table.trick.leader == seat,
        tuple(KIND[card] for card in table.hand),
        tuple(KIND[card] for card in table.unseen),
        table.held + table.lead_lies,
        burden(tracks[seat - 1]),
        burden(tracks[other_seat(seat) - 1]),
        prospect(table.score, seat),
    )


def standing_of(race: Race, trick: Trick) -> Standing:
    """Return the public state of a round."""
    one, two = (NUMBER[track] for track in race.tracks)
    prize = RACE_PRIZE_POINTS * ((race.first == ONE) - (race.first == TWO))
    margin = race.nulls[1] - race.nulls[0] + prize
    return Standing(race.trick, one, two, trick.bore, NULLS - sum(race.nulls), race.first is not None, margin)
