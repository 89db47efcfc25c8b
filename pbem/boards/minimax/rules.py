"""Rules of Minimax for players."""

from __future__ import annotations

from pbem.boards.minimax import examples as boards
from pbem.boards.rules.parts import Example, Rules, section, table

_ANN = ("Ann",)

RULES = Rules(
    game="minimax",
    lead="A puzzle for one player. Sow small pyramids around a wheel of five cards until all of them are in the "
    "vault, and build trees on the way.",
    tagline="Sow pyramids around a wheel of five cards and bring them home as trees.",
    minutes=2,
    sections=(
        section(
            "The aim",
            "Bring every pyramid into the vault to clear the wheel: then you win. Your score counts only what stands "
            "in the vault.",
        ),
        section(
            "The wheel",
            "Four cards, a to d, start with three random pyramids each (six in the long game). The fifth card is the "
            "vault, which starts empty. Sowing always runs one way: a, b, c, d, vault, then a again.",
            "Pyramids are red, yellow, green or blue (R, Y, G, B) and small, medium or large (1, 2, 3), so `R1` is "
            "the small red one. A pyramid can stand on any larger one, whatever the colour: that is a stack, written "
            "from the bottom up, such as `Y3/G2`. A large, a medium and a small one together are a tree.",
        ),
        section(
            "How a turn goes",
            "Empty one card and drop everything on it piece by piece, in any order: the first piece on the next card, "
            "the second on the card after that, and so on. The vault counts as a card, and a long sowing can come "
            "round to the card it started from.",
            (
                (
                    "Stacks are taken apart before they are sown. Only a fresh tree, one that you finished in your "
                    "last turn, may stay whole: it counts as one piece, and breaks into single pyramids where it "
                    "lands, even in the vault."
                ),
                (
                    "You may put a single pyramid next to what is there, or on top of a stack whose top is larger. "
                    "This applies in the vault too."
                ),
            ),
            "Where the last piece lands decides what comes next.",
            table(
                ("The last piece landed", "What comes next"),
                ("in the vault", "you may sow any card that is not empty"),
                ("on a card that was not empty", "you must sow that card next"),
                ("on an empty card", "the game is over"),
            ),
            Example(
                boards.FRESH,
                _ANN,
                "Ann’s last drop, the small red one, finished the tree `R3/B2/R1` on card a. So she must sow card a "
                "next, and the tree may stay whole this once.",
                1,
            ),
            Example(
                boards.BROKEN,
                _ANN,
                "She played `sow a Y3, G1 on Y2, R3/B2/R1`: the large yellow one to b, the small green one onto the "
                "medium yellow one at c, and the whole tree to d, where it broke apart. Card d was not empty before, "
                "so it is sown next.",
                1,
            ),
        ),
        section(
            "How to write a move",
            "Name the card, then each drop in order, as in `sow c B3, G2 on G3, R2`. This sows c: the large blue one "
            "to d, the medium green one onto the large green one in the vault, and the medium red one to a. Write a "
            "fresh tree that stays whole as it stands, as in `sow d G3/Y2/R1`.",
            (
                "Capitals, spaces and commas do not matter: `SOW C: b3 g2 on g3 r2` is the same move.",
                "You can leave out the word “sow”, and the card too if only one may be sown.",
                (
                    "For “on” you can write `@`, `>` or an arrow. After it, the top pyramid of a stack is enough if "
                    "only one stack fits: `R1 on G2` can stand for `R1 on Y3/G2`."
                ),
                "You can also use plain names, such as `small red on medium green`.",
            ),
        ),
        section(
            "The score",
            "The vault is scored as it stands; nothing is rearranged afterwards.",
            table(
                ("In the vault", "Points"),
                ("a tree of one colour", "7"),
                ("any other tree", "4"),
                ("every other pyramid, alone or in a smaller stack", "1"),
            ),
            "The highest possible score is 28 in the small game and 56 in the long one. If you do not clear the "
            "wheel, you still have a score, but you have not won.",
            Example(
                boards.SCORED,
                _ANN,
                "The end of another game, with ten points: seven for the yellow tree, and one each for the two "
                "pyramids of the blue stack and the medium red one. Ann’s last piece, the large red one, came round "
                "to b, which she had just emptied, so the game was over.",
                1,
            ),
        ),
    ),
    options={"size": "The long game uses the same wheel with twice as many pyramids."},
    house=(
        "The colours are red, yellow, green and blue; black is not used.",
        "The long game deals six pyramids to each of the four cards; it does not add cards.",
        "You choose the order in which you drop the pieces.",
        "A long sowing does not skip the card it started from.",
        "You never have to stack. Only size matters: any colour may stand on any other, and you may skip sizes.",
        "A fresh tree breaks into three single pyramids in the vault too.",
        (
            "A card counts as empty if nothing stood on it just before the last drop. A last drop in the vault ends "
            "the game only if it clears the wheel, even if the vault was empty."
        ),
        "In the vault each pyramid that is not part of a tree counts one, even in a stack of two.",
        "You win by clearing the wheel; any other end is just a score.",
    ),
    designer="Designed by Michael Fogus.",
    source="Published as rules for Treehouse pyramids.",
)
