"""Rules of Martian Whist for players."""

from __future__ import annotations

from pbem.boards.martian_whist import examples as boards
from pbem.boards.rules.parts import Example, Rules, section, table

_BOTH = ("Ann", "Bob")

RULES = Rules(
    game="martian-whist",
    lead="A game for two, without secrets, and without luck once it has been dealt. First you draft pyramids from a "
    "row of trees; then you fight tricks with trees that you build from them.",
    sections=(
        section(
            "The aim",
            "Win tricks, and win them with good trees: at the end your points come from the pyramids of those trees "
            "that won. The higher score wins.",
        ),
        section(
            "Pyramids and trees",
            "Pyramids are black, red, yellow, green or blue (K, R, Y, G, B; this is also their rank, from high to "
            "low) and small, medium or large (1, 2, 3). A tree is a large one with a medium one and a small one on "
            "top, written from the bottom up: `R3/G2/K1`. A tree of one colour is solid, any other is mixed.",
        ),
        section(
            "First, the draft",
            "Twenty numbered trees stand in a row (ten in the short game). In turn, each of you takes the top pyramid "
            "of any tree. Nobody may take more than ten of a size (five in the short game), so that in the end both "
            "have equally many of each. Whoever can take nothing has to pass.",
            "Right after the very first pyramid has been taken, and only then, the second player may swap instead of "
            "taking one: that pyramid becomes theirs, and the first player takes another.",
            Example(
                boards.DRAFT,
                _BOTH,
                "The draft of a short game. Ann took the small black one from tree 1, and Bob used the swap to have "
                "it. By now trees 1, 5 and 7 are down to their large pyramids. It is Bob’s turn: with `take 1` he "
                "would have a large yellow one, with `take 10` a small red one.",
                2,
            ),
        ),
        section(
            "Then, the tricks",
            "Whoever took the last pyramid leads the first trick. The leader plays a tree made from their own "
            "pyramids, and the other follows with one of theirs. It must share a colour with the tree led, on any of "
            "the three, if the follower has any pyramid of those colours; if not, any tree will do.",
            table(
                ("The two trees", "Who wins"),
                ("one solid, one mixed", "the solid one"),
                ("both solid", "the higher colour; in the same colour, the leader"),
                (
                    "both mixed",
                    (
                        "compare large with large, medium with medium, small with small: the higher colour wins each "
                        "pair, nobody where they are equal; whoever wins more pairs wins, and if equally many the "
                        "leader"
                    ),
                ),
            ),
            "The winner keeps the tree they played, for the score, and leads the next trick. The other tree is out of "
            "the game.",
            Example(
                boards.LED,
                _BOTH,
                "Ann has led `R3/K2/G1`, a mixed tree, so Bob must bring red, black or green. With `R3/R2/R1` he "
                "follows in red, and wins: solid beats mixed.",
                2,
            ),
        ),
        section(
            "How to write a move",
            "In the draft: `take 7`, or just the number `7`; `swap`; and `pass` where nothing can be taken. In the "
            "tricks: the tree, such as `R3/G2/K1`.",
            (
                "`draft 7` and `take tree 7` are the same as `take 7`.",
                "A tree may be named by its three colours from the bottom up, such as `RGK` or `red green black`.",
                "Its pyramids may come in any order and with spaces or commas: `k1 r3, g2` will do.",
                "A word in front, such as lead, play or follow, does no harm.",
            ),
        ),
        section(
            "The score",
            "Take all pyramids of the trees that you won with, and build trees anew, as many solid ones as possible. "
            "The service does that for you.",
            table(
                ("Each tree", "Points"),
                ("solid", "3"),
                ("mixed", "1"),
            ),
            "Equal scores are a draw. In the short game that cannot happen.",
            Example(
                boards.SCORED,
                _BOTH,
                "A short game is over. Ann won two tricks; `K3/K2/K1` can be built from her trees, and `K3/Y2/B1` is "
                "left, so she has 3 + 1 = 4. Bob won three, with one solid tree among them: 3 + 1 + 1 = 5.",
            ),
        ),
    ),
    options={"sets": "The short game has half as many pyramids, and takes half as many turns."},
    house=(
        "The trees are dealt by three shuffles, one for each size.",
        "Trees keep their number as they shrink.",
        "The swap gives the second player the very pyramid that was taken, and counts as their turn.",
        "Nobody gets more than half of the pyramids of a size: whoever has that many must take another size, or pass.",
        "The draft takes every pyramid. Whoever took the last one leads; passes do not count.",
        (
            "The colour that you share may be on any of the three pyramids, whatever its size. You must share one if "
            "you can."
        ),
        "Two mixed trees are compared pair by pair. Ties go to the leader, also between two solid trees of one colour.",
        "Only the winner’s own tree is kept; the loser’s counts for nobody.",
        "At the end you need not choose how to build: the best way counts. Equal scores are a draw.",
    ),
    designer="Designed by Michael Fogus.",
    source="Published as rules for Treehouse pyramids.",
)
