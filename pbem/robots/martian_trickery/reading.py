"""Hands of Martian Trickery, read from the View of a seat or from a position of which all is seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

from pbem.games.hidden import Hidden, Seat
from pbem.games.martian_trickery.position import TRICKS, TRUMP, Position, Terms, Trick, sort_hand
from pbem.robots.martian_trickery import prizes
from pbem.robots.martian_trickery.card_bits import CARD_BIT, CARD_OF_BIT, SUIT_BITS, SUIT_OF_BIT, TRUMPS, join, split
from pbem.robots.martian_trickery.deals import Unseen, group
from pbem.robots.martian_trickery.hand import Hand

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pbem.games import View

_PLAIN_SUITS = frozenset(SUIT_BITS) - {TRUMP}


class _TrickPart(TypedDict):
    lying: int
    best: int
    winner: int
    led: int


class _PrizesPart(TypedDict):
    prize: int
    middle: int
    won: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """What a seat knows: the hand with its own cards alone, and the cards that it cannot see."""

    view: View
    hand: Hand
    unseen: Unseen


def read(view: View) -> Known:
    """Read the View of the seat to move."""
    board = view.board
    terms = Terms(len(board["won"]), board["prizes"], board["out"], board["hands"])
    mover = view.to_move[0] - 1
    trick = [(lying["seat"], lying["card"]) for lying in board["trick"]]
    hand = Hand(
        terms,
        totals=tuple(board["totals"]),
        hands_left=max(0, terms.hands - board["hand_number"]),
        held=tuple(join(board["hand"]) if seat == mover else 0 for seat in range(terms.seats)),
        turn=mover,
        **_trick(trick, mover),
        **_prizes(board["won"], board["prize"] if trick else None, terms),
        broken=board["broken"],
    )
    return Known(view, hand, _unseen(view, terms))


def hand_of(position: Position) -> Hand:
    """Return the current hand of a match that runs, with the cards that all seats hold."""
    terms, mover = position.terms, (position.turn or 1) - 1
    trick = [(terms.after(position.leader, at), card) for at, card in enumerate(position.cards)]
    return Hand(
        terms,
        totals=position.totals,
        hands_left=max(0, terms.hands - position.hand_number),
        held=tuple(join(held.value) for held in position.hands),
        turn=mover,
        **_trick(trick, mover),
        **_prizes(position.won, position.prize, terms),
        broken=position.broken,
    )


def _trick(trick: Sequence[tuple[int, str]], mover: int) -> _TrickPart:
    """Return the current trick, given as seats and cards in the order played."""
    best, winner, led = 0, mover, 0
    for seat, name in trick:
        card = CARD_BIT[name]
        led = led or SUIT_OF_BIT[card]
        if card > best and card & (led | TRUMPS):
            best, winner = card, seat - 1
    return {"lying": len(trick), "best": best, "winner": winner, "led": led}


def _prizes(hauls: Iterable[Iterable[str]], prize: str | None, terms: Terms) -> _PrizesPart:
    """Return what each seat has won, the prize of the current trick if there is one, and those in the middle."""
    free, won = prizes.ALL_PRIZES, list[int]()
    for haul in hauls:
        won.append(prizes.place(haul, terms, free))
        free ^= won[-1]
    current = prizes.place([prize] if prize else [], terms, free)
    return {"prize": current, "middle": free ^ current, "won": tuple(won)}


def position_of(view: View, hand: Hand) -> Position:
    """Return the game's position of a View and a hand that was imagined for it."""
    board, terms, trick = view.board, hand.terms, view.board["trick"]
    hands = tuple(
        Hidden(sort_hand(CARD_OF_BIT[card] for card in split(held)), frozenset({Seat(seat)}))
        for seat, held in enumerate(hand.held, start=1)
    )
    return Position(
        terms,
        hands,
        view.to_move[0],
        board["prize"],
        tuple(lying["card"] for lying in trick),
        board["broken"],
        tuple(board["middle"]),
        tuple(_tricks(view.log[: len(view.log) - len(trick)], terms.seats)),
        tuple(map(tuple, board["hand_scores"])),
    )


def _tricks(log: list[dict[str, Any]], seats: int) -> Iterator[Trick]:
    for first in range(0, len(log), seats):
        played = log[first : first + seats]
        cards = tuple(entry["move"][-2:] for entry in played)
        yield Trick(Seat(played[0]["seat"]), played[-1]["prize"], cards, Seat(played[-1]["winner"]))


def _unseen(view: View, terms: Terms) -> Unseen:
    """Return the cards that the seat to move cannot see, grouped by the seats that may hold them."""
    board, mover = view.board, view.to_move[0]
    log = view.log[(board["hand_number"] - 1) * TRICKS * terms.seats :]
    seen = {*board["hand"], *(entry["move"][-2:] for entry in log)}
    lacking = {seat: _lacking(log, seat, terms.seats) for seat in range(1, terms.seats + 1)}
    lacking[mover] = frozenset(SUIT_BITS)
    unseen = [
        (CARD_BIT[card], tuple(card[1] not in suits for suits in lacking.values()))
        for card in terms.deck
        if card not in seen
    ]
    return group(unseen, tuple(0 if seat == mover else size for seat, size in enumerate(board["hand_sizes"], start=1)))


def _lacking(log: list[dict[str, Any]], seat: int, seats: int) -> frozenset[str]:
    """Return the suits that a seat has shown to be out of.

    It is out of a suit that it did not follow, and of all plain suits if it led a spade before spades were broken.
    """
    lacking, broken = frozenset[str](), False
    for at, entry in enumerate(log):
        led, suit = log[at - at % seats]["move"][-1], entry["move"][-1]
        if entry["seat"] == seat:
            if suit != led:
                lacking |= {led}
            elif suit == TRUMP and not broken and at % seats == 0:
                lacking |= _PLAIN_SUITS
        broken = broken or "broken" in entry
    return lacking
