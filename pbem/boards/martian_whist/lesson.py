"""Lesson of Martian Whist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.boards.lessons.parts import Answer, Lesson, Step
from pbem.games.trees import COLOUR_RANK
from pbem.i18n import marked

if TYPE_CHECKING:
    from pbem.boards.lessons.parts import Attempt

_SHORT = {"sets": 2}


def _takes(numbers: str) -> tuple[str, ...]:
    """Return the moves of a draft, by the numbers of the trees."""
    return tuple(f"take {number}" for number in numbers.split())


def _is_solid(tree: str) -> bool:
    return len({pyramid[0] for pyramid in tree.split("/")}) == 1


def _wins(attempt: Attempt) -> bool:
    return bool(next(entry["winner"] for entry in attempt.news if entry["winner"]) == attempt.seat)


def _is_tie(attempt: Attempt) -> bool:
    """Return whether the tree played and the tree led have the higher colour in as many pairs."""
    trick = attempt.board["history"][-1]
    ranks = [[COLOUR_RANK[pyramid[0]] for pyramid in trick[tree]] for tree in ("led", "followed")]
    return sum(map(int.__lt__, *ranks)) == sum(map(int.__gt__, *ranks))


LESSON = Lesson(
    game="martian-whist",
    lead=marked("Draft pyramids, build trees, win tricks with them. You play four moves of it."),
    steps=(
        Step(
            marked("The draft"),
            marked(
                "First you take turns to take a pyramid from the top of a tree in the row. From a large, a medium and "
                "a small one you will build trees; one of a single colour is called solid, and it beats every mixed "
                "tree. You have the small red pyramid of tree 1."
            ),
            marked("Take the pyramid that suits it best."),
            (
                Answer(
                    lambda attempt: attempt.own["took"] == "R2",
                    marked("With a large red one as well you would have a solid tree."),
                    is_right=True,
                ),
                Answer(
                    lambda attempt: attempt.own["took"] == "R1",
                    marked("It is red, but a tree has one pyramid of each size, and you have a small one already."),
                ),
            ),
            marked("This is another colour. Look for red, in another size."),
            options=_SHORT,
            dealt={
                "larges": "Y3 K3 G3 B3 R3 Y3 K3 G3 B3 R3",
                "mediums": "R2 Y2 K2 G2 B2 R2 Y2 K2 G2 B2",
                "smalls": "R1 B1 Y1 K1 G1 Y1 G1 B1 R1 K1",
            },
            moves=_takes("1 4"),
        ),
        Step(
            marked("Solid beats mixed"),
            marked(
                "The draft is over. In a trick one player leads a tree and the other follows, with a tree that shares "
                "a colour with it if possible. Bob leads a mixed tree with two black pyramids, and black is the "
                "highest colour; then come red, yellow, green and blue."
            ),
            marked("Play the tree that wins the trick."),
            (
                Answer(
                    lambda attempt: _wins(attempt) and _is_solid(attempt.move),
                    marked("Your tree is solid, so its colour does not matter: it beats every mixed tree."),
                    is_right=True,
                ),
            ),
            marked("Two mixed trees are compared pair by pair, and Bob’s wins more pairs. Play a tree of one colour."),
            options=_SHORT,
            seed=127,
            moves=(
                *_takes("2 6 7 2 3 3 9 9 1 5 3 7 5 7 9 1 2 4 1 8 6 10 4 4 10 10 5 6 8 8"),
                *("R3/K2/G1", "G3/G2/B1", "K3/Y2/B1", "B3/R2/K1", "R3/G2/Y1", "G3/R2/R1", "Y3/K2/K1"),
            ),
        ),
        Step(
            marked("Mixed against mixed"),
            marked(
                "Compare large with large, medium with medium and small with small. The higher colour wins a pair, "
                "and equal colours win nothing. Who wins more pairs wins the trick; if both win as many, the leader "
                "does. Bob leads yellow, black, green, from the large one to the small one."
            ),
            marked("Play the tree that wins the trick."),
            (
                Answer(
                    _wins,
                    marked("Large and medium are equal, and your small yellow one beats his small green one."),
                    is_right=True,
                ),
                Answer(
                    _is_tie,
                    marked("Each of you wins as many pairs, and then the leader wins the trick: that is Bob."),
                ),
            ),
            marked("Bob’s tree wins more pairs. Put your best pyramid of each size together."),
            options=_SHORT,
            seed=19,
            moves=(
                *_takes("5 5 8 5 9 4 10 6 1 7 9 7 6 2 1 8 2 1 2 3 9 3 3 6 4 10 4 7 10 8"),
                *("K3/R2/Y1", "G3/R2/K1", "B3/B2/R1", "G3/B2/B1", "K3/G2/R1", "R3/Y2/G1", "Y3/K2/G1"),
            ),
        ),
        Step(
            marked("Leading"),
            marked(
                "The winner of a trick keeps their own tree for the score and leads the next trick. Now you lead, and "
                "you see all that Bob has: he cannot build a solid tree."
            ),
            marked("Lead a tree with which you win the trick."),
            (
                Answer(
                    lambda attempt: _wins(attempt) and _is_solid(attempt.move),
                    marked("Bob has no solid tree, so nothing of his beats yours."),
                    is_right=True,
                ),
                Answer(
                    _wins,
                    marked("Black is higher than anything of Bob’s in two of three pairs, so he cannot win."),
                    is_right=True,
                ),
            ),
            marked("This tree is mixed, and Bob’s answer wins more pairs. Keep equal colours together."),
            options=_SHORT,
            seed=121,
            moves=(
                *_takes("2 2 9 7 9 8 7 2 9 3 5 3 7 10 1 4 5 4 4 1 10 3 10 8 8 5 6 1 6 6"),
                *("Y3/B2/B1", "B3/B2/G1", "G3/G2/B1", "K3/G2/K1", "G3/Y2/R1", "B3/K2/R1"),
            ),
        ),
    ),
    ending=marked(
        "At the end, each player builds new trees from the trees that won: a solid one is worth three points, any "
        "other one. The higher score wins."
    ),
)
