"""Rules of Martian Trickery for players."""

from __future__ import annotations

from pbem.boards.martian_trickery import examples as boards
from pbem.boards.rules.parts import Example, Rules, section, table

_THREE = ("Ann", "Bob", "Cyd")

RULES = Rules(
    game="martian-trickery",
    lead="A game of tricks for three or four, with spades as trumps. Each trick is played for a pyramid, and not all "
    "of them are worth having.",
    sections=(
        section(
            "The aim",
            "Have the most points after all hands. Points come from the pyramids that you win in each hand: they are "
            "worth more in sets, and the three black ones are trouble, unless you win them all.",
        ),
        section(
            "A hand",
            "Each of you is dealt twelve cards. With three players no card below a six is in the deck, with four no "
            "twos. In the middle lie twelve pyramids, the prizes: small, medium and large (1, 2, 3) in red, yellow "
            "and green (R, Y, G), and black (K) for the penalties. Every trick has one of them as its prize, so that "
            "a hand is twelve tricks.",
            "In the first hand seat 1 leads, and from hand to hand the next seat. All prizes go back to the middle "
            "for a new hand.",
        ),
        section(
            "How a trick goes",
            "The leader chooses a prize from the middle and leads a card; the others follow in turn, one card each.",
            (
                "Follow suit if you can. If you cannot, play whatever you like, a spade too.",
                (
                    "The highest spade wins, or if there is none, the highest card of the suit that was led. The ace "
                    "is the highest card."
                ),
                "The winner takes the prize and leads the next trick.",
                (
                    "Spades may not be led until they are broken: somebody must first have put a spade on a trick of "
                    "another suit, in this hand. Whoever holds nothing but spades may lead one anyway."
                ),
            ),
            Example(
                boards.FOLLOW,
                _THREE,
                "Ann leads for the medium black pyramid, which she does not want: `K2 7C` is what she wrote. Bob "
                "followed with the ace of clubs. Cyd has one club and must play it, `6C`; so the penalty goes to Bob.",
                3,
            ),
        ),
        section(
            "How to write a move",
            "To lead, name the prize and the card, as in `R2 7H`: the medium red pyramid, and the seven of hearts. To "
            "follow, name a card alone, as in `TS` for the ten of spades.",
            (
                (
                    "Prize and card may come in either order, with a comma, a plus sign or “for” between them, as in "
                    "`7H for R2`."
                ),
                (
                    "Capitals do not matter; the ten may be written `10S`, and suit symbols and names such as `queen "
                    "of spades` or `large red` are understood."
                ),
                "A word in front, such as lead or play, does no harm.",
            ),
        ),
        section(
            "The score",
            "After the twelfth trick your coloured pyramids are sorted into sets, each pyramid into one, in the way "
            "that is worth most. The service does that for you.",
            table(
                ("Set", "Points"),
                ("three of one size", "7"),
                ("a small, a medium and a large one of one colour", "7"),
                ("a small, a medium and a large one of any colours", "5"),
                ("each pyramid left over", "1"),
            ),
            "Then the black ones that you have won are counted.",
            table(
                ("Black pyramids", "Score of the hand"),
                ("none", "your points"),
                ("one", "your points without the pyramids of its size, which are put aside first"),
                ("two", "minus your points"),
                ("all three", "21 and your points"),
            ),
            Example(
                boards.SCORED,
                _THREE,
                "A match of one hand is over. Ann has the small black pyramid, but no other small one to lose: three "
                "points. Bob has the medium black one, and a point for the large yellow one. Cyd’s large black one "
                "takes the large green one away; three small ones for seven and the medium red one make eight.",
            ),
            "After the last hand the highest sum wins. If two or more share it, another hand is played by all, until "
            "one is alone in front.",
        ),
        section(
            "What is hidden",
            "Your cards are yours to see alone. Prizes, pyramids won, tricks that were played, and scores are open to "
            "everybody.",
        ),
    ),
    options={
        "prizes": "With two stashes there are nine red pyramids, three of each size, and the three black ones; a "
        "small, a medium and a large one are then worth 5.",
        "out": "The Treehouse set has five colours, and one that is not black stays in the box. This cannot be chosen "
        "with two stashes.",
        "hands": "Fewer hands make a shorter match.",
    },
    house=(
        "The colour left out is agreed beforehand: blue, unless you choose another.",
        "Black pyramids are the penalties.",
        "The last seat deals first, so that seat 1 leads the first hand.",
        "Prize and card are named together, before anybody follows.",
        "A hand of nothing but spades may lead them before they are broken, and that does not break them.",
        "Any spade put on a trick of another suit breaks them, even one that does not win.",
        "Three of a size count whatever their colours.",
        "Sets are always made in the way that is worth most, also where two black ones turn the points round.",
        "All three black ones are worth 21 besides what your other pyramids score.",
        "A single black pyramid puts aside only your own pyramids of its size, and only in that hand.",
        "A tie for the lead is played out with whole hands by everybody; somebody who was behind may win.",
        "Tricks that were played stay open to look at.",
    ),
    designer="Designed by Joss Ives.",
    source="Published as rules for cards and Treehouse pyramids.",
)
