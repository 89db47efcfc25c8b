"""Lesson of Amazonian Buffet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.boards.lessons.parts import Answer, Lesson, Step
from pbem.i18n import marked

if TYPE_CHECKING:
    from pbem.boards.lessons.parts import Attempt

_DEAL = {
    "deck": "7D JD TC KD 6H QH  KC 9C 8C 3C 9S TD  6C 6D 8D 9D 2D AS  QC 5H 6S AH 9H TS "
    "2C AD 4H JS 3H 3S  7S 5S AC 5D TH 8S  4S KS 3D JH KH 4D  2S JC 4C 8H 5C 2H  QS QD 7H 7C"
}
"""The deal of all steps: the grid from row 1 up, then the two cards of each player."""
_CLAIMS = ("a1-c3 f3", "a8-c6 c8")
_ALL_TURNS = (
    *_CLAIMS,
    *("c3-c1 d1", "f8-f6 d6"),
    *("c1-c2 none", "c6-c7 none", "c2-c3 none", "c7-b7 none"),
)
"""All turns on the grid, the last four of them without a claim."""


def _hands_won(attempt: Attempt) -> int:
    return int(attempt.board["won"][attempt.seat - 1])


def _is_ahead(attempt: Attempt) -> bool:
    own, other = attempt.board["won"]
    return bool(own > other)


def _share_a_line(attempt: Attempt) -> bool:
    (file, row), (other_file, other_row) = attempt.board["pawns"][attempt.seat - 1]
    return bool(file == other_file or row == other_row)


LESSON = Lesson(
    game="amazonian-buffet",
    lead=marked("Claim cards with your pawns, then make three poker hands. You play four moves of it."),
    steps=(
        Step(
            marked("Claiming a card"),
            marked(
                "In a turn you move a pawn in a straight or diagonal line, as a chess queen moves. Then you may claim "
                "a card: the one where the file of one pawn meets the row of the other. Your pawns stand on a1 and "
                "f1, in one row, and must separate first: after the move they must share no row and no file."
            ),
            marked("Claim the ace of spades on f3."),
            (
                Answer(
                    lambda attempt: attempt.own["claimed"] == "AS",
                    marked("File f of one pawn meets row 3 of the other on f3, and the ace is yours."),
                    is_right=True,
                ),
                Answer(
                    lambda attempt: attempt.own["claimed"] is None,
                    marked("You have moved, but claimed nothing. Move a pawn to row 3, and claim f3."),
                ),
            ),
            marked("You claimed another card. Move the pawn of a1 to row 3: then f3 is where the two lines meet."),
            dealt=_DEAL,
        ),
        Step(
            marked("Between two pawns"),
            marked(
                "If your pawns share a row or a file after the move, you may claim any card between them. Your pawns "
                "stand on c3 and f1, so this turn they may share a line again."
            ),
            marked("Claim the king of diamonds on d1."),
            (
                Answer(
                    lambda attempt: attempt.own["claimed"] == "KD" and _share_a_line(attempt),
                    marked("Both pawns stand in row 1, and the king lies between them."),
                    is_right=True,
                ),
                Answer(
                    lambda attempt: attempt.own["claimed"] == "KD",
                    marked("Your pawns do not share a line, but file d meets row 1 on d1: that works as well."),
                    is_right=True,
                ),
                Answer(
                    lambda attempt: attempt.own["claimed"] is None,
                    marked("You have moved, but claimed nothing. Move a pawn so that d1 lies between the two."),
                ),
            ),
            marked("You claimed another card. Move a pawn so that d1 lies between the two."),
            dealt=_DEAL,
            moves=_CLAIMS,
        ),
        Step(
            marked("Three hands"),
            marked(
                "After four turns without a claim the cards are made into three hands of up to five. First meets "
                "first, second meets second, third meets third, and who wins more hands wins the match. You have an "
                "ace, a king and two queens; Bob has two sevens, a five and a four. A pair beats single cards, and "
                "any card beats an empty hand. You do not see how Bob arranges his."
            ),
            marked("Make three hands that win at least two of the three."),
            (
                Answer(
                    lambda attempt: _hands_won(attempt) > 2,  # noqa: PLR2004 (all three)
                    marked("You win all three: the pair of queens beats his sevens, and he has nothing left."),
                    is_right=True,
                ),
                Answer(
                    lambda attempt: _hands_won(attempt) == 2,  # noqa: PLR2004 (two of three)
                    marked("Two hands of three are yours, and that wins the match."),
                    is_right=True,
                ),
            ),
            marked("You win one hand only. Do not leave a hand empty, or put all good cards into one."),
            dealt=_DEAL,
            moves=_ALL_TURNS,
        ),
        Step(
            marked("A second look"),
            marked(
                "Once both have sealed their hands, all are shown, and each player may change them once. Bob has put "
                "all his cards into the first hand, with a pair of sevens. You have broken your pair of queens, and "
                "each of you would win one hand."
            ),
            marked("Change your hands so that you win more hands than Bob."),
            (Answer(_is_ahead, marked("That is enough: you win more hands than Bob."), is_right=True),),
            marked("You do not win more hands than Bob. Put the queens together, and leave no hand empty."),
            dealt=_DEAL,
            moves=(*_ALL_TURNS, "AS KD QS | QD | -", "7H 7C 5D 4C | - | -"),
        ),
    ),
    ending=marked(
        "In a match you will have fifteen cards or more, and use fifteen of them. Straights, flushes and full houses "
        "need five cards."
    ),
)
