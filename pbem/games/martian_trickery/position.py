"""Positions of Martian Trickery between two moves, and the effect of the next card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from pbem.games import cards, pyramids
from pbem.games.hidden import Hidden, Seat
from pbem.games.martian_trickery.score import hand_score
from pbem.games.slots import slot_setters

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pbem.games.chance import Chance

T = TypeVar("T")

TRICKS = 12
"""Number of tricks in a hand: as many as each seat has cards, and as there are prizes."""
TRUMP = "S"

DECKS: dict[int, tuple[str, ...]] = {
    seats: tuple(card for card in cards.DECK if card[0] not in dropped) for seats, dropped in ((3, "2345"), (4, "2"))
}
"""Deck by the number of seats (Setup 2)."""

RANK: dict[str, int] = {card: cards.RANKS.index(card[0]) for card in cards.DECK}
"""Rank of each card in its own suit."""
POWER: dict[str, dict[str, int]] = {
    led: {card: rank + (200 if card[1] == TRUMP else 100 if card[1] == led else 0) for card, rank in RANK.items()}
    for led in cards.SUITS
}
"""By the suit led, the rank of each card in the trick; the highest wins it (Resolution)."""

CARDS_BY_SUIT: dict[str, frozenset[str]] = {
    suit: frozenset(card for card in cards.DECK if card[1] == suit) for suit in cards.SUITS
}
"""Cards of each suit."""

_MIDDLES: dict[str | None, tuple[str, ...]] = {
    None: (*("R1",) * 3, *("R2",) * 3, *("R3",) * 3, "K1", "K2", "K3"),
    **{out: tuple(pyramid for pyramid in pyramids.TREEHOUSE if pyramid[0] != out) for out in "RYGB"},
}
"""Prizes of a hand by the colour that is left out; None for `two-stash`."""
_SEATS = tuple(map(Seat, range(1, max(DECKS) + 1)))
_SEAT_ONLY = tuple(frozenset({seat}) for seat in _SEATS)
_HAND_ORDER = {card: i for i, card in enumerate(rank + suit for suit in "SHDC" for rank in reversed(cards.RANKS))}


@dataclass(frozen=True, slots=True)
class Terms:
    """What stays the same throughout a match: the number of seats and the options in force."""

    seats: int
    prizes: str
    out: str | None
    hands: int

    @property
    def deck(self) -> tuple[str, ...]:
        """Cards that are dealt (Setup 2)."""
        return DECKS[self.seats]

    @property
    def middle(self) -> tuple[str, ...]:
        """The twelve prizes with which every hand starts (Setup 3; Options)."""
        return _MIDDLES[self.out]

    def after(self, seat: int, steps: int) -> Seat:
        """Return the seat that is some steps on from a seat."""
        return _SEATS[(seat - 1 + steps) % self.seats]

    def dealer(self, hand: int) -> Seat:
        """Return the dealer of a hand: the last seat in hand 1, then one seat on each time (Setup 4)."""
        return self.after(self.seats, hand - 1)


@dataclass(frozen=True, slots=True, init=False)
class Trick:
    """Finished trick; its cards are in the order played, from the leader on."""

    leader: Seat
    prize: str
    cards: tuple[str, ...]
    winner: Seat

    def __init__(self, leader: Seat, prize: str, cards: tuple[str, ...], winner: Seat) -> None:
        set_leader, set_prize, set_cards, set_winner = _TRICK_SLOTS
        set_leader(self, leader)
        set_prize(self, prize)
        set_cards(self, cards)
        set_winner(self, winner)


_TRICK_SLOTS = slot_setters(Trick)


@dataclass(frozen=True, slots=True, init=False)
class Position:
    """State between two moves; `prize` and `cards` are those of the current trick.

    `tricks` are all finished ones of the match, `scores` those of each finished hand. Once the match is over `turn`
    is None.
    """

    terms: Terms
    hands: tuple[Hidden[tuple[str, ...]], ...]
    turn: Seat | None
    prize: str | None
    cards: tuple[str, ...]
    broken: bool
    middle: tuple[str, ...]
    tricks: tuple[Trick, ...]
    scores: tuple[tuple[int, ...], ...]

    def __init__(
        self,
        terms: Terms,
        hands: tuple[Hidden[tuple[str, ...]], ...],
        turn: Seat | None,
        prize: str | None,
        cards: tuple[str, ...],
        broken: bool,  # noqa: FBT001 (one field of many)
        middle: tuple[str, ...],
        tricks: tuple[Trick, ...],
        scores: tuple[tuple[int, ...], ...],
    ) -> None:
        (
            set_terms, set_hands, set_turn, set_prize, set_cards, set_broken, set_middle, set_tricks, set_scores
        ) = _POSITION_SLOTS  # fmt: skip
        set_terms(self, terms)
        set_hands(self, hands)
        set_turn(self, turn)
        set_prize(self, prize)
        set_cards(self, cards)
        set_broken(self, broken)
        set_middle(self, middle)
        set_tricks(self, tricks)
        set_scores(self, scores)

    @property
    def over(self) -> bool:
        """Return whether the last hand has been played."""
        return self.turn is None

    @property
    def leader(self) -> Seat:
        """Leader of the current trick; when the match is over, the winner of the last one."""
        return self.tricks[-1].winner if self.turn is None else self.terms.after(self.turn, -len(self.cards))

    @property
    def won(self) -> tuple[tuple[str, ...], ...]:
        """Prizes that each seat has won in the current hand, or in the last one when the match is over."""
        return _hauls(self.tricks_of_hand, self.terms.seats)

    @property
    def hand_number(self) -> int:
        """Number of the current hand, or of the last one when the match is over (Setup 4)."""
        return len(self.scores) + (not self.over)

    @property
    def tricks_of_hand(self) -> tuple[Trick, ...]:
        """Finished tricks of the current hand, or of the last one when the match is over."""
        return self.tricks[(self.hand_number - 1) * TRICKS :]

    @property
    def totals(self) -> tuple[int, ...]:
        """Total score of every seat in the finished hands."""
        return totals(self.scores, self.terms.seats)


_POSITION_SLOTS = slot_setters(Position)


def totals(scores: Iterable[tuple[int, ...]], seats: int) -> tuple[int, ...]:
    """Return the sum of each seat's scores of some hands."""
    return tuple(map(sum, zip((0,) * seats, *scores, strict=True)))


