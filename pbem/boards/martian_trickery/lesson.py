"""Lesson of Martian Trickery."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.boards.lessons.parts import Answer, Lesson, Step
from pbem.i18n import marked

if TYPE_CHECKING:
    from pbem.boards.lessons.parts import Attempt

_HAND = {"hands": 1}
_LAST = {
    "deal/1": "QH JH 7C AD KD QD JD TD 9D 8D 7D 6D  AH TH 9H 6H KS JS TS 9S 8S AC QC JC  "
    "KH 8H 7H AS QS 7S 6S KC TC 9C 8C 6C"
}
"""A deal in which the learner plays last; neither they nor the player before them has a diamond."""
_FIRST = {
    "deal/1": "AH 6H AD 7D 6D AC KC 7C 6C 8S 7S 6S  KH QH 8H KD QD 8D JC 9C 8C JS TS 9S  "
    "JH TH 9H 7H JD TD 9D QC TC AS KS QS"
}
"""A deal in which the learner leads, with three aces."""


def _wins(attempt: Attempt) -> bool:
    return bool(attempt.own["winner"] == attempt.seat)


def _worth(attempt: Attempt) -> int:
    """Return what the learner's pyramids are worth after the trick."""
    return int(attempt.board["worth"][attempt.seat - 1])


LESSON = Lesson(
    game="martian-trickery",
    lead=marked("Every trick is played for a pyramid, and some you do not want. You play four cards."),
    steps=(
        Step(
            marked("Following suit"),
            marked(
                "Bob has led the queen of hearts, for the large red pyramid, and Cyd has followed with the nine. You "
                "must play the suit that was led if you have it. The highest card of that suit wins the trick, and "
                "its player gets the pyramid. Aces are high."
            ),
            marked("Play a card that wins the trick."),
            (
                Answer(
                    _wins,
                    marked("The king is the highest heart here, so the large red pyramid is yours."),
                    is_right=True,
                ),
            ),
            marked("Bob’s queen is higher, so he gets the pyramid. You hold a heart that beats it."),
            seats=3,
            seat=3,
            options=_HAND,
            dealt=_LAST,
            moves=("R3 QH", "9H"),
        ),
        Step(
            marked("Spades are trumps"),
            marked(
                "If you have no card of the suit led, you may play any card. A spade beats all other suits, and the "
                "highest spade wins. Bob has led the ace of diamonds, and Cyd, who has no diamonds, played the ten of "
                "spades. You have no diamonds either."
            ),
            marked("Play a card that wins the trick."),
            (
                Answer(_wins, marked("Your spade is higher than Cyd’s, so the trick is yours."), is_right=True),
                Answer(
                    lambda attempt: attempt.move[1] == "S",
                    marked("This spade is lower than Cyd’s ten, so she wins. You hold a higher one."),
                ),
            ),
            marked("Only a spade can beat a spade, so Cyd wins the trick."),
            seats=3,
            seat=3,
            options=_HAND,
            dealt=_LAST,
            moves=("G3 AD", "TS"),
        ),
        Step(
            marked("Black pyramids cost points"),
            marked(
                "Bob has led for the medium black pyramid. With one black pyramid you lose your other pyramids of its "
                "size, and with two your points turn negative. Only with all three do you get 21 points on top. "
                "Better leave this one to somebody else."
            ),
            marked("Play a card that does not win the trick."),
            (
                Answer(
                    lambda attempt: not _wins(attempt),
                    marked("Cyd’s queen is still the highest club, so she has to take the black pyramid."),
                    is_right=True,
                ),
            ),
            marked("Your king is the highest club, so the black pyramid comes to you. Play a lower club."),
            seats=3,
            seat=3,
            options=_HAND,
            dealt=_LAST,
            moves=("K2 7C", "QC"),
        ),
        Step(
            marked("Leading for a set"),
            marked(
                "The winner of a trick leads the next one, and chooses the pyramid for it. Sets are worth most: three "
                "of one size, or a small, a medium and a large one of one colour, are seven points; of mixed colours, "
                "such a family is five. You have won the small and the medium red one. Spades may not be led before "
                "one was played on another suit."
            ),
            marked("Choose the pyramid and the card with which you get seven points."),
            (
                Answer(
                    lambda attempt: _worth(attempt) > 6,  # noqa: PLR2004 (a set of the best kind)
                    marked("Nobody can beat that card, so the large red one completes your red set: seven points."),
                    is_right=True,
                ),
                Answer(
                    lambda attempt: attempt.move.startswith("R3"),
                    marked("The right pyramid, but somebody beats that card. Lead one that nobody can beat."),
                ),
                Answer(
                    lambda attempt: attempt.move.startswith("K"),
                    marked("That is a black pyramid, and it would cost you points. Which one completes a set?"),
                ),
                Answer(
                    lambda attempt: _worth(attempt) == 5,  # noqa: PLR2004 (a set of mixed colours)
                    marked("A set of mixed colours is worth five. Another pyramid makes a set of one colour."),
                ),
            ),
            marked("That does not complete a set of one colour. You have the small and the medium red one."),
            seats=3,
            options=_HAND,
            dealt=_FIRST,
            moves=("R1 AH", "8H", "7H", "R2 AD", "8D", "9D"),
        ),
    ),
    ending=marked(
        "A hand is twelve tricks, one for each pyramid in the middle. After the last hand, the highest total wins."
    ),
)
