"""Martian Trickery: trick-taking with spades as trumps, where every trick carries a pyramid as its prize."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain, compress, islice
from operator import itemgetter
from typing import TYPE_CHECKING, ClassVar, cast

from pbem.games import cards, pyramids
from pbem.games.chance import Chance
from pbem.games.errors import IllegalMove, InvalidMove, OptionError, Phrase
from pbem.games.game import Game, Json, Move, Outcome
from pbem.games.hidden import Eye, Hidden, Seat, Viewer
from pbem.games.martian_trickery.advice import suggest_follows, suggest_leads
from pbem.games.martian_trickery.foresight import TrickeryForesight
from pbem.games.martian_trickery.position import (
    TRICKS,
    Position,
    Terms,
    breaks_spades,
    can_play,
    deal_hand,
    play_card,
    playable,
    sort_hand,
)
from pbem.games.martian_trickery.score import hand_score

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_FIRST_WORD = re.compile(r"^(?:LEAD|PLAY) ")
_SEPARATOR = re.compile(r" ?[,+] ?| FOR | ")
_MAX_SUGGESTIONS = 3

_LEAD_MOVES: dict[str, dict[str, Move]] = {
    prize: {card: Move(f"{prize} {card}") for card in cards.DECK} for prize in pyramids.TREEHOUSE
}
"""Every move of a leader, by its prize and its card."""
_LEAD_PARTS = {move: (prize, card) for prize, with_prize in _LEAD_MOVES.items() for card, move in with_prize.items()}
"""Prize and card of every leader's move."""


