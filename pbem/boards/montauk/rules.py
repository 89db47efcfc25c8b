"""Rules of Montauk for players."""

from __future__ import annotations

from pbem.boards.montauk import examples as boards
from pbem.boards.rules.parts import Example, Rules, section, table

_BOTH = ("Ann", "Bob")

RULES = Rules(
    game="montauk",
    lead="A race for two. Get your six pyramids off a short track; cards that you play blind against each other "
    "decide who may move, and how far.",
    tagline="Race six pyramids off a short track, with cards played blind.",
    minutes=1,
    sections=(
        section(
            "The aim",
            "Have more points than your opponent after all rounds. Each round is a separate race: you score for "
            "pyramids that leave the track, and for being first to have all six off.",
        ),
        section(
            "A round",
            "Your six pyramids start on random spots from 1 to 6 of your own track, any number to a spot, and each of "
            "you gets six cards. The rest of the deck is the pile. Three black pyramids, the nulls, lie in the "
            "middle.",
            "Then you play six tricks. The player with fewer points in the match leads the first one, and the winner "
            "of a trick leads the next. Cards are not replaced. If both of you have all six off, the round ends "
            "early.",
        ),
        section(
            "What cards are worth",
            table(
                ("Card", "Worth"),
                ("A, 2, 3, 4, 5, 6", "1 to 6"),
                ("7, 8, 9, T (the ten), J, Q", "1 to 6 once more"),
                ("K", "nothing"),
            ),
            "So every card except a king has a twin of the same suit and worth: the three and the nine of hearts are "
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
            "The leader plays a card face down; the other player plays any card without seeing it. Then both are "
            "shown. The higher suit wins, whatever the cards are worth; if both have the same suit, the card that "
            "followed wins.",
            "The winner moves. Each use of a card’s worth moves one of their pyramids that many spots down; one that "
            "would go below spot 1 leaves the track. Split the uses among your pyramids as you like; one pyramid may "
            "move more than once. You must use all of them, unless your track is empty first.",
            table(
                ("The two cards", "First the winner uses", "Extra card"),
                ("other suit, other worth", "both worths, once each", "none"),
                ("one suit, other worth", "both worths, once each", "used once, four or six times"),
                ("other suit, one worth", "that worth four times", "used once, four or six times"),
                ("twins", "that worth six times", "used four times"),
            ),
            "The extra card is turned up from the pile only after the first uses, and the winner uses its worth as "
            "well: six times if it is the twin of the card that won the trick, four times if it has that card’s suit "
            "or worth, otherwise once. After twins it is always four times.",
            Example(
                boards.SPEND,
                _BOTH,
                "Ann led the three of spades, and Bob followed with the ace of clubs. Clubs beat spades, so Bob wins: "
                "he moves one pyramid three spots and one pyramid one spot. With `5-2 1-off` one goes from spot 5 to "
                "spot 2, and one leaves the track from spot 1.",
                2,
            ),
            Example(
                boards.EXTRA,
                _BOTH,
                "In the next trick both cards were clubs, so Ann, who followed, won and has made her first moves. The "
                "extra card is the six of hearts; the card that won was the three of clubs, which has neither its "
                "suit nor its worth. She uses six once: `4-off` takes a pyramid off from spot 4.",
                1,
            ),
        ),
        section(
            "Nulls",
            "A null costs a point. The winner of a trick takes one if they had a pyramid on the track when it began "
            "and got none off in it. If the winner had all six off before the trick and the other player did not, the "
            "other player takes one. Once the three nulls are gone, nobody takes any more.",
        ),
        section(
            "How to write a move",
            "To lead or follow, name a card, such as `9H` for the nine of hearts. To move, write each step from spot "
            "to spot, or off, such as `6-4 3-off`.",
            (
                "Capitals, spaces and the order of steps do not matter, and there may be commas between them.",
                (
                    "You can write the ten as `10H` or `TH`. Suit symbols and names such as `nine of hearts` work "
                    "too, and so does “play”, “lead”, “follow”, “move” or “spend” in front."
                ),
                "For off you can write `0`, `x` or `o`; between the spots you can write `/` or `>`.",
                "Write a step that you make twice once, as in `6-4x2`.",
                "If you win and then lead, one mail can hold both: the steps on one line, the card on the next.",
            ),
        ),
        section(
            "The score",
            table(
                ("In each round", "Points"),
                ("each of your pyramids that is off", "1"),
                ("all six off before your opponent", "3 more"),
                ("each null you took", "1 less"),
            ),
            "So a round is worth from minus 3 to 9 points. The points of all rounds are added up, and the higher "
            "total wins. If the totals are equal, the spots that were left decide: every pyramid on the track at the "
            "end of a round counts the number of its spot, and the lower total of all rounds wins. If that is equal "
            "too, the match is a draw.",
        ),
        section(
            "What is hidden",
            "Only you see your hand, and a card that you have led until the other player has followed. Tracks, nulls, "
            "points and all cards shown in the round are open.",
        ),
    ),
    options={
        "rounds": "One round takes about 12 turns, counting both players, three about 37, and all twelve about 141."
    },
    house=(
        "Twins are the same card in every respect: A and 7 of a suit are equal, 2 and 8, and so on.",
        "Each round starts fresh, with new tracks and the whole deck shuffled; hands are not refilled.",
        (
            "If both players have the same number of points at the start of a round, one player, chosen at random "
            "once per match, leads."
        ),
        "Of any two suits, one always beats the other, as the table shows. Clubs beat spades, but nothing else.",
        "If both cards have the same suit, the card that followed wins, whatever the cards are worth.",
        "Every use moves one pyramid, and a pyramid may move more than once. You cannot decline a use.",
        "Pyramids may leave the track while others stand on higher spots.",
        "Kings move nothing, but win and match as other cards do.",
        "The extra card is compared with the card that won, and is turned up after the first uses.",
        (
            "You take a null if you win a trick for nothing, or if you are behind a player who has finished; there "
            "are three in a round."
        ),
        "For a null, only what you did counts, not what you could have done.",
        "A point for each pyramid off, three for the race, one less for each null, over all rounds.",
        "If totals are equal, fewer spots left wins; otherwise it is a draw.",
    ),
    designer="Designed by Michael Fogus after Joli Quentin Kansil’s Marrakesh.",
    source="Published as rules for cards and Treehouse pyramids.",
)
