"""Rules of Montauk for players."""

from __future__ import annotations

from pbem.boards.montauk import examples as boards
from pbem.boards.rules.parts import Example, Rules, section, table

_BOTH = ("Ann", "Bob")

RULES = Rules(
    game="montauk",
    lead="A race for two. Each of you wants six pyramids off a short track; cards that are played blind against each "
    "other decide who may move, and how far.",
    sections=(
        section(
            "The aim",
            "Have more points than the other when all rounds have been played. Each round is a race of its own: "
            "points are for pyramids that leave the track, and for being first to have all six off.",
        ),
        section(
            "A round",
            "Chance puts your six pyramids on the spots 1 to 6 of your own track, any number to a spot, and deals six "
            "cards to each of you. The rest of the deck is the pile. Three black pyramids, the nulls, lie in the "
            "middle for both.",
            "Then come six tricks. Whoever has fewer points in the match leads the first, and whoever wins a trick "
            "leads the next. Cards that were played are not replaced. If both have all six off, the round ends early.",
        ),
        section(
            "What cards are worth",
            table(
                ("Card", "Worth"),
                ("A, 2, 3, 4, 5, 6", "1 to 6"),
                ("7, 8, 9, T (the ten), J, Q", "1 to 6 once more"),
                ("K", "nothing"),
            ),
            "So each card but a king has a twin of the same suit and worth: the three and the nine of hearts are "
            "twins.",
            table(
                ("Suit", "Beats"),
                ("spades", "hearts and diamonds"),
                ("hearts", "diamonds and clubs"),
                ("diamonds", "clubs"),
                ("clubs", "spades"),
            ),
        ),
        section(
            "How a trick goes",
            "The leader plays a card face down; the other plays one without seeing it, any card they like. Then both "
            "are shown. The higher suit wins, however much the cards are worth; in one suit the card that followed "
            "wins.",
            "The winner moves. Each use of a card’s worth moves one of their pyramids that many spots down; one that "
            "would come below spot 1 leaves the track. Uses may be shared out among pyramids as you like, and one "
            "pyramid may be moved more than once. All must be used, unless the track is empty before.",
            table(
                ("The two cards", "First the winner uses", "Extra card"),
                ("other suit, other worth", "both worths, once each", "none"),
                ("one suit, other worth", "both worths, once each", "used once, four or six times"),
                ("other suit, one worth", "that worth four times", "used once, four or six times"),
                ("twins", "that worth six times", "used four times"),
            ),
            "An extra card is turned up from the pile only after the first uses have been made, and the winner uses "
            "its worth as well: six times if it is the twin of the card that won the trick, four times if it has that "
            "card’s suit or worth, otherwise once. After twins it is always four times.",
            Example(
                boards.SPEND,
                _BOTH,
                "Ann led the three of spades, and Bob followed with the ace of clubs. Clubs beat spades, so Bob wins: "
                "he moves one pyramid three spots and one a single spot. With `5-2 1-off` one goes from spot 5 to "
                "spot 2, and one leaves the track from spot 1.",
                2,
            ),
            Example(
                boards.EXTRA,
                _BOTH,
                "In the next trick both cards were clubs, so Ann, who followed, has won and has made her first moves. "
                "The extra card is the six of hearts; the card that won was the three of clubs, and neither suit nor "
                "worth agree. She uses six once: `4-off` takes a pyramid off from spot 4.",
                1,
            ),
        ),
        section(
            "Nulls",
            "A null costs a point. The winner of a trick takes one if they began it with a pyramid on the track and "
            "brought none off in it. If the winner had all six off before the trick and the other has not, the other "
            "takes one. When the three are gone, nobody takes any more.",
        ),
        section(
            "How to write a move",
            "To lead or follow, name a card, such as `9H` for the nine of hearts. To move, write each step from spot "
            "to spot, or off, such as `6-4 3-off`.",
            (
                "Capitals, spaces and the order of steps do not matter, and there may be commas between them.",
                (
                    "The ten may be written `10H` or `TH`; suit symbols and names such as `nine of hearts` are "
                    "understood, and so is “play”, “lead”, “follow”, “move” or “spend” in front."
                ),
                "For off you may write `0`, `x` or `o`; between the spots `/` or `>` will do.",
                "A step made twice may be written once, as in `6-4x2`.",
                "If you win and lead on, one mail may hold both: the steps in one line, the card in the next.",
            ),
        ),
        section(
            "The score",
            table(
                ("In each round", "Points"),
                ("each pyramid of yours that is off", "1"),
                ("all six off before the other", "3 more"),
                ("each null you took", "1 less"),
            ),
            "So a round brings anything from minus 3 to 9 points. The points of all rounds are added up, and the "
            "higher sum wins. If they are equal, the spots that were left decide: every pyramid on the track at the "
            "end of a round counts the number of its spot, and the lower sum of all rounds wins. If that is equal "
            "too, the match is a draw.",
        ),
        section(
            "What is hidden",
            "Your hand is yours to see alone, and so is a card that you have led until the other has followed. "
            "Tracks, nulls, points and all cards that were shown in the round are open.",
        ),
    ),
    options={"rounds": "One round takes about 12 turns of both together, three about 37, and all twelve about 141."},
    house=(
        "Twins are the same card in every respect: A and 7 of a suit are equal, 2 and 8, and so on.",
        "Each round is set up anew, with new tracks and the whole deck shuffled; hands are not refilled.",
        "If both have equally many points at the start of a round, one player, drawn by lot once in a match, leads.",
        "Of any two suits one always beats the other, as the table says. Clubs beat spades, but nothing else.",
        "In one suit the card that followed wins, whatever the cards are worth.",
        "Every use moves one pyramid, and a pyramid may be moved more than once. Uses cannot be declined.",
        "Pyramids on higher spots keep nobody from leaving the track.",
        "Kings move nothing, but win and match as other cards do.",
        "The extra card is compared with the card that won, and is turned up after the first uses.",
        "Nulls are for a trick won for nothing, and for being behind one who has finished; there are three in a round.",
        "Only what was done counts for a null, not what could have been done.",
        "Points are one for each pyramid off, three for the race, one less for each null, over all rounds.",
        "Equal sums: fewer spots left wins, or else it is a draw.",
    ),
    designer="Designed by Michael Fogus after Joli Quentin Kansil’s Marrakesh.",
    source="Published as rules for cards and Treehouse pyramids.",
)
