"""Rules of Martian Whist for players."""

from __future__ import annotations

from pbem.boards.martian_whist import examples as boards
from pbem.boards.rules.parts import Example, Rules, section, table

_BOTH = ("Ann", "Bob")

RULES = Rules(
    game="martian-whist",
    lead="A game for two, without secrets, and without luck after the deal. First you draft pyramids from a row of "
    "trees; then you play tricks with the trees that you build from them.",
    tagline="Draft pyramids from a row of trees, then win tricks with the trees you build.",
    minutes=2,
    sections=(
        section(
            "The aim",
            "Win tricks, and win them with good trees: at the end, the pyramids of the trees that won are your "
            "points. The higher score wins.",
        ),
        section(
            "Pyramids and trees",
            "Pyramids are black, red, yellow, green or blue (K, R, Y, G, B; this is also their rank, from high to "
            "low) and small, medium or large (1, 2, 3). A tree is a large one with a medium one and a small one on "
            "top, written from the bottom up: `R3/G2/K1`. A tree of one colour is solid; any other is mixed.",
        ),
        section(
            "First, the draft",
            "Twenty numbered trees stand in a row (ten in the short game). In turn, each of you takes the top pyramid "
            "of any tree. Nobody may take more than ten of a size (five in the short game), so you both end up with "
            "the same number of each. If you can take nothing, you must pass.",
            "Right after the very first pyramid is taken, and only then, the second player may swap instead of taking "
            "one: that pyramid becomes theirs, and the first player takes another.",
            Example(
                boards.DRAFT,
                _BOTH,
                "The draft of a short game. Ann took the small black one from tree 1, and Bob swapped to get it. By "
                "now only large pyramids are left of trees 1, 5 and 7. It is Bob’s turn: with `take 1` he would get a "
                "large yellow one, with `take 10` a small red one.",
                2,
            ),
        ),
        section(
            "Then, the tricks",
            "The player who took the last pyramid leads the first trick. The leader plays a tree made from their own "
            "pyramids, and the other player follows with one of theirs. It must share a colour with the tree led, on "
            "any of its three pyramids, if the follower has any pyramid of those colours; if not, any tree will do.",
            table(
                ("The two trees", "Who wins"),
                ("one solid, one mixed", "the solid one"),
                ("both solid", "the higher colour; if both have the same colour, the leader"),
                (
                    "both mixed",
                    (
                        "compare large with large, medium with medium, small with small: the higher colour wins each "
                        "pair, and nobody wins a pair of equals; the player who wins more pairs wins the trick, or "
                        "the leader if it is a tie"
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
            "In the draft, write `take 7`, or just the number `7`; `swap`; or `pass` if you can take nothing. In the "
            "tricks, write the tree, such as `R3/G2/K1`.",
            (
                "`draft 7` and `take tree 7` are the same as `take 7`.",
                "You can name a tree by its three colours from the bottom up, such as `RGK` or `red green black`.",
                "Its pyramids can come in any order, with spaces or commas, such as `k1 r3, g2`.",
                "You can write “lead”, “play” or “follow” in front.",
            ),
        ),
        section(
            "The score",
            "Take all pyramids of your winning trees, and build new trees from them, as many solid ones as possible. "
            "The service does this for you.",
            table(
                ("Each tree", "Points"),
                ("solid", "3"),
                ("mixed", "1"),
            ),
            "Equal scores are a draw. This cannot happen in the short game.",
            Example(
                boards.SCORED,
                _BOTH,
                "A short game is over. Ann won two tricks; `K3/K2/K1` can be built from her trees, and `K3/Y2/B1` is "
                "left, so she has 3 + 1 = 4. Bob won three, including one solid tree: 3 + 1 + 1 = 5.",
            ),
        ),
    ),
    options={"sets": "The short game has half as many pyramids and takes half as many turns."},
    house=(
        "The trees are dealt by three shuffles, one for each size.",
        "Trees keep their number as they shrink.",
        "The swap gives the second player the very pyramid that was taken, and counts as their turn.",
        (
            "Nobody gets more than half of the pyramids of a size: a player who has that many must take another size, "
            "or pass."
        ),
        "The draft takes every pyramid. The player who took the last one leads; passes do not count.",
        (
            "The colour that you share may be on any of the three pyramids, whatever its size. You must share one if "
            "you can."
        ),
        "Two mixed trees are compared pair by pair. The leader wins ties, also between two solid trees of one colour.",
        "Only the winner’s own tree is kept; the loser’s counts for nobody.",
        "At the end you need not choose how to build: the best way counts. Equal scores are a draw.",
    ),
    designer="Designed by Michael Fogus.",
    source="Published as rules for Treehouse pyramids.",
)
