"""Conditional moves of Montauk: cards and steps, whose phase it is, and which card or steps to choose."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from pbem.games import cards
from pbem.games.errors import InvalidMove, NeverMet, Phrase
from pbem.games.foresight import LEADING_STATEMENT, Foresight, Statements, unanswered_moves
from pbem.games.montauk import track as tracks
from pbem.games.montauk.advice import burden
from pbem.games.montauk.cards import VALUE
from pbem.games.montauk.round import TRICKS

if TYPE_CHECKING:
    from pbem.games.game import Move, View

_CARD = re.compile(r"(?:(?:leads?|plays?|follows?|with|the) )*([2-9TJQKA][SHDC])", re.IGNORECASE)
_LOW, _RACE = "low", "race"


def _phase(view: View) -> object:
    return view.board["phase"] if view.viewer in view.to_move else None


def _leading(view: View, found: re.Match[str]) -> bool:
    return _phase(view) == found[1].lower()


def _is_spending(view: View, found: re.Match[str]) -> bool:
    return _phase(view) in ({"extra"} if found[0].lower() == "extra" else {"spend", "extra"})


def _has_values(view: View, found: re.Match[str]) -> bool:
    return sorted(view.board["to_use"]) == sorted(map(int, re.findall("[1-6]", found[1])))


def _is_round_or_trick(view: View, found: re.Match[str]) -> bool:
    what, number = found[1].lower(), int(found[2])
    most = TRICKS if what == "trick" else view.board["rounds"]
    if not 1 <= number <= most:
        if what == "trick":
            raise InvalidMove("There is no trick {number}: a round has {most}.", number=number, most=most)
        raise InvalidMove("There is no round {number}: this match has {most}.", number=number, most=most)
    if what == "round" and number < view.board["round"]:
        raise NeverMet("Round {number} is over.", number=number)
    return bool(number == view.board[what])


def _reject_lead(view: View, found: re.Match[str]) -> bool | None:  # noqa: ARG001 (no lead is known to anyone)
    raise InvalidMove("A lead lies face down, so you cannot know it before you answer it.")


def _suit(view: View, found: re.Match[str]) -> bool | None:
    suit = cards.suit_letter(found[1])
    met = [move for _, move in unanswered_moves(view) if move in VALUE]
    return _phase(view) in {"spend", "extra"} and met[-1][1] == suit if suit else None


class MontaukForesight(Foresight):
    """Conditions and policies of Montauk."""

    statements: ClassVar[Statements] = {
        LEADING_STATEMENT: _leading,
        re.compile(r"i (?:spend|win|won|move)|extra", re.IGNORECASE): _is_spending,
        re.compile(
            r"(?:i have )?(?:(?:values?|to use):? )+([1-6](?:(?:,? and |, ?| )[1-6])*)", re.IGNORECASE
        ): _has_values,
        re.compile(r"(round|trick) ?0*([0-9]{1,4})", re.IGNORECASE): _is_round_or_trick,
        re.compile(r"(?:[2-9TJQKA][SHDC]|[a-z]+)(?: (?:is|are|was|were))? led", re.IGNORECASE): _reject_lead,
        re.compile(r"(?:any )?([a-z]+)", re.IGNORECASE): _suit,
    }
    policies: ClassVar[dict[str, Phrase]] = Foresight.policies | {
        "lead low": Phrase("When I lead, play my card of the lowest value."),
        "lead high": Phrase("When I lead, play my card of the highest value."),
        "follow low": Phrase("When I follow, play my card of the lowest value."),
        "follow high": Phrase("When I follow, play my card of the highest value."),
        _RACE: Phrase("When I move pyramids, choose the steps that leave the least to do."),
    }

    def spelled(self, line: str) -> str:
        """Shorten cards to their codes."""
        return cards.fold_for_conditions(line)

    def named(self, view: View, line: str) -> str | None:  # noqa: ARG002
        """Parse a card or a row of steps."""
        found = _CARD.fullmatch(line)
        if found:
            return found[1].upper()
        try:
            return tracks.format_steps(tracks.parse_steps(line))
        except InvalidMove:
            return None

    def never(self, view: View, named: str) -> NeverMet | None:
        """Return why no other seat can play the card: it is the viewer's own, also face down, or was played before."""
        own = [*(view.board["hand"] or ()), *([view.board["led"]] if view.board["lead_lies"] else [])]
        if named in own:
            return NeverMet("{card} is your own card, so nobody else can play it.", card=named)
        if named in view.board["played"]:
            return NeverMet("{card} has been played already.", card=named)
        return None

    def examples(self, view: View) -> tuple[str, ...]:
        """Return as examples what there is to do, and a card that is still out."""
        out = [card for card in VALUE if self.never(view, card) is None]
        return ("I lead", "I spend", *out[:1])

    def choose(self, view: View, policy: str) -> Move | None:
        """Choose a card by its value, or the steps after which the fewest pips and pyramids are left."""
        if view.board["to_use"]:
            if policy != _RACE:
                return None
            spots = next(
                tuple(track["spots"]) for seat, track in enumerate(view.board["tracks"], 1) if seat == view.viewer
            )
            return min(view.moves, key=lambda move: burden(tracks.after_spending(spots, move)))
        phase, _, height = policy.partition(" ")
        if phase != view.board["phase"]:
            return None
        return (min if height == _LOW else max)(view.moves, key=VALUE.__getitem__)
