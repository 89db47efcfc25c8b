"""Lesson of Minimax."""

from __future__ import annotations

from pbem.boards.lessons.parts import Answer, Lesson, Step
from pbem.i18n import marked

_DEAL = {"wheel": "B2 G1 G2 B1 G3 Y1 B3 R2 Y2 R1 R3 Y3"}
"""The deal of all steps, card by card."""
_TREE_ON_C = ("sow a G1 on G3, G2 on B3, B2 on Y3", "sow d R3, B2, Y3, R1 on B3/G2")
"""Moves after which the last piece has finished a tree on card c."""

LESSON = Lesson(
    game="minimax",
    lead=marked("A puzzle for one: bring all pyramids into the vault. You play four moves of it."),
    steps=(
        Step(
            marked("Sowing"),
            marked(
                "You empty one card and drop its pyramids one by one on the cards that follow: a, b, c, d, the vault, "
                "then a again. You choose in which order they fall. If the last one lands in the vault, you may sow "
                "any card next; if it lands on another card with pyramids, you must sow that card."
            ),
            marked("Sow a card whose last pyramid lands in the vault."),
            (
                Answer(
                    lambda attempt: attempt.own["next"] == "any",
                    marked("From b, the third pyramid lands in the vault, so you are free to choose the next card."),
                    is_right=True,
                ),
            ),
            marked("The last pyramid landed on another card, and you would have to sow that one. Count three on."),
            seats=1,
            dealt=_DEAL,
        ),
        Step(
            marked("Empty cards end the game"),
            marked(
                "If the last piece lands on a card that was empty, the game is over at once. Card b is empty now, "
                "and you may sow any of the others."
            ),
            marked("Sow a card so that the game goes on."),
            (
                Answer(
                    lambda attempt: not attempt.own["ended"],
                    marked("The last piece landed on a card that was not empty, so the game goes on."),
                    is_right=True,
                ),
            ),
            marked("The last piece landed on the empty card b, and the game is over. Count the pieces of each card."),
            seats=1,
            dealt=_DEAL,
            moves=("sow b B1, Y1, G3",),
        ),
        Step(
            marked("Stacks and trees"),
            marked(
                "You may put a pyramid on a larger one. A large, a medium and a small one make a tree. Stacks are "
                "taken apart before they are sown, but a tree that you have just finished may stay whole this once: "
                "it then counts as one piece, and breaks where it lands. The tree on card c is such a one."
            ),
            marked("Sow card c so that the game goes on."),
            (
                Answer(
                    lambda attempt: not attempt.own["ended"],
                    marked("With the whole tree there are three pieces, and the last one lands on card a."),
                    is_right=True,
                ),
            ),
            marked(
                "Five single pyramids go round the whole wheel, back to card c. You have emptied that card, so the "
                "game is over. Keep the tree whole."
            ),
            seats=1,
            dealt=_DEAL,
            moves=_TREE_ON_C,
        ),
        Step(
            marked("What scores"),
            marked(
                "Only the vault counts. A pyramid there is worth one point, a tree of mixed colours four, and a tree "
                "of one colour seven. A tree must be built in the vault itself, pyramid by pyramid."
            ),
            marked("Sow card a so that the red tree in the vault is finished."),
            (
                Answer(
                    lambda attempt: bool(attempt.own["trees"]),
                    marked("The red tree stands in the vault: seven points."),
                    is_right=True,
                ),
                Answer(
                    lambda attempt: any("R1" in stack for stack in attempt.board["wheel"][-1]["stacks"]),
                    marked("The small red one is in the vault, but beside the stack. Put it on top."),
                ),
            ),
            marked("The fourth pyramid lands in the vault. Keep the small red one for it."),
            seats=1,
            dealt=_DEAL,
            moves=(*_TREE_ON_C, "sow c Y2, R2 on R3, B3/G2/R1"),
        ),
    ),
    ending=marked(
        "You win if all pyramids get into the vault. If the game ends before, you still have the score of what stands "
        "there."
    ),
)
