"""Rules of Martian Trickery for players."""

from __future__ import annotations

from pbem.boards.martian_trickery import examples as boards
from pbem.boards.rules.parts import Example, Rules, section, table

_THREE = ("Ann", "Bob", "Cyd")

RULES = Rules(
    game="martian-trickery",
    lead="A trick-taking game for three or four, with spades as trumps. Each trick is played for a pyramid, and not "
    "all of them are worth having.",
    tagline="Win the tricks for the pyramids you want, and leave the bad ones to the others.",
    minutes=1,
    sections=(
        section(
            "The aim",
            "Have the most points after all hands. You score for the pyramids that you win in each hand: they are "
            "worth more in sets, and the three black ones cost you, unless you win them all.",
        ),
        section(
            "A hand",
            "Each of you gets twelve cards. With three players, the deck has no cards below six; with four, it has no "
            "twos. In the middle lie twelve pyramids, the prizes: small, medium and large (1, 2, 3) in red, yellow "
            "and green (R, Y, G), and in black (K) for the penalties. Every trick has one prize, so a hand is twelve "
            "tricks.",
            "Seat 1 leads the first hand, and the next seat leads each hand after it. For a new hand, all prizes go "
            "back to the middle.",
        ),
        section(
            "How a trick goes",
            "The leader chooses a prize from the middle and leads a card; the others follow in turn with one card "
            "each.",
            (
                "Follow suit if you can. If you cannot, play any card, even a spade.",
                "The highest spade wins; without a spade, the highest card of the suit that was led. Aces are high.",
                "The winner takes the prize and leads the next trick.",
                (
                    "You may not lead spades until they are broken: somebody must first have played a spade on a "
                    "trick of another suit in this hand. If you hold nothing but spades, you may lead one anyway."
                ),
            ),
            Example(
                boards.FOLLOW,
                _THREE,
                "Ann leads for the medium black pyramid, which she does not want: she wrote `K2 7C`. Bob followed "
                "with the ace of clubs. Cyd has one club and must play it, `6C`, so the penalty goes to Bob.",
                3,
            ),
        ),
        section(
            "How to write a move",
            "To lead, name the prize and the card, as in `R2 7H`: the medium red pyramid, and the seven of hearts. To "
            "follow, just name a card, as in `TS` for the ten of spades.",
            (
                (
                    "Prize and card can come in either order, with a comma, a plus sign or “for” between them, as in "
                    "`7H for R2`."
                ),
                (
                    "Capitals do not matter. You can write the ten as `10S`, and use suit symbols and names such as "
                    "`queen of spades` or `large red`."
                ),
                "You can write “lead” or “play” in front.",
            ),
        ),
        section(
            "The score",
            "After the twelfth trick your coloured pyramids are sorted into sets, each pyramid into one, in the way "
            "that is worth most. The service does this for you.",
            table(
                ("Set", "Points"),
                ("three of one size", "7"),
                ("a small, a medium and a large one of one colour", "7"),
                ("a small, a medium and a large one of any colours", "5"),
                ("each pyramid left over", "1"),
            ),
            "Then the black ones that you won are counted.",
            table(
                ("Black pyramids", "Score of the hand"),
                ("none", "your points"),
                ("one", "your points without the pyramids of its size, which are set aside first"),
                ("two", "minus your points"),
                ("all three", "21 and your points"),
            ),
            Example(
                boards.SCORED,
                _THREE,
                "A match of one hand is over. Ann has the small black pyramid, but no other small one to lose: three "
                "points. Bob has the medium black one, and a point for the large yellow one. Cyd’s large black one "
                "removes the large green one; three small ones for seven and the medium red one make eight.",
            ),
            "After the last hand the highest total wins. If two or more players share it, everybody plays another "
            "hand, until one is alone in front.",
        ),
        section(
            "What is hidden",
            "Only you see your cards. Prizes, pyramids won, past tricks and scores are open to everybody.",
        ),
    ),
    options={
        "prizes": "With two stashes there are nine red pyramids, three of each size, and the three black ones; a "
        "small, a medium and a large one are then worth 5.",
        "out": "The Treehouse set has five colours; one of them, not black, stays in the box. You cannot choose this "
        "with two stashes.",
        "hands": "Fewer hands make a shorter match.",
    },
    house=(
        "The colour left out is agreed before the match: blue, unless you choose another.",
        "Black pyramids are the penalties.",
        "The last seat deals first, so that seat 1 leads the first hand.",
        "The leader names prize and card together, before anybody follows.",
        "If you hold nothing but spades, you may lead them before they are broken, and that does not break them.",
        "Any spade played on a trick of another suit breaks spades, even one that does not win.",
        "Three of a size count, whatever their colours.",
        "Sets are always made in the way that is worth most, even if two black ones turn the points negative.",
        "All three black ones are worth 21, in addition to what your other pyramids score.",
        "A single black pyramid sets aside only your own pyramids of its size, and only in that hand.",
        "A tie for the lead is broken by whole hands that everybody plays; a player who was behind may win.",
        "Everybody can look at past tricks.",
    ),
    designer="Designed by Joss Ives.",
    source="Published as rules for cards and Treehouse pyramids.",
)
