"""Montauk: two seats race six pyramids off a track, and blind tricks decide who may move and how far."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, cast

from pbem.games import cards, typed_text
from pbem.games.chance import Chance
from pbem.games.errors import IllegalMove, InvalidMove, Phrase
from pbem.games.game import Game, Json, Move, Outcome
from pbem.games.hidden import Eye, Hidden, Seat, Viewer
from pbem.games.montauk import track as tracks
from pbem.games.montauk.advice import likely_cards, likely_spendings
from pbem.games.montauk.cards import Cards, sort_hand
from pbem.games.montauk.foresight import MontaukForesight
from pbem.games.montauk.round import (
    NULLS,
    ONE,
    TWO,
    Position,
    Score,
    deal_round,
    play_follow,
    play_lead,
    play_steps,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pbem.games.montauk.round import News, Phase
    from pbem.games.montauk.track import Step

_CARD = re.compile(r"(?:(?:play|lead|follow)\s+(?:with\s+)?(?:the\s+)?)?([2-9TJQKA][SHDC])", re.IGNORECASE)
_MAX_ROUNDS = 12
_MAX_SUGGESTIONS = 3


class Montauk(Game[Position]):
    """Rules of Montauk."""

    key = "montauk"
    name = "Montauk"
    seats = range(2, 3)
    options: ClassVar[Mapping[str, tuple[object, ...]]] = {"rounds": (_MAX_ROUNDS, *range(1, _MAX_ROUNDS))}
    foresight = MontaukForesight()

    def setup(self, seats: int, options: Mapping[str, object], chance: Chance) -> Position:
        """Draw the long-haired seat and set up round 1 (Setup)."""
        rounds = cast("int", self.settle(seats, options)["rounds"])
        hair = (ONE, TWO)[chance.stream("hair").below(2)]
        return deal_round(Score(rounds, hair, 1), chance)

    def to_move(self, position: Position) -> tuple[Seat, ...]:
        """Return the leader, the follower, or the winner of the trick (Turn order)."""
        mover = position.trick.mover
        return () if mover is None else (mover,)

    def stage(self, position: Position) -> int:
        """Count the moves made, plus one."""
        return len(position.score.log) + len(position.log) + (2 if position.phase == "follow" else 1)

    def moves(self, position: Position, seat: Seat) -> Iterator[Move]:
        """Yield each card of the hand, or each spending (Legality)."""
        trick = position.trick
        if seat != trick.mover:
            return iter(())
        if trick.to_use:
            return iter(tracks.spendings(position.track, trick.to_use))
        return cast("Iterator[Move]", iter(position.hands[seat - 1].value))

    def allows(self, position: Position, seat: Seat, move: Move) -> bool:
        """Return whether the card is in the hand, or the steps are among the spendings."""
        trick = position.trick
        if seat != trick.mover:
            return False
        if trick.to_use:
            return move in tracks.spendings(position.track, trick.to_use)
        return move in position.hands[seat - 1].value

    def steps(self, position: Position, seat: Seat, chosen: tuple[str, ...]) -> tuple[str, ...]:
        """Return cards, or the steps that pyramids can take now."""
        if seat != position.mover or not position.to_use:
            return super().steps(position, seat, chosen)
        return tracks.pieces(position.track, position.to_use, chosen)

    def parse(self, position: Position, seat: Seat, line: str) -> Move:
        """Parse a card in the lead and follow phases, else steps in any order (Move grammar)."""
        if not position.to_use:
            found = _CARD.fullmatch(cards.fold(line))
            if found is None:
                raise InvalidMove(
                    "That is not a card. Answer with one card of your hand: {hand}.", hand=_hand_text(position, seat)
                )
            return Move(found[1].upper())
        try:
            return tracks.format_steps(tracks.parse_steps(line))
        except InvalidMove as wrong:
            raise InvalidMove(
                "{wrong} Write one step for each value to use ({values}), for example: {near}.",
                wrong=wrong.phrase,
                values=tracks.values_phrase(position.to_use),
                near=_nearest_phrases(position, ()),
            ) from None

    def objection(self, position: Position, seat: Seat, move: Move) -> IllegalMove:
        """Return which card is not held, or which step is wrong and how, and what would be possible."""
        try:
            meant = self.parse(position, seat, move)
        except InvalidMove as wrong:
            return IllegalMove(wrong.pattern, **wrong.parts)
        if self.allows(position, seat, meant):
            return IllegalMove("Write this move as “{move}”.", move=meant)
        if not position.to_use:
            return IllegalMove(
                "You do not hold {card}. You can play: {hand}.", card=meant, hand=_hand_text(position, seat)
            )
        steps = tracks.parse_steps(meant)
        fault = tracks.find_fault(position.track, position.to_use, steps)
        return IllegalMove("{wrong} Possible: {near}.", wrong=fault.phrase, near=_nearest_phrases(position, steps))

    def nearest(self, position: Position, seat: Seat, text: str) -> tuple[Move, ...]:
        """Return the spendings with most steps in common with those typed, or the cards most like the one typed."""
        if seat != position.mover or not position.to_use:
            return super().nearest(position, seat, text)
        try:
            steps = tracks.parse_steps(self.meant(position, seat, text))
        except InvalidMove:
            return super().nearest(position, seat, text)
        return tracks.nearest(position.track, position.to_use, steps, _MAX_SUGGESTIONS)

    def ahead(self, position: Position, seat: Seat, text: str) -> Move | None:
        """Parse a card that is held as the lead to come, while values are to be used first."""
        found = _CARD.fullmatch(cards.fold(typed_text.fold(text[: typed_text.MAX_LENGTH])))
        card = Move(found[1].upper()) if found else None
        waits = seat == position.mover and position.to_use and card in position.hands[seat - 1].value
        return card if waits else None

    def apply(self, position: Position, seat: Seat, move: Move, chance: Chance) -> Position:
        """Play a card or a spending, then go on until a seat has to act (Resolution)."""
        self.legal(position, seat, move)
        trick = position.trick
        if trick.lead is not None:
            return play_follow(position, seat, move, trick.lead.value, chance)
        if trick.to_use:
            return play_steps(position, seat, move, chance)
        return play_lead(position, seat, move)

    def outcome(self, position: Position) -> Outcome | None:
        """Compare match scores, then pips left (End and result)."""
        if position.phase != "over":
            return None
        score = position.score
        one, two = ((points, -left) for points, left in zip(score.scores, score.pips, strict=True))
        winners = (ONE, TWO) if one == two else (ONE,) if one > two else (TWO,)
        return Outcome(score.scores, winners)

    def suggest(self, position: Position, seat: Seat) -> tuple[Move, ...]:
        """Return likely good cards by what the seat has seen, or the spendings that leave least to do."""
        if seat != position.mover:
            return ()
        likely = likely_spendings(position) if position.to_use else likely_cards(position, seat)
        return likely[:_MAX_SUGGESTIONS]

    # -- views ---------------------------------------------------------------------------------------

    def board(self, position: Position, viewer: Viewer) -> dict[str, Json]:
        """Return the table, with a hand for its own seat only, and the lead for its leader until it is followed."""
        score, race, trick = position.score, position.race, position.trick
        shown = iter(trick.shown)
        lead = None if trick.lead is None else trick.lead.shown_to(viewer)
        own: list[Json] = [[*held] for hand in position.hands if (held := hand.shown_to(viewer)) is not None]
        board: dict[str, Json] = {
            "round": score.round,
            "rounds": score.rounds,
            "trick": race.trick,
            "phase": trick.phase,
            "leader": trick.leader,
            "winner": trick.winner if trick.shown else None,
            "to_use": [*trick.to_use],
            "led": next(shown, lead),
            "lead_lies": trick.lead is not None,
            "followed": next(shown, None),
            "extra": next(shown, None),
            "tracks": [{"spots": [*track], "off": tracks.borne_off(track)} for track in race.tracks],
            "nulls": [*race.nulls],
            "nulls_left": NULLS - sum(race.nulls),
            "first": race.first,
            "scores": [*score.scores],
            "pips": [*score.pips],
            "hair": score.hair,
            "hand": own[0] if len(own) == 1 else None,
            "hand_sizes": [len(hand.value) for hand in position.hands],
            "played": [*position.played],
            "pile": len(position.pile.value),
        }
        if viewer is Eye.OPEN:
            board |= {"hands": own, "pile_cards": [*position.pile.value]}
        return board

    def log(self, position: Position, viewer: Viewer) -> list[Json]:
        """Return every move with its effects; a face-down lead is shown to its leader only."""
        entries: list[Json] = [_log_entry(*entry) for entry in (*position.score.log, *position.log)]
        lead = position.trick.lead
        if lead is not None:
            trick, lying = position.trick, lead.shown_to(viewer)
            entries.append(_log_entry(position.score.round, position.race.trick, trick.leader, "lead", lying, ()))
        return entries

    def exchange(self, position: Position, viewer: Viewer, seed: bytes) -> Position:
        """Deal all cards that the viewer cannot see anew, as many to each place as were there."""
        lead, pile = position.trick.lead, position.pile
        places: list[Hidden[Cards]] = [*position.hands, pile]
        if lead is not None:
            places.append(Hidden((lead.value,), lead.seats))
        unseen = [card for place in places if place.shown_to(viewer) is None for card in place.value]
        drawn = iter(Chance(seed).shuffle("exchange", sort_hand(unseen)))
        one, two, pile, *lying = (
            place if place.shown_to(viewer) is not None else Hidden(tuple(islice(drawn, len(place.value))), place.seats)
            for place in places
        )
        return replace(
            position,
            hands=(Hidden(sort_hand(one.value), one.seats), Hidden(sort_hand(two.value), two.seats)),
            pile=pile,
            trick=replace(position.trick, lead=Hidden(lying[0].value[0], lying[0].seats) if lying else None),
        )

    def reveals(self, before: Position, move: Move, after: Position) -> bool:  # noqa: ARG002
        """Return whether cards were shown or a new round was dealt."""
        drawn = len(after.pile.value) < len(before.pile.value)
        return before.phase == "follow" or drawn or after.score.round != before.score.round


def _hand_text(position: Position, seat: Seat) -> str:
    return " ".join(position.hands[seat - 1].value)


def _nearest_phrases(position: Position, steps: tuple[Step, ...]) -> tuple[Phrase, ...]:
    near = tracks.nearest(position.track, position.to_use, steps, _MAX_SUGGESTIONS)
    return tuple(Phrase("“{move}”", move=move) for move in near)


def _log_entry(
    round_number: int, trick: int, seat: Seat, phase: Phase, move: str | None, news: News
) -> dict[str, Json]:
    data: dict[str, Json] = {"seat": seat, "move": move, "phase": phase, "round": round_number, "trick": trick}
    for key, value in news:
        data[key] = [*value] if isinstance(value, tuple) else value
    return data
