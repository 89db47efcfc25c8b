"""Rules of Minimax for players."""

from __future__ import annotations

from pbem.boards.minimax import examples as boards
from pbem.boards.rules.parts import Example, Rules, section, table

_ANN = ("Ann",)

RULES = Rules(
    game="minimax",
    lead="A puzzle for one. Sow little pyramids round a wheel of five cards until all of them have come home to the "
    "vault, and build trees on the way.",
    sections=(
        section(
            "The aim",
            "Bring every pyramid into the vault: then the wheel is cleared, and you have won. How well you have won "
            "is the score, which counts only what stands in the vault.",
        ),
        section(
            "The wheel",
            "Four cards, a to d, begin with three pyramids each that chance has dealt (six in the long game). The "
            "fifth card is the vault, empty at first. Sowing always runs one way: a, b, c, d, vault, and then a "
            "again.",
            "Pyramids are red, yellow, green or blue (R, Y, G, B) and small, medium or large (1, 2, 3), so that `R1` "
            "is the small red one. They may stand on larger ones of any colour: that is a stack, written from the "
            "bottom up, such as `Y3/G2`. A large, a medium and a small one together are a tree.",
        ),
        section(
            "How a turn goes",
            "You empty one card and drop all that was on it piece by piece, in any order you like: the first piece on "
            "the next card, the second on the one after that, and so on. The vault is one of the cards, and a long "
            "sowing may come round to the card it began from.",
            (
                (
                    "Stacks are taken apart before they are sown. Only a tree that you finished in the turn just "
                    "before, called fresh, may stay whole: it counts as one piece, and falls apart into single "
                    "pyramids where it lands, in the vault too."
                ),
                (
                    "A single pyramid may be put down beside what is there, or on top of a stack there whose top is "
                    "larger. In the vault too."
                ),
            ),
            "Where the last piece falls decides what comes next.",
            table(
                ("The last piece fell", "What comes next"),
                ("in the vault", "you may sow any card that holds something"),
                ("on a card that held something", "that card must be sown next"),
                ("on an empty card", "the game is over"),
            ),
            Example(
                boards.FRESH,
                _ANN,
                "Ann’s last drop, the small red one, finished the tree `R3/B2/R1` on card a. So card a must be sown "
                "next, and this once the tree may stay whole.",
                1,
            ),
            Example(
                boards.BROKEN,
                _ANN,
                "She played `sow a Y3, G1 on Y2, R3/B2/R1`: the large yellow one to b, the small green one onto the "
                "medium yellow one at c, and the whole tree to d, where it fell apart. Something stood on d before, "
                "so d is sown next.",
                1,
            ),
        ),
        section(
            "How to write a move",
            "Name the card and then each drop in order, as in `sow c B3, G2 on G3, R2`. Sowing c, that puts the large "
            "blue one on d, the medium green one onto the large green one in the vault, and the medium red one on a. "
            "A fresh tree that stays whole is written as it stands, as in `sow d G3/Y2/R1`.",
            (
                "Capitals, spaces and commas do not matter: `SOW C: b3 g2 on g3 r2` is the same move.",
                "The word “sow” may be left out, and the card too where only one may be sown after the last drop.",
                (
                    "For “on” you may write `@`, `>` or an arrow. Behind it the top pyramid of a stack is enough if "
                    "there is no doubt which is meant: `R1 on G2` may stand for `R1 on Y3/G2`."
                ),
                "Plain names are understood too, such as `small red on medium green`.",
            ),
        ),
        section(
            "The score",
            "What stands in the vault counts as it stands; nothing is put together afterwards.",
            table(
                ("In the vault", "Points"),
                ("a tree of one colour", "7"),
                ("any other tree", "4"),
                ("every other pyramid, alone or in a smaller stack", "1"),
            ),
            "The highest score that can be thought of is 28 in the small game and 56 in the long one. A wheel that is "
            "not cleared has a score as well, but is not won.",
            Example(
                boards.SCORED,
                _ANN,
                "The end of another game, for ten points: seven for the yellow tree, and one each for the two "
                "pyramids of the blue stack and the medium red one. Ann’s last piece, the large red one, came round "
                "to b, which she had just emptied: so it was over.",
                1,
            ),
        ),
    ),
    options={"size": "The long game is played on the same wheel with twice as many pyramids."},
    house=(
        "The colours are red, yellow, green and blue; black is not used.",
        "The long game deals six pyramids to each of the four cards, not more cards.",
        "You choose the order in which pieces are dropped.",
        "A long sowing does not skip the card that it came from.",
        "Stacking is never a must. Only the size counts: any colour may stand on any other, and sizes may be skipped.",
        "A fresh tree breaks into three single pyramids in the vault too.",
        (
            "A card counts as empty if nothing stood on it just before the last drop. A last drop in the vault ends "
            "the game only by clearing the wheel, even if the vault was empty."
        ),
        "In the vault each pyramid that is part of no tree counts one, also within a stack of two.",
        "Alone, you win by clearing the wheel; any other end is a score.",
    ),
    designer="Designed by Michael Fogus.",
    source="Published as rules for Treehouse pyramids.",
)
