"""Conditional moves of Amazonian Buffet: turns and claims, what is still free, and who is ahead."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, ClassVar

from pbem.games import cards
from pbem.games.amazonian_buffet import layouts, turns
from pbem.games.amazonian_buffet.layouts import KEEP
from pbem.games.amazonian_buffet.turns import BOARD, NO_CLAIM
from pbem.games.errors import IllegalMove, InvalidMove, NeverMet, Phrase
from pbem.games.foresight import Foresight, Statements

if TYPE_CHECKING:
    from pbem.games.game import Move, View

_PLACE = r"(?:the )?([a-z][0-9]|[2-9TJQKA][SHDC])"
_CLAIM = re.compile(
    rf"(?:(?:claims?|claimed|takes?|took|x) )?{_PLACE}(?: (?:is |was )?(?:claimed|taken))?", re.IGNORECASE
)
_NOTHING = re.compile(r"(?:claims?|claimed) (?:none|nothing)|nothing (?:is |was )?claimed|no claim", re.IGNORECASE)
_HANDS = "hands "


def _is_free(view: View, found: re.Match[str]) -> bool:
    square = _find_square(view, found[1])
    if square in view.board["stones"]:
        raise NeverMet("{square} has been claimed already.", square=square)
    return square not in {pawn for pawns in view.board["pawns"] for pawn in pawns}


def _judge_score(view: View, found: re.Match[str]) -> bool:
    if view.board["won"] is None:
        return False
    one, two = view.board["won"]
    lead = one - two if view.viewer == 1 else two - one
    word = found[1].lower()
    return bool(lead == 0 if word == "level" else lead > 0 if word in {"ahead", "winning"} else lead < 0)


class BuffetForesight(Foresight):
    """Conditions and policies of Amazonian Buffet."""

    statements: ClassVar[Statements] = {
        re.compile(rf"{_PLACE}(?: is)?(?: still)? (?:free|open|left)", re.IGNORECASE): _is_free,
        re.compile(r"i(?:'m| am) (ahead|winning|behind|losing|level)", re.IGNORECASE): _judge_score,
    }
    policies: ClassVar[dict[str, Phrase]] = Foresight.policies | {
        str(KEEP): Phrase("When I may change my hands, keep them.")
    }

    def spelled(self, line: str) -> str:
        """Shorten cards to their codes."""
        return cards.fold(line)

    def named(self, view: View, line: str) -> str | None:
        """Parse a claim alone, a turn with or without its claim, or three hands."""
        if line.lower() == KEEP:
            return KEEP
        if _NOTHING.fullmatch(line):
            return NO_CLAIM
        if claim := _CLAIM.fullmatch(line):
            return _find_square(view, claim[1])
        try:
            turn = turns.parse_other_turn(_grid(view), line)
        except IllegalMove as fault:
            raise InvalidMove(fault.pattern, **fault.parts) from None
        try:
            return turn or layouts.parse(tuple(view.board["pools"][0]), line)
        except InvalidMove:
            return None

    def wished(self, view: View, line: str) -> str | None:
        """Parse what is a move by itself, such as a turn or three hands; a claim alone is not."""
        named = self.named(view, line)
        return None if named == NO_CLAIM or named in BOARD.numbers else named

    def fits(self, move: str, named: str) -> bool:
        """Return whether a move is the named one, or has the named claim or pawn move as its part."""
        return move == named or named in move.split(" ")[:2]

    def never(self, view: View, named: str) -> NeverMet | None:
        """Return why nothing can be claimed as named any more, or why the hands cannot be the other seat's."""
        claim = named.rsplit(" ", maxsplit=1)[-1]
        if claim in view.board["stones"]:
            return NeverMet("{square} has been claimed already.", square=claim)
        if view.board["stage"] != "board" and not named.startswith(_HANDS) and named != KEEP:
            return NeverMet("Nobody can claim any more cards in this match.")
        own = {card for seat, pool in enumerate(view.board["pools"], 1) if seat == view.viewer for card in pool}
        foreign = own & set(named.split(" ")) if named.startswith(_HANDS) else set()
        if foreign:
            return NeverMet("{card} is your own card, so nobody else can play it.", card=min(foreign))
        return None

    def examples(self, view: View) -> tuple[str, ...]:
        """Return claims on the board as examples, later who is ahead."""
        if view.board["stage"] != "board":
            return "I am ahead", "I am behind", "always"
        taken = {*view.board["stones"], *chain(*view.board["pawns"])}
        lying = [card for square, card in zip(BOARD.names, _grid(view), strict=True) if square not in taken]
        best = sorted(lying, key=lambda card: -cards.RANKS.index(card[0]))
        return f"claims {best[0]}", f"{best[0]} is free", "claims nothing"

    def choose(self, view: View, policy: str) -> Move | None:
        """Choose to keep the hands, if that is a legal move."""
        return next((move for move in view.moves if move == policy), None)


def _grid(view: View) -> list[str]:
    return list(chain(*view.board["grid"]))


def _find_square(view: View, place: str) -> str:
    """Return the square that is named, or that a named card lies on."""
    grid = _grid(view)
    if place.upper() not in cards.DECK:
        return BOARD.names[turns.square_number(place)]
    if place.upper() not in grid:
        raise InvalidMove(
            "The {card} is not on the board: it was dealt to a player.", card=Phrase(cards.name(place.upper()))
        )
    return BOARD.names[grid.index(place.upper())]