def sort_hand(hand: Iterable[str]) -> tuple[str, ...]:
    """Sort a hand as it is shown: spades, hearts, diamonds, clubs, each from high to low."""
    return tuple(sorted(hand, key=_HAND_ORDER.__getitem__))


def playable(position: Position, seat: Seat) -> Sequence[str]:
    """Return the cards that a seat to move may play, in the order held (Legality)."""
    hand = position.hands[seat - 1].value
    if position.cards:
        led = CARDS_BY_SUIT[position.cards[0][1]]
        return [card for card in hand if card in led] or hand
    if position.broken:
        return hand
    trumps = CARDS_BY_SUIT[TRUMP]
    return [card for card in hand if card not in trumps] or hand


def can_play(position: Position, seat: Seat, card: str) -> bool:
    """Return whether a seat to move may play a card, without listing the playable ones (Legality)."""
    hand = position.hands[seat - 1].value
    if card not in hand:
        return False
    if position.cards:
        led = CARDS_BY_SUIT[position.cards[0][1]]
        return card in led or led.isdisjoint(hand)
    return position.broken or card[1] != TRUMP or CARDS_BY_SUIT[TRUMP].issuperset(hand)


def breaks_spades(card: str, led: str) -> bool:
    """Return whether a card breaks unbroken spades: a spade in a trick led in another suit (Legality, Breaking)."""
    return card[1] == TRUMP and led[1] != TRUMP


def deal_hand(terms: Terms, tricks: tuple[Trick, ...], scores: tuple[tuple[int, ...], ...], chance: Chance) -> Position:
    """Deal the hand that follows those scored (Setup 4 to 6)."""
    hand = len(scores) + 1
    deck = chance.shuffle(f"deal/{hand}", terms.deck)
    hands = tuple(Hidden(sort_hand(deck[TRICKS * i : TRICKS * (i + 1)]), _SEAT_ONLY[i]) for i in range(terms.seats))
    leader = terms.after(terms.dealer(hand), 1)
    return Position(terms, hands, leader, None, (), False, terms.middle, tricks, scores)  # noqa: FBT003


def play_card(position: Position, seat: Seat, prize: str, card: str, chance: Chance) -> Position:
    """Play a legal card for a prize; finish the trick after the last seat's card (Resolution)."""
    terms, tricks, scores = position.terms, position.tricks, position.scores
    middle = position.middle if position.cards else _without(position.middle, prize)
    hand = position.hands[seat - 1]
    hands = _replace_seat(position.hands, seat, Hidden(_without(hand.value, card), hand.seats))
    trick = (*position.cards, card)
    broken = position.broken or breaks_spades(card, trick[0])
    following = _SEATS[seat % terms.seats]
    if len(trick) < terms.seats:
        return Position(terms, hands, following, prize, trick, broken, middle, tricks, scores)
    leader, power = following, POWER[trick[0][1]]
    winner = terms.after(leader, trick.index(max(trick, key=power.__getitem__)))
    tricks = (*tricks, Trick(leader, prize, trick, winner))
    turn: Seat | None = winner
    if not middle:
        hauls = _hauls(tricks[-TRICKS:], terms.seats)
        scores = (*scores, tuple(hand_score(haul, terms.prizes) for haul in hauls))
        if not _is_decided(terms, scores):
            return deal_hand(terms, tricks, scores, chance)
        turn = None
    return Position(terms, hands, turn, None, (), broken, middle, tricks, scores)


def _without(things: tuple[T, ...], thing: T) -> tuple[T, ...]:
    left = list(things)
    left.remove(thing)
    return tuple(left)


def _replace_seat(all_seats: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    changed = list(all_seats)
    changed[seat - 1] = value
    return tuple(changed)


def _hauls(tricks: Iterable[Trick], seats: int) -> tuple[tuple[str, ...], ...]:
    """Return the prizes that each seat has won in some tricks, in the order won."""
    won: list[list[str]] = [[] for _ in range(seats)]
    for trick in tricks:
        won[trick.winner - 1].append(trick.prize)
    return tuple(map(tuple, won))


def _is_decided(terms: Terms, scores: tuple[tuple[int, ...], ...]) -> bool:
    """Return whether enough hands are played and one seat alone has the highest total (End and result)."""
    sums = totals(scores, terms.seats)
    return len(scores) >= terms.hands and sums.count(max(sums)) == 1