class MartianTrickery(Game[Position]):
    """Rules of Martian Trickery."""

    key = "martian-trickery"
    name = "Martian Trickery"
    seats = range(3, 5)
    options: ClassVar[Mapping[str, tuple[object, ...]]] = {
        "prizes": ("treehouse", "two-stash"),
        "out": ("B", "R", "Y", "G"),
        "hands": (4, 1, 2, 3),
    }

    def settle(self, seats: int, options: Mapping[str, object]) -> Mapping[str, object]:
        """Complete the options; with `two-stash` no colour is left out, so `out` is rejected and not in force."""
        settled = dict(super().settle(seats, options))
        if settled["prizes"] == "two-stash":
            if "out" in options:
                raise OptionError("Option “out” is only for the prizes “treehouse”. Leave it out with “two-stash”.")
            del settled["out"]
        return settled

    foresight = TrickeryForesight()

    def setup(self, seats: int, options: Mapping[str, object], chance: Chance) -> Position:
        """Deal hand 1, which seat 1 leads (Setup)."""
        settled = self.settle(seats, options)
        prizes, out, hands = (settled.get(name) for name in self.options)
        return deal_hand(Terms(seats, cast("str", prizes), cast("str | None", out), cast("int", hands)), (), (), chance)

    def to_move(self, position: Position) -> tuple[Seat, ...]:
        """Return the one seat that plays the next card."""
        turn = position.turn
        return () if turn is None else (turn,)

    def stage(self, position: Position) -> int:
        """Count the cards played, plus one."""
        return len(position.tricks) * position.terms.seats + len(position.cards) + 1

    def moves(self, position: Position, seat: Seat) -> Iterator[Move]:
        """Yield each prize with each card for the leader, each card for a follower (Legality)."""
        if seat != position.turn:
            return iter(())
        choice = playable(position, seat)
        if position.cards:
            return cast("Iterator[Move]", iter(choice))
        leads = map(_LEAD_MOVES.__getitem__, dict.fromkeys(position.middle))
        if len(choice) == 1:
            return map(itemgetter(*choice), leads)
        # With several cards, `itemgetter` returns all moves of a prize at once.
        return chain.from_iterable(map(itemgetter(*choice), leads))

    def allows(self, position: Position, seat: Seat, move: Move) -> bool:
        """Return whether the prize is in the middle, and the card among those that the seat may play."""
        if seat != position.turn:
            return False
        if position.cards:
            return can_play(position, seat, move)
        prize, card = _LEAD_PARTS.get(move, ("", ""))
        return prize in position.middle and can_play(position, seat, card)

    def steps(self, position: Position, seat: Seat, chosen: tuple[str, ...]) -> tuple[str, ...]:
        """Return the prizes and then the cards for a leader, the cards for a follower."""
        pieces = 1 if position.cards else 2
        if seat != position.turn or len(chosen) >= pieces:
            return ()
        return tuple(playable(position, seat) if len(chosen) == pieces - 1 else dict.fromkeys(position.middle))

    def parse(self, position: Position, seat: Seat, line: str) -> Move:
        """Parse the prize and the card, in either order, after `lead` or `play` if it is there (Move grammar)."""
        words = _SEPARATOR.split(_FIRST_WORD.sub("", pyramids.fold(cards.fold(line)).upper()))
        prize = next((word for word in words if word in pyramids.TREEHOUSE), "")
        card = next((word for word in words if word in cards.DECK), "")
        if len(words) > bool(prize) + bool(card):
            prize = card = ""
        choice = playable(position, seat)
        if position.cards:
            if card and not prize:
                return Move(card)
            raise InvalidMove(
                "The prize is {prize}, so a move is just one of your cards, such as “{example}”.",
                prize=position.prize,
                example=choice[0],
            )
        if prize and card:
            return Move(f"{prize} {card}")
        if prize in position.middle:
            raise InvalidMove(
                "You lead for {prize}: name one of your cards too, as in “{example}”. You may lead: {choice}.",
                prize=prize,
                example=f"{prize} {choice[0]}",
                choice=_join_unique(choice),
            )
        raise InvalidMove(
            "You lead this trick, so name a prize and a card, as in “{example}”. In the middle: {middle}.",
            example=f"{position.middle[0]} {card if card in choice else choice[0]}",
            middle=_join_unique(position.middle),
        )

    def meant(self, position: Position, seat: Seat, text: str) -> str:
        """Convert a text to canonical form, a prize or a card alone too."""
        return pyramids.fold(cards.fold(super().meant(position, seat, text)))

    def objection(self, position: Position, seat: Seat, move: Move) -> IllegalMove:
        """Return what is wrong with the prize, or else with the card."""
        follow = bool(position.cards)
        prize, _, card = ("", "", str(move)) if follow else move.partition(" ")
        choice, middle = _join_unique(playable(position, seat)), _join_unique(position.middle)
        if not follow and prize not in position.terms.middle:
            return IllegalMove(
                "{prize} is not a prize in this match. In the middle: {middle}.", prize=prize, middle=middle
            )
        if not follow and prize not in position.middle:
            return IllegalMove("{prize} has been won already. In the middle: {middle}.", prize=prize, middle=middle)
        if card not in position.terms.deck:
            return IllegalMove(
                "The deck of this match has no {card}. You may play: {choice}.", card=card, choice=choice
            )
        if card not in position.hands[seat - 1].value:
            return IllegalMove("You do not hold {card}. You may play: {choice}.", card=card, choice=choice)
        if not follow:
            return IllegalMove(
                "Spades are not broken yet, so while you hold another suit you may not lead {card}. "
                "You may lead: {choice}.",
                card=card,
                choice=choice,
            )
        return IllegalMove(
            "You must follow suit if you can, and {suit} were led. You may play: {choice}.",
            suit=Phrase(cards.SUIT_NAMES[position.cards[0][1]]),
            choice=choice,
        )

    def apply(self, position: Position, seat: Seat, move: Move, chance: Chance) -> Position:
        """Play a card, with the prize for which it leads; the last card of a hand brings the next deal."""
        self.legal(position, seat, move)
        return play_card(position, seat, position.prize or move[:2], move[-2:], chance)

    def outcome(self, position: Position) -> Outcome | None:
        """Return the totals of all hands, and the one seat that has the highest (End and result)."""
        if not position.over:
            return None
        totals = position.totals
        return Outcome(totals, (Seat(totals.index(max(totals)) + 1),))

    def suggest(self, position: Position, seat: Seat) -> tuple[Move, ...]:
        """Return moves for prizes that raise the seat's own haul, with cards that win, and against the others."""
        if seat != position.turn:
            return ()
        advice = suggest_follows if position.cards else suggest_leads
        return tuple(map(Move, advice(position, seat)[:_MAX_SUGGESTIONS]))

    def board(self, position: Position, viewer: Viewer) -> dict[str, Json]:
        """Return all that lies on the table, and of the hands the viewer's own (What each seat may see).

        `worth` is what each seat's current haul would score; `hands_open` exists for Eye.OPEN only.
        """
        terms, tricks, won = position.terms, position.tricks_of_hand, position.won
        shown = [hand.shown_to(viewer) for hand in position.hands]
        own = None if isinstance(viewer, Eye) else shown[viewer - 1]
        board: dict[str, Json] = {
            "prizes": terms.prizes,
            "out": terms.out,
            "hands": terms.hands,
            "hand_number": position.hand_number,
            "dealer": terms.dealer(position.hand_number),
            "leader": position.leader,
            "phase": "over" if position.over else "follow" if position.cards else "lead",
            "middle": list(position.middle),
            "prize": position.prize,
            "trick_number": len(tricks) + (not position.over),
            "trick": _trick_cards(terms, position.leader, position.cards),
            "broken": position.broken,
            "won": [list(haul) for haul in won],
            "worth": [hand_score(haul, terms.prizes) for haul in won],
            "hand": None if own is None else list(own),
            "hand_sizes": [len(hand.value) for hand in position.hands],
            "totals": list(position.totals),
            "hand_scores": [list(scores) for scores in position.scores],
            "tricks": [
                {"prize": trick.prize, "cards": _trick_cards(terms, trick.leader, trick.cards), "winner": trick.winner}
                for trick in tricks
            ],
        }
        if viewer is Eye.OPEN:
            board["hands_open"] = [list(hand or ()) for hand in shown]
        return board

    def log(self, position: Position, viewer: Viewer) -> list[Json]:  # noqa: ARG002 (cards played are open to all)
        """Return every card: with `broken` if it broke spades, `winner` and `prize` if it finished a trick.

        The last card of a hand also has `hand_number` and `hand_scores`, and then `next_dealer`, or `winners` at the
        end of the match.
        """
        terms, entries, broken = position.terms, list[dict[str, Json]](), False
        for number, trick in enumerate(position.tricks, start=1):
            played = _trick_entries(terms, trick.leader, trick.prize, trick.cards, broken=broken)
            played[-1] |= {"winner": trick.winner, "prize": trick.prize}
            hand, rest = divmod(number, TRICKS)
            broken = rest > 0 and (broken or any("broken" in entry for entry in played))
            if not rest:
                played[-1] |= {"hand_number": hand, "hand_scores": list(position.scores[hand - 1])}
                ended = self.outcome(position) if hand == len(position.scores) else None
                played[-1] |= {"winners": list(ended.winners)} if ended else {"next_dealer": terms.dealer(hand + 1)}
            entries += played
        return [*entries, *_trick_entries(terms, position.leader, position.prize, position.cards, broken=broken)]

    def exchange(self, position: Position, viewer: Viewer, seed: bytes) -> Position:
        """Deal the cards that the viewer cannot see anew, as many to each seat as it holds.

        A suit that a seat is known to be out of may come back to it: nothing shown depends on that.
        """
        concealed = [hand.shown_to(viewer) is None for hand in position.hands]
        unknown = sort_hand(card for hand in compress(position.hands, concealed) for card in hand.value)
        pool = iter(Chance(seed).shuffle("exchange", unknown))
        hands = tuple(
            Hidden(sort_hand(islice(pool, len(hand.value))), hand.seats) if unseen else hand
            for hand, unseen in zip(position.hands, concealed, strict=True)
        )
        return replace(position, hands=hands)

    def reveals(self, before: Position, move: Move, after: Position) -> bool:  # noqa: ARG002
        """Return True: every move shows a card which the others could not see before."""
        return True


def _join_unique(names: Iterable[str]) -> str:
    return " ".join(dict.fromkeys(names))


def _trick_cards(terms: Terms, leader: Seat, trick: tuple[str, ...]) -> list[Json]:
    return [{"seat": terms.after(leader, i), "card": card} for i, card in enumerate(trick)]


def _trick_entries(
    terms: Terms, leader: Seat, prize: str | None, trick: tuple[str, ...], *, broken: bool
) -> list[dict[str, Json]]:
    breaker = "" if broken else next((card for card in trick if breaks_spades(card, trick[0])), "")
    moves = (f"{prize} {card}" if card == trick[0] else card for card in trick)
    entries: list[dict[str, Json]] = [{"seat": terms.after(leader, i), "move": move} for i, move in enumerate(moves)]
    if breaker:
        entries[trick.index(breaker)]["broken"] = True
    return entries
