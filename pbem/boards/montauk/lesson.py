"""Lesson of Montauk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.boards.lessons.parts import Answer, Lesson, Step
from pbem.i18n import marked

if TYPE_CHECKING:
    from pbem.boards.lessons.parts import Attempt

_ROUND = {"rounds": 1}
_BOB_LEADS = 1
"""Seed of a match in which Bob leads the first trick."""


def _uses(attempt: Attempt) -> int:
    """Count the uses that the learner has won."""
    return len(attempt.own["to_use"]) if _wins(attempt) else 0


def _wins(attempt: Attempt) -> bool:
    return bool(attempt.own["winner"] == attempt.seat)


def _same_suit(attempt: Attempt) -> bool:
    return bool(attempt.own["led"][1] == attempt.move[1])


def _off(attempt: Attempt) -> int:
    return int(attempt.board["tracks"][attempt.seat - 1]["off"])


LESSON = Lesson(
    game="montauk",
    lead=marked("Cards decide who moves; the pyramids race off the track. You play four moves of it."),
    steps=(
        Step(
            marked("Suits win tricks"),
            marked(
                "Spades beat hearts and diamonds, hearts beat diamonds and clubs, diamonds beat clubs, and clubs beat "
                "spades. How high a card is does not matter. Bob has led a card face down; in a match you would not "
                "know it, but here you do: it is the nine of hearts."
            ),
            marked("Play a card that wins the trick."),
            (
                Answer(
                    lambda attempt: _wins(attempt) and _same_suit(attempt),
                    marked("Both cards are hearts. In one suit the card that followed wins, even if it is lower."),
                    is_right=True,
                ),
                Answer(_wins, marked("Spades beat hearts, so even a low spade wins."), is_right=True),
            ),
            marked("Hearts beat diamonds and clubs, so Bob wins the trick, and he moves instead of you."),
            options=_ROUND,
            dealt={"setup/1": "4 3 6 6 5 2 6 5 5 4 3 2", "deal/1": "4S 2H KD 5D TC 3C 9H JS 6D 8D QC AC"},
            seed=_BOB_LEADS,
            moves=("9H",),
        ),
        Step(
            marked("The winner moves"),
            marked(
                "Ace to six are worth 1 to 6, and so are seven to queen once more; a king is worth nothing. You won "
                "the nine of hearts with the four of spades: that is 3 and 4. You use each worth once, to move a "
                "pyramid so many spots towards the end. One that would go below spot 1 is off the track."
            ),
            marked("Get two pyramids off the track."),
            (
                Answer(
                    lambda attempt: _off(attempt) > 1,
                    marked("Two pyramids are off. At the end, each of them is a point."),
                    is_right=True,
                ),
                Answer(
                    lambda attempt: _off(attempt) == 1,
                    marked("One pyramid is off, but you can do more. Which ones stand low enough for 3, and for 4?"),
                ),
            ),
            marked("You have moved, but no pyramid is off. Which ones stand low enough for 3, and for 4?"),
            options=_ROUND,
            dealt={"setup/1": "4 3 6 6 5 2 6 5 5 4 3 2", "deal/1": "4S 2H KD 5D TC 3C 9H JS 6D 8D QC AC"},
            seed=_BOB_LEADS,
            moves=("9H", "4S"),
        ),
        Step(
            marked("Equal cards are strong"),
            marked(
                "The more alike the two cards of a trick are, the more the winner moves. If they have the same worth, "
                "it is used four times. Every card but a king has a twin, of the same suit and the same worth: with "
                "two twins it is used six times. Here Bob has led the three of hearts."
            ),
            marked("Play the card with which you can move most."),
            (
                Answer(
                    lambda attempt: _uses(attempt) > 4,  # noqa: PLR2004 (more than for equal worth)
                    marked("The nine of hearts is the twin of the three: you use 3 six times, and an extra card next."),
                    is_right=True,
                ),
                Answer(
                    lambda attempt: _uses(attempt) > 2,  # noqa: PLR2004 (more than both once)
                    marked("The same worth in another suit: you may use 3 four times. Another card does still more."),
                ),
                Answer(
                    _wins, marked("You win, but use each worth only once. Look for a card that is more like Bob’s.")
                ),
            ),
            marked("Hearts beat this suit, so Bob wins the trick and moves."),
            options=_ROUND,
            dealt={"setup/1": "6 6 5 5 4 4 6 5 5 4 3 2", "deal/1": "9H 3S 5S 4H KC JD 3H 6D 8D QC AC 2S"},
            seed=_BOB_LEADS,
            moves=("3H",),
        ),
        Step(
            marked("Do not win for nothing"),
            marked(
                "If you win a trick and get no pyramid off in it, you take one of the three black nulls, which costs "
                "a point. You have just won with the ace of spades against the two of hearts, so you use 1 and 2."
            ),
            marked("Move so that you take no null."),
            (
                Answer(
                    lambda attempt: "null" not in attempt.own,
                    marked("A pyramid is off, so you take no null."),
                    is_right=True,
                ),
            ),
            marked("No pyramid went off, so this trick cost you a null. Start with the pyramid on the lowest spot."),
            options=_ROUND,
            dealt={"setup/1": "6 6 5 5 4 1 6 5 5 4 3 2", "deal/1": "AS 3S 5S 4H KC JD 2H 6D 8D QC AC 2S"},
            seed=_BOB_LEADS,
            moves=("2H", "AS"),
        ),
    ),
    ending=marked(
        "A round has six tricks. Each pyramid that is off is a point, all six off before the other player are three "
        "more, and each null is one less. After all rounds the higher total wins."
    ),
)
