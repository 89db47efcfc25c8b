"""Rules of Amazonian Buffet for players."""

from __future__ import annotations

from pbem.boards.amazonian_buffet import examples as boards
from pbem.boards.rules.parts import Example, Rules, section, table

_BOTH = ("Ann", "Bob")

RULES = Rules(
    game="amazonian-buffet",
    lead="A game for two. With pawns that move like chess queens you claim cards from a grid. Then you make three "
    "poker hands of your cards, and whoever wins more of the three has won.",
    sections=(
        section(
            "The aim",
            "Claim cards that make good hands, and set your three hands so that two of them beat the other’s.",
        ),
        section(
            "The grid",
            "48 cards lie face up in six files, a to f, and eight rows, 1 to 8; `a1` is at the bottom left. The first "
            "player’s black pawns begin on a1 and f1, the second player’s white ones on a8 and f8. The four cards "
            "that are left over are dealt, two to each of you, face up: they belong to your cards from the start.",
        ),
        section(
            "How a turn goes",
            "You move one of your pawns, and then you may claim one card. If no pawn can move, you pass.",
            (
                (
                    "A pawn slides one or more squares in a straight or slanting line. Neither the squares it crosses "
                    "nor the one where it stops may hold a pawn or a claim stone."
                ),
                (
                    "If your two pawns stood in one row or file before the move, they must not share any row or file "
                    "after it."
                ),
                (
                    "After the move, if your pawns share no row or file, you may claim where the file of one meets "
                    "the row of the other, either way round."
                ),
                "If they do share one, you may claim any square between them.",
                "A square with a pawn or a stone on it cannot be claimed. What lies between does not matter.",
            ),
            "A claimed card is yours, and your stone stays on its square. This stage ends when four turns in a row, "
            "two of each player, have claimed nothing.",
            Example(
                boards.CLAIMED,
                _BOTH,
                "Three turns in. Ann’s pawns began in row 1, so they had to part: with `a1-c3 f3` she went to c3 and "
                "claimed f3, where the file of one pawn meets the row of the other. Bob did likewise with `a8-c6 c8`. "
                "Then Ann played `c3-c1 d1`: her pawns now stand in row 1 again, and d1 lies between them.",
                2,
            ),
        ),
        section(
            "The hands",
            "Now each of you makes three hands of up to five cards each from your own cards. You must use fifteen of "
            "them, or all if you have fewer. Both of you seal them without seeing the other’s, and then all six are "
            "shown. Now each of you may change them once, sealed again, or keep them as they are. Then your first "
            "hand meets the other’s first, the second the second, and the third the third.",
        ),
        section(
            "How to write a move",
            "On the grid: from where to where, and then the square that you claim, as in `a1-c3 f3`, or `none`, as in "
            "`a1-c3 none`; `pass` where no pawn can move.",
            (
                (
                    "The hyphen may be a space or left out, as in `a1c3 f3`. Before the claimed square you may write "
                    "`x` or `claim`, and you may name the card instead of its square, as in `a1-c3 KD`."
                ),
                "If you forget the claim, you are asked, unless there was nothing to claim.",
            ),
            "Hands are written with bars between them, such as `hands AS KS QS JS TS | 9D 9C 9H 4S 2D | 7S 3H`. To "
            "leave them as they are, write `keep`.",
            (
                "The word “hands” may be left out; `/` or `;` will do for a bar, or a new line for each hand.",
                "Cards may come in any order, with commas if you like. An empty hand is `-`, or nothing at all.",
                "The ten may be written `10S` or `TS`, and suit symbols are understood.",
            ),
        ),
        section(
            "The score",
            "Your score is the number of hands that you won, and the higher score wins. Hands are of these kinds, the "
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
            "Of two hands of one kind, the one with the higher cards wins, compared card by card from the highest "
            "down. If one runs out first, the longer hand wins. If all ranks are equal, the suits decide: spades, "
            "then hearts, diamonds, clubs.",
            Example(
                boards.SHOWDOWN,
                _BOTH,
                "The end of a match. Both first hands hold four of a kind, and Bob’s ace beats Ann’s king, although "
                "it is not one of the four. His four fives beat her two pair. Her full house is better than his by "
                "its aces. Two hands to one: Bob has won.",
            ),
        ),
    ),
    options={
        "compare": "Card by card, a pair of twos with an ace beats a pair of kings without one. Poker players "
        "look at the pair first."
    },
    house=(
        "The grid is six wide and eight high, with each player’s pawns on their own short side.",
        "The four cards left over are dealt open, two to each, and may be used in the hands.",
        "Leaving a line means sharing neither row nor file afterwards, old or new.",
        "Whoever cannot move passes. That counts as a turn without a claim.",
        "Claiming is never a must, and is at most one card in a turn.",
        (
            "A pawn of either colour guards the card that it stands on. The square that a pawn has just left may be "
            "claimed, if it is one of those described."
        ),
        "The claiming ends after four turns in a row without a claim, two of each player.",
        "Hands are sealed and shown, then changed once, sealed and shown again; that is all.",
        "First hand meets first, second meets second, third meets third.",
        (
            "With fewer than fifteen cards all are used, and you choose how to divide them. Flushes, straights and "
            "full houses need five cards."
        ),
        "Equal kinds are compared by single cards first, unless you choose the poker way.",
        "Two empty hands are won by nobody. If both have won equally many, the match is a draw.",
    ),
    designer="Designed by Michael Fogus.",
    source="Published as rules for a deck of cards, pawns and stones.",
)
