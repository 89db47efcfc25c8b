"""Rules of Amazonian Buffet for players."""

from __future__ import annotations

from pbem.boards.amazonian_buffet import examples as boards
from pbem.boards.rules.parts import Example, Rules, section, table

_BOTH = ("Ann", "Bob")

RULES = Rules(
    game="amazonian-buffet",
    lead="A game for two. With pawns that move like chess queens you claim cards from a grid. Then you make three "
    "poker hands from your cards, and the player who wins more of them wins the match.",
    tagline="Claim cards with pawns that move like chess queens, then make three poker hands.",
    minutes=3,
    sections=(
        section(
            "The aim",
            "Claim cards that make good hands, and arrange your three hands so that two of them beat your opponent’s.",
        ),
        section(
            "The grid",
            "48 cards lie face up in six files, a to f, and eight rows, 1 to 8; `a1` is at the bottom left. The first "
            "player’s black pawns start on a1 and f1, the second player’s white ones on a8 and f8. The four remaining "
            "cards are dealt face up, two to each of you, and count among your cards.",
        ),
        section(
            "How a turn goes",
            "Move one of your pawns; then you may claim one card. If neither pawn can move, you pass.",
            (
                (
                    "A pawn slides one or more squares in a straight or diagonal line. The squares it crosses and the "
                    "one where it stops must not hold a pawn or a claim stone."
                ),
                (
                    "If your two pawns stood in the same row or file before the move, they must not share any row or "
                    "file after it."
                ),
                (
                    "If your pawns share no row or file after the move, you may claim where the file of one meets the "
                    "row of the other, either way round."
                ),
                "If they do share one, you may claim any square between them.",
                "You cannot claim a square with a pawn or a stone on it. What lies between does not matter.",
            ),
            "A claimed card is yours, and your stone stays on its square. This stage ends after four turns in a row "
            "without a claim, two by each player.",
            Example(
                boards.CLAIMED,
                _BOTH,
                "After three turns. Ann’s pawns started in row 1, so they had to separate: with `a1-c3 f3` she moved "
                "to c3 and claimed f3, where the file of one pawn meets the row of the other. Bob did the same with "
                "`a8-c6 c8`. Then Ann played `c3-c1 d1`: her pawns now stand in row 1 again, and d1 lies between "
                "them.",
                2,
            ),
        ),
        section(
            "The hands",
            "Now each of you makes three hands of up to five cards from your own cards. You must use fifteen of them, "
            "or all if you have fewer. You both seal your hands without seeing the other’s; then all six are shown. "
            "Now you may each change your hands once, sealed again, or keep them. Then your first hand meets your "
            "opponent’s first, the second the second, and the third the third.",
        ),
        section(
            "How to write a move",
            "On the grid, write where the pawn moves from and to, then the square that you claim, as in `a1-c3 f3`, "
            "or `none`, as in `a1-c3 none`. If neither pawn can move, write `pass`.",
            (
                (
                    "You can replace the hyphen by a space or leave it out, as in `a1c3 f3`. Before the claimed "
                    "square you can write `x` or `claim`, and you can name the card instead of its square, as in "
                    "`a1-c3 KD`."
                ),
                "If you forget the claim, we ask you, unless there was nothing to claim.",
            ),
            "Write hands with bars between them, such as `hands AS KS QS JS TS | 9D 9C 9H 4S 2D | 7S 3H`. To leave "
            "them as they are, write `keep`.",
            (
                (
                    "You can leave out the word “hands”. For a bar you can write `/` or `;`, or start a new line for "
                    "each hand."
                ),
                "Write the cards in any order, with commas if you like. An empty hand is `-`, or nothing at all.",
                "You can write the ten as `10S` or `TS`, and use suit symbols.",
            ),
        ),
        section(
            "The score",
            "You score the number of hands that you win, and the higher score wins. These are the kinds of hands, the "
            "best one first.",
            table(
                ("Kind", "What it takes"),
                ("royal flush", "ace, king, queen, jack and ten of one suit"),
                ("straight flush", "five in a row, of one suit"),
                ("four of a kind", "four of one rank"),
                ("full house", "three of one rank and two of another"),
                ("flush", "five of one suit"),
                ("straight", "five in a row; the ace is above the king, or below the two"),
                ("three of a kind", "three of one rank"),
                ("two pair", "two of one rank and two of another"),
                ("one pair", "two of one rank"),
                ("high card", "any card"),
                ("empty", "no card"),
            ),
            "Of two hands of the same kind, the one with the higher cards wins, compared card by card from the "
            "highest down. If one runs out first, the longer hand wins. If all ranks are equal, the suits decide: "
            "spades, then hearts, diamonds, clubs.",
            Example(
                boards.SHOWDOWN,
                _BOTH,
                "The end of a match. Both first hands are four of a kind, and Bob’s ace beats Ann’s king, although it "
                "is not one of the four. His four fives beat her two pair. Her full house beats his because of its "
                "aces. Two hands to one: Bob wins.",
            ),
        ),
    ),
    options={
        "compare": "Card by card, a pair of twos with an ace beats a pair of kings without one. In poker, the "
        "pair counts first."
    },
    house=(
        "The grid is six wide and eight high, with each player’s pawns on a short side.",
        "The four remaining cards are dealt open, two to each player, and may be used in the hands.",
        "Leaving a line means sharing neither row nor file afterwards, neither the old one nor a new one.",
        "A player who cannot move passes. This counts as a turn without a claim.",
        "You never have to claim, and you claim at most one card per turn.",
        (
            "A pawn of either colour protects the card that it stands on. You may claim the square that your pawn has "
            "just left, if it is one of those described."
        ),
        "The board stage ends after four turns in a row without a claim, two by each player.",
        "Hands are sealed and shown, then changed once, and sealed and shown a second time.",
        "First hand meets first, second meets second, third meets third.",
        (
            "If you have fewer than fifteen cards, you use all of them, and choose how to divide them. Flushes, "
            "straights and full houses need five cards."
        ),
        "Hands of the same kind are compared by single cards first, unless you choose the poker way.",
        "Nobody wins a contest of two empty hands. If both players win the same number of hands, the match is a draw.",
    ),
    designer="Designed by Michael Fogus.",
    source="Published as rules for a deck of cards, pawns and stones.",
)
