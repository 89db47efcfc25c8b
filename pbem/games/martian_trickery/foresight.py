"""Conditional moves of Martian Trickery: cards, suits and prizes, who leads, and how to answer a lead."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar

from pbem.games import cards, pyramids
from pbem.games.errors import InvalidMove, NeverMet, Phrase
from pbem.games.foresight import FOLLOWING_POLICIES, LEADING_STATEMENT, Foresight, Statements, choose_answer
from pbem.games.martian_trickery.advice import card_cost
from pbem.games.martian_trickery.position import DECKS, POWER, TRUMP

if TYPE_CHECKING:
    from pbem.games.game import Game, Move, View

_MOVE = re.compile(r"(?:(?:leads?|plays?|the) )*(?:([RYGBK][123]) ?(?:[,+]|for)? ?)?([2-9TJQKA][SHDC])", re.IGNORECASE)


def _leading(view: View, found: re.Match[str]) -> bool:
    return view.viewer in view.to_move and (found[1].lower() == "lead") == (not _trick(view))


def _is_last(view: View, found: re.Match[str]) -> bool:  # noqa: ARG001 (the pattern has no groups)
    return view.viewer in view.to_move and len(_trick(view)) == len(view.board["hand_sizes"]) - 1


def _broken(view: View, found: re.Match[str]) -> bool:  # noqa: ARG001 (the pattern has no groups)
    return bool(view.board["broken"])


def _prize(view: View, found: re.Match[str]) -> bool:
    if _check_prize(view, found[1]) not in {view.board["prize"], *view.board["middle"]}:
        raise NeverMet("{prize} has been won already.", prize=found[1])
    return bool(found[1] == view.board["prize"])


def _card_led(view: View, found: re.Match[str]) -> bool:
    card = _check_card(view, found[1])
    if _trick(view)[:1] == [card]:
        return True
    if fault := _gone_reason(view, card):
        raise fault
    return False


def _other_card_suit(view: View, found: re.Match[str]) -> bool | None:
    suit = cards.suit_letter(found[1])
    met = [lying["card"] for lying in view.board["trick"] if lying["seat"] != view.viewer]
    return any(card[1] == suit for card in met) if suit else None


def _suit_led(view: View, found: re.Match[str]) -> bool | None:
    suit = cards.suit_letter(found[1])
    return any(card[1] == suit for card in _trick(view)[:1]) if suit else None


class TrickeryForesight(Foresight):
    """Conditions and policies of Martian Trickery."""

    statements: ClassVar[Statements] = {
        LEADING_STATEMENT: _leading,
        re.compile(r"i (?:am|play|come) last", re.IGNORECASE): _is_last,
        re.compile(r"(?:spades (?:are )?)?broken", re.IGNORECASE): _broken,
        re.compile(
            r"(?:for )?(?:the )?(?:prize )?(?:is )?([RYGBK][123])(?: is (?:up|the prize))?", re.IGNORECASE
        ): _prize,
        re.compile(r"(?:the )?([2-9TJQKA][SHDC]) (?:(?:is|was) )?led", re.IGNORECASE): _card_led,
        re.compile(r"any ([a-z]+)", re.IGNORECASE): _other_card_suit,
        re.compile(r"([a-z]+)(?: (?:are|is|were|was))?(?: led)?", re.IGNORECASE): _suit_led,
    }
    policies: ClassVar[dict[str, Phrase]] = Foresight.policies | FOLLOWING_POLICIES

    def spelled(self, line: str) -> str:
        """Shorten cards and pyramids to their codes."""
        return pyramids.fold(cards.fold_for_conditions(line))

    def named(self, view: View, line: str) -> str | None:
        """Parse a card, or a leader's prize and card."""
        found = _MOVE.fullmatch(line)
        if found is None:
            return None
        card = _check_card(view, found[2])
        return f"{_check_prize(view, found[1])} {card}" if found[1] else card

    def fits(self, move: str, named: str) -> bool:
        """Return whether a move is the named one, or leads the named card for any prize."""
        return named in {move, move[-2:]}

    def never(self, view: View, named: str) -> NeverMet | None:
        """Return why the prize cannot be led for any more, or why no other seat can play the card."""
        prize, _, card = named.rpartition(" ")
        if prize and prize not in view.board["middle"]:
            return NeverMet("{prize} is the current prize, or was won already.", prize=prize)
        return _gone_reason(view, card)

    def seats(self, game: Game[Any], view: View) -> int:  # noqa: ARG002 (the View shows them)
        """Count the hands."""
        return len(view.board["hand_sizes"])

    def examples(self, view: View) -> tuple[str, ...]:
        """Return as examples the highest trump that is still out, a suit and the lead."""
        trumps = [card for card in DECKS[len(view.board["hand_sizes"])][::-1] if card[1] == TRUMP]
        out = [card for card in trumps if _gone_reason(view, card) is None]
        return (*out[:1], "hearts led", "I lead")

    def choose(self, view: View, policy: str) -> Move | None:
        """Choose a card that answers the lead."""
        trick = _trick(view)
        if not trick:
            return None
        power = POWER[trick[0][1]]
        best = max(power[card] for card in trick)
        return choose_answer(policy, view.moves, card_cost, lambda card: power[card] > best)


def _trick(view: View) -> list[str]:
    return [lying["card"] for lying in view.board["trick"]]


def _check_card(view: View, card: str) -> str:
    if card not in DECKS[len(view.board["hand_sizes"])]:
        raise InvalidMove("The deck of this match has no {card}.", card=card)
    return card


def _check_prize(view: View, prize: str) -> str:
    if prize not in {view.board["prize"], *view.board["middle"], *(won for haul in view.board["won"] for won in haul)}:
        raise InvalidMove("{prize} is not a prize in this match.", prize=prize)
    return prize


def _gone_reason(view: View, card: str) -> NeverMet | None:
    if card in (view.board["hand"] or ()):
        return NeverMet("{card} is your own card, so nobody else can play it.", card=card)
    past = [lying["card"] for trick in view.board["tricks"] for lying in trick["cards"]]
    return NeverMet("{card} has been played already.", card=card) if card in (*past, *_trick(view)) else None
